/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A lease: what was in force before it comes back by itself when it ends, by a timer
 * of the kernel, whatever became of those who asked for it.
 *
 * All but init and exit are for holders of the control lock.
 */
#ifndef SCHEDFLIP_LEASE_H
#define SCHEDFLIP_LEASE_H

#include <linux/seq_file.h>
#include <linux/types.h>

/* How a lease ended. */
enum sf_lease_end {
	SF_LEASE_NEVER, /* there was none yet */
	SF_LEASE_CONFIRMED,
	SF_LEASE_RETURNED,
	SF_LEASE_EXPIRED,
	SF_LEASE_OFF,
	SF_LEASE_TRIPPED,
	SF_LEASE_UNLOADED,
	SF_LEASE_DETACHED,
	SF_LEASE_DEAD,
};

void sf_lease_init(void);
void sf_lease_exit(void);
bool sf_lease_pending(void);
bool sf_lease_expired(void);
int sf_lease_prepare(void);
void sf_lease_start(u32 ms);
void sf_lease_cancel(void);
void sf_lease_restore(void);
void sf_lease_drop(enum sf_lease_end how);
void sf_lease_show(struct seq_file *m);

#endif
