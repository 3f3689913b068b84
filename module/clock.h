/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long something took, measured for a few instructions. Counted in ticks of
 * the CPU's own time stamp counter, on which sched_clock() stands too, and
 * converted when somebody reads it. Only differences on one CPU mean anything.
 */
#ifndef SCHEDFLIP_CLOCK_H
#define SCHEDFLIP_CLOCK_H

#include <linux/math64.h>
#include <linux/timex.h>
#include <asm/tsc.h>

static inline u64 sf_ticks(void)
{
	return get_cycles();
}

/* A counter that was set back in between has told nothing. */
static inline u64 sf_ticks_since(u64 begin)
{
	s64 ticks = sf_ticks() - begin;

	return ticks > 0 ? ticks : 0;
}

/**
 * sf_ticks_to_ns - a difference of sf_ticks() in ns
 * @ticks: the difference
 *
 * Return: ns, 0 on a machine that could not calibrate its counter.
 */
static inline u64 sf_ticks_to_ns(u64 ticks)
{
	return tsc_khz ? mul_u64_u64_div_u64(ticks, 1000000, tsc_khz) : 0;
}

#endif
