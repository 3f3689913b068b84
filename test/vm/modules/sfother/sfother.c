// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Somebody else's livepatch: replaces a function that schedflip wants to wrap.
 */
#include <linux/fs.h>
#include <linux/livepatch.h>
#include <linux/module.h>

static ssize_t sfother_write(struct file *file, const char __user *buf,
			     size_t count, loff_t *pos)
{
	return -EPERM;
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
