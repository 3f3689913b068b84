// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counts the instructions that schedflip adds to a call. A tool of test/vm/bench
 * for exact mode, where time is a number of instructions; not for machines that
 * anybody uses.
 *
 * /sys/kernel/debug/sfbench has a file for each way to call a hooked function.
 * Reading one makes SFB_ROUNDS rounds on the CPU that reads, with interrupts off.
 * A round is one call along each path in turn, so that all meet the same kernel:
 *
 *   nothing   no call: what measuring takes
 *   original  the kernel's own code, past the ftrace location
 *   wrapper   schedflip's wrapper, called directly
 *   patched   the function as the kernel calls it: through livepatch
 *   again     the original once more
 *
 * A round is steady, and counts, if the original ran and took the same both times.
 * The cost of a call is what it took more than its base in the same round: the
 * original for a call that ran the kernel's own code, nothing for one that was
 * skipped, and for the original itself. The file has a line for each path, turn
 * and cost, with the number of calls that took that cost.
 */
#define pr_fmt(fmt) "sfbench: " fmt

#include <linux/debugfs.h>
#include <linux/irqflags.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched/topology.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/smp.h>
#include <linux/sort.h>

#include "calls.h"
#include "find.h"

#define SFB_ROUNDS 1024

enum sfb_turn {
	SFB_SKIPPED,
	SFB_RAN,
	SFB_TURNS,
};

/**
 * struct sfb_round - what each path's call took
 * @ticks: how long
 * @ran: as far as the kernel's own code?
 */
struct sfb_round {
	u64 ticks[SFB_PATHS];
	bool ran[SFB_PATHS];
};

/**
 * struct sfb_costs - the calls of steady rounds, by path and turn
 * @count: how many
 * @ticks: what each cost; sorted for the report
 */
struct sfb_costs {
	unsigned int count;
	s32 ticks[SFB_ROUNDS];
};

/**
 * struct sfb_tally - the outcome of all rounds
 * @at: where they balanced
 * @steady: steady rounds
 * @ran: calls that came through the wrapper to the kernel's own code, in any round
 * @costs: as said
 */
struct sfb_tally {
	struct sfb_place at;
	unsigned int steady;
	unsigned int ran;
	struct sfb_costs costs[SFB_PATHS][SFB_TURNS];
};

/* Guarded by the lock, and so are the targets of the static calls. */
static struct sfb_tally sfb_tally;
static DEFINE_MUTEX(sfb_lock);

static s32 sfb_ticks_per_instruction __ro_after_init;
static unsigned long sfb_runqueues __ro_after_init;
static unsigned long sfb_sd_llc __ro_after_init;
static struct dentry *sfb_dir;

/* Where this CPU's calls balance; inside an RCU section, with interrupts off. */
static bool sfb_here(struct sfb_place *at)
{
	unsigned long offset = per_cpu_offset(smp_processor_id());
	struct sched_domain __rcu **sd = (void *)(sfb_sd_llc + offset);

	at->cpu = smp_processor_id();
	at->rq = (void *)(sfb_runqueues + offset);
	at->sd = rcu_dereference(*sd);
	if (!at->sd)
		return false;
	at->level = at->sd->level;
	return true;
}

static void sfb_note(const struct sfb_round *round, enum sfb_path_id path,
		     enum sfb_path_id base)
{
	struct sfb_costs *costs = &sfb_tally.costs[path][round->ran[path]];
	s64 ticks = round->ticks[path] - round->ticks[base];

	costs->ticks[costs->count++] = clamp_t(s64, ticks, S32_MIN, S32_MAX);
}

static void sfb_note_wrapped(const struct sfb_round *round,
			     enum sfb_path_id path)
{
	sfb_note(round, path, round->ran[path] ? SFB_ORIGINAL : SFB_NOTHING);
}

static void sfb_note_round(const struct sfb_round *round)
{
	u64 original = round->ticks[SFB_ORIGINAL];

	sfb_tally.ran += round->ran[SFB_WRAPPER] + round->ran[SFB_PATCHED];
	if (!round->ran[SFB_ORIGINAL] || round->ticks[SFB_AGAIN] != original)
		return;
	sfb_tally.steady++;
	sfb_note(round, SFB_ORIGINAL, SFB_NOTHING);
	sfb_note_wrapped(round, SFB_WRAPPER);
	sfb_note_wrapped(round, SFB_PATCHED);
}

static void sfb_make_round(const struct sfb_case *what)
{
	struct sfb_round round;
	int path;

	for (path = 0; path < SFB_PATHS; path++) {
		struct sfb_call call = {};

		what->begin(&sfb_tally.at, &call);
		round.ticks[path] = sfb_paths[path].time(call.args);
		round.ran[path] = what->end(&sfb_tally.at, &call);
	}
	sfb_note_round(&round);
}

/* Without interrupts nothing comes in between but other CPUs' instructions. */
static int sfb_make_rounds(const struct sfb_case *what)
{
	unsigned long flags;
	int i, err = 0;

	memset(&sfb_tally, 0, sizeof(sfb_tally));
	local_irq_save(flags);
	rcu_read_lock();
	if (!sfb_here(&sfb_tally.at))
		err = -ENODEV;
	for (i = 0; i < SFB_ROUNDS && !err; i++)
		sfb_make_round(what);
	rcu_read_unlock();
	local_irq_restore(flags);
	return err;
}

static int sfb_compare(const void *a, const void *b)
{
	s32 x = *(const s32 *)a, y = *(const s32 *)b;

	return x < y ? -1 : x > y;
}

