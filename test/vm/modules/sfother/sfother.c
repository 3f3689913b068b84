// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Somebody else's livepatch: replaces a function that schedflip wants to wrap, or with
 * elsewhere=1 one that nobody else wants, and with replace=1 takes all other livepatches
 * out, as those of distributions do.
 */
#include <linux/fs.h>
#include <linux/livepatch.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/seq_file.h>

static bool sfother_elsewhere;
module_param_named(elsewhere, sfother_elsewhere, bool, 0444);
MODULE_PARM_DESC(elsewhere, "replace what prints /proc/cmdline");

static unsigned long sfother_hits;
module_param_named(hits, sfother_hits, ulong, 0444);
MODULE_PARM_DESC(hits, "times that /proc/cmdline was read");

static bool sfother_replace;
module_param_named(replace, sfother_replace, bool, 0444);
MODULE_PARM_DESC(replace, "take all other livepatches out");

static ssize_t sfother_write(struct file *file, const char __user *buf,
			     size_t count, loff_t *pos)
{
	return -EPERM;
}

static int sfother_cmdline(struct seq_file *m, void *unused)
{
	sfother_hits++;
	seq_puts(m, "sfother\n");
	return 0;
}

static struct klp_func sfother_funcs[] = {
	{ .old_name = "sched_feat_write", .new_func = sfother_write }, {}
};

static struct klp_object sfother_objects[] = { { .funcs = sfother_funcs }, {} };

static struct klp_patch sfother_patch = {
	.mod = THIS_MODULE,
	.objs = sfother_objects,
};

static int __init sfother_init(void)
{
	sfother_patch.replace = sfother_replace;
	if (sfother_elsewhere) {
		sfother_funcs[0].old_name = "cmdline_proc_show";
		sfother_funcs[0].new_func = sfother_cmdline;
	}
	return klp_enable_patch(&sfother_patch);
}

static void __exit sfother_exit(void)
{
}

module_init(sfother_init);
module_exit(sfother_exit);

MODULE_DESCRIPTION("A livepatch that stands in schedflip's way");
MODULE_LICENSE("GPL");
MODULE_INFO(livepatch, "Y");
