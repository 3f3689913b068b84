/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All that schedflip knows about versions of Linux, for the module and for
 * `schedflip check`. Everything else is probed: the code asks whether a symbol,
 * a member or a feature is there.
 */
#ifndef SCHEDFLIP_COMPAT_H
#define SCHEDFLIP_COMPAT_H

#ifdef __KERNEL__
#include <linux/kernel.h>
#include <linux/string.h>
#else
#include <string.h>
#endif

#include "types.h"

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
