/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the balancer has learned in a domain, and what a flip does with it.
 */
#ifndef SCHEDFLIP_LEARNED_H
#define SCHEDFLIP_LEARNED_H

#include <linux/types.h>

#include <schedflip/learn.h>
#include <schedflip/newidle.h>

struct sched_domain;
struct sf_state;

/**
 * struct sf_learned - as a policy left it
 * @valid: there is such a thing
 * @call: calls, as sd->newidle_call
 * @success: credits, as sd->newidle_success
 * @ratio: as sd->newidle_ratio
 * @age: time since the ratio was learned, ns: what NI_RATE goes by
 * @cost: as sd->max_newidle_lb_cost, without what bump adds, ns
 */
struct sf_learned {
	bool valid;
	u32 call;
	u32 success;
	u32 ratio;
	u64 age;
	u64 cost;
};

void sf_learned_save(struct sf_state *state, struct sched_domain *sd);
void sf_learned_load(struct sf_state *state, struct sched_domain *sd,
		     enum sf_learn how);

#endif
