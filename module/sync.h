/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The synchrony meter of a domain's CPUs.
 */
#ifndef SCHEDFLIP_SYNC_METER_H
#define SCHEDFLIP_SYNC_METER_H

#include <linux/types.h>

#include <schedflip/sync.h>

struct sched_domain;
struct sf_state;

/**
 * struct sf_sync_state - of one domain
 * @last: interval of the last call; only the domain's own CPU comes here
 * @meter: of all CPUs of the domain's span: in the state of the first of them, and
 *	guarded by its lock
 */
struct sf_sync_state {
	u64 last;
	struct sf_sync meter;
};

void sf_sync_note(struct sf_state *state, const struct sched_domain *sd,
		  u32 weight, bool attempt);
struct sf_sync sf_sync_read(const struct sched_domain *sd);

#endif
