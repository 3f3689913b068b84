/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recording: the decisions of the running balancer, in a file. docs/recording.md
 * is its format. `record` writes one, `sim replay` reads it.
 */
#ifndef SCHEDFLIP_RECORDING_H
#define SCHEDFLIP_RECORDING_H

#include <jansson.h>
#include <stdio.h>

#include <schedflip/types.h>

#include "error.h"

enum sf_event_type {
	SF_EVENT_NEWIDLE = 1,
	SF_EVENT_SLOWPATH,
	SF_EVENT_BURST,
	SF_NR_EVENT_TYPES,
};

/**
 * struct sf_event - one decision; the tracepoint's fields of the same names
 * @type: which of the unions holds
 * @time_ns: of the trace clock, from the start of the recording
 * @cpu: newidle: the CPU balanced; slowpath: the CPU that places; burst: the one the
 *	kernel chose
 * @level: sd->level of the domain
 * @policy: enum sf_newidle, sf_slowpath or sf_burst_policy
 * @newidle.weight: of the call, 0 .. 1024; 1024 at stock
 * @newidle.attempt: it ran the kernel's balance
 * @newidle.tasks: that it pulled
 * @newidle.ns: that it took; 0 for a skip
 * @slowpath.pid: the task placed
 * @slowpath.to: where to
 * @slowpath.stale: that CPU was no longer idle
 * @burst.pid: the task placed
 * @burst.kind: 0 wakeup, 1 fork, 2 exec
 * @burst.depth: of @cpu, tasks
 * @burst.average_milli: average depth of the domain, 1/1000 task
 * @burst.to: where it went; @cpu if it stayed
 * @burst.idle: that CPU was idle
 */
struct sf_event {
	u8 type;
	u8 level;
	u8 policy;
	u32 cpu;
	u64 time_ns;
	union {
		struct {
			u32 weight;
			bool attempt;
			u32 tasks;
			u64 ns;
		} newidle;
		struct {
			u32 pid;
			u32 to;
			bool stale;
		} slowpath;
		struct {
			u32 pid;
			u8 kind;
			u32 depth;
			u32 average_milli;
			u32 to;
			bool idle;
		} burst;
	};
};

/**
 * struct sf_recording - one that is read
 * @header: an object: kernel, module_version, date, command, domains (array of
 *	objects of cpu, level, name, span, newidle, slowpath, burst, cost, ratio)
 * @events: in order of time
 * @count: number of them
 * @lost: events that the kernel had no room for; 0 if it is not complete
 * @complete: it has its end mark; else it was cut off
 * @duration_ns: from its start to its end; to its last event if it is not complete
 */
struct sf_recording {
	json_t *header;
	struct sf_event *events;
	size_t count;
	u64 lost;
	bool complete;
	u64 duration_ns;
};

struct sf_recorder;

struct sf_recorder *sf_recorder_create(const char *path, json_t *header,
				       struct sf_error *err);
int sf_recorder_write(struct sf_recorder *recorder,
		      const struct sf_event *event);
int sf_recorder_finish(struct sf_recorder *recorder, u64 lost, u64 duration_ns,
		       struct sf_error *err);
void sf_recorder_abort(struct sf_recorder *recorder);
int sf_recording_load(const char *path, struct sf_recording *recording,
		      struct sf_error *err);
void sf_recording_free(struct sf_recording *recording);

#endif
