/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a failed newidle balance costs its domain.
 */
#ifndef SCHEDFLIP_COST_POLICY_H
#define SCHEDFLIP_COST_POLICY_H

#include <linux/types.h>

#include <schedflip/cost.h>

struct sched_domain;

/**
 * struct sf_cost_state - of one domain; guarded by the state's lock
 * @policy: enum sf_cost_policy
 * @begun: @cost follows the domain's cost
 * @cost: as long as the policy is bump
 * @bumps: attempts that failed under it, of those that the other counters count
 */
struct sf_cost_state {
	u8 policy;
	bool begun;
	struct sf_cost cost;
	u64 bumps;
};

bool sf_cost_attempt(struct sf_cost_state *state, struct sched_domain *sd,
		     bool failed, u64 took);
void sf_cost_refresh(struct sf_cost_state *state, struct sched_domain *sd);
void sf_cost_give_back(struct sf_cost_state *state, struct sched_domain *sd);
void sf_cost_set(struct sf_cost_state *state, struct sched_domain *sd,
		 u64 value);
u64 sf_cost_own(const struct sf_cost_state *state,
		const struct sched_domain *sd);

#endif
