/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_NEWIDLE_POLICY_H
#define SCHEDFLIP_NEWIDLE_POLICY_H

#include <linux/sched/topology.h>

#include "state.h"

/**
 * struct sf_attempt - a newidle call between its decision and its outcome
 * @state: the domain's
 * @weight: the call's
 * @flip: of the counters that the call was counted in
 * @begin: ns
 */
struct sf_attempt {
	struct sf_state *state;
	u32 weight;
	u16 flip;
	u64 begin;
};

int sf_newidle_init(void);
bool sf_newidle_kernel_learns(void);
bool sf_newidle_begin(struct sf_attempt *attempt, struct sched_domain *sd,
		      int cpu);
u64 sf_newidle_end(const struct sf_attempt *attempt, struct sched_domain *sd,
		   int pulled);
void sf_newidle_throw_dice(bool on);

#endif
