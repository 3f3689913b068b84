// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel changes these values without a lock when the domain's CPU goes idle, and
 * so do we: at worst one of its calls is lost.
 */
#include <linux/sched/topology.h>

#include "learned.h"
#include "newidle.h"
#include "state.h"

/* As sd_init() in kernel/sched/topology.c makes a domain. */
static const struct sf_learned sf_fresh = {
	.valid = true,
	.call = SF_CELL / 2,
	.success = SF_CELL / 4,
	.ratio = SF_CELL / 2,
	.cost = 0,
};

static u32 *sf_member(struct sched_domain *sd, int offset)
{
	return offset == SF_NO_MEMBER ? NULL : (void *)sd + offset;
}

static u32 sf_read_member(struct sched_domain *sd, int offset)
{
	const u32 *member = sf_member(sd, offset);

	return member ? READ_ONCE(*member) : 0;
}

static void sf_write_member(struct sched_domain *sd, int offset, u32 value)
{
	u32 *member = sf_member(sd, offset);

	if (member)
		WRITE_ONCE(*member, value);
}

/**
 * sf_learned_save - remember it for the policy that runs now
 * @state: the domain's, locked by the caller
 * @sd: the domain
 */
void sf_learned_save(struct sf_state *state, struct sched_domain *sd)
{
	struct sf_learned *learned = &state->learned[state->policy];

	learned->valid = true;
	if (sf_kernel_learns) {
		learned->call = sf_read_member(
			sd, sf_layout.sched_domain__newidle_call);
		learned->success = sf_read_member(
			sd, sf_layout.sched_domain__newidle_success);
		learned->ratio = sf_read_member(
			sd, sf_layout.sched_domain__newidle_ratio);
	} else {
		learned->call = state->learner.call;
		learned->success = state->learner.success;
		learned->ratio = state->learner.ratio;
	}
	learned->cost = sf_cost_own(&state->cost, sd);
}

/**
 * sf_learned_load - set it for the policy that runs now
 * @state: the domain's, locked by the caller
 * @sd: the domain
 * @how: SF_LEARN_RESET, or SF_LEARN_RESTORE
 */
void sf_learned_load(struct sf_state *state, struct sched_domain *sd,
		     enum sf_learn how)
{
	const struct sf_learned *learned = &state->learned[state->policy];

	if (how == SF_LEARN_RESET || !learned->valid)
		learned = &sf_fresh;
	if (sf_kernel_learns) {
		sf_write_member(sd, sf_layout.sched_domain__newidle_call,
				learned->call);
		sf_write_member(sd, sf_layout.sched_domain__newidle_success,
				learned->success);
		sf_write_member(sd, sf_layout.sched_domain__newidle_ratio,
				learned->ratio);
	} else {
		state->learner.call = learned->call;
		state->learner.success = learned->success;
		state->learner.ratio = learned->ratio;
	}
	sf_cost_set(&state->cost, sd, learned->cost);
}
