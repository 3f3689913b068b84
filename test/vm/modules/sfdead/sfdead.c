// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes the kernel switch ftrace off, as it does when it finds its records of the code in
 * disorder. That lasts until the next boot.
 */
#define pr_fmt(fmt) "sfdead: " fmt

#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/static_call.h>

/* Not exported; and by static_call, as no pointer may be called that is sealed. */
DEFINE_STATIC_CALL_NULL(sfdead_kill, ftrace_kill);

static int __init sfdead_init(void)
{
	struct kprobe probe = { .symbol_name = "ftrace_kill" };
	int err = register_kprobe(&probe);

	if (err) {
		pr_info("no kprobe on ftrace_kill (error %d)\n", err);
		return err;
	}
	static_call_update(sfdead_kill, (void *)probe.addr);
	unregister_kprobe(&probe);
	static_call(sfdead_kill)();
	pr_info("ftrace is off\n");
	return 0;
}

static void __exit sfdead_exit(void)
{
}

module_init(sfdead_init);
module_exit(sfdead_exit);

MODULE_DESCRIPTION("Switches ftrace off");
MODULE_LICENSE("GPL");
