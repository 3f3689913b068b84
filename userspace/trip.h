/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tripwires: limits of the whole machine, at which the module returns all to stock. */
#ifndef SCHEDFLIP_TRIP_H
#define SCHEDFLIP_TRIP_H

#include <schedflip/types.h>

#include "error.h"

/* Stands for off; the module has no limit of 0. */
#define SF_TRIP_OFF 0

/* A figure that does not apply. */
#define SF_TRIP_UNKNOWN UINT64_MAX

/* Room for all tripwires in words. */
#define SF_TRIPS_SIZE 192

enum sf_trip_id {
	SF_TRIP_DEPTH,
	SF_TRIP_NEWIDLE,
	SF_TRIP_DELAY,
	SF_NR_TRIPS,
};

/**
 * struct sf_trip - one tripwire
 * @given: it is to be set
 * @limit: in the module's unit, or SF_TRIP_OFF
 */
struct sf_trip {
	bool given;
	u64 limit;
};

/**
 * struct sf_trips - all of them
 * @trips: by enum sf_trip_id
 */
struct sf_trips {
	struct sf_trip trips[SF_NR_TRIPS];
};

const char *sf_trip_name(enum sf_trip_id id);
int sf_trips_parse(const char *text, struct sf_trips *trips,
		   struct sf_error *err);
bool sf_trips_given(const struct sf_trips *trips);
bool sf_trips_armed(const struct sf_trips *trips);
void sf_trips_format(const struct sf_trips *trips, char *buf, size_t size);
void sf_trips_write(const struct sf_trips *trips, char *buf, size_t size);
void sf_trips_merge(struct sf_trips *trips, const struct sf_trips *over);
void sf_trip_write(enum sf_trip_id id, u64 limit, char *buf, size_t size);
void sf_trips_describe(const struct sf_trips *trips, char *buf, size_t size);
void sf_trips_translate(const char *reason, char *buf, size_t size);
void sf_trips_measure(const struct sf_trips *trips, const u64 *figures,
		      char *buf, size_t size);
bool sf_trips_differ(const struct sf_trips *wanted,
		     const struct sf_trips *found);

#endif
