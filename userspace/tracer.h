/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes the module's tracepoints from the kernel, in a tracefs instance of our own, so
 * that nobody else's tracing is touched.
 */
#ifndef SCHEDFLIP_TRACER_H
#define SCHEDFLIP_TRACER_H

#include "recording.h"

/* Of each CPU's buffer, KiB. */
#define SF_MIN_BUFFER 4
#define SF_MAX_BUFFER 1048576

struct sf_tracer;

/* What takes an event; returns SF_OK, or why it failed, to stop there. */
typedef int (*sf_event_fn)(const struct sf_event *event, void *data);

int sf_tracer_check(unsigned int events, struct sf_error *err);
struct sf_tracer *sf_tracer_open(unsigned int events, u64 buffer_kib,
				 struct sf_error *err);
int sf_tracer_start(struct sf_tracer *tracer, u64 start_ns,
		    struct sf_error *err);
int sf_tracer_stop(struct sf_tracer *tracer, struct sf_error *err);
int sf_tracer_drain(struct sf_tracer *tracer, sf_event_fn take, void *data,
		    struct sf_error *err);
int sf_tracer_verify(struct sf_tracer *tracer, struct sf_error *err);
int sf_tracer_lost(struct sf_tracer *tracer, u64 *lost, struct sf_error *err);
int sf_tracer_close(struct sf_tracer *tracer, struct sf_error *err);

#endif
