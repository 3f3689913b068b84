// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A wrapper decides, runs the kernel's own code through a static call to just
 * past the function's ftrace location, and accounts. It runs under whatever
 * locks its caller holds, so it never prints, allocates or sleeps (the one of
 * sched_feat_write apart, which is a file operation).
 *
 * Every wrapper counts its calls per executing CPU; this_cpu operations make that
 * safe against an interrupt that comes here too.
 */
#define pr_fmt(fmt) "schedflip: " fmt

#include <linux/moduleparam.h>
#include <linux/pagemap.h>
#include <linux/percpu.h>
#include <linux/sched/idle.h>
#include <linux/static_call.h>

#include "clock.h"
#include "events.h"
#include "features.h"
#include "hooks.h"
#include "newidle.h"
#include "pass.h"
#include "resolve.h"
#include "slowpath.h"

struct rq_flags;

/* As much of a write to sched/features as the kernel looks at. */
#define SF_FEATURE_NAME_MAX ((size_t)63)

static char *sf_param_hooks = "newidle";
module_param_named(hooks, sf_param_hooks, charp, 0444);
MODULE_PARM_DESC(hooks, "functions to patch: newidle, all");

struct sf_hook_counts {
	u64 calls[SF_NR_HOOKS];
	u64 newidle_ticks;
	u64 domain_ticks;
};

static DEFINE_PER_CPU(struct sf_hook_counts, sf_counts);

/* For the types of the originals only; there are no such functions. */
int sf_type_balance(int this_cpu, struct rq *rq, struct sched_domain *sd,
		    enum cpu_idle_type idle, int *continue_balancing);
int sf_type_newidle(struct rq *rq, struct rq_flags *rf);
int sf_type_select(struct task_struct *p, int prev_cpu, int wake_flags);
struct sched_group *sf_type_group(struct sched_domain *sd,
				  struct task_struct *p, int this_cpu);
ssize_t sf_type_features(struct file *file, const char __user *buf,
			 size_t count, loff_t *pos);

DEFINE_STATIC_CALL_NULL(sf_original_balance, sf_type_balance);
DEFINE_STATIC_CALL_NULL(sf_original_newidle, sf_type_newidle);
DEFINE_STATIC_CALL_NULL(sf_original_select, sf_type_select);
DEFINE_STATIC_CALL_NULL(sf_original_group, sf_type_group);
DEFINE_STATIC_CALL_NULL(sf_original_features, sf_type_features);

static void sf_count(enum sf_hook_id id)
{
	this_cpu_inc(sf_counts.calls[id]);
}

/* Runs the kernel's balance; it took so many ticks. */
static __always_inline int sf_hook_run(int this_cpu, struct rq *rq,
				       struct sched_domain *sd, u32 ticket,
				       int *continue_balancing, u64 *ticks)
{
	u64 begin = sf_ticks();
	int pulled = static_call(sf_original_balance)(
		this_cpu, rq, sd, CPU_NEWLY_IDLE, continue_balancing);

	*ticks = sf_ticks_since(begin);
	this_cpu_add(sf_counts.domain_ticks, *ticks);
	sf_newidle_end(sf_state_of(this_cpu, sd->level), sd, ticket, pulled,
		       *ticks);
	return pulled;
}

/*
 * A function of its own so that a skip saves no registers; livepatch's stack check
 * does not know it, and need not: a newidle call runs with interrupts off, so no task
 * ever sleeps in here.
 */
static noinline int sf_hook_attempt(int this_cpu, struct rq *rq,
				    struct sched_domain *sd, u32 ticket,
				    int *continue_balancing)
{
	u64 ticks;

	return sf_hook_run(this_cpu, rq, sd, ticket, continue_balancing,
			   &ticks);
}

static noinline int sf_hook_detour(int this_cpu, struct rq *rq,
				   struct sched_domain *sd,
				   int *continue_balancing)
{
	struct sf_state *state = sf_state_of(this_cpu, sd->level);
	u32 level = sd->level;
	struct sf_newidle_call call;
	u64 ticks = 0;
	int pulled = 0;

	sf_newidle_detour(state, sd, this_cpu, &call);
	if (call.ticket != SF_SKIP)
		pulled = sf_hook_run(this_cpu, rq, sd, call.ticket,
				     continue_balancing, &ticks);
	if (call.traced)
		trace_newidle(this_cpu, level, &call, pulled,
			      sf_ticks_to_ns(ticks));
	return pulled;
}

/*
 * Called and not jumped to: a periodic balance may be preempted on PREEMPT_RT, and then
 * livepatch has to find sf_hook_balance() on the task's stack.
 */
static noinline void sf_hook_passes(struct sf_state *state,
				    struct sched_domain *sd)
{
	if (sf_burst_is_on())
		sf_burst_pass(state, sd);
	if (READ_ONCE(state->cost.begun))
		sf_newidle_periodic(state, sd);
}

