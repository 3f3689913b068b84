/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the module tells the utility: the fields of debugfs' `state`, in order.
 * The module prints them and the utility parses them from this one list;
 * docs/debugfs.md says what each means.
 */
#ifndef SCHEDFLIP_ABI_H
#define SCHEDFLIP_ABI_H

#include "types.h"

#define SF_ABI 1

/* Of module and utility, which come in one release. */
#define SF_VERSION "0.1"

/* STR(field) is a word without blanks, NUM(field) an unsigned decimal. */
#define SF_STATE_FIELDS(STR, NUM) \
	NUM(cpu)                  \
	NUM(domain)               \
	STR(name)                 \
	NUM(level)                \
	STR(span)                 \
	STR(newidle)              \
	STR(start)                \
	NUM(start_pos)            \
	NUM(window_pos)           \
	NUM(ratio)                \
	NUM(learned)              \
	NUM(pinned)               \
	NUM(calls)                \
	NUM(attempts)             \
	NUM(skipped)              \
	NUM(pulled)               \
	NUM(tasks)                \
	NUM(weight_sum)           \
	NUM(newidle_ns)           \
	NUM(hits)                 \
	STR(slowpath)             \
	NUM(chosen)               \
	NUM(picks)                \
	NUM(stale)                \
	STR(burst)                \
	NUM(burst_depth)          \
	NUM(burst_factor)         \
	NUM(burst_nohz)           \
	NUM(avg_depth_milli)      \
	NUM(wake_seen)            \
	NUM(wake_over)            \
	NUM(wake_moved)           \
	NUM(wake_idle)            \
	NUM(fork_seen)            \
	NUM(fork_over)            \
	NUM(fork_moved)           \
	NUM(fork_idle)            \
	NUM(exec_seen)            \
	NUM(exec_over)            \
	NUM(exec_moved)           \
	NUM(exec_idle)            \
	STR(cost)                 \
	NUM(cost_ns)              \
	NUM(own_cost_ns)          \
	NUM(bumps)                \
	NUM(sync)                 \
	NUM(sync_pairs)           \
	NUM(sync_expected_milli)  \
	NUM(changes)

#endif
