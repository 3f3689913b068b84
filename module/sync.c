// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/cpumask.h>
#include <linux/sched/clock.h>
#include <linux/sched/topology.h>

#include "state.h"

/* The state that holds the meter of a domain's span. */
static struct sf_state *sf_sync_home(const struct sched_domain *sd)
{
	return sf_state_of(cpumask_first(sched_domain_span((void *)sd)),
			   sd->level);
}

/* A number that other spans do not have, but for one in 2^64. */
static u64 sf_span_id(const struct sched_domain *sd)
{
	const unsigned long *words =
		cpumask_bits(sched_domain_span((void *)sd));
	u64 id = 0;
	int i;

	for (i = 0; i < BITS_TO_LONGS(nr_cpumask_bits); i++)
		id = (id ^ words[i]) * 0x9e3779b97f4a7c15ULL;
	return id;
}

/**
 * sf_sync_note - a newidle call has been decided
 * @state: the domain's
 * @sd: the domain
 * @weight: in 1024, how likely it was to attempt
 * @attempt: it attempts
 *
 * With interrupts off. Of the calls of one CPU in an interval only the first counts,
 * for a CPU does not contend with itself. NUMA domains may overlap: several spans
 * then have the same home, and the first that calls is measured.
 */
void sf_sync_note(struct sf_state *state, const struct sched_domain *sd,
		  u32 weight, bool attempt)
{
	u64 interval = local_clock() >> SF_SYNC_SHIFT, span;
	struct sf_sync_state *sync = &sf_sync_home(sd)->sync;

	if (state->sync.last == interval)
		return;
	state->sync.last = interval;
	span = sf_span_id(sd);
	raw_spin_lock(&sync->lock);
	if (!sync->span)
		sync->span = span;
	if (sync->span == span)
		sf_sync_call(&sync->meter, interval, weight, attempt);
	raw_spin_unlock(&sync->lock);
}

/**
 * sf_sync_restart - set a meter to zero
 * @sync: with interrupts off; the state it is in may be locked
 */
void sf_sync_restart(struct sf_sync_state *sync)
{
	raw_spin_lock(&sync->lock);
	sync->meter = (struct sf_sync){};
	sync->span = 0;
	raw_spin_unlock(&sync->lock);
}

/**
 * sf_sync_read - the meter of a domain's span
 * @sd: inside its RCU section; with interrupts off
 *
 * Return: the meter; all zero for a span that is not measured.
 */
struct sf_sync sf_sync_read(const struct sched_domain *sd)
{
	struct sf_sync_state *sync = &sf_sync_home(sd)->sync;
	struct sf_sync meter = {};

	raw_spin_lock(&sync->lock);
	if (sync->span == sf_span_id(sd))
		meter = sync->meter;
	raw_spin_unlock(&sync->lock);
	return meter;
}
