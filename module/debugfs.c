// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The files of docs/debugfs.md. A file of a domain remembers only (cpu, number)
 * and finds the domain anew at each access, so it can outlive the domain.
 *
 * Nothing here takes a lock that is held while files are removed: a removal waits
 * until all readers have left.
 */
#define pr_fmt(fmt) "schedflip: " fmt

#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "common.h"
#include "control.h"
#include "debugfs.h"
#include "domain.h"
#include "features.h"
#include "hooks.h"
#include "off.h"
#include "refusal.h"

struct sf_debugfs_file {
	const char *name;
	umode_t mode;
	const struct file_operations *fops;
};

static struct dentry *sf_root;

/*
 * Set for good when nothing can fail any more. The kernel frees a module whose init failed
 * whoever has a file of it open, so no file can be opened before; who is in an open
 * is waited for when the files are removed.
 */
static bool sf_debugfs_opened;

static int sf_open_file(struct file *file,
			int (*show)(struct seq_file *m, void *unused),
			void *private)
{
	if (!READ_ONCE(sf_debugfs_opened))
		return -EAGAIN;
	return single_open(file, show, private);
}

/* As DEFINE_SHOW_ATTRIBUTE(), for a file that can be opened when all are. */
#define SF_SHOW_FILE(name)                                                \
	static int name##_open(struct inode *inode, struct file *file)    \
	{                                                                 \
		return sf_open_file(file, name##_show, inode->i_private); \
	}                                                                 \
	static const struct file_operations name##_fops = {               \
		.owner = THIS_MODULE,                                     \
		.open = name##_open,                                      \
		.read = seq_read,                                         \
		.llseek = seq_lseek,                                      \
		.release = single_release,                                \
	}

/* Makes all, or up to the first that cannot be made. */
static int sf_debugfs_add(const struct sf_debugfs_file *files, size_t count,
			  struct dentry *dir, void *private)
{
	size_t i;
	int err = 0;

	for (i = 0; i < count && !err; i++)
		err = PTR_ERR_OR_ZERO(
			debugfs_create_file(files[i].name, files[i].mode, dir,
					    private, files[i].fops));
	return err;
}

static int sf_abi_show(struct seq_file *m, void *unused)
{
	seq_printf(m, "%d\n", SF_ABI);
	return 0;
}

static int sf_version_show(struct seq_file *m, void *unused)
{
	seq_printf(m, "%s\n", THIS_MODULE->version);
	return 0;
}

static int sf_hooks_file_show(struct seq_file *m, void *unused)
{
	sf_hooks_show(m);
	return 0;
}

static int sf_features_file_show(struct seq_file *m, void *unused)
{
	sf_features_show(m);
	return 0;
}

static int sf_last_error_show(struct seq_file *m, void *unused)
{
	sf_refusal_show(m);
	return 0;
}

static int sf_status_show(struct seq_file *m, void *unused)
{
	sf_control_show_status(m);
	return 0;
}

SF_SHOW_FILE(sf_abi);
SF_SHOW_FILE(sf_version);
SF_SHOW_FILE(sf_hooks_file);
SF_SHOW_FILE(sf_features_file);
SF_SHOW_FILE(sf_last_error);
SF_SHOW_FILE(sf_status);

/* `state` goes CPU by CPU, so that no buffer need hold all of it. */
static void *sf_state_seek(loff_t *pos)
{
	unsigned int cpu = cpumask_next(*pos - 1, cpu_online_mask);

	if (*pos >= nr_cpu_ids || cpu >= nr_cpu_ids)
		return NULL;
	*pos = cpu;
	return (void *)(unsigned long)(cpu + 1);
}

static void *sf_state_start(struct seq_file *m, loff_t *pos)
{
	return sf_state_seek(pos);
}

static void *sf_state_next(struct seq_file *m, void *v, loff_t *pos)
{
	++*pos;
	return sf_state_seek(pos);
}

static void sf_state_stop(struct seq_file *m, void *v)
{
}

static int sf_state_show(struct seq_file *m, void *v)
{
	int index, cpu = (unsigned long)v - 1;
	struct sched_domain *sd;
	struct sf_report report;

	rcu_read_lock();
	sf_for_each_domain(cpu, index, sd)
		if (sf_domain_report(cpu, index, sd, &report))
			sf_report_print(m, &report, ' ');
	rcu_read_unlock();
	return 0;
}

static const struct seq_operations sf_state_sops = {
	.start = sf_state_start,
	.next = sf_state_next,
	.stop = sf_state_stop,
	.show = sf_state_show,
};

static int sf_state_open(struct inode *inode, struct file *file)
{
	if (!READ_ONCE(sf_debugfs_opened))
		return -EAGAIN;
	return seq_open(file, &sf_state_sops);
}

static const struct file_operations sf_state_fops = {
	.owner = THIS_MODULE,
	.open = sf_state_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = seq_release,
};

/* The whole of a write, as a string. One write is one command. */
static char *sf_read_command(const char __user *buf, size_t count, loff_t *pos)
{
	char *text;

	if (*pos)
		return ERR_PTR(sf_refuse(
			-EINVAL,
			"write at offset %lld; a command is one write at offset 0",
			*pos));
	if (count > SF_COMMAND_MAX)
		return ERR_PTR(sf_refuse(-EINVAL,
					 "command of %zu bytes; allowed: 1..%d",
					 count, SF_COMMAND_MAX));
	text = memdup_user_nul(buf, count);
	if (IS_ERR(text))
		return text;
	if (strlen(text) == count)
		return text;
	kfree(text);
	return ERR_PTR(sf_refuse(-EINVAL, "command has a NUL byte in it"));
}

