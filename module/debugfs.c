// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The files of docs/debugfs.md at the top. None takes a lock that is held while files are
 * removed: a removal waits until all readers have left.
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
#include "file.h"
#include "hooks.h"
#include "off.h"
#include "refusal.h"

static struct dentry *sf_root;

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
	if (!sf_file_can_open())
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

static int sf_policy_show(struct seq_file *m, void *unused)
{
	sf_common_show(m);
	return 0;
}

static int sf_policy_open(struct inode *inode, struct file *file)
{
	return sf_file_open(file, sf_policy_show, NULL);
}

static ssize_t sf_policy_write(struct file *file, const char __user *buf,
			       size_t count, loff_t *pos)
{
	char *text = sf_file_command(buf, count, pos);
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
	char *text = sf_file_command(buf, count, pos);
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
	return sf_file_can_open() ? 0 : -EAGAIN;
}

static const struct file_operations sf_off_fops = {
	.owner = THIS_MODULE,
	.open = sf_off_open,
	.write = sf_off_write,
	.llseek = noop_llseek,
};

/**
 * sf_debugfs_root - /sys/kernel/debug/schedflip
 */
struct dentry *sf_debugfs_root(void)
{
	return sf_root;
}

static const struct sf_file sf_files[] = {
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
	err = sf_files_add(sf_files, ARRAY_SIZE(sf_files), sf_root, NULL);
	if (err)
		debugfs_remove(sf_root);
	return err;
}

/**
 * sf_debugfs_exit - remove all files, and wait for their readers
 */
void sf_debugfs_exit(void)
{
	debugfs_remove(sf_root);
}
