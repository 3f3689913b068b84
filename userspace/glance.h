/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One look at the module: its domains, its status, and when it was. */
#ifndef SCHEDFLIP_GLANCE_H
#define SCHEDFLIP_GLANCE_H

#include <time.h>

#include "info.h"
#include "state.h"
#include "status.h"

/**
 * struct sf_glance - what was seen
 * @present: anything was; if not, the rest is empty but the times
 * @seconds: CLOCK_MONOTONIC, just before @state was read
 * @wall: time of day
 * @load: tells one load of the module from the next, whose counters begin anew
 * @info: who holds NI_RANDOM, which hooks are there
 * @status: leases, tripwires and the kill switch
 * @state: the domains
 */
struct sf_glance {
	bool present;
	double seconds;
	time_t wall;
	u64 load;
	struct sf_info info;
	struct sf_status status;
	struct sf_state state;
};

int sf_glance_take(struct sf_glance *glance, struct sf_error *err);
void sf_glance_free(struct sf_glance *glance);
bool sf_glance_has_select(const struct sf_glance *glance);

#endif