static int sf_policy_show(struct seq_file *m, void *unused)
{
	sf_common_show(m);
	return 0;
}

static int sf_policy_open(struct inode *inode, struct file *file)
{
	return sf_open_file(file, sf_policy_show, NULL);
}

static ssize_t sf_policy_write(struct file *file, const char __user *buf,
			       size_t count, loff_t *pos)
{
	char *text = sf_read_command(buf, count, pos);
	int err;

	if (IS_ERR(text))
		return PTR_ERR(text);
	err = sf_control_run(text);
	kfree(text);
	if (err)
		return err;
	*pos += count;
	return count;
}

static const struct file_operations sf_policy_fops = {
	.owner = THIS_MODULE,
	.open = sf_policy_open,
	.read = seq_read,
	.write = sf_policy_write,
	.llseek = seq_lseek,
	.release = single_release,
};

/* A file of its own and not to be read, as under lockdown no writable file can be. */
static ssize_t sf_off_write(struct file *file, const char __user *buf,
			    size_t count, loff_t *pos)
{
	char *text = sf_read_command(buf, count, pos);
	bool off;
	int err;

	if (IS_ERR(text))
		return PTR_ERR(text);
	err = sf_off_parse(text, &off);
	kfree(text);
	if (err)
		return sf_refuse(err, "off takes 1 or 0");
	if (!off) {
		err = sf_off_end();
		return err ? sf_refuse(err, "switched off again meanwhile (%s)",
				       sf_off_why()) :
			     count;
	}
	sf_off_at_once(SF_OFF_DEBUGFS);
	sf_control_switched_off();
	return count;
}

static int sf_off_open(struct inode *inode, struct file *file)
{
	return READ_ONCE(sf_debugfs_opened) ? 0 : -EAGAIN;
}

static const struct file_operations sf_off_fops = {
	.owner = THIS_MODULE,
	.open = sf_off_open,
	.write = sf_off_write,
	.llseek = noop_llseek,
};

/* What a file of a domain knows: packed into its i_private, with nothing to free. */
#define SF_FILE(cpu, index) ((void *)((unsigned long)(cpu) << 8 | (index)))
#define SF_FILE_CPU(private) ((int)((unsigned long)(private) >> 8))
#define SF_FILE_INDEX(private) ((int)((unsigned long)(private) & 0xff))

static bool sf_file_report(const void *private, struct sf_report *report)
{
	int cpu = SF_FILE_CPU(private);
	struct sched_domain *sd;
	int index;

	sf_for_each_domain(cpu, index, sd)
		if (index == SF_FILE_INDEX(private))
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
	return SF_FILE_INDEX(private) < sf_domain_count(SF_FILE_CPU(private));
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
	char *line, *value, *text = sf_read_command(buf, count, pos);
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
		err = sf_control_run_for(line, SF_FILE_CPU(private),
					 SF_FILE_INDEX(private));
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
		return sf_open_file(file, name##_show, inode->i_private);      \
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

static const struct sf_debugfs_file sf_domain_files[] = {
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
 * sf_debugfs_add_domain - the files of one domain
 * @dir: cpuN/domainM
 * @cpu: N
 * @index: M
 *
 * Return: 0, or why one of them could not be made; those before it are there then.
 */
int sf_debugfs_add_domain(struct dentry *dir, int cpu, int index)
{
	return sf_debugfs_add(sf_domain_files, ARRAY_SIZE(sf_domain_files), dir,
			      SF_FILE(cpu, index));
}

/**
 * sf_debugfs_root - /sys/kernel/debug/schedflip
 */
struct dentry *sf_debugfs_root(void)
{
	return sf_root;
}

static const struct sf_debugfs_file sf_files[] = {
	{ "abi", 0444, &sf_abi_fops },
	{ "version", 0444, &sf_version_fops },
	{ "hooks", 0444, &sf_hooks_file_fops },
	{ "features", 0444, &sf_features_file_fops },
	{ "last_error", 0444, &sf_last_error_fops },
	{ "status", 0444, &sf_status_fops },
	{ "state", 0444, &sf_state_fops },
	{ "policy", 0644, &sf_policy_fops },
	{ "off", 0200, &sf_off_fops },
};

/**
 * sf_debugfs_init - the files at the top
 *
 * Return: 0, or why debugfs refused.
 */
int sf_debugfs_init(void)
{
	int err;

	sf_root = debugfs_create_dir("schedflip", NULL);
	if (IS_ERR(sf_root)) {
		pr_err("not loaded: no files in debugfs (error %ld); is it off, by CONFIG_DEBUG_FS or debugfs= on the command line?\n",
		       PTR_ERR(sf_root));
		return -EOPNOTSUPP;
	}
	err = sf_debugfs_add(sf_files, ARRAY_SIZE(sf_files), sf_root, NULL);
	if (err)
		debugfs_remove(sf_root);
	return err;
}

/**
 * sf_debugfs_open - let the files be opened: the load can fail no more
 */
void sf_debugfs_open(void)
{
	WRITE_ONCE(sf_debugfs_opened, true);
}

/**
 * sf_debugfs_exit - remove all files, and wait for their readers
 */
void sf_debugfs_exit(void)
{
	debugfs_remove(sf_root);
}
