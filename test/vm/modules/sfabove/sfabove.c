// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Somebody else's livepatch on a function that schedflip wraps, loaded after it: the
 * choice of a group for a new task. It finds none, which the kernel takes for "stay in
 * this CPU's own group".
 */
#include <linux/livepatch.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>

struct sched_domain;

static char *sfabove_function = "sched_balance_find_dst_group";
module_param_named(function, sfabove_function, charp, 0444);
MODULE_PARM_DESC(function, "the kernel's name for it");

static struct sched_group *sfabove_find(struct sched_domain *sd,
					struct task_struct *p, int this_cpu)
{
	return NULL;
}

static struct klp_func sfabove_funcs[] = { { .new_func = sfabove_find }, {} };
static struct klp_object sfabove_objects[] = { { .funcs = sfabove_funcs }, {} };

static struct klp_patch sfabove_patch = {
	.mod = THIS_MODULE,
	.objs = sfabove_objects,
};

static int __init sfabove_init(void)
{
	sfabove_funcs[0].old_name = sfabove_function;
	return klp_enable_patch(&sfabove_patch);
}

static void __exit sfabove_exit(void)
{
}

module_init(sfabove_init);
module_exit(sfabove_exit);

MODULE_DESCRIPTION("A livepatch on top of schedflip's");
MODULE_LICENSE("GPL");
MODULE_INFO(livepatch, "Y");
