/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What makes a machine's measurements noisy, and what to do about it.
 */
#ifndef SCHEDFLIP_PREFLIGHT_H
#define SCHEDFLIP_PREFLIGHT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

json_t *sf_preflight(void);
bool sf_preflight_add(json_t *warnings, const char *what, const char *remedy,
		      const char *format, ...)
	__attribute__((format(printf, 4, 5)));
double sf_preflight_busy(const double *before, const double *after,
			 double seconds);
void sf_preflight_print(const json_t *warnings, size_t first);

#endif
