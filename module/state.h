/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What schedflip keeps of one sched domain, by (cpu, level): that name survives
 * a rebuild of the domains, the domain's address does not.
 */
#ifndef SCHEDFLIP_STATE_H
#define SCHEDFLIP_STATE_H

#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/cache.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>

#include <schedflip/learner.h>
#include <schedflip/newidle.h>

#include "burst.h"
#include "cost.h"
#include "learned.h"
#include "slowpath.h"
#include "sync.h"

/* The kernel numbers SMT 0 and the NUMA levels from 4 or 5 up. */
#define SF_MAX_LEVELS 16

#define SF_RATIO_LEARNED (-1)

/* Why a newidle call of a domain leaves the short way. */
#define SF_DETOUR_START BIT(0) /* its window is still to be started */
#define SF_DETOUR_LEARN BIT(1) /* the module learns the ratio itself */
#define SF_DETOUR_SYNC BIT(2) /* the synchrony meter is on */
#define SF_DETOUR_TRACE BIT(3) /* the event newidle is enabled */

/* A start that was written to window_pos, after those of sf_start_names. */
#define SF_START_SET SF_NR_START

/**
 * struct sf_state - one domain's policy and counters
 * @lock: guards all of newidle, @cost and @learned, see sf_state_lock(); what is
 *	not is said there
 * @policy: enum sf_newidle
 * @start: enum sf_start or SF_START_SET
 * @pin: ratio pinned by the user, or SF_RATIO_LEARNED
 * @window: where the domain stands; holds the random numbers too
 * @weight_sum: weights of the calls decided, 1/1024 call
 * @calls: newidle calls seen
 * @attempts: those that ran the kernel's balance
 * @start_pos: window position at the last flip
 * @flips: number of the flip that the counters belong to
 * @detour: SF_DETOUR_*; there was no domain to start the window for at the flip
 * @changes: commands that named the domain, whatever they changed
 * @pulled: attempts that brought a task
 * @tasks: tasks they brought
 * @ticks: time in attempts, of sf_ticks()
 * @learner: the module's own learned ratio
 * @periodic: balance calls other than newidle; any CPU may make them for us
 * @cost: what a failed call costs
 * @learned: what each newidle policy had learned when it ran last
 * @sync: whether its CPUs attempt together
 * @slowpath: which CPU a new task gets
 * @burst: where tasks go when there are many
 *
 * The first cache line holds all that a skip touches.
 */
struct sf_state {
	unsigned long lock;
	u8 policy;
	u8 start;
	s16 pin;
	u16 start_pos;
	u16 flips;
	struct sf_window window;
	u64 weight_sum;
	u64 calls;
	u64 attempts;
	u8 detour;

	u32 changes;
	u64 pulled;
	u64 tasks;
	u64 ticks;
	struct sf_learner learner;
	atomic64_t periodic;
	struct sf_cost_state cost;
	struct sf_learned learned[SF_NR_NEWIDLE];
	struct sf_sync_state sync;

	struct sf_slowpath_state slowpath ____cacheline_aligned;
	struct sf_burst_state burst;
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
 * @slowpath: enum sf_slowpath, or SF_KEEP
 * @burst: enum sf_burst_policy, or SF_KEEP
 * @burst_depth: 1 .. SF_BURST_MAX_DEPTH, or SF_KEEP
 * @burst_factor: 1 .. SF_BURST_MAX_FACTOR, or SF_KEEP
 * @burst_nohz: 0, 1 or SF_KEEP
 * @cost: enum sf_cost_policy, or SF_KEEP
 * @sync: 0, 1 or SF_KEEP
 * @learn: enum sf_learn, or SF_KEEP, which is SF_LEARN_KEEP
 */
struct sf_change {
	int policy;
	int start;
	int ratio;
	int window_pos;
	int slowpath;
	int burst;
	int burst_depth;
	int burst_factor;
	int burst_nohz;
	int cost;
	int sync;
	int learn;
};

/* Changes nothing. */
#define SF_NO_CHANGE                                                      \
	((struct sf_change){ SF_KEEP, SF_KEEP, SF_KEEP, SF_KEEP, SF_KEEP, \
			     SF_KEEP, SF_KEEP, SF_KEEP, SF_KEEP, SF_KEEP, \
			     SF_KEEP, SF_KEEP })

/* Back to what the module loads with. */
#define SF_ALL_STOCK                                                     \
	((struct sf_change){ SF_NEWIDLE_STOCK, SF_START_ZERO, SF_UNPIN,  \
			     SF_KEEP, SF_SLOWPATH_STOCK, SF_BURST_STOCK, \
			     SF_BURST_DEPTH, SF_BURST_FACTOR, 0,         \
			     SF_COST_STOCK, 0, SF_KEEP })

extern struct sf_state __percpu *sf_states;

static __always_inline bool sf_state_exists(int level)
{
	return likely((unsigned int)level < SF_MAX_LEVELS);
}

/* For those who know that it exists. */
static __always_inline struct sf_state *sf_state_of(int cpu, int level)
{
	return per_cpu_ptr(sf_states, cpu) + level;
}

/**
 * sf_state - the state of a domain
 * @cpu: CPU the domain belongs to, not the one that runs
 * @level: the domain's sd->level
 *
 * Return: the state, or NULL for a level beyond those we keep.
 */
static inline struct sf_state *sf_state(int cpu, int level)
{
	return sf_state_exists(level) ? sf_state_of(cpu, level) : NULL;
}

/**
 * sf_state_lock - keep others off a state, with interrupts off
 * @state: to lock
 *
 * Held for a few dozen instructions: by the newidle call of the domain's own CPU,
 * by flips and by readers, so that what they read belongs to one moment. With
 * interrupts off nobody can come in between and wait for us on our own CPU.
 *
 * A bit and not a raw_spinlock_t, because this one is inlined: calls of the other
 * would be a third of what a skip costs. Its acquire pairs with the release of
 * sf_state_unlock().
 */
static __always_inline void sf_state_lock(struct sf_state *state)
{
	lockdep_assert_irqs_disabled();
	while (unlikely(test_and_set_bit_lock(0, &state->lock)))
		cpu_relax();
}

/**
 * sf_state_unlock
 * @state: locked by sf_state_lock()
 */
static __always_inline void sf_state_unlock(struct sf_state *state)
{
	/* Others only try to set the bit that is set, so a plain store will do. */
	smp_store_release(&state->lock, 0);
}

bool sf_states_have_burst(void);
int sf_states_alloc(bool learn);
void sf_states_free(void);
void sf_states_seed(u64 seed);
void sf_states_trace(bool on);
void sf_state_change(struct sf_state *state, const struct sf_change *change,
		     struct sf_place place, struct sched_domain *sd);
void sf_state_begin(struct sf_state *state, struct sf_place place);
struct sf_change sf_state_capture(struct sf_state *state);

#endif
