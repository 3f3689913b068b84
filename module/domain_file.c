// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The files of docs/debugfs.md in cpuN/domainM. Each remembers only (cpu, number) and finds
 * the domain anew at each access, so it can outlive the domain.
 *
 * None takes a lock that is held while files are removed: a removal waits until all
 * readers have left.
 */
#define pr_fmt(fmt) "schedflip: " fmt

#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "control.h"
#include "domain.h"
#include "domain_file.h"
#include "file.h"
#include "refusal.h"

/* What a file of a domain knows: packed into its i_private, with nothing to free. */
#define SF_DOMAIN_KEY(cpu, index) \
	((void *)((unsigned long)(cpu) << 8 | (index)))
#define SF_KEY_CPU(private) ((int)((unsigned long)(private) >> 8))
#define SF_KEY_INDEX(private) ((int)((unsigned long)(private) & 0xff))

static bool sf_file_report(const void *private, struct sf_report *report)
{
	int cpu = SF_KEY_CPU(private);
	struct sched_domain *sd;
	int index;

	sf_for_each_domain(cpu, index, sd)
		if (index == SF_KEY_INDEX(private))
			return sf_domain_report(cpu, index, sd, report);
	return false;
}

/* Defines NAME_show(), which prints one thing of the report of its domain. */
#define SF_DOMAIN_SHOW(name, print)                              \
	static int name##_show(struct seq_file *m, void *unused) \
	{                                                        \
		struct sf_report report;                         \
		bool found;                                      \
		rcu_read_lock();                                 \
		found = sf_file_report(m->private, &report);     \
		if (found)                                       \
			print;                                   \
		rcu_read_unlock();                               \
		return found ? 0 : -ENODEV;                      \
	}

SF_DOMAIN_SHOW(sf_domain_name_file, seq_printf(m, "%s\n", report.name))
SF_DOMAIN_SHOW(sf_domain_level, seq_printf(m, "%llu\n", report.level))
SF_DOMAIN_SHOW(sf_domain_span,
	       seq_printf(m, "%*pbl\n", cpumask_pr_args(report.cpus)))
SF_DOMAIN_SHOW(sf_domain_newidle, seq_printf(m, "%s\n", report.newidle))
SF_DOMAIN_SHOW(sf_domain_ratio, seq_printf(m, "%llu\n", report.ratio))
SF_DOMAIN_SHOW(sf_domain_window_pos, seq_printf(m, "%llu\n", report.window_pos))
SF_DOMAIN_SHOW(sf_domain_slowpath, seq_printf(m, "%s\n", report.slowpath))
SF_DOMAIN_SHOW(sf_domain_burst, seq_printf(m, "%s\n", report.burst))
SF_DOMAIN_SHOW(sf_domain_depth, seq_printf(m, "%llu\n", report.burst_depth))
SF_DOMAIN_SHOW(sf_domain_factor, seq_printf(m, "%llu\n", report.burst_factor))
SF_DOMAIN_SHOW(sf_domain_average,
	       seq_printf(m, "%llu.%03llu\n", report.avg_depth_milli / 1000,
			  report.avg_depth_milli % 1000))
SF_DOMAIN_SHOW(sf_domain_cost, seq_printf(m, "%s\n", report.cost))
SF_DOMAIN_SHOW(sf_domain_stats, sf_report_print(m, &report, '\n'))

SF_SHOW_FILE(sf_domain_name_file);
SF_SHOW_FILE(sf_domain_level);
SF_SHOW_FILE(sf_domain_span);
SF_SHOW_FILE(sf_domain_average);
SF_SHOW_FILE(sf_domain_stats);

static bool sf_file_exists(const void *private)
{
	return SF_KEY_INDEX(private) < sf_domain_count(SF_KEY_CPU(private));
}

/* One value; behind a policy, a start may follow. */
static bool sf_is_allowed(const char *text, bool policy)
{
	const char *rest = strpbrk(text, " \t\n");

	if (!rest)
		return true;
	rest = skip_spaces(rest);
	return policy && !strncmp(rest, "start=", 6) && !strpbrk(rest, " \t\n");
}