/*
 * @this_cpu is the CPU that is balanced; with nohz idle balancing it is not the
 * one that runs. A skip returns 0 and leaves @continue_balancing alone, which is
 * what the kernel's own skip comes to. Whatever is not a skip leaves by a jump.
 */
static int sf_hook_balance(int this_cpu, struct rq *rq, struct sched_domain *sd,
			   enum cpu_idle_type idle, int *continue_balancing)
{
	struct sf_state *state;
	u32 ticket;

	sf_count(SF_HOOK_BALANCE);
	if (unlikely(!sf_state_exists(sd->level) || sf_pass_any()))
		goto original;
	state = sf_state_of(this_cpu, sd->level);
	if (idle != CPU_NEWLY_IDLE) {
		atomic64_inc(&state->periodic);
		if (unlikely(sf_burst_is_on() || READ_ONCE(state->cost.begun)))
			sf_hook_passes(state, sd);
		goto original;
	}
	/* Without the lock: a flip that is under way may yet miss this call. */
	if (unlikely(READ_ONCE(state->detour)))
		return sf_hook_detour(this_cpu, rq, sd, continue_balancing);
	ticket = sf_newidle_begin(state, sd, true);
	if (ticket == SF_SKIP)
		return 0;
	return sf_hook_attempt(this_cpu, rq, sd, ticket, continue_balancing);

original:
	return static_call(sf_original_balance)(this_cpu, rq, sd, idle,
						continue_balancing);
}

static int sf_hook_newidle(struct rq *rq, struct rq_flags *rf)
{
	u64 ticks = sf_ticks();
	int ret;

	sf_count(SF_HOOK_NEWIDLE);
	ret = static_call(sf_original_newidle)(rq, rf);
	this_cpu_add(sf_counts.newidle_ticks, sf_ticks_since(ticks));
	return ret;
}

static int sf_hook_select(struct task_struct *p, int prev_cpu, int wake_flags)
{
	int cpu;

	sf_count(SF_HOOK_SELECT);
	cpu = static_call(sf_original_select)(p, prev_cpu, wake_flags);
	sf_slowpath_end(p, cpu);
	if (unlikely(sf_burst_is_on()) && !sf_pass_any())
		return sf_burst_place(p, cpu, wake_flags);
	return cpu;
}

static struct sched_group *sf_hook_group(struct sched_domain *sd,
					 struct task_struct *p, int this_cpu)
{
	struct sched_group *group;

	sf_count(SF_HOOK_GROUP);
	group = static_call(sf_original_group)(sd, p, this_cpu);
	/* The kernel mostly stays in the CPU's own group, which is none. */
	if (!group || unlikely(sf_pass_any()))
		return group;
	return sf_slowpath_choose(sd, p, this_cpu, group);
}

/* The user's write is to act on his own setting, not on what we made of it. */
static ssize_t sf_hook_features(struct file *file, const char __user *buf,
				size_t count, loff_t *pos)
{
	ssize_t ret;

	sf_count(SF_HOOK_FEATURES);
	/* What can keep the copy waiting is to do so before we hold our lock. */
	if (fault_in_readable(buf, min(count, SF_FEATURE_NAME_MAX)))
		return -EFAULT;
	sf_features_write_begin();
	ret = static_call(sf_original_features)(file, buf, count, pos);
	sf_features_write_end();
	return ret;
}

#define SF_WRAPPER_BALANCE sf_hook_balance
#define SF_WRAPPER_NEWIDLE sf_hook_newidle
#define SF_WRAPPER_SELECT sf_hook_select
#define SF_WRAPPER_GROUP sf_hook_group
#define SF_WRAPPER_FEATURES sf_hook_features

#define SF_HOOK_ROW(id, group_, symbol, older, required_, prototype_) \
	[SF_HOOK_##id] = {                                            \
		.group = SF_GROUP_##group_,                           \
		.symbols = { symbol, older },                         \
		.required = required_,                                \
		.prototype = prototype_,                              \
		.wrapper = SF_WRAPPER_##id,                           \
	},

static struct sf_hook sf_hooks[SF_NR_HOOKS] = { SF_HOOKS(SF_HOOK_ROW) };

static const char *const sf_hook_names[SF_NR_HOOKS] = {
	[SF_HOOK_BALANCE] = "balance",	 [SF_HOOK_NEWIDLE] = "newidle",
	[SF_HOOK_SELECT] = "select",	 [SF_HOOK_GROUP] = "group",
	[SF_HOOK_FEATURES] = "features",
};

static const char *const sf_group_names[] = {
	[SF_GROUP_NEWIDLE] = "newidle",
	[SF_GROUP_SELECT] = "select",
	[SF_GROUP_FEATURES] = "features",
};

