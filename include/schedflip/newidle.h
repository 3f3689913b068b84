/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which newidle balance calls may run: the arithmetic, and nothing else.
 *
 * Used unchanged by the module, the simulator and the unit tests. Everything
 * is measured on a line of 1024 positions to the cell: a call of weight w
 * covers w positions, and on average one call in 1024/w attempts.
 */
#ifndef SCHEDFLIP_NEWIDLE_H
#define SCHEDFLIP_NEWIDLE_H

#include "names.h"
#include "random.h"

#define SF_CELL 1024u

enum sf_newidle {
	SF_NEWIDLE_STOCK,
	SF_NEWIDLE_DICE,
	SF_NEWIDLE_ACCUMULATOR,
	SF_NEWIDLE_JITTER,
	/* From here on the ratio does not matter. */
	SF_NEWIDLE_ALWAYS,
	SF_NEWIDLE_NEVER,
	SF_NR_NEWIDLE,
};

enum sf_start {
	SF_START_ZERO,
	SF_START_HALF,
	SF_START_RANDOM,
	SF_START_STAGGER,
	SF_NR_START,
};

/*
 * One row a policy. A new one adds a row here, its id above, and its case in
 * sf_newidle_decide().
 */
static const struct sf_name sf_newidle_names[SF_NR_NEWIDLE] = {
	{ "stock", SF_NEWIDLE_STOCK },
	{ "dice", SF_NEWIDLE_DICE },
	{ "accumulator", SF_NEWIDLE_ACCUMULATOR },
	{ "jitter", SF_NEWIDLE_JITTER },
	{ "always", SF_NEWIDLE_ALWAYS },
	{ "never", SF_NEWIDLE_NEVER },
};

static const struct sf_name sf_start_names[SF_NR_START] = {
	{ "zero", SF_START_ZERO },
	{ "half", SF_START_HALF },
	{ "random", SF_START_RANDOM },
	{ "stagger", SF_START_STAGGER },
};

/**
 * struct sf_window - where a domain stands on its line
 * @pos: position in the current cell, 0 .. 1023 (the patch's newidle_window_pos)
 * @theta: jitter's point in this cell; the call that covers it attempts, and one
 *	below @pos has had its attempt
 * @rng: this domain's random numbers
 */
struct sf_window {
	u32 pos;
	u32 theta;
	struct sf_rng rng;
};

/**
 * sf_newidle_weight - positions that one call covers
 * @policy: the domain's policy
 * @ratio: successes in the last 1024 calls, 0 .. 1024
 *
 * The 1 + ratio is the kernel's own; its cap keeps a call from covering more
 * than a cell, where the kernel would attempt every call as well.
 *
 * Return: 0 .. 1024; the rate of attempts is this over 1024.
 */
static inline u32 sf_newidle_weight(enum sf_newidle policy, u32 ratio)
{
	if (policy >= SF_NEWIDLE_ALWAYS)
		return policy == SF_NEWIDLE_ALWAYS ? SF_CELL : 0;
	return ratio < SF_CELL ? ratio + 1 : SF_CELL;
}

/**
 * sf_newidle_credit - what one success counts for in the learned ratio
 * @weight: of the call that succeeded, 0 .. 1024
 *
 * A success stands for the calls that were skipped to get it, so that the
 * learned ratio estimates the rate that every call would have had.
 *
 * Return: 1024/weight, rounded as the kernel rounds it; 1 for weight 0.
 */
static inline u32 sf_newidle_credit(u32 weight)
{
	return weight ? (SF_CELL + weight / 2) / weight : 1;
}

/* The kernel's NI_RANDOM, whose > makes it one position too generous. */
static inline bool sf_dice(struct sf_window *win, u32 weight)
{
	return sf_random_below(&win->rng, SF_CELL) <= weight;
}

/* Wang's v4: an attempt each time a cell is full. */
static inline bool sf_accumulate(struct sf_window *win, u32 weight)
{
	win->pos += weight;
	if (win->pos < SF_CELL)
		return false;
	win->pos -= SF_CELL;
	return true;
}

/*
 * Ours: one attempt a cell, at a random point of it. A call that reaches into
 * the next cell must not hold the points of both, since it can attempt only
 * once. So after an attempt the next point is drawn from what the call leaves
 * of the next cell; without one it falls into what the call covers of it as
 * much more often (end/pos instead of end/1024). That way every call attempts
 * with probability weight/1024, wherever it lies.
 */
static inline bool sf_jitter(struct sf_window *win, u32 weight)
{
	u32 pos = win->pos;
	u32 end = pos + weight;
	bool attempt = win->theta >= pos && win->theta < end;
	u64 random;

	if (end < SF_CELL) {
		win->pos = end;
		return attempt;
	}
	/* Two numbers are wanted, and the halves of one are two. */
	random = sf_random64(&win->rng);
	end -= SF_CELL;
	win->pos = end;
	/* What is seldom true comes first, so that branches are foreseen. */
	if (sf_scale(random >> 32, pos) < end && !attempt) {
		win->theta = 0;
		return true;
	}
	win->theta = end + sf_scale(random, SF_CELL - end);
	return attempt;
}

/**
 * sf_newidle_decide - may this newidle balance call run?
 * @policy: the domain's policy; stock is not decided here and attempts
 * @win: the domain's window; the caller serializes access
 * @weight: from sf_newidle_weight()
 *
 * The rules of dice and accumulator are those of the thread "sched/fair:
 * Replace random newidle_balance with Bresenham accumulator" (v4, Wang, October
 * 2026); jitter answers the objections raised in it.
 *
 * Return: true to attempt, false to skip.
 */
static inline bool sf_newidle_decide(enum sf_newidle policy,
				     struct sf_window *win, u32 weight)
{
	switch (policy) {
	case SF_NEWIDLE_DICE:
		return sf_dice(win, weight);
	case SF_NEWIDLE_ACCUMULATOR:
		return sf_accumulate(win, weight);
	case SF_NEWIDLE_JITTER:
		return sf_jitter(win, weight);
	case SF_NEWIDLE_NEVER:
		return false;
	default:
		return true;
	}
}

/**
 * sf_start_pos - where a domain's window starts
 * @start: zero (Wang v4), half (Nayak), random (Zijlstra) or stagger (Wang)
 * @rank: of the CPU among the CPUs of the domain, 0 .. @weight - 1
 * @weight: number of CPUs in the domain, at least 1
 * @rng: for random
 *
 * Stagger takes the rank and not the number of the CPU as Wang's sketch did:
 * the siblings 0 and 8 of a two-CPU domain would both start at zero.
 *
 * Return: a position, 0 .. 1023.
 */
static inline u32 sf_start_pos(enum sf_start start, u32 rank, u32 weight,
			       struct sf_rng *rng)
{
	switch (start) {
	case SF_START_HALF:
		return SF_CELL / 2;
	case SF_START_RANDOM:
		return sf_random_below(rng, SF_CELL);
	case SF_START_STAGGER:
		return weight ? rank * SF_CELL / weight % SF_CELL : 0;
	default:
		return 0;
	}
}

/**
 * sf_window_start - begin at a position
 * @win: the window; its generator goes on where it stands
 * @pos: 0 .. 1023
 *
 * The first point is drawn from what is left of the cell, so that the first
 * cell too has its attempt and the count is within one of exact from the start.
 */
static inline void sf_window_start(struct sf_window *win, u32 pos)
{
	win->pos = pos;
	win->theta = pos + sf_random_below(&win->rng, SF_CELL - pos);
}

#endif
