// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One timed call of each function. What stands between the two looks at the
 * clock is the same code whatever is called: a static call is a direct call
 * whose target is patched, or a nop of the same length where there is none. So
 * the difference of two targets' times is the difference of the targets.
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

struct rq_flags;
struct sched_group;

/* For the types of the functions only; there are none of these names. */
int sfb_type_balance(int this_cpu, struct rq *rq, struct sched_domain *sd,
		     enum cpu_idle_type idle, int *continue_balancing);
int sfb_type_newidle(struct rq *rq, struct rq_flags *rf);
int sfb_type_select(struct task_struct *p, int prev_cpu, int wake_flags);
struct sched_group *sfb_type_group(struct sched_domain *sd,
				   struct task_struct *p, int this_cpu);
void sfb_type_lock(struct rq *rq, int subclass);
void sfb_type_rq(struct rq *rq);

DEFINE_STATIC_CALL_NULL(sfb_balance, sfb_type_balance);
DEFINE_STATIC_CALL_NULL(sfb_newidle, sfb_type_newidle);
DEFINE_STATIC_CALL_NULL(sfb_select, sfb_type_select);
DEFINE_STATIC_CALL_NULL(sfb_group, sfb_type_group);
DEFINE_STATIC_CALL_NULL(sfb_rq_lock, sfb_type_lock);
DEFINE_STATIC_CALL_NULL(sfb_rq_unlock, sfb_type_rq);
DEFINE_STATIC_CALL_NULL(sfb_rq_clock, sfb_type_rq);

/* The kernel clears @continue_balancing when it returns early; a skip does not. */
static u64 sfb_time_balance(const struct sfb_place *at, enum cpu_idle_type idle,
			    bool *ran)
{
	int continue_balancing = 1;
	u64 begin = rdtsc_ordered();
	u64 end;

	static_call(sfb_balance)(at->cpu, at->rq, at->sd, idle,
				 &continue_balancing);
	end = rdtsc_ordered();
	*ran = !continue_balancing;
	return end - begin;
}

static noinline u64 sfb_call_newly_idle(const struct sfb_place *at, bool *ran)
{
	return sfb_time_balance(at, CPU_NEWLY_IDLE, ran);
}

/* Never skipped, and whether the kernel returns early depends on the domain. */
static noinline u64 sfb_call_periodic(const struct sfb_place *at, bool *ran)
{
	u64 ticks = sfb_time_balance(at, CPU_IDLE, ran);

	*ran = true;
	return ticks;
}

/*
 * The runqueue must be locked and its clock be fresh. The kernel only saves a
 * few bits of its debugging in @rf.
 */
static noinline u64 sfb_call_newidle(const struct sfb_place *at, bool *ran)
{
	u64 rf[8] = {};
	u64 begin, end;

	static_call(sfb_rq_lock)(at->rq, 0);
	static_call(sfb_rq_clock)(at->rq);
	begin = rdtsc_ordered();
	static_call(sfb_newidle)(at->rq, (struct rq_flags *)rf);
	end = rdtsc_ordered();
	static_call(sfb_rq_unlock)(at->rq);
	*ran = true;
	return end - begin;
}

static noinline u64 sfb_call_select(const struct sfb_place *at, bool *ran)
{
	struct task_struct *p = current;
	u64 begin, end;

	raw_spin_lock(&p->pi_lock);
	begin = rdtsc_ordered();
	static_call(sfb_select)(p, at->cpu, 0);
	end = rdtsc_ordered();
	raw_spin_unlock(&p->pi_lock);
	*ran = true;
	return end - begin;
}

/* In the smallest domain, as there the fewest CPUs can make a difference. */
static noinline u64 sfb_call_group(const struct sfb_place *at, bool *ran)
{
	struct sched_domain *sd = at->sd->child ?: at->sd;
	struct task_struct *p = current;
	u64 begin = rdtsc_ordered();
	u64 end;

	static_call(sfb_group)(sd, p, at->cpu);
	end = rdtsc_ordered();
	*ran = true;
	return end - begin;
}

static void sfb_aim_balance(void *target)
{
	static_call_update(sfb_balance, target);
}

static void sfb_aim_newidle(void *target)
{
	static_call_update(sfb_newidle, target);
}

static void sfb_aim_select(void *target)
{
	static_call_update(sfb_select, target);
}

static void sfb_aim_group(void *target)
{
	static_call_update(sfb_group, target);
}

const struct sfb_case sfb_cases[SFB_CASES] = {
	{
		.name = "newly_idle",
		.symbols = { "sched_balance_rq", "load_balance" },
		.wrapper = "schedflip:sf_hook_balance",
		.aim = sfb_aim_balance,
		.call = sfb_call_newly_idle,
	},
	{
		.name = "periodic",
		.symbols = { "sched_balance_rq", "load_balance" },
		.wrapper = "schedflip:sf_hook_balance",
		.aim = sfb_aim_balance,
		.call = sfb_call_periodic,
	},
	{
		.name = "newidle",
		.symbols = { "sched_balance_newidle" },
		.wrapper = "schedflip:sf_hook_newidle",
		.aim = sfb_aim_newidle,
		.call = sfb_call_newidle,
	},
	{
		.name = "select",
		.symbols = { "select_task_rq_fair" },
		.wrapper = "schedflip:sf_hook_select",
		.aim = sfb_aim_select,
		.call = sfb_call_select,
	},
	{
		.name = "group",
		.symbols = { "sched_balance_find_dst_group",
			     "find_idlest_group" },
		.wrapper = "schedflip:sf_hook_group",
		.aim = sfb_aim_group,
		.call = sfb_call_group,
	},
};

/**
 * sfb_time_nothing - ticks from one look at the clock to the next
 */
noinline u64 sfb_time_nothing(void)
{
	u64 begin = rdtsc_ordered();

	return rdtsc_ordered() - begin;
}

/**
 * sfb_time_nops - the same, with SFB_NOPS instructions between them
 */
noinline u64 sfb_time_nops(void)
{
	u64 begin = rdtsc_ordered();

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
