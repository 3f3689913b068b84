/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each CPU did in each of the last intervals, for the heat map. */
#ifndef SCHEDFLIP_HISTORY_H
#define SCHEDFLIP_HISTORY_H

#include "interval.h"

/* As many as the widest terminal has columns for. */
#define SF_HISTORY_SIZE 256

enum sf_heat {
	SF_HEAT_ATTEMPTS,
	SF_HEAT_MOVED,
	SF_HEAT_STALE,
	SF_NR_HEATS,
};

/**
 * struct sf_moment - one interval
 * @wall: its end
 * @changes: policies that changed in it
 * @cpus: number of @rates of each kind
 * @rates: per second, by kind and then CPU; NAN where it is not known
 */
struct sf_moment {
	time_t wall;
	size_t changes;
	size_t cpus;
	float *rates;
};

/**
 * struct sf_history - the last intervals
 * @moments: a ring
 * @count: of those that were ever added
 */
struct sf_history {
	struct sf_moment moments[SF_HISTORY_SIZE];
	size_t count;
};

void sf_history_add(struct sf_history *history,
		    const struct sf_interval *interval, time_t wall,
		    size_t changes);
const struct sf_moment *sf_history_get(const struct sf_history *history,
				       size_t back);
double sf_moment_rate(const struct sf_moment *moment, enum sf_heat heat,
		      u64 cpu);
void sf_history_free(struct sf_history *history);

#endif
