/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tracepoints of system "schedflip". What their fields mean is an ABI, told in
 * docs/debugfs.md. (cpu, level) names the domain that decided.
 *
 * The tracing headers read this file several times over. Names of policies stand beside
 * plain numbers, as tools that read the format know no enum of ours; trace.c sees that
 * they are right.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM schedflip

#if !defined(SCHEDFLIP_EVENTS_H) || defined(TRACE_HEADER_MULTI_READ)
#define SCHEDFLIP_EVENTS_H

#include <linux/sched.h>
#include <linux/tracepoint.h>

#include <schedflip/burst.h>
#include <schedflip/newidle.h>
#include <schedflip/slowpath.h>

#include "trace.h"

/* clang-format off */

/*
 * A newidle call of a domain, after it was skipped or had run. Enabling it sends all
 * newidle calls the long way, so that it costs nothing while it is off.
 */
TRACE_EVENT_FN(newidle,

	TP_PROTO(u32 cpu, u32 level, const struct sf_newidle_call *call,
		 u32 tasks, u64 ns),

	TP_ARGS(cpu, level, call, tasks, ns),

	TP_STRUCT__entry(
		__field(u32, cpu)
		__field(u32, level)
		__field(u32, policy)
		__field(u32, weight)
		__field(u32, attempt)
		__field(u32, tasks)
		__field(u64, ns)
	),

	TP_fast_assign(
		__entry->cpu = cpu;
		__entry->level = level;
		__entry->policy = call->policy;
		__entry->weight = call->weight;
		__entry->attempt = call->ticket != SF_SKIP;
		__entry->tasks = tasks;
		__entry->ns = ns;
	),

	TP_printk("cpu=%u level=%u policy=%s weight=%u attempt=%u tasks=%u ns=%llu",
		  __entry->cpu, __entry->level,
		  __print_symbolic(__entry->policy,
				   { 0, "stock" },
				   { 1, "dice" },
				   { 2, "accumulator" },
				   { 3, "jitter" },
				   { 4, "always" },
				   { 5, "never" }),
		  __entry->weight, __entry->attempt, __entry->tasks,
		  __entry->ns),

	sf_trace_newidle_begin, sf_trace_newidle_end
);

/* An idle CPU was picked for a forked or exec'd task, and the task was placed there. */
TRACE_EVENT(slowpath,

	TP_PROTO(u32 cpu, u32 level, u32 policy, const struct task_struct *p,
		 u32 to, bool stale),

	TP_ARGS(cpu, level, policy, p, to, stale),

	TP_STRUCT__entry(
		__field(u32, cpu)
		__field(u32, level)
		__field(u32, policy)
		__field(s32, pid)
		__array(char, comm, TASK_COMM_LEN)
		__field(u32, to)
		__field(u32, stale)
	),

	TP_fast_assign(
		__entry->cpu = cpu;
		__entry->level = level;
		__entry->policy = policy;
		__entry->pid = p->pid;
		memcpy(__entry->comm, p->comm, TASK_COMM_LEN);
		__entry->to = to;
		__entry->stale = stale;
	),

	TP_printk("cpu=%u level=%u policy=%s pid=%d comm=%s to=%u stale=%u",
		  __entry->cpu, __entry->level,
		  __print_symbolic(__entry->policy,
				   { 0, "stock" },
				   { 1, "random" }),
		  __entry->pid, __entry->comm, __entry->to, __entry->stale)
);

/* A task was to be placed on a CPU that is over the threshold of its domain. */
TRACE_EVENT(burst,

	TP_PROTO(const struct sf_burst_event *event,
		 const struct task_struct *p),

	TP_ARGS(event, p),

	TP_STRUCT__entry(
		__field(u32, cpu)
		__field(u32, level)
		__field(u32, policy)
		__field(s32, pid)
		__array(char, comm, TASK_COMM_LEN)
		__field(u32, kind)
		__field(u32, depth)
		__field(u32, average_milli)
		__field(u32, to)
		__field(u32, idle)
	),

	TP_fast_assign(
		__entry->cpu = event->cpu;
		__entry->level = event->level;
		__entry->policy = event->policy;
		__entry->pid = p->pid;
		memcpy(__entry->comm, p->comm, TASK_COMM_LEN);
		__entry->kind = event->kind;
		__entry->depth = event->depth;
		__entry->average_milli = event->average_milli;
		__entry->to = event->to;
		__entry->idle = event->idle;
	),

	TP_printk("cpu=%u level=%u policy=%s pid=%d comm=%s kind=%s depth=%u average=%u.%03u to=%u idle=%u",
		  __entry->cpu, __entry->level,
		  __print_symbolic(__entry->policy,
				   { 0, "stock" },
				   { 1, "idle" },
				   { 2, "spread" },
				   { 3, "nearest" }),
		  __entry->pid, __entry->comm,
		  __print_symbolic(__entry->kind, { 0, "wake" },
				   { 1, "fork" }, { 2, "exec" }),
		  __entry->depth, __entry->average_milli / 1000,
		  __entry->average_milli % 1000, __entry->to, __entry->idle)
);

/* clang-format on */

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE events
#include <trace/define_trace.h>
