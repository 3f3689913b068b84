// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel changes these values without a lock when the domain's CPU goes idle, and
 * so do we: at worst one of its calls is lost.
 */
#include <linux/sched/clock.h>
#include <linux/sched/topology.h>
#include <linux/static_call.h>

#include "learned.h"
#include "newidle.h"
#include "state.h"

DECLARE_STATIC_CALL(sf_sched_clock, sched_clock);

/* As sd_init() in kernel/sched/topology.c makes a domain. */
static const struct sf_learned sf_fresh = {
	.valid = true,
	.call = SF_CELL / 2,
	.success = SF_CELL / 4,
	.ratio = SF_CELL / 2,
	.age = 0,
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

/* The kernel's own stamp is of sched_clock(). */
static u64 *sf_stamp(struct sched_domain *sd)
{
	int offset = sf_layout.sched_domain__newidle_stamp;

	return offset == SF_NO_MEMBER ? NULL : (void *)sd + offset;
}

static void sf_save_kernel(struct sf_learned *learned, struct sched_domain *sd)
{
	u64 now = static_call(sf_sched_clock)();
	const u64 *stamp = sf_stamp(sd);

	learned->call =
		sf_read_member(sd, sf_layout.sched_domain__newidle_call);
	learned->success =
		sf_read_member(sd, sf_layout.sched_domain__newidle_success);
	learned->ratio =
		sf_read_member(sd, sf_layout.sched_domain__newidle_ratio);
	learned->age = stamp ? now - READ_ONCE(*stamp) : 0;
}

static void sf_load_kernel(const struct sf_learned *learned,
			   struct sched_domain *sd)
{
	u64 now = static_call(sf_sched_clock)();
	u64 *stamp = sf_stamp(sd);

	sf_write_member(sd, sf_layout.sched_domain__newidle_call,
			learned->call);
	sf_write_member(sd, sf_layout.sched_domain__newidle_success,
			learned->success);
	sf_write_member(sd, sf_layout.sched_domain__newidle_ratio,
			learned->ratio);
	if (stamp)
		WRITE_ONCE(*stamp, now - learned->age);
}

static void sf_save_own(struct sf_learned *learned,
			const struct sf_learner *learner)
{
	learned->call = learner->call;
	learned->success = learner->success;
	learned->ratio = learner->ratio;
	learned->age = local_clock() - learner->stamp;
}

static void sf_load_own(const struct sf_learned *learned,
			struct sf_learner *learner)
{
	learner->call = learned->call;
	learner->success = learned->success;
	learner->ratio = learned->ratio;
	learner->stamp = local_clock() - learned->age;
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
	if (sf_kernel_learns)
		sf_save_kernel(learned, sd);
	else
		sf_save_own(learned, &state->learner);
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
	if (sf_kernel_learns)
		sf_load_kernel(learned, sd);
	else
		sf_load_own(learned, &state->learner);
	sf_cost_set(&state->cost, sd, learned->cost);
}
