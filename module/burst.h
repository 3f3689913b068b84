/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where tasks go when the CPU chosen for them is hit by a burst.
 */
#ifndef SCHEDFLIP_BURST_POLICY_H
#define SCHEDFLIP_BURST_POLICY_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/types.h>

#include <schedflip/burst.h>

struct sched_domain;
struct sf_state;
struct task_struct;

enum sf_placement {
	SF_WAKE,
	SF_FORK,
	SF_EXEC,
	SF_NR_PLACEMENTS,
};

/**
 * struct sf_burst_counts - placements of one kind
 * @seen: looked at
 * @over: those whose CPU was over the threshold
 * @moved: those of them that got another CPU
 * @idle: those of them that got an idle one
 */
struct sf_burst_counts {
	atomic64_t seen;
	atomic64_t over;
	atomic64_t moved;
	atomic64_t idle;
};

/**
 * struct sf_burst_state - of one domain
 * @policy: enum sf_burst_policy
 * @nohz: idle takes only CPUs whose tick is stopped
 * @min_depth: burst_depth
 * @factor: burst_factor
 * @depth: average depth of the domain's CPUs
 * @next: CPU at which the next periodic pass begins to look
 * @counts: by enum sf_placement; any CPU may place a task on ours, so they are atomic
 *
 * All are read without a lock: a placement that is under way may miss a change.
 */
struct sf_burst_state {
	u8 policy;
	bool nohz;
	u16 min_depth;
	u16 factor;
	struct sf_depth depth;
	int next;
	struct sf_burst_counts counts[SF_NR_PLACEMENTS];
};

/* Some domain has a policy. Written by sf_burst_enable(). */
extern bool sf_burst_on;

/**
 * sf_burst_is_on - does any domain move tasks in a burst?
 */
static __always_inline bool sf_burst_is_on(void)
{
	return READ_ONCE(sf_burst_on);
}

void sf_burst_init(struct sf_burst_state *burst);
void sf_burst_restart(struct sf_burst_state *burst);
void sf_burst_enable(bool on);
void sf_burst_look(struct sf_state *state, struct sched_domain *sd);
void sf_burst_pass(struct sf_state *state, struct sched_domain *sd);
int sf_burst_place(struct task_struct *p, int cpu, int wake_flags);

#endif
