/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where tasks go when a CPU is hit by a burst of wakeups: the thresholds and the
 * average that they are compared with, and nothing else.
 *
 * The policies come from the thread "sched/fair: Add task burst threshold for
 * large-scale bursts" (October 2026): idle is Li's patch, spread what Zijlstra
 * answered (static thresholds are horrible; compare with the average depth that the
 * periodic pass sees, rotate the tasks around, and balance soon), nearest ours.
 */
#ifndef SCHEDFLIP_BURST_H
#define SCHEDFLIP_BURST_H

#include "names.h"

enum sf_burst_policy {
	SF_BURST_STOCK,
	SF_BURST_IDLE,
	SF_BURST_SPREAD,
	SF_BURST_NEAREST,
	SF_NR_BURST,
};

/* One row a policy. */
static const struct sf_name sf_burst_names[SF_NR_BURST] = {
	{ "stock", SF_BURST_STOCK },
	{ "idle", SF_BURST_IDLE },
	{ "spread", SF_BURST_SPREAD },
	{ "nearest", SF_BURST_NEAREST },
};

/* Runnable tasks at a CPU, and how many times the average. */
#define SF_BURST_DEPTH 2
#define SF_BURST_MAX_DEPTH 4096
#define SF_BURST_FACTOR 3
#define SF_BURST_MAX_FACTOR 64

/* A depth of one task in an average. */
#define SF_DEPTH_ONE 1024u

/* An average goes 1/8 of the way to what a pass sees. */
#define SF_DEPTH_SHIFT 3

/* No pass looks at more CPUs, however many the domain has. */
#define SF_DEPTH_SAMPLE 32

/**
 * sf_burst_is_over - is a CPU deep enough to give the task to another?
 * @policy: of the domain; not stock
 * @depth: runnable tasks at the CPU that was chosen
 * @min_depth: burst_depth
 * @factor: burst_factor; idle does not look at it
 * @average: of the domain's depth, in SF_DEPTH_ONE
 */
static inline bool sf_burst_is_over(enum sf_burst_policy policy, u32 depth,
				    u32 min_depth, u32 factor, u32 average)
{
	if (depth < min_depth)
		return false;
	return policy == SF_BURST_IDLE ||
	       (u64)depth * SF_DEPTH_ONE >= (u64)factor * average;
}

/**
 * struct sf_depth - average depth of a domain's CPUs
 * @sum: the average in SF_DEPTH_ONE, times 1 << SF_DEPTH_SHIFT so that no fraction
 *	is lost
 *
 * An exponential average over periodic passes: after n passes at another depth, all
 * but (7/8)^n of the difference is there, so the time constant is 7.5 passes. A
 * pass comes every balance_interval of the domain, which the kernel keeps between
 * one and two ms a CPU of the domain, and makes longer while the CPU is busy
 * (16 times on most domains).
 */
struct sf_depth {
	u64 sum;
};

/**
 * sf_depth_average - the average now
 * @depth: the domain's
 *
 * Return: tasks a CPU, in SF_DEPTH_ONE.
 */
static inline u32 sf_depth_average(const struct sf_depth *depth)
{
	return depth->sum >> SF_DEPTH_SHIFT;
}

/**
 * sf_depth_first - the average to begin with
 * @tasks: runnable tasks that are seen
 * @cpus: on so many CPUs, at least 1
 *
 * Return: the @sum.
 */
static inline u64 sf_depth_first(u32 tasks, u32 cpus)
{
	return ((u64)tasks * SF_DEPTH_ONE / cpus) << SF_DEPTH_SHIFT;
}

/**
 * sf_depth_next - the average after one more pass
 * @depth: the domain's
 * @tasks: runnable tasks that the pass saw
 * @cpus: on so many CPUs, at least 1
 *
 * Return: the new @sum.
 */
static inline u64 sf_depth_next(const struct sf_depth *depth, u32 tasks,
				u32 cpus)
{
	u64 sample = (u64)tasks * SF_DEPTH_ONE / cpus;

	return depth->sum - (depth->sum >> SF_DEPTH_SHIFT) + sample;
}

#endif
