/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the tracepoints of events.h need besides their fields.
 */
#ifndef SCHEDFLIP_TRACE_H
#define SCHEDFLIP_TRACE_H

#include "burst.h"
#include "newidle.h"

/**
 * struct sf_burst_event - a placement over the threshold
 * @cpu: what the kernel chose
 * @level: of the domain that decided
 * @policy: enum sf_burst_policy
 * @kind: enum sf_placement
 * @depth: of @cpu, tasks
 * @average_milli: average depth of the domain, 1/1000 task
 * @to: where the task went, @cpu if it stayed
 * @idle: it went elsewhere, and there it was idle
 */
struct sf_burst_event {
	u32 cpu;
	u32 level;
	u32 policy;
	u32 kind;
	u32 depth;
	u32 average_milli;
	u32 to;
	bool idle;
};

int sf_trace_newidle_begin(void);
void sf_trace_newidle_end(void);
int sf_trace_init(void);
void sf_trace_exit(void);

#endif
