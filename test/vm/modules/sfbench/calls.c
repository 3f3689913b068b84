// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One timed call. What stands between the two looks at the clock is the same
 * code on each path and whatever is called: a static call is a direct call whose
 * target is patched, or a nop where there is none. So the difference of two
 * paths' times is the difference of their targets. A path has a static call of
 * its own, as patching one takes much longer than a call, and the paths take
 * turns call by call.
 *
 * The kernel's own code is to do little, and the same each time. current is
 * runnable, so a newidle balance of its CPU returns at once; a task that is not
 * being woken stays where it is.
 */
#define pr_fmt(fmt) "sfbench: " fmt

#include <linux/errno.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/sched/idle.h>
#include <linux/sched/topology.h>
#include <linux/static_call.h>
#include <asm/msr.h>
#include <asm/tsc.h>

#include "calls.h"
#include "find.h"

/* For the types of the functions only; there are none of these names. */
long sfb_type_any(unsigned long a, unsigned long b, unsigned long c,
		  unsigned long d, unsigned long e);
void sfb_type_lock(struct rq *rq, int subclass);
void sfb_type_rq(struct rq *rq);

DEFINE_STATIC_CALL_NULL(sfb_rq_lock, sfb_type_lock);
DEFINE_STATIC_CALL_NULL(sfb_rq_unlock, sfb_type_rq);
DEFINE_STATIC_CALL_NULL(sfb_rq_clock, sfb_type_rq);

