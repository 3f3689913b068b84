/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SFBENCH_CALLS_H
#define SFBENCH_CALLS_H

#include <linux/types.h>

struct rq;
struct sched_domain;

/**
 * struct sfb_place - where a call balances
 * @cpu: the CPU that runs
 * @level: the domain's
 * @rq: its runqueue
 * @sd: its domain of the CPUs that share a cache
 */
struct sfb_place {
	int cpu;
	int level;
	struct rq *rq;
	struct sched_domain *sd;
};

/**
 * struct sfb_call - one call
 * @args: what is passed; a function of fewer arguments takes the first
 * @continue_balancing: the kernel clears it when it returns early, a skip does not
 * @rf: a struct rq_flags, where the kernel saves a few bits of its debugging
 */
struct sfb_call {
	unsigned long args[5];
	int continue_balancing;
	u64 rf[8];
};

/**
 * struct sfb_case - a function that schedflip hooks, and one way to call it
 * @name: the file's
 * @symbols: the kernel's name for it, and an older one or NULL
 * @wrapper: schedflip's wrapper
 * @begin: prepare the call, with interrupts off, inside an RCU section
 * @end: undo that; tells whether the call got as far as the kernel's own code
 */
struct sfb_case {
	const char *name;
	const char *symbols[2];
	const char *wrapper;
	void (*begin)(const struct sfb_place *at, struct sfb_call *call);
	bool (*end)(const struct sfb_place *at, struct sfb_call *call);
};

#define SFB_CASES 5

extern const struct sfb_case sfb_cases[SFB_CASES];

/* In the order in which a round takes them; main.c tells what they are. */
enum sfb_path_id {
	SFB_NOTHING,
	SFB_ORIGINAL,
	SFB_WRAPPER,
	SFB_PATCHED,
	SFB_AGAIN,
	SFB_PATHS,
};

/**
 * struct sfb_path - one of the ways to a function
 * @name: for the report
 * @aim: lead to this address; NULL for no call at all
 * @time: make the call; returns the ticks it took
 */
struct sfb_path {
	const char *name;
	void (*aim)(void *target);
	u64 (*time)(const unsigned long *args);
};

extern const struct sfb_path sfb_paths[SFB_PATHS];

u64 sfb_time_nops(const unsigned long *args);
int sfb_calls_init(void);

#define SFB_NOPS 1000

#endif