static int sf_hook_resolve(struct sf_hook *hook)
{
	int i, err = -ENOENT;

	for (i = 0; i < ARRAY_SIZE(hook->symbols) && hook->symbols[i]; i++) {
		err = sf_resolve_function(hook->symbols[i], hook->prototype,
					  &hook->original);
		if (!err)
			hook->symbol = hook->symbols[i];
		if (err != -ENOENT)
			return err;
	}
	if (!hook->required)
		return 0;
	pr_err("not loaded: the kernel has no function %s%s%s that ftrace can hook\n",
	       hook->symbols[0], hook->symbols[1] ? " or " : "",
	       hook->symbols[1] ?: "");
	return err;
}

static void sf_hooks_bind(void)
{
	static_call_update(sf_original_balance,
			   (void *)sf_hooks[SF_HOOK_BALANCE].original);
	static_call_update(sf_original_newidle,
			   (void *)sf_hooks[SF_HOOK_NEWIDLE].original);
	static_call_update(sf_original_select,
			   (void *)sf_hooks[SF_HOOK_SELECT].original);
	static_call_update(sf_original_group,
			   (void *)sf_hooks[SF_HOOK_GROUP].original);
	static_call_update(sf_original_features,
			   (void *)sf_hooks[SF_HOOK_FEATURES].original);
}

/**
 * sf_hooks_init - find the functions and choose those to attach
 *
 * Nothing is attached yet. All prototypes are checked, also of hooks that are
 * off, so that a kernel is refused at load and not at a later flip.
 *
 * Return: 0, -EINVAL for a bad module parameter, or as sf_resolve_function().
 */
int sf_hooks_init(void)
{
	bool all = !strcmp(sf_param_hooks, "all");
	int id, err;

	if (!all && strcmp(sf_param_hooks, "newidle")) {
		pr_err("not loaded: hooks=%s; known: newidle all\n",
		       sf_param_hooks);
		return -EINVAL;
	}
	for (id = 0; id < SF_NR_HOOKS; id++) {
		struct sf_hook *hook = &sf_hooks[id];

		hook->name = sf_hook_names[id];
		err = sf_hook_resolve(hook);
		if (err)
			return err;
		hook->wanted =
			hook->symbol && (all || hook->group != SF_GROUP_SELECT);
	}
	sf_hooks_bind();
	return 0;
}

/**
 * sf_hook - a row of the table
 * @id: which
 */
const struct sf_hook *sf_hook(enum sf_hook_id id)
{
	return &sf_hooks[id];
}

static u64 sf_hook_ticks(const struct sf_hook_counts *counts,
			 enum sf_hook_id id)
{
	if (id == SF_HOOK_NEWIDLE)
		return READ_ONCE(counts->newidle_ticks);
	if (id == SF_HOOK_BALANCE && !sf_hooks[SF_HOOK_NEWIDLE].symbol)
		return READ_ONCE(counts->domain_ticks);
	return 0;
}

/**
 * sf_hooks_newidle_ns - time that all CPUs have spent in newidle balance
 *
 * As a whole where the kernel has it as a function, else in the domains' balance.
 *
 * Return: ns since load.
 */
u64 sf_hooks_newidle_ns(void)
{
	u64 ticks = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		struct sf_hook_counts *counts = per_cpu_ptr(&sf_counts, cpu);

		ticks += sf_hook_ticks(counts, SF_HOOK_NEWIDLE);
		ticks += sf_hook_ticks(counts, SF_HOOK_BALANCE);
	}
	return sf_ticks_to_ns(ticks);
}

static const char *sf_hook_status(const struct sf_hook *hook)
{
	if (!hook->symbol)
		return "absent";
	if (!hook->wanted)
		return "off";
	if (sf_pass_ever())
		return sf_pass_word();
	return sf_pass_is_set(SF_PASS_PATCHING) ? "patching" : "patched";
}

/**
 * sf_hooks_show - print one line a hook
 * @m: file
 *
 * The counts of other CPUs are read while they count: each is a u64 that is read
 * whole, but the sum is of no one moment.
 */
void sf_hooks_show(struct seq_file *m)
{
	int id, cpu;

	for (id = 0; id < SF_NR_HOOKS; id++) {
		const struct sf_hook *hook = &sf_hooks[id];
		u64 calls = 0, ticks = 0;

		for_each_possible_cpu(cpu) {
			struct sf_hook_counts *counts =
				per_cpu_ptr(&sf_counts, cpu);

			calls += READ_ONCE(counts->calls[id]);
			ticks += sf_hook_ticks(counts, id);
		}
		seq_printf(
			m,
			"hook=%s group=%s symbol=%s state=%s calls=%llu ns=%llu\n",
			hook->name, sf_group_names[hook->group],
			hook->symbol ?: "-", sf_hook_status(hook), calls,
			sf_ticks_to_ns(ticks));
	}
}