#define SFB_DEFINE_PATH(path)                                               \
	DEFINE_STATIC_CALL_NULL(sfb_##path, sfb_type_any);                  \
	static void sfb_aim_##path(void *target)                            \
	{                                                                   \
		static_call_update(sfb_##path, target);                     \
	}                                                                   \
	static noinline u64 sfb_time_##path(const unsigned long *args)      \
	{                                                                   \
		u64 begin = rdtsc_ordered();                                \
		static_call(sfb_##path)(args[0], args[1], args[2], args[3], \
					args[4]);                           \
		return rdtsc_ordered() - begin;                             \
	}

SFB_DEFINE_PATH(nothing)
SFB_DEFINE_PATH(original)
SFB_DEFINE_PATH(wrapper)
SFB_DEFINE_PATH(patched)
SFB_DEFINE_PATH(again)

#define SFB_PATH(path)                                 \
	{                                              \
#path, sfb_aim_##path, sfb_time_##path \
	}

const struct sfb_path sfb_paths[SFB_PATHS] = {
	[SFB_NOTHING] = SFB_PATH(nothing), [SFB_ORIGINAL] = SFB_PATH(original),
	[SFB_WRAPPER] = SFB_PATH(wrapper), [SFB_PATCHED] = SFB_PATH(patched),
	[SFB_AGAIN] = SFB_PATH(again),
};

static void sfb_begin_balance(const struct sfb_place *at, struct sfb_call *call,
			      enum cpu_idle_type idle)
{
	call->continue_balancing = 1;
	call->args[0] = at->cpu;
	call->args[1] = (unsigned long)at->rq;
	call->args[2] = (unsigned long)at->sd;
	call->args[3] = idle;
	call->args[4] = (unsigned long)&call->continue_balancing;
}

static void sfb_begin_newly_idle(const struct sfb_place *at,
				 struct sfb_call *call)
{
	sfb_begin_balance(at, call, CPU_NEWLY_IDLE);
}

static bool sfb_end_newly_idle(const struct sfb_place *at,
			       struct sfb_call *call)
{
	return !call->continue_balancing;
}

static void sfb_begin_periodic(const struct sfb_place *at,
			       struct sfb_call *call)
{
	sfb_begin_balance(at, call, CPU_IDLE);
}

/* Never skipped, and whether the kernel returns early depends on the domain. */
static bool sfb_end_periodic(const struct sfb_place *at, struct sfb_call *call)
{
	return true;
}

/* The runqueue must be locked and its clock be fresh. */
static void sfb_begin_newidle(const struct sfb_place *at, struct sfb_call *call)
{
	call->args[0] = (unsigned long)at->rq;
	call->args[1] = (unsigned long)call->rf;
	static_call(sfb_rq_lock)(at->rq, 0);
	static_call(sfb_rq_clock)(at->rq);
}

static bool sfb_end_newidle(const struct sfb_place *at, struct sfb_call *call)
{
	static_call(sfb_rq_unlock)(at->rq);
	return true;
}

static void sfb_begin_select(const struct sfb_place *at, struct sfb_call *call)
{
	call->args[0] = (unsigned long)current;
	call->args[1] = at->cpu;
	raw_spin_lock(&current->pi_lock);
}

static bool sfb_end_select(const struct sfb_place *at, struct sfb_call *call)
{
	raw_spin_unlock(&current->pi_lock);
	return true;
}

/* In the smallest domain, as there the fewest CPUs can make a difference. */
static void sfb_begin_group(const struct sfb_place *at, struct sfb_call *call)
{
	call->args[0] = (unsigned long)(at->sd->child ?: at->sd);
	call->args[1] = (unsigned long)current;
	call->args[2] = at->cpu;
}

static bool sfb_end_group(const struct sfb_place *at, struct sfb_call *call)
{
	return true;
}

const struct sfb_case sfb_cases[SFB_CASES] = {
	{
		.name = "newly_idle",
		.symbols = { "sched_balance_rq", "load_balance" },
		.wrapper = "schedflip:sf_hook_balance",
		.begin = sfb_begin_newly_idle,
		.end = sfb_end_newly_idle,
	},
	{
		.name = "periodic",
		.symbols = { "sched_balance_rq", "load_balance" },
		.wrapper = "schedflip:sf_hook_balance",
		.begin = sfb_begin_periodic,
		.end = sfb_end_periodic,
	},
	{
		.name = "newidle",
		.symbols = { "sched_balance_newidle" },
		.wrapper = "schedflip:sf_hook_newidle",
		.begin = sfb_begin_newidle,
		.end = sfb_end_newidle,
	},
	{
		.name = "select",
		.symbols = { "select_task_rq_fair" },
		.wrapper = "schedflip:sf_hook_select",
		.begin = sfb_begin_select,
		.end = sfb_end_select,
	},
	{
		.name = "group",
		.symbols = { "sched_balance_find_dst_group",
			     "find_idlest_group" },
		.wrapper = "schedflip:sf_hook_group",
		.begin = sfb_begin_group,
		.end = sfb_end_group,
	},
};

/**
 * sfb_time_nops - the path to nothing, with SFB_NOPS instructions on it
 * @args: as a path takes them
 */
noinline u64 sfb_time_nops(const unsigned long *args)
{
	u64 begin = rdtsc_ordered();

	static_call(sfb_nothing)(args[0], args[1], args[2], args[3], args[4]);
	asm volatile(".rept %c0\n\tnop\n.endr" : : "i"(SFB_NOPS));
	return rdtsc_ordered() - begin;
}

/**
 * sfb_calls_init - find what the call of sched_balance_newidle() needs around it
 *
 * Return: 0, also where there is no such function, or -ENOENT.
 */
int sfb_calls_init(void)
{
	unsigned long lock = sfb_find("raw_spin_rq_lock_nested");
	unsigned long unlock = sfb_find("raw_spin_rq_unlock");
	unsigned long clock = sfb_find("update_rq_clock");

	if (!sfb_find("sched_balance_newidle"))
		return 0;
	if (!lock || !unlock || !clock) {
		pr_err("no raw_spin_rq_lock_nested, raw_spin_rq_unlock or update_rq_clock\n");
		return -ENOENT;
	}
	static_call_update(sfb_rq_lock, (void *)lock);
	static_call_update(sfb_rq_unlock, (void *)unlock);
	static_call_update(sfb_rq_clock, (void *)clock);
	return 0;
}
