// SPDX-License-Identifier: GPL-2.0-or-later
#define pr_fmt(fmt) "schedflip: " fmt

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/irq_work.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include <linux/sysrq.h>
#include <linux/workqueue.h>

#include "control.h"
#include "off.h"
#include "pass.h"

#define SF_SYSRQ_KEY 'x'

static const char *const sf_off_reasons[] = {
	[SF_OFF_SYSRQ] = "sysrq",
	[SF_OFF_DEBUGFS] = "debugfs",
	[SF_OFF_PARAMETER] = "parameter",
};

static enum sf_off_reason sf_off_reason;

/* How often the switch was used; by it sf_off_end() notices that it was used again. */
static atomic_t sf_off_count;
static int sf_off_told;
static bool sf_sysrq_taken;

static void sf_off_work_run(struct work_struct *work)
{
	sf_control_switched_off();
}

static DECLARE_WORK(sf_off_work, sf_off_work_run);

/* By way of an interrupt, as to wake a worker takes a runqueue's lock. */
static void sf_off_irq_run(struct irq_work *work)
{
	queue_work(system_highpri_wq, &sf_off_work);
}

/* Hard also on PREEMPT_RT, where others wait for a thread to be scheduled. */
static struct irq_work sf_off_irq = IRQ_WORK_INIT_HARD(sf_off_irq_run);

/**
 * sf_off_at_once - every hook is a pass-through from here on
 * @reason: who wants it
 *
 * From any context, NMIs and those under a runqueue's lock included: it takes no lock,
 * and waits for nobody. sf_control_switched_off() is to follow.
 */
void sf_off_at_once(enum sf_off_reason reason)
{
	WRITE_ONCE(sf_off_reason, reason);
	atomic_inc(&sf_off_count);
	/* Pairs with the barrier of sf_off_end(). */
	smp_mb__after_atomic();
	sf_pass_set(SF_PASS_OFF, true);
}

/**
 * sf_off_is_news - was the switch used since this was asked last?
 *
 * For holders of the control lock.
 */
bool sf_off_is_news(void)
{
	int before = sf_off_told;

	sf_off_told = atomic_read(&sf_off_count);
	return sf_off_told != before;
}

/**
 * sf_off_end - let the hooks decide again
 *
 * All domains are at stock then. Sleeps.
 *
 * Return: 0; -EBUSY if the switch was used again meanwhile.
 */
int sf_off_end(void)
{
	int count = atomic_read(&sf_off_count);

	if (!sf_is_off())
		return 0;
	sf_control_switched_off();
	sf_pass_set(SF_PASS_OFF, false);
	/* Either this sees the count of a new use, or that one sets the bit after us. */
	smp_mb__after_atomic();
	if (atomic_read(&sf_off_count) == count)
		return 0;
	sf_pass_set(SF_PASS_OFF, true);
	/* A command may have been carried out in between. */
	sf_control_switched_off();
	return -EBUSY;
}

/**
 * sf_off_parse - read what is written to the switch
 * @text: 1 or Y for off, 0 or N for on, and a newline or none
 * @off: set to it
 *
 * Not as kstrtobool(), which takes the word "off" for 0, and so switches on what was to be off.
 *
 * Return: 0 or -EINVAL.
 */
int sf_off_parse(const char *text, bool *off)
{
	if (sysfs_streq(text, "1") || sysfs_streq(text, "Y") ||
	    sysfs_streq(text, "y"))
		*off = true;
	else if (sysfs_streq(text, "0") || sysfs_streq(text, "N") ||
		 sysfs_streq(text, "n"))
		*off = false;
	else
		return -EINVAL;
	return 0;
}

/**
 * sf_is_off - has somebody used the switch?
 */
bool sf_is_off(void)
{
	return sf_pass_is_set(SF_PASS_OFF);
}

/**
 * sf_off_why - who has used it last: sysrq, debugfs or parameter
 */
const char *sf_off_why(void)
{
	return sf_off_reasons[READ_ONCE(sf_off_reason)];
}

/* The kernel's type of the key changed from int to u8; either is called. */
static void sf_sysrq_int(int key)
{
	sf_off_at_once(SF_OFF_SYSRQ);
	irq_work_queue(&sf_off_irq);
}

static void __maybe_unused sf_sysrq_u8(u8 key)
{
	sf_sysrq_int(key);
}

#define SF_SYSRQ_TAKES_INT                                   \
	__builtin_types_compatible_p(                        \
		typeof(((struct sysrq_key_op *)0)->handler), \
		void (*const)(int))

/* As sched_ext's key: it changes how tasks are scheduled. */
static const struct sysrq_key_op sf_sysrq = {
	.handler = __builtin_choose_expr(SF_SYSRQ_TAKES_INT, sf_sysrq_int,
					 sf_sysrq_u8),
	.help_msg = "schedflip-off(x)",
	.action_msg = "schedflip: all hooks pass through",
	.enable_mask = SYSRQ_ENABLE_RTNICE,
};

/**
 * sf_off_init - take the SysRq key
 *
 * A kernel without SysRq, or whose key somebody else has, is no reason to refuse it.
 */
void sf_off_init(void)
{
	sf_sysrq_taken = !register_sysrq_key(SF_SYSRQ_KEY, &sf_sysrq);
	if (!sf_sysrq_taken)
		pr_notice(
			"SysRq key %c is not to be had; the file and the parameter off remain\n",
			SF_SYSRQ_KEY);
}

/**
 * sf_off_exit - give the key back, and wait for what is under way
 */
void sf_off_exit(void)
{
	if (sf_sysrq_taken)
		unregister_sysrq_key(SF_SYSRQ_KEY, &sf_sysrq);
	irq_work_sync(&sf_off_irq);
	cancel_work_sync(&sf_off_work);
}
