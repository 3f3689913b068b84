/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What we read of the kernel's struct rq, which only it knows: the offsets are the
 * running kernel's. All is read without the runqueue's lock, as the kernel does when
 * it looks for a CPU; it may be out of date at once.
 */
#ifndef SCHEDFLIP_RUNQUEUE_H
#define SCHEDFLIP_RUNQUEUE_H

#include <linux/cpuidle.h>
#include <linux/jiffies.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/static_call.h>
#include <linux/tick.h>

#include <schedflip/slowpath.h>

#include "resolve.h"

DECLARE_STATIC_CALL(sf_idle_cpu, idle_cpu);
DECLARE_STATIC_CALL(sf_tick_nohz_tick_stopped_cpu, tick_nohz_tick_stopped_cpu);

/**
 * sf_rq - the runqueue of a CPU
 * @cpu: a possible CPU
 */
static inline void *sf_rq(int cpu)
{
	return sf_variables.runqueues + per_cpu_offset(cpu);
}

/**
 * sf_rq_depth - runnable tasks at a CPU, the running one included
 * @cpu: a possible CPU
 */
static inline u32 sf_rq_depth(int cpu)
{
	return READ_ONCE(*(u32 *)(sf_rq(cpu) + sf_layout.rq__nr_running));
}

/**
 * sf_rq_is_idle - is a CPU idle, and its host runs it?
 * @cpu: a possible CPU
 *
 * What the kernel calls available_idle_cpu(), which is inlined on some.
 */
static inline bool sf_rq_is_idle(int cpu)
{
	return static_call(sf_idle_cpu)(cpu) && !vcpu_is_preempted(cpu);
}

/**
 * sf_rq_tick_is_stopped - is a CPU's tick stopped?
 * @cpu: a possible CPU
 */
static inline bool sf_rq_tick_is_stopped(int cpu)
{
	return static_call(sf_tick_nohz_tick_stopped_cpu)(cpu);
}

/**
 * sf_rq_runs_idle_policy - does a CPU run nothing but SCHED_IDLE tasks?
 * @cpu: a possible CPU
 *
 * Return: false also where the kernel does not count them.
 */
static inline bool sf_rq_runs_idle_policy(int cpu)
{
	int member = sf_layout.cfs_rq__h_nr_idle;
	u32 depth = sf_rq_depth(cpu);

	if (member == SF_NO_MEMBER)
		member = sf_layout.cfs_rq__idle_h_nr_running;
	return depth && member != SF_NO_MEMBER &&
	       READ_ONCE(*(u32 *)(sf_rq(cpu) + sf_layout.rq__cfs + member)) ==
		       depth;
}

/**
 * sf_rq_exit_latency - how long a CPU takes to leave its idle state
 * @cpu: a possible CPU
 *
 * Inside an RCU section: cpuidle waits for one before it frees its states.
 *
 * Return: us, or SF_LATENCY_UNKNOWN if it does not publish its state.
 */
static inline u64 sf_rq_exit_latency(int cpu)
{
	struct cpuidle_state *state = NULL;

	if (sf_layout.rq__idle_state != SF_NO_MEMBER)
		state = READ_ONCE(
			*(struct cpuidle_state **)(sf_rq(cpu) +
						   sf_layout.rq__idle_state));
	return state ? state->exit_latency : SF_LATENCY_UNKNOWN;
}

/**
 * struct sf_waits - how long tasks have waited for a CPU
 * @switches: how often one of them got it
 * @ns: waited in all
 */
struct sf_waits {
	u64 switches;
	u64 ns;
};

/**
 * sf_rq_tells_waits - does the kernel keep them?
 */
static inline bool sf_rq_tells_waits(void)
{
	return sf_layout.rq__rq_sched_info != SF_NO_MEMBER &&
	       sf_layout.sched_info__pcount != SF_NO_MEMBER &&
	       sf_layout.sched_info__run_delay != SF_NO_MEMBER;
}

/**
 * sf_rq_add_waits - add those of a CPU, where the kernel keeps them
 * @cpu: a possible CPU
 * @waits: to add to
 *
 * They are those of /proc/schedstat.
 */
static inline void sf_rq_add_waits(int cpu, struct sf_waits *waits)
{
	void *info = sf_rq(cpu) + sf_layout.rq__rq_sched_info;

	waits->switches +=
		READ_ONCE(*(u64 *)(info + sf_layout.sched_info__pcount));
	waits->ns +=
		READ_ONCE(*(u64 *)(info + sf_layout.sched_info__run_delay));
}

/**
 * sf_rq_balance_now - a CPU's next tick is to look for domains to balance
 * @cpu: a possible CPU
 */
static inline void sf_rq_balance_now(int cpu)
{
	unsigned long *next = sf_rq(cpu) + sf_layout.rq__next_balance;

	WRITE_ONCE(*next, jiffies);
}

/**
 * sf_core_scheduling - is core scheduling on?
 */
static inline bool sf_core_scheduling(void)
{
	struct static_key *key = sf_variables.__sched_core_enabled;

	return key && static_key_enabled(key);
}

#endif
