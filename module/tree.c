// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The directories cpuN/domainM, which follow the kernel's domains, and the
 * heartbeat that makes them do so. There is no notifier for a rebuild by cpusets,
 * so the tree looks once a second; what its files say is always current.
 */
#include <linux/cpumask.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "control.h"
#include "debugfs.h"
#include "domain.h"
#include "domain_file.h"
#include "tree.h"

/* Only the heartbeat and, before and after it, init and exit come here. */
struct sf_cpu_dir {
	struct dentry *dir;
	struct dentry *domains[SF_MAX_LEVELS];
	int count;
};

static struct sf_cpu_dir *sf_cpu_dirs;

static int sf_tree_add_cpu(struct sf_cpu_dir *cpu_dir, int cpu)
{
	char name[16];

	snprintf(name, sizeof(name), "cpu%d", cpu);
	cpu_dir->dir = debugfs_create_dir(name, sf_debugfs_root());
	return PTR_ERR_OR_ZERO(cpu_dir->dir);
}

/* All of a domain's files, or nothing. */
static int sf_tree_add(struct sf_cpu_dir *cpu_dir, int cpu)
{
	struct dentry *dir;
	char name[16];
	int err = 0;

	if (!cpu_dir->count)
		err = sf_tree_add_cpu(cpu_dir, cpu);
	if (err)
		return err;
	snprintf(name, sizeof(name), "domain%d", cpu_dir->count);
	dir = debugfs_create_dir(name, cpu_dir->dir);
	err = PTR_ERR_OR_ZERO(dir);
	if (!err)
		err = sf_domain_files_add(dir, cpu, cpu_dir->count);
	if (!err) {
		cpu_dir->domains[cpu_dir->count++] = dir;
		return 0;
	}
	if (!IS_ERR(dir))
		debugfs_remove(dir);
	if (!cpu_dir->count)
		debugfs_remove(cpu_dir->dir);
	return err;
}

static void sf_tree_remove(struct sf_cpu_dir *cpu_dir)
{
	debugfs_remove(cpu_dir->domains[--cpu_dir->count]);
	if (!cpu_dir->count)
		debugfs_remove(cpu_dir->dir);
}

/* What cannot be made now is tried again a second later. */
static int sf_tree_sync(void)
{
	int cpu, count, err = 0;

	for_each_possible_cpu(cpu) {
		struct sf_cpu_dir *cpu_dir = &sf_cpu_dirs[cpu];

		count = min(sf_domain_count(cpu), SF_MAX_LEVELS);
		while (cpu_dir->count > count)
			sf_tree_remove(cpu_dir);
		while (cpu_dir->count < count && !err)
			err = sf_tree_add(cpu_dir, cpu);
	}
	return err;
}

static void sf_heartbeat(struct work_struct *work);
static DECLARE_DELAYED_WORK(sf_heartbeat_work, sf_heartbeat);

static void sf_heartbeat(struct work_struct *work)
{
	sf_control_recheck();
	sf_tree_sync();
	schedule_delayed_work(&sf_heartbeat_work, HZ);
}

/**
 * sf_tree_init - make the directories and start the heartbeat
 *
 * Return: 0, or why a file could not be made; the root takes the others along.
 */
int sf_tree_init(void)
{
	int err;

	sf_cpu_dirs = kvcalloc(nr_cpu_ids, sizeof(*sf_cpu_dirs), GFP_KERNEL);
	if (!sf_cpu_dirs)
		return -ENOMEM;
	err = sf_tree_sync();
	if (err) {
		kvfree(sf_cpu_dirs);
		return err;
	}
	schedule_delayed_work(&sf_heartbeat_work, HZ);
	return 0;
}

/**
 * sf_tree_exit - stop the heartbeat; the directories go with their root
 */
void sf_tree_exit(void)
{
	cancel_delayed_work_sync(&sf_heartbeat_work);
	kvfree(sf_cpu_dirs);
}
