/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SFBENCH_CALLS_H
#define SFBENCH_CALLS_H

#include <linux/types.h>

struct rq;
struct sched_domain;

/**
 * struct sfb_place - where a call balances
 * @cpu: the CPU that runs
 * @rq: its runqueue
 * @sd: its domain of the CPUs that share a cache
 * @level: the domain's
 */
struct sfb_place {
	int cpu;
	int level;
	struct rq *rq;
	struct sched_domain *sd;
};

/**
 * struct sfb_case - a function that schedflip hooks, and one way to call it
 * @name: the file's
 * @symbols: the kernel's name for it, and an older one or NULL
 * @wrapper: schedflip's wrapper
 * @aim: let @call call this address; NULL for nothing at all
 * @call: make one call with interrupts off, inside an RCU section. Tells whether
 *	it got as far as the kernel's own code, and returns the ticks it took.
 */
struct sfb_case {
	const char *name;
	const char *symbols[2];
	const char *wrapper;
	void (*aim)(void *target);
	u64 (*call)(const struct sfb_place *at, bool *ran);
};

#define SFB_CASES 5

extern const struct sfb_case sfb_cases[SFB_CASES];

u64 sfb_time_nothing(void);
u64 sfb_time_nops(void);
int sfb_calls_init(void);

#define SFB_NOPS 1000

#endif
