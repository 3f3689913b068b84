// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include <schedflip/compat.h>

#include "apply.h"
#include "control.h"
#include "lease.h"
#include "pass.h"
#include "trip.h"

static const char *const sf_lease_ends[] = {
	[SF_LEASE_NEVER] = "none",	  [SF_LEASE_CONFIRMED] = "confirmed",
	[SF_LEASE_RETURNED] = "returned", [SF_LEASE_EXPIRED] = "expired",
	[SF_LEASE_OFF] = "off",		  [SF_LEASE_TRIPPED] = "tripped",
	[SF_LEASE_UNLOADED] = "unloaded", [SF_LEASE_DETACHED] = "detached",
	[SF_LEASE_DEAD] = "dead",
};

/* All below is guarded by the control lock; the timer writes none of it. */
static struct sf_change
	*sf_lease_saved; /* of all states, NULL if there is no lease */
static struct sf_trips sf_lease_trips;
static u64 sf_lease_id;
static enum sf_lease_end sf_lease_ended;
static u64 sf_lease_late_us;

static struct hrtimer sf_lease_timer;

static void sf_lease_work_run(struct work_struct *work)
{
	sf_control_lease_expired();
}

static DECLARE_WORK(sf_lease_work, sf_lease_work_run);

/* In hard interrupt context, also on PREEMPT_RT: nothing of ours decides from now on. */
static enum hrtimer_restart sf_lease_expire(struct hrtimer *timer)
{
	sf_pass_set(SF_PASS_LEASE, true);
	queue_work(system_highpri_wq, &sf_lease_work);
	return HRTIMER_NORESTART;
}

/**
 * sf_lease_init - prepare the timer
 *
 * On a clock that goes on in suspend: what expired there ends at resume.
 */
void sf_lease_init(void)
{
	sf_hrtimer_setup(&sf_lease_timer, sf_lease_expire, CLOCK_BOOTTIME,
			 HRTIMER_MODE_ABS_HARD);
}

/**
 * sf_lease_exit - no timer and no work is left; without the control lock
 *
 * Nobody can start a lease any more.
 */
void sf_lease_exit(void)
{
	hrtimer_cancel(&sf_lease_timer);
	cancel_work_sync(&sf_lease_work);
	kvfree(sf_lease_saved);
}

/**
 * sf_lease_pending - is there a lease, expired ones that are not back included?
 */
bool sf_lease_pending(void)
{
	return sf_lease_saved;
}

/**
 * sf_lease_expired - has its time passed, and what was before is not back yet?
 */
bool sf_lease_expired(void)
{
	return sf_lease_saved && sf_pass_is_set(SF_PASS_LEASE);
}

/**
 * sf_lease_prepare - remember what is in force now, unless a lease is pending
 *
 * Return: 0 or -ENOMEM.
 */
int sf_lease_prepare(void)
{
	if (sf_lease_saved)
		return 0;
	sf_lease_saved = kvcalloc(nr_cpu_ids * SF_MAX_LEVELS,
				  sizeof(*sf_lease_saved), GFP_KERNEL);
	if (!sf_lease_saved)
		return -ENOMEM;
	sf_capture_all(sf_lease_saved);
	sf_lease_trips = sf_trips_read();
	sf_lease_id++;
	return 0;
}

/**
 * sf_lease_start - let the lease, prepared or pending, end in so many ms from now
 * @ms: time from now
 *
 * Its time may have passed in this very command; then it has not expired after all, and the
 * work that was queued finds nothing to do.
 */
void sf_lease_start(u32 ms)
{
	hrtimer_cancel(&sf_lease_timer);
	sf_pass_set(SF_PASS_LEASE, false);
	hrtimer_start(&sf_lease_timer, ktime_add_ms(ktime_get_boottime(), ms),
		      HRTIMER_MODE_ABS_HARD);
}

/* An expired one's work finds nothing to do then. */
static void sf_lease_forget(void)
{
	hrtimer_cancel(&sf_lease_timer);
	sf_pass_set(SF_PASS_LEASE, false);
	kvfree(sf_lease_saved);
	sf_lease_saved = NULL;
}

/**
 * sf_lease_cancel - undo sf_lease_prepare(), as the command was refused
 */
void sf_lease_cancel(void)
{
	sf_lease_id--;
	sf_lease_forget();
}

/**
 * sf_lease_restore - all as it was before the lease, which still is to be dropped
 *
 * The hooks are pass-throughs until then. States that are as they were are left alone:
 * their counters go on.
 */
void sf_lease_restore(void)
{
	sf_pass_set(SF_PASS_LEASE, true);
	sf_restore_all(sf_lease_saved);
	sf_trips_set(&sf_lease_trips);
}

/**
 * sf_lease_drop - end the lease, if there is one, with all as it is now
 * @how: why
 */
void sf_lease_drop(enum sf_lease_end how)
{
	if (!sf_lease_saved)
		return;
	if (how == SF_LEASE_EXPIRED)
		sf_lease_late_us =
			ktime_us_delta(ktime_get_boottime(),
				       hrtimer_get_expires(&sf_lease_timer));
	sf_lease_ended = how;
	sf_lease_forget();
}

/**
 * sf_lease_show - print what `status` says of it
 * @m: file
 */
void sf_lease_show(struct seq_file *m)
{
	s64 left = 0;

	if (sf_lease_saved)
		left = ktime_to_ms(
			ktime_sub(hrtimer_get_expires(&sf_lease_timer),
				  ktime_get_boottime()));
	seq_printf(m, "lease=%s\nlease_id=%llu\nlease_left_ms=%lld\n",
		   sf_lease_saved ? "pending" : "none", sf_lease_id,
		   max_t(s64, left, 0));
	seq_printf(m, "lease_ended=%s\nlease_late_us=%llu\n",
		   sf_lease_ends[sf_lease_ended], sf_lease_late_us);
}