static ssize_t sf_domain_write(struct file *file, const char __user *buf,
			       size_t count, loff_t *pos, const char *key)
{
	void *private = file_inode(file)->i_private;
	char *line, *value, *text = sf_file_command(buf, count, pos);
	int err = -ENOMEM;

	if (IS_ERR(text))
		return PTR_ERR(text);
	value = strim(text);
	line = kasprintf(GFP_KERNEL, "%s=%s", key, value);
	if (line && !sf_file_exists(private))
		err = sf_refuse(-ENODEV, "the domain is gone");
	else if (line && !sf_is_allowed(value, !strcmp(key, "newidle")))
		err = sf_refuse(
			-EINVAL,
			"\"%.32s\" is not one value; more words belong to `policy`",
			value);
	else if (line)
		err = sf_control_run_for(line, SF_KEY_CPU(private),
					 SF_KEY_INDEX(private));
	kfree(line);
	kfree(text);
	if (err)
		return err;
	*pos += count;
	return count;
}

/* Defines the file operations of a file that can be read and written. */
#define SF_DOMAIN_FILE(name, key)                                              \
	static int name##_open(struct inode *inode, struct file *file)         \
	{                                                                      \
		return sf_file_open(file, name##_show, inode->i_private);      \
	}                                                                      \
	static ssize_t name##_write(struct file *file, const char __user *buf, \
				    size_t count, loff_t *pos)                 \
	{                                                                      \
		return sf_domain_write(file, buf, count, pos, key);            \
	}                                                                      \
	static const struct file_operations name##_fops = {                    \
		.owner = THIS_MODULE,                                          \
		.open = name##_open,                                           \
		.read = seq_read,                                              \
		.write = name##_write,                                         \
		.llseek = seq_lseek,                                           \
		.release = single_release,                                     \
	}

SF_DOMAIN_FILE(sf_domain_newidle, "newidle");
SF_DOMAIN_FILE(sf_domain_ratio, "ratio");
SF_DOMAIN_FILE(sf_domain_window_pos, "window_pos");
SF_DOMAIN_FILE(sf_domain_slowpath, "slowpath");
SF_DOMAIN_FILE(sf_domain_burst, "burst");
SF_DOMAIN_FILE(sf_domain_depth, "burst_depth");
SF_DOMAIN_FILE(sf_domain_factor, "burst_factor");
SF_DOMAIN_FILE(sf_domain_cost, "cost");

static const struct sf_file sf_domain_files[] = {
	{ "name", 0444, &sf_domain_name_file_fops },
	{ "level", 0444, &sf_domain_level_fops },
	{ "span", 0444, &sf_domain_span_fops },
	{ "newidle", 0644, &sf_domain_newidle_fops },
	{ "ratio", 0644, &sf_domain_ratio_fops },
	{ "window_pos", 0644, &sf_domain_window_pos_fops },
	{ "slowpath", 0644, &sf_domain_slowpath_fops },
	{ "burst", 0644, &sf_domain_burst_fops },
	{ "burst_depth", 0644, &sf_domain_depth_fops },
	{ "burst_factor", 0644, &sf_domain_factor_fops },
	{ "avg_depth", 0444, &sf_domain_average_fops },
	{ "cost", 0644, &sf_domain_cost_fops },
	{ "stats", 0444, &sf_domain_stats_fops },
};

/**
 * sf_domain_files_add - the files of one domain
 * @dir: cpuN/domainM
 * @cpu: N
 * @index: M
 *
 * Return: 0, or why one of them could not be made; those before it are there then.
 */
int sf_domain_files_add(struct dentry *dir, int cpu, int index)
{
	return sf_files_add(sf_domain_files, ARRAY_SIZE(sf_domain_files), dir,
			    SF_DOMAIN_KEY(cpu, index));
}
