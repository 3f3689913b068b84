/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of several equally idle CPUs the slow path of fork and exec gives to a
 * new task: the arithmetic, and nothing else.
 *
 * The rule is that of the series "sched/fair: Randomize equally shallow slow-path
 * candidates" (v2, Loehle, September 2026): one scan, of the CPUs with the smallest
 * exit latency each is as likely as the others, and how recently a CPU went
 * idle does not matter. A CPU whose idle state is not published comes after all
 * that publish one.
 */
#ifndef SCHEDFLIP_SLOWPATH_H
#define SCHEDFLIP_SLOWPATH_H

#include "names.h"
#include "random.h"

enum sf_slowpath {
	SF_SLOWPATH_STOCK,
	SF_SLOWPATH_RANDOM,
	SF_NR_SLOWPATH,
};

/* One row a policy. */
static const struct sf_name sf_slowpath_names[SF_NR_SLOWPATH] = {
	{ "stock", SF_SLOWPATH_STOCK },
	{ "random", SF_SLOWPATH_RANDOM },
};

/* Exit latency of a CPU that publishes no idle state. */
#define SF_LATENCY_UNKNOWN (~0ULL)

/* What sf_reservoir_cpu() returns if no CPU was offered. */
#define SF_NO_CPU (-1)

/**
 * struct sf_reservoir - a choice among CPUs that are seen one after the other
 * @key: smallest exit latency so far
 * @count: CPUs that had it
 * @cpu: the one of them chosen so far
 */
struct sf_reservoir {
	u64 key;
	u32 count;
	int cpu;
};

/**
 * sf_reservoir_init - begin a choice
 * @reservoir: to set
 */
static inline void sf_reservoir_init(struct sf_reservoir *reservoir)
{
	reservoir->key = SF_LATENCY_UNKNOWN;
	reservoir->count = 0;
	reservoir->cpu = SF_NO_CPU;
}

/**
 * sf_reservoir_offer - offer an idle CPU
 * @reservoir: from sf_reservoir_init()
 * @cpu: its number
 * @key: its exit latency, us, or SF_LATENCY_UNKNOWN
 * @rng: of the CPU that chooses; the caller serializes access
 *
 * The n-th CPU of a latency takes the place with probability 1/n, which leaves all n
 * equally likely. A smaller latency begins anew, so those before it are gone; that
 * is also how the first published one displaces all that are not.
 */
static inline void sf_reservoir_offer(struct sf_reservoir *reservoir, int cpu,
				      u64 key, struct sf_rng *rng)
{
	if (key > reservoir->key)
		return;
	if (key < reservoir->key) {
		reservoir->key = key;
		reservoir->count = 0;
	}
	reservoir->count++;
	if (!sf_random_below(rng, reservoir->count))
		reservoir->cpu = cpu;
}

#endif
