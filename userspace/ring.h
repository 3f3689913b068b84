/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's ring buffers of one tracefs instance, one a CPU, read page by page.
 */
#ifndef SCHEDFLIP_RING_H
#define SCHEDFLIP_RING_H

#include <tracefs.h>

#include <schedflip/types.h>

#include "error.h"

struct sf_ring;

/* What takes a record; returns SF_OK, or why it failed, to stop there. */
typedef int (*sf_record_fn)(void *record, u64 time_ns, void *data);

struct sf_ring *sf_ring_open(struct tracefs_instance *instance,
			     struct sf_error *err);
int sf_ring_drain(struct sf_ring *ring, sf_record_fn take, void *data,
		  struct sf_error *err);
int sf_ring_lost(struct sf_ring *ring, u64 *lost, struct sf_error *err);
void sf_ring_close(struct sf_ring *ring);

#endif
