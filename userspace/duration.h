/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times as the user writes them, with their unit: 20ms, 60s, 24h. */
#ifndef SCHEDFLIP_DURATION_H
#define SCHEDFLIP_DURATION_H

#include <schedflip/types.h>

#include "error.h"

/* Room for any time in words. */
#define SF_DURATION_SIZE 64

/**
 * struct sf_duration - what a time may be
 * @what: it is, for messages
 * @finest_us: unit below which nothing is taken
 * @min_us: least
 * @max_us: greatest
 * @allowed: the same in words, and the units
 */
struct sf_duration {
	const char *what;
	u64 finest_us;
	u64 min_us;
	u64 max_us;
	const char *allowed;
};

int sf_duration_parse(const struct sf_duration *duration, const char *text,
		      u64 *us, struct sf_error *err);
const char *sf_duration_format(u64 us, char *buf, size_t size);

#endif
