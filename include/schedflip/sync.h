/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The synchrony meter: do the CPUs of a domain attempt newidle balances together?
 * The arithmetic, and nothing else.
 *
 * The objection is Zijlstra's and Chen's to the accumulator ("sched/fair: Replace
 * random newidle_balance with Bresenham accumulator", October 2026): CPUs that
 * decide by the same rule from the same state attempt at the same moment, and
 * contend. So take the CPUs that call within one short interval, and count the
 * pairs of them that both attempt; and what that count would be if each call
 * with its weight decided on its own. That calls come together is the load's doing
 * and in both figures; their quotient is the policy's.
 */
#ifndef SCHEDFLIP_SYNC_H
#define SCHEDFLIP_SYNC_H

#include "newidle.h"

/* An interval is 2^17 ns, 131 us: about what an attempt takes on a large machine. */
#define SF_SYNC_SHIFT 17

/**
 * struct sf_sync - the meter of one span of CPUs
 * @interval: number of the interval that @weights and @attempts belong to
 * @weights: of the calls in it
 * @attempts: in it
 * @pairs: of CPUs that attempted in the same interval
 * @expected: of such pairs, whole ones
 * @fraction: and what is left of one, in 1/1024^2
 */
struct sf_sync {
	u64 interval;
	u64 weights;
	u64 attempts;
	u64 pairs;
	u64 expected;
	u64 fraction;
};

/* A pair, in the unit of a product of two weights. */
#define SF_SYNC_PAIR ((u64)SF_CELL * SF_CELL)

/**
 * sf_sync_call - a CPU's first call in an interval
 * @sync: of the CPU's domain; the caller serializes access
 * @interval: number of the interval
 * @weight: of the call, 0 .. 1024
 * @attempt: it attempts
 */
static inline void sf_sync_call(struct sf_sync *sync, u64 interval, u32 weight,
				bool attempt)
{
	if (interval != sync->interval) {
		sync->interval = interval;
		sync->weights = 0;
		sync->attempts = 0;
	}
	sync->fraction += sync->weights * weight;
	sync->expected += sync->fraction / SF_SYNC_PAIR;
	sync->fraction %= SF_SYNC_PAIR;
	sync->weights += weight;
	if (attempt) {
		sync->pairs += sync->attempts;
		sync->attempts++;
	}
}

/**
 * sf_sync_expected_milli - pairs that independent decisions would make
 * @sync: the meter
 *
 * Return: pairs, in 1/1000.
 */
static inline u64 sf_sync_expected_milli(const struct sf_sync *sync)
{
	return sync->expected * 1000 + sync->fraction * 1000 / SF_SYNC_PAIR;
}

#endif
