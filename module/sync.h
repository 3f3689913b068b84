/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The synchrony meter of a domain's CPUs.
 */
#ifndef SCHEDFLIP_SYNC_METER_H
#define SCHEDFLIP_SYNC_METER_H

#include <linux/spinlock.h>
#include <linux/types.h>

#include <schedflip/sync.h>

struct sched_domain;
struct sf_state;

/**
 * struct sf_sync_state - of one domain
 * @last: interval of the last call; only the domain's own CPU comes here
 * @lock: guards @span and @meter; taken inside of a state's lock, or without one. Not a state's
 *	own, as all CPUs of the span come here
 * @span: the span that @meter is of; 0 before the first call
 * @meter: of all CPUs of the domain's span, in the state of the first of them
 */
struct sf_sync_state {
	u64 last;
	raw_spinlock_t lock;
	u64 span;
	struct sf_sync meter;
};

void sf_sync_note(struct sf_state *state, const struct sched_domain *sd,
		  u32 weight, bool attempt);
void sf_sync_restart(struct sf_sync_state *sync);
struct sf_sync sf_sync_read(const struct sched_domain *sd);

#endif
