/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of several equally idle CPUs a new task gets, and the meter of picks that
 * were stale by the time they were made.
 */
#ifndef SCHEDFLIP_SLOWPATH_POLICY_H
#define SCHEDFLIP_SLOWPATH_POLICY_H

#include <linux/atomic.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include <schedflip/slowpath.h>

struct sched_domain;
struct sched_group;
struct task_struct;

/**
 * struct sf_slowpath_state - of one domain
 * @policy: enum sf_slowpath; read without a lock, a choice under way may miss a flip
 * @chosen: CPUs chosen by us
 * @picks: CPUs that were idle when chosen, by us or by the kernel
 * @stale: those of them that were busy when select_task_rq_fair() returned
 *
 * Several CPUs may fork into one domain at once, so they count atomically.
 */
struct sf_slowpath_state {
	u8 policy;
	atomic64_t chosen;
	atomic64_t picks;
	atomic64_t stale;
};

/*
 * Of the domain whose group was picked last on this CPU, for a task that is being
 * placed; NULL if none was. Set by sf_slowpath_choose(), taken by sf_slowpath_end().
 */
DECLARE_PER_CPU(struct sf_slowpath_state *, sf_slowpath_pending);

int sf_slowpath_init(void);
void sf_slowpath_exit(void);
void sf_slowpath_seed(u64 seed);
void sf_slowpath_restart(struct sf_slowpath_state *slowpath);
struct sched_group *sf_slowpath_choose(struct sched_domain *sd,
				       struct task_struct *p, int this_cpu,
				       struct sched_group *group);
void sf_slowpath_judge(const struct task_struct *p, int cpu);

/**
 * sf_slowpath_end - a task was placed: was the pick still good?
 * @p: the task
 * @cpu: the CPU it got
 *
 * Most placements pick no group, and are done here.
 */
static __always_inline void sf_slowpath_end(const struct task_struct *p,
					    int cpu)
{
	if (unlikely(this_cpu_read(sf_slowpath_pending)))
		sf_slowpath_judge(p, cpu);
}

#endif
