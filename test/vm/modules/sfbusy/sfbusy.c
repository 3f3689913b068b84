// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A kernel thread that never schedules, by the name of sfbusy: livepatch cannot look at
 * the stack of a task that runs, so a transition waits for it. It gives up before the kernel
 * calls it a stall.
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>

static int sfbusy_seconds = 12;
module_param_named(seconds, sfbusy_seconds, int, 0444);
MODULE_PARM_DESC(seconds, "how long to keep a CPU busy");

static struct task_struct *sfbusy_task;

static int sfbusy_run(void *unused)
{
	unsigned long end = jiffies + sfbusy_seconds * HZ;

	while (time_before(jiffies, end) && !kthread_should_stop())
		cpu_relax();
	while (!kthread_should_stop())
		msleep(50);
	return 0;
}

static int __init sfbusy_init(void)
{
	sfbusy_task = kthread_create(sfbusy_run, NULL, "sfbusy");
	if (IS_ERR(sfbusy_task))
		return PTR_ERR(sfbusy_task);
	kthread_bind(sfbusy_task, cpumask_last(cpu_online_mask));
	/* Above all others of the CPU, which would take turns with it. */
	sched_set_fifo(sfbusy_task);
	wake_up_process(sfbusy_task);
	return 0;
}

static void __exit sfbusy_exit(void)
{
	kthread_stop(sfbusy_task);
}

module_init(sfbusy_init);
module_exit(sfbusy_exit);

MODULE_DESCRIPTION("A kernel thread that holds up livepatch transitions");
MODULE_LICENSE("GPL");
