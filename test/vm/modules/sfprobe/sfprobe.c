// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Somebody else's kprobe with a post handler. Such a probe may change where the function
 * goes on, and so excludes a livepatch of it.
 */
#define pr_fmt(fmt) "sfprobe: " fmt

#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

static char *sfprobe_function = "";
module_param_named(function, sfprobe_function, charp, 0444);
MODULE_PARM_DESC(function, "to probe");

static unsigned long sfprobe_hits;
module_param_named(hits, sfprobe_hits, ulong, 0444);
MODULE_PARM_DESC(hits, "calls of the function");

static void sfprobe_post(struct kprobe *probe, struct pt_regs *regs,
			 unsigned long flags)
{
	sfprobe_hits++;
}

static struct kprobe sfprobe_probe = { .post_handler = sfprobe_post };

static int __init sfprobe_init(void)
{
	int err;

	sfprobe_probe.symbol_name = sfprobe_function;
	err = register_kprobe(&sfprobe_probe);
	if (err)
		pr_info("no kprobe on %s (error %d)\n", sfprobe_function, err);
	return err;
}

static void __exit sfprobe_exit(void)
{
	unregister_kprobe(&sfprobe_probe);
}

module_init(sfprobe_init);
module_exit(sfprobe_exit);

MODULE_DESCRIPTION("A kprobe that stands in schedflip's way");
MODULE_LICENSE("GPL");
