/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What schedflip keeps of one sched domain, by (cpu, level): that name survives
 * a rebuild of the domains, the domain's address does not.
 */
#ifndef SCHEDFLIP_STATE_H
#define SCHEDFLIP_STATE_H

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/spinlock.h>

#include <schedflip/learner.h>
#include <schedflip/newidle.h>

/* The kernel numbers SMT 0 and the NUMA levels from 4 or 5 up. */
#define SF_MAX_LEVELS 16

#define SF_RATIO_LEARNED (-1)

/* A start that was written to window_pos, after those of sf_start_names. */
#define SF_START_SET SF_NR_START

/**
 * struct sf_state - one domain's policy and counters
 * @lock: guards all but @periodic. Taken with interrupts off, for a few dozen
 *	instructions: by the newidle call of the domain's own CPU, by flips and by
 *	readers, so that what they read belongs to one moment.
 * @policy: enum sf_newidle
 * @start: enum sf_start or SF_START_SET
 * @pin: ratio pinned by the user, or SF_RATIO_LEARNED
 * @window: where the domain stands; holds the random numbers too
 * @weight_sum: weights of the calls decided, 1/1024 call
 * @calls: newidle calls seen
 * @attempts: those that ran the kernel's balance
 * @start_pos: window position at the last flip
 * @flips: number of the flip that the counters belong to
 * @pending: the window is still to be started, as there was no domain at the flip
 * @pulled: attempts that brought a task
 * @tasks: tasks they brought
 * @newidle_ns: time in attempts
 * @learner: the module's own learned ratio
 * @periodic: balance calls other than newidle; any CPU may make them for us
 *
 * The first cache line holds all that a skip touches.
 */
struct sf_state {
	raw_spinlock_t lock;
	u8 policy;
	u8 start;
	s16 pin;
	struct sf_window window;
	u64 weight_sum;
	u64 calls;
	u64 attempts;
	u16 start_pos;
	u16 flips;
	bool pending;

	u64 pulled;
	u64 tasks;
	u64 newidle_ns;
	struct sf_learner learner;
	atomic64_t periodic;
} ____cacheline_aligned;

/**
 * struct sf_place - a CPU's place in a domain, for staggered starts
 * @rank: of the CPU among the CPUs of the domain
 * @weight: number of CPUs in the domain; 0 if there is no domain now
 */
struct sf_place {
	u32 rank;
	u32 weight;
};

/* Fields of struct sf_change that are to be left as they are. */
#define SF_KEEP (-1)
/* For struct sf_change's @ratio, beside 0 .. 1024. */
#define SF_UNPIN (-2)

/**
 * struct sf_change - what a command changes in a state
 * @policy: enum sf_newidle, or SF_KEEP
 * @start: enum sf_start, or SF_KEEP
 * @ratio: 0 .. 1024, SF_UNPIN or SF_KEEP
 * @window_pos: 0 .. 1023, or SF_KEEP
 */
struct sf_change {
	int policy;
	int start;
	int ratio;
	int window_pos;
};

int sf_states_alloc(void);
void sf_states_free(void);
struct sf_state *sf_state(int cpu, int level);
void sf_states_seed(u64 seed);
bool sf_states_active(void);
void sf_state_change(struct sf_state *state, const struct sf_change *change,
		     struct sf_place place);
void sf_state_begin(struct sf_state *state, struct sf_place place);

#endif
