// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel skips a newidle balance that may take longer than the CPU is expected to
 * be idle: it compares with max_newidle_lb_cost, which we raise when one has failed.
 *
 * The kernel writes the cost itself, without a lock, after each attempt and when it
 * decays. We cannot be called just then, so what it wrote is looked at when the next
 * attempt ends, at the next periodic balance, and when somebody reads it or flips the
 * policy.
 */
#include <linux/jiffies.h>
#include <linux/sched/topology.h>

#include "cost.h"
#include "resolve.h"

static u64 sf_cost_cap(void)
{
	const unsigned int *migration =
		sf_variables.sysctl_sched_migration_cost;

	return (u64)READ_ONCE(*migration) + SF_COST_ABOVE;
}

/**
 * sf_cost_refresh - take over what the kernel did to a domain's cost
 * @state: the domain's, locked by the caller
 * @sd: the domain
 *
 * Does nothing at stock.
 */
void sf_cost_refresh(struct sf_cost_state *state, struct sched_domain *sd)
{
	u64 now = READ_ONCE(sd->max_newidle_lb_cost), wanted;

	if (state->policy == SF_COST_STOCK)
		return;
	if (!state->begun)
		sf_cost_begin(&state->cost, now, get_jiffies_64());
	state->begun = true;
	wanted = sf_cost_follow(&state->cost, now, sf_cost_cap(),
				get_jiffies_64());
	sf_cost_age(&state->cost, get_jiffies_64(), HZ);
	if (wanted != now)
		WRITE_ONCE(sd->max_newidle_lb_cost, wanted);
}

/**
 * sf_cost_attempt - an attempt has ended
 * @state: the domain's, locked by the caller, and under bump
 * @sd: the domain
 * @failed: it brought no task
 * @took: ns
 *
 * As in the patch, a cost that was raised does not decay for a second.
 *
 * Return: whether it is one for @state->bumps.
 */
bool sf_cost_attempt(struct sf_cost_state *state, struct sched_domain *sd,
		     bool failed, u64 took)
{
	u64 before;

	sf_cost_refresh(state, sd);
	sf_cost_took(&state->cost, took, get_jiffies_64());
	if (!failed)
		return false;
	before = state->cost.left;
	sf_cost_bump(&state->cost, sf_cost_cap());
	/* One and a half times nothing is nothing. */
	if (!before)
		return true;
	WRITE_ONCE(sd->max_newidle_lb_cost, state->cost.left);
	WRITE_ONCE(sd->last_decay_max_lb_cost, jiffies);
	return true;
}

/**
 * sf_cost_give_back - the domain's cost is the kernel's own again
 * @state: the domain's, locked by the caller
 * @sd: the domain
 */
void sf_cost_give_back(struct sf_cost_state *state, struct sched_domain *sd)
{
	if (!state->begun)
		return;
	sf_cost_refresh(state, sd);
	WRITE_ONCE(sd->max_newidle_lb_cost, state->cost.own);
	state->begun = false;
}

/**
 * sf_cost_set - the domain has learned another cost
 * @state: the domain's, locked by the caller
 * @sd: the domain
 * @value: ns
 */
void sf_cost_set(struct sf_cost_state *state, struct sched_domain *sd,
		 u64 value)
{
	WRITE_ONCE(sd->max_newidle_lb_cost, value);
	state->begun = false;
}

/**
 * sf_cost_own - what a domain's cost would be without us
 * @state: the domain's, locked by the caller
 * @sd: the domain
 *
 * Return: ns.
 */
u64 sf_cost_own(const struct sf_cost_state *state,
		const struct sched_domain *sd)
{
	return state->begun ? state->cost.own :
			      READ_ONCE(sd->max_newidle_lb_cost);
}
