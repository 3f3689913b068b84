/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the module says of its safety: leases, tripwires and the kill switch. */
#ifndef SCHEDFLIP_STATUS_H
#define SCHEDFLIP_STATUS_H

#include <schedflip/types.h>

#include "error.h"
#include "trip.h"

/* A number that does not apply. */
#define SF_NO_NUMBER SF_TRIP_UNKNOWN

/**
 * struct sf_status - the module's status
 * @present: the module has one at all; if not, the rest is empty
 * @trips: the limits
 *
 * The other fields are those of docs/debugfs.md.
 */
struct sf_status {
	bool present;
	char hooks[32];
	char off_reason[32];
	char shadowed_by[64];
	u64 drift;
	char lease[32];
	u64 lease_id;
	u64 lease_left_ms;
	char lease_ended[32];
	u64 lease_late_us;
	struct sf_trips trips;
	u64 depth;
	u64 newidle;
	u64 delay_us;
	u64 looks;
	u64 trip_count;
	char trip_reason[256];
};

int sf_status_parse(char *text, struct sf_status *status, struct sf_error *err);
int sf_status_read(struct sf_status *status, struct sf_error *err);
int sf_status_need(struct sf_status *status, struct sf_error *err);
bool sf_status_is_off(const struct sf_status *status);
bool sf_status_is_dead(const struct sf_status *status);
bool sf_status_has_lease(const struct sf_status *status);
int sf_status_check_quiet(struct sf_error *err);

#endif
