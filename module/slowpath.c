// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel first picks a group of CPUs and then a CPU of it. The second step is
 * inlined into its caller, but of a group of one CPU it takes that one. So we give it
 * such a group.
 *
 * All of it runs inside select_task_rq_fair(), under the task's pi_lock: interrupts
 * are off, on PREEMPT_RT as well, so what belongs to the executing CPU needs no lock.
 */
#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/sched/topology.h>

#include "events.h"
#include "runqueue.h"
#include "slowpath.h"
#include "state.h"

/**
 * struct sf_chooser - a choice that is being made on this CPU
 * @rng: its random numbers
 * @cpu: that we chose; SF_NO_CPU if the kernel is to choose
 * @home: CPU whose domain chooses
 * @level: of that domain
 */
struct sf_chooser {
	struct sf_rng rng;
	int cpu;
	int home;
	int level;
};

static DEFINE_PER_CPU(struct sf_chooser, sf_choosers);
DEFINE_PER_CPU(struct sf_slowpath_state *, sf_slowpath_pending);

/* For each executing CPU a group of one CPU, laid out as the kernel's are ... */
static void __percpu *sf_groups;
/* ... and those CPUs of the last group that were idle as the kernel began to choose. */
static void __percpu *sf_idle_masks;

/**
 * sf_slowpath_init - make the groups
 *
 * Return: 0 or -ENOMEM.
 */
int sf_slowpath_init(void)
{
	int cpu;

	sf_groups =
		__alloc_percpu(sf_layout.sched_group__cpumask + cpumask_size(),
			       __alignof__(u64));
	sf_idle_masks = __alloc_percpu(cpumask_size(), __alignof__(u64));
	if (!sf_groups || !sf_idle_masks) {
		sf_slowpath_exit();
		return -ENOMEM;
	}
	for_each_possible_cpu(cpu) {
		u32 *weight = per_cpu_ptr(sf_groups, cpu) +
			      sf_layout.sched_group__group_weight;

		*weight = 1;
	}
	return 0;
}

/**
 * sf_slowpath_exit - after the hooks are gone
 */
void sf_slowpath_exit(void)
{
	free_percpu(sf_groups);
	free_percpu(sf_idle_masks);
}

/**
 * sf_slowpath_seed - start the streams of random numbers anew
 * @seed: the same seed gives the same numbers
 *
 * A choice that is being made meanwhile may still draw from the old stream.
 */
void sf_slowpath_seed(u64 seed)
{
	int cpu;

	/* Streams below these belong to the states. */
	for_each_possible_cpu(cpu)
		sf_random_seed(&per_cpu_ptr(&sf_choosers, cpu)->rng, seed,
			       nr_cpu_ids * SF_MAX_LEVELS + cpu);
}

/**
 * sf_slowpath_restart - set a domain's counters to zero
 * @slowpath: of the domain
 */
void sf_slowpath_restart(struct sf_slowpath_state *slowpath)
{
	atomic64_set(&slowpath->chosen, 0);
	atomic64_set(&slowpath->picks, 0);
	atomic64_set(&slowpath->stale, 0);
}

static const struct cpumask *sf_group_span(const struct sched_group *group)
{
	return (const void *)group + sf_layout.sched_group__cpumask;
}

/*
 * Return: SF_NO_CPU if none is idle, or if the kernel looks at more than idleness: it
 * prefers a CPU that runs SCHED_IDLE tasks only, and with core scheduling it knows
 * which CPUs suit the task.
 */
static int sf_choose_idle(const struct sched_group *group,
			  const struct task_struct *p, struct sf_rng *rng)
{
	struct sf_reservoir reservoir;
	int cpu;

	if (sf_core_scheduling())
		return SF_NO_CPU;
	sf_reservoir_init(&reservoir);
	for_each_cpu_and(cpu, sf_group_span(group), p->cpus_ptr) {
		if (sf_rq_runs_idle_policy(cpu))
			return SF_NO_CPU;
		if (sf_rq_is_idle(cpu))
			sf_reservoir_offer(&reservoir, cpu,
					   sf_rq_exit_latency(cpu), rng);
	}
	return reservoir.cpu;
}

static struct sched_group *sf_group_of_one(int cpu)
{
	void *group = this_cpu_ptr(sf_groups);
	struct cpumask *span = group + sf_layout.sched_group__cpumask;

	cpumask_clear(span);
	cpumask_set_cpu(cpu, span);
	return group;
}

static void sf_note_idle(const struct sched_group *group,
			 const struct task_struct *p)
{
	struct cpumask *idle = this_cpu_ptr(sf_idle_masks);
	int cpu;

	cpumask_clear(idle);
	for_each_cpu_and(cpu, sf_group_span(group), p->cpus_ptr)
		if (sf_rq_is_idle(cpu))
			cpumask_set_cpu(cpu, idle);
}

/**
 * sf_slowpath_choose - the kernel picked a group: choose the CPU, or let it choose
 * @sd: the domain
 * @p: the task
 * @this_cpu: CPU whose domain it is
 * @group: what the kernel picked; NULL if it stays in @this_cpu's own group
 *
 * The kernel calls for each level on its way down, and the last group it picks holds
 * the CPU that the task gets.
 *
 * Return: the group the kernel is to go on with.
 */
struct sched_group *sf_slowpath_choose(struct sched_domain *sd,
				       struct task_struct *p, int this_cpu,
				       struct sched_group *group)
{
	struct sf_state *state = sf_state(this_cpu, sd->level);
	struct sf_chooser *chooser = this_cpu_ptr(&sf_choosers);

	if (!group || !state)
		return group;
	this_cpu_write(sf_slowpath_pending, &state->slowpath);
	chooser->cpu = SF_NO_CPU;
	chooser->home = this_cpu;
	chooser->level = sd->level;
	/* Written by sf_state_change(). */
	if (READ_ONCE(state->slowpath.policy) == SF_SLOWPATH_RANDOM)
		chooser->cpu = sf_choose_idle(group, p, &chooser->rng);
	if (chooser->cpu == SF_NO_CPU) {
		sf_note_idle(group, p);
		return group;
	}
	atomic64_inc(&state->slowpath.chosen);
	return sf_group_of_one(chooser->cpu);
}

/**
 * sf_slowpath_judge - a task was placed by way of a group
 * @p: the task
 * @cpu: the CPU it got
 *
 * Counted is only what was idle as the choice began. Between then and now others may
 * have chosen the same CPU, for nothing shows them that it is taken.
 */
void sf_slowpath_judge(const struct task_struct *p, int cpu)
{
	struct sf_slowpath_state *slowpath = this_cpu_read(sf_slowpath_pending);
	const struct sf_chooser *chooser = this_cpu_ptr(&sf_choosers);
	bool ours = chooser->cpu != SF_NO_CPU, stale;

	this_cpu_write(sf_slowpath_pending, NULL);
	if (ours ? chooser->cpu != cpu :
		   !cpumask_test_cpu(cpu, this_cpu_ptr(sf_idle_masks)))
		return;
	stale = !sf_rq_is_idle(cpu);
	atomic64_inc(&slowpath->picks);
	if (stale)
		atomic64_inc(&slowpath->stale);
	trace_slowpath(chooser->home, chooser->level,
		       ours ? SF_SLOWPATH_RANDOM : SF_SLOWPATH_STOCK, p, cpu,
		       stale);
}
