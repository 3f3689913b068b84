// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counts the instructions that schedflip adds to a call. A tool of test/vm/bench
 * for exact mode, where time is a number of instructions; not for machines that
 * anybody uses.
 *
 * /sys/kernel/debug/sfbench has a file for each way to call a hooked function.
 * Reading one makes SFB_CALLS calls along each of these paths, on the CPU that
 * reads:
 *
 *   nothing   no call: what measuring takes
 *   original  the kernel's own code, past the ftrace location
 *   wrapper   schedflip's wrapper, called directly
 *   patched   the function as the kernel calls it: through livepatch
 *   again     the original once more, to see that it still does the same
 *
 * and prints a line for each path, and for each turn that calls took on it (they
 * ran the kernel's own code, or were skipped), with the number of instructions:
 * the least, the median, and the most.
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
#include <linux/smp.h>
#include <linux/sort.h>

#include "calls.h"
#include "find.h"

#define SFB_CALLS 1024

/*
 * Other virtual CPUs have their turns while a call runs, now and then, and add
 * any number of instructions to it. But what our own code takes, it takes often.
 */
#define SFB_OFTEN 4

/**
 * struct sfb_times - ticks of the calls that took one of the two turns
 * @count: how many did
 * @ticks: each, sorted once all are there
 */
struct sfb_times {
	unsigned int count;
	u32 ticks[SFB_CALLS];
};

/* Both are guarded by the lock: the targets of the static calls are global too. */
static struct sfb_times sfb_ran, sfb_skipped;
static DEFINE_MUTEX(sfb_lock);

static u32 sfb_ticks_per_instruction __ro_after_init;
static unsigned long sfb_runqueues __ro_after_init;
static unsigned long sfb_sd_llc __ro_after_init;
static struct dentry *sfb_dir;

static int sfb_compare(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return x < y ? -1 : x > y;
}

static void sfb_note(struct sfb_times *times, u64 ticks)
{
	times->ticks[times->count++] = min_t(u64, ticks, U32_MAX);
}

/* Where this CPU's calls balance; inside an RCU section, with interrupts off. */
static bool sfb_here(struct sfb_place *at)
{
	unsigned long offset = per_cpu_offset(smp_processor_id());
	struct sched_domain __rcu **sd = (void *)(sfb_sd_llc + offset);

	at->cpu = smp_processor_id();
	at->rq = (void *)(sfb_runqueues + offset);
	at->sd = rcu_dereference(*sd);
	return at->sd;
}

/* Without interrupts nothing comes in between but other CPUs' instructions. */
static int sfb_make_calls(const struct sfb_case *what, struct sfb_place *at)
{
	unsigned long flags;
	int i, err = 0;
	bool ran;

	sfb_ran.count = 0;
	sfb_skipped.count = 0;
	local_irq_save(flags);
	rcu_read_lock();
	if (!sfb_here(at))
		err = -ENODEV;
	for (i = 0; i < SFB_CALLS && !err; i++) {
		u64 ticks = what->call(at, &ran);

		sfb_note(ran ? &sfb_ran : &sfb_skipped, ticks);
	}
	if (!err)
		at->level = at->sd->level;
	rcu_read_unlock();
	local_irq_restore(flags);
	return err;
}

/* The most that any call took undisturbed; the times are sorted. */
static u32 sfb_most(const struct sfb_times *times)
{
	unsigned int i;

	for (i = times->count; i >= SFB_OFTEN; i--)
		if (times->ticks[i - 1] == times->ticks[i - SFB_OFTEN])
			return times->ticks[i - 1];
	return times->ticks[times->count - 1];
}

static int sfb_report(struct seq_file *m, const char *path, const char *turn,
		      const struct sfb_place *at, struct sfb_times *times)
{
	u32 unit = sfb_ticks_per_instruction, least, median, most;

	if (!times->count)
		return 0;
	sort(times->ticks, times->count, sizeof(u32), sfb_compare, NULL);
	least = times->ticks[0];
	median = times->ticks[times->count / 2];
	most = sfb_most(times);
	if (least % unit || median % unit || most % unit)
		return -ERANGE;
	seq_printf(m, "path=%s turn=%s cpu=%d level=%d calls=%u ", path, turn,
		   at->cpu, at->level, times->count);
	seq_printf(m, "least=%u median=%u most=%u\n", least / unit,
		   median / unit, most / unit);
	return 0;
}

static int sfb_measure(struct seq_file *m, const struct sfb_case *what,
		       const char *path, unsigned long target)
{
	struct sfb_place at;
	int err;

	what->aim((void *)target);
	err = sfb_make_calls(what, &at);
	if (!err)
		err = sfb_report(m, path, "ran", &at, &sfb_ran);
	if (!err)
		err = sfb_report(m, path, "skipped", &at, &sfb_skipped);
	return err;
}

static unsigned long sfb_find_entry(const struct sfb_case *what)
{
	unsigned long entry = sfb_find(what->symbols[0]);

	if (!entry && what->symbols[1])
		entry = sfb_find(what->symbols[1]);
	return entry;
}

static int sfb_measure_paths(struct seq_file *m, const struct sfb_case *what)
{
	unsigned long entry = sfb_find_entry(what);
	unsigned long body = entry ? sfb_find_body(entry) : 0;
	unsigned long wrapper = sfb_find(what->wrapper);
	const struct {
		const char *name;
		unsigned long target;
	} paths[] = {
		{ "nothing", 0 },	{ "original", body },
		{ "wrapper", wrapper }, { "patched", entry },
		{ "again", body },
	};
	int i, err = 0;

	if (!body || !wrapper)
		return -ENOENT;
	for (i = 0; i < ARRAY_SIZE(paths) && !err; i++)
		err = sfb_measure(m, what, paths[i].name, paths[i].target);
	return err;
}

static int sfb_show(struct seq_file *m, void *v)
{
	const struct sfb_case *what = m->private;
	int err;

	mutex_lock(&sfb_lock);
	err = sfb_measure_paths(m, what);
	/* schedflip may be unloaded; nothing is to point into it. */
	what->aim(NULL);
	mutex_unlock(&sfb_lock);
	return err;
}
DEFINE_SHOW_ATTRIBUTE(sfb);

/* The lowest of a few, as no other CPU's instructions can make it lower. */
static u64 __init sfb_least(u64 (*time)(void))
{
	u64 least = U64_MAX;
	int i;

	for (i = 0; i < 16; i++)
		least = min(least, time());
	return least;
}

static int __init sfb_calibrate(void)
{
	unsigned long flags;
	u64 nothing, nops;

	local_irq_save(flags);
	nothing = sfb_least(sfb_time_nothing);
	nops = sfb_least(sfb_time_nops) - nothing;
	local_irq_restore(flags);

	if (!nops || nops % SFB_NOPS || nops / SFB_NOPS > U32_MAX) {
		pr_err("%d instructions take %llu ticks, so time does not count instructions here; exact mode is needed\n",
		       SFB_NOPS, nops);
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
