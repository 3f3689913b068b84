/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ratio of successful newidle calls, learned by the kernel's own rule
 * (update_newidle_stats() in kernel/sched/fair.c). For kernels whose struct
 * sched_domain has no newidle_ratio, and for the rate term that only new
 * kernels have.
 */
#ifndef SCHEDFLIP_LEARNER_H
#define SCHEDFLIP_LEARNER_H

#include "newidle.h"

/**
 * struct sf_learner - what is known of a domain's newidle calls
 * @call: calls since the halving before last, 512 .. 1023
 * @success: credits earned by them
 * @ratio: credits in 1024 calls, 0 .. 1024
 * @stamp: time of the last halving, ns
 */
struct sf_learner {
	u32 call;
	u32 success;
	u32 ratio;
	u64 stamp;
};

/**
 * sf_learner_init - the state of a domain that was just built
 * @learner: to set
 * @now: ns
 */
static inline void sf_learner_init(struct sf_learner *learner, u64 now)
{
	learner->call = SF_CELL / 2;
	learner->success = SF_CELL / 4;
	learner->ratio = SF_CELL / 2;
	learner->stamp = now;
}

/**
 * sf_learner_is_due - will the next call fill the 1024?
 * @learner: the domain's; the caller serializes access
 *
 * Only then does sf_learn() look at the time.
 */
static inline bool sf_learner_is_due(const struct sf_learner *learner)
{
	return learner->call + 1 >= SF_CELL;
}

/**
 * sf_learn - count one newidle call
 * @learner: the domain's; the caller serializes access
 * @credit: 0 for a skip or a failure, else from sf_newidle_credit()
 * @now: ns; not used unless sf_learner_is_due()
 * @rate: add the kernel's NI_RATE term: a domain with few calls a second, for
 *	which balancing costs little, attempts more of them (1024 at one call in
 *	8.4 ms or fewer)
 */
static inline void sf_learn(struct sf_learner *learner, u32 credit, u64 now,
			    bool rate)
{
	bool due = sf_learner_is_due(learner);
	u64 ratio;

	learner->success += credit;
	learner->call++;
	if (!due)
		return;

	ratio = learner->success;
	if (rate && now > learner->stamp)
		ratio += (now - learner->stamp) >> 22;
	learner->ratio = ratio < SF_CELL ? ratio : SF_CELL;
	learner->stamp = now;
	learner->call /= 2;
	learner->success /= 2;
}

#endif
