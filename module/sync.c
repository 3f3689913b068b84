// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/cpumask.h>
#include <linux/sched/topology.h>

#include "clock.h"
#include "state.h"

/* The state that holds the meter of a domain's span. */
static struct sf_state *sf_sync_home(const struct sched_domain *sd)
{
	return sf_state_of(cpumask_first(sched_domain_span((void *)sd)),
			   sd->level);
}

/**
 * sf_sync_note - a newidle call has been decided
 * @state: the domain's, not locked: the lock of another state is taken
 * @sd: the domain
 * @weight: of the call, 0 .. 1024
 * @attempt: it attempts
 *
 * With interrupts off. Of the calls of one CPU in an interval only the first counts,
 * for a CPU does not contend with itself.
 */
void sf_sync_note(struct sf_state *state, const struct sched_domain *sd,
		  u32 weight, bool attempt)
{
	u64 interval = sf_ticks_to_ns(sf_ticks()) >> SF_SYNC_SHIFT;
	struct sf_state *home = sf_sync_home(sd);

	if (state->sync.last == interval)
		return;
	state->sync.last = interval;
	sf_state_lock(home);
	sf_sync_call(&home->sync.meter, interval, weight, attempt);
	sf_state_unlock(home);
}

/**
 * sf_sync_read - the meter of a domain's span
 * @sd: inside its RCU section; with interrupts off and no state locked
 */
struct sf_sync sf_sync_read(const struct sched_domain *sd)
{
	struct sf_state *home = sf_sync_home(sd);
	struct sf_sync meter;

	sf_state_lock(home);
	meter = home->sync.meter;
	sf_state_unlock(home);
	return meter;
}
