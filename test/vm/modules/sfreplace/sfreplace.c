// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Somebody else's livepatch that replaces all others, as those of distributions
 * do. What it patches itself does not matter.
 */
#include <linux/livepatch.h>
#include <linux/module.h>
#include <linux/seq_file.h>

static int sfreplace_show(struct seq_file *m, void *unused)
{
	seq_puts(m, "replaced\n");
	return 0;
}

static struct klp_func sfreplace_funcs[] = {
	{ .old_name = "cmdline_proc_show", .new_func = sfreplace_show }, {}
};

static struct klp_object sfreplace_objects[] = { { .funcs = sfreplace_funcs },
						 {} };

static struct klp_patch sfreplace_patch = {
	.mod = THIS_MODULE,
	.objs = sfreplace_objects,
	.replace = true,
};

static int __init sfreplace_init(void)
{
	return klp_enable_patch(&sfreplace_patch);
}

static void __exit sfreplace_exit(void)
{
}

module_init(sfreplace_init);
module_exit(sfreplace_exit);

MODULE_DESCRIPTION("A livepatch that takes schedflip's out");
MODULE_LICENSE("GPL");
MODULE_INFO(livepatch, "Y");
