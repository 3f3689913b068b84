/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All that schedflip knows about versions of Linux. Everything else is probed:
 * the code asks whether a symbol, member or feature is there.
 */
#ifndef SCHEDFLIP_COMPAT_H
#define SCHEDFLIP_COMPAT_H

#include <linux/string.h>
#include <linux/utsname.h>

/* The series that the guest tests run on; test/vm/run takes them by these names. */
static const char * const sf_tested_series[] = { "6.1", "6.12", "7.3" };

static inline bool sf_kernel_is_tested(void)
{
	const char *release = init_utsname()->release;
	size_t i, len;

	for (i = 0; i < ARRAY_SIZE(sf_tested_series); i++) {
		len = strlen(sf_tested_series[i]);
		if (!strncmp(release, sf_tested_series[i], len) &&
		    release[len] == '.')
			return true;
	}
	return false;
}

#endif