static int sfb_report_costs(struct seq_file *m, const char *path,
			    const char *turn, struct sfb_costs *costs)
{
	s32 *ticks = costs->ticks, unit = sfb_ticks_per_instruction;
	unsigned int i, first = 0;

	sort(ticks, costs->count, sizeof(*ticks), sfb_compare, NULL);
	for (i = 1; i <= costs->count; i++) {
		if (i < costs->count && ticks[i] == ticks[first])
			continue;
		if (ticks[first] % unit)
			return -ERANGE;
		seq_printf(m, "path=%s turn=%s cost=%d calls=%u\n", path, turn,
			   ticks[first] / unit, i - first);
		first = i;
	}
	return 0;
}

static int sfb_report(struct seq_file *m)
{
	static const char *const turns[] = { "skipped", "ran" };
	int path, turn, err = 0;

	seq_printf(m, "cpu=%d level=%d rounds=%d steady=%u ran=%u\n",
		   sfb_tally.at.cpu, sfb_tally.at.level, SFB_ROUNDS,
		   sfb_tally.steady, sfb_tally.ran);
	for (path = 0; path < SFB_PATHS; path++)
		for (turn = 0; turn < SFB_TURNS && !err; turn++)
			err = sfb_report_costs(m, sfb_paths[path].name,
					       turns[turn],
					       &sfb_tally.costs[path][turn]);
	return err;
}

static unsigned long sfb_find_entry(const struct sfb_case *what)
{
	unsigned long entry = sfb_find(what->symbols[0]);

	if (!entry && what->symbols[1])
		entry = sfb_find(what->symbols[1]);
	return entry;
}

static int sfb_aim(const struct sfb_case *what)
{
	unsigned long entry = sfb_find_entry(what);
	unsigned long body = entry ? sfb_find_body(entry) : 0;
	unsigned long wrapper = sfb_find(what->wrapper);

	if (!body || !wrapper)
		return -ENOENT;
	sfb_paths[SFB_ORIGINAL].aim((void *)body);
	sfb_paths[SFB_WRAPPER].aim((void *)wrapper);
	sfb_paths[SFB_PATCHED].aim((void *)entry);
	sfb_paths[SFB_AGAIN].aim((void *)body);
	return 0;
}

/* schedflip may be unloaded; nothing is to point into it. */
static void sfb_aim_nowhere(void)
{
	int path;

	for (path = 0; path < SFB_PATHS; path++)
		sfb_paths[path].aim(NULL);
}

static int sfb_show(struct seq_file *m, void *v)
{
	int err;

	mutex_lock(&sfb_lock);
	err = sfb_aim(m->private);
	if (!err)
		err = sfb_make_rounds(m->private);
	sfb_aim_nowhere();
	if (!err)
		err = sfb_report(m);
	mutex_unlock(&sfb_lock);
	return err;
}

/* With room for every call's cost, since a second try would measure once more. */
static int sfb_open(struct inode *inode, struct file *file)
{
	return single_open_size(file, sfb_show, inode->i_private, SZ_512K);
}

static const struct file_operations sfb_fops = {
	.owner = THIS_MODULE,
	.open = sfb_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = single_release,
};

/* The lowest of a few, as no other CPU's instructions can make it lower. */
static u64 __init sfb_least(u64 (*time)(const unsigned long *args))
{
	unsigned long args[5] = {};
	u64 least = U64_MAX;
	int i;

	for (i = 0; i < 16; i++)
		least = min(least, time(args));
	return least;
}

/* That paths which lead nowhere take the same is what all figures rest on. */
static int __init sfb_compare_paths(void)
{
	u64 nothing = sfb_least(sfb_paths[SFB_NOTHING].time);
	int path;

	for (path = 0; path < SFB_PATHS; path++)
		if (sfb_least(sfb_paths[path].time) != nothing)
			return -EOPNOTSUPP;
	return 0;
}

static int __init sfb_calibrate(void)
{
	unsigned long flags;
	u64 nops;
	int err;

	local_irq_save(flags);
	nops = sfb_least(sfb_time_nops);
	nops -= sfb_least(sfb_paths[SFB_NOTHING].time);
	err = sfb_compare_paths();
	local_irq_restore(flags);

	if (!nops || nops % SFB_NOPS || nops / SFB_NOPS > S32_MAX || err) {
		pr_err("%d instructions take %llu ticks%s, so time does not count instructions here; exact mode is needed\n",
		       SFB_NOPS, nops, err ? " and the paths differ" : "");
		return -EOPNOTSUPP;
	}
	sfb_ticks_per_instruction = nops / SFB_NOPS;
	return 0;
}

static int __init sfb_find_variables(void)
{
	sfb_runqueues = sfb_find("runqueues");
	sfb_sd_llc = sfb_find("sd_llc");
	if (sfb_runqueues && sfb_sd_llc)
		return 0;
	pr_err("the kernel has no runqueues or no sd_llc\n");
	return -ENOENT;
}

static int __init sfb_prepare(void)
{
	int err = sfb_find_init();

	if (!err)
		err = sfb_find_variables();
	if (!err)
		err = sfb_calls_init();
	if (!err)
		err = sfb_calibrate();
	return err;
}

static int __init sfb_init(void)
{
	int i, err = sfb_prepare();

	if (err)
		return err;
	sfb_dir = debugfs_create_dir("sfbench", NULL);
	for (i = 0; i < SFB_CASES; i++)
		if (sfb_find_entry(&sfb_cases[i]))
			debugfs_create_file(sfb_cases[i].name, 0400, sfb_dir,
					    (void *)&sfb_cases[i], &sfb_fops);
	return 0;
}
module_init(sfb_init);

static void __exit sfb_exit(void)
{
	debugfs_remove_recursive(sfb_dir);
}
module_exit(sfb_exit);

MODULE_DESCRIPTION("Counts the instructions schedflip adds to a call");
MODULE_LICENSE("GPL");
