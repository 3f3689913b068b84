/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All that schedflip knows about versions of Linux, for the module and for
 * `schedflip check`. Everything else is probed: the code asks whether a symbol,
 * a member or a feature is there.
 */
#ifndef SCHEDFLIP_COMPAT_H
#define SCHEDFLIP_COMPAT_H

#ifdef __KERNEL__
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/version.h>
#else
#include <string.h>
#endif

#include "types.h"

/*
 * Why select_task_rq_fair() is called: kernel/sched/sched.h keeps these to itself, and
 * BTF has no macros. The first two have had these values since 5.12; the third is new
 * in 6.6, and its value meant another thing before.
 */
#define SF_WF_EXEC 0x02
#define SF_WF_FORK 0x04
#ifdef __KERNEL__
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 6, 0)
#define SF_WF_CURRENT_CPU 0x40
#else
#define SF_WF_CURRENT_CPU 0
#endif
#endif

#ifdef __KERNEL__
/**
 * sf_hrtimer_setup - prepare a timer
 * @timer: to prepare
 * @expire: what it calls
 * @clock: by which it goes
 * @mode: as hrtimer_start() will be given
 *
 * hrtimer_setup() came with 6.13, and hrtimer_init() left with 6.15.
 */
static inline void sf_hrtimer_setup(
	struct hrtimer *timer,
	enum hrtimer_restart (*expire)(struct hrtimer *timer), clockid_t clock,
	enum hrtimer_mode mode)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
	hrtimer_setup(timer, expire, clock, mode);
#else
	hrtimer_init(timer, clock, mode);
	timer->function = expire;
#endif
}
#endif

/* The series that the guest tests run on; test/vm/run takes them by these names. */
static const char *const sf_tested_series[] = { "6.1", "6.12", "7.3", NULL };

/**
 * sf_kernel_is_tested - do the guest tests run on this series?
 * @release: as uname -r prints it
 */
static inline bool sf_kernel_is_tested(const char *release)
{
	const char *const *series;
	size_t len;

	for (series = sf_tested_series; *series; series++) {
		len = strlen(*series);
		if (!strncmp(release, *series, len) && release[len] == '.')
			return true;
	}
	return false;
}

#endif
