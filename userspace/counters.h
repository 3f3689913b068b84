/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the balancer and the kernel counted while a command ran.
 */
#ifndef SCHEDFLIP_COUNTERS_H
#define SCHEDFLIP_COUNTERS_H

#include <schedflip/types.h>

#include "state.h"

/*
 * Sums over all domains of the counters of `state`, of the kinds of placement as
 * well; then the whole machine's; then how many domains did something between two
 * moments. A row is a name and what is counted.
 */
#define SF_COUNTERS(X)                                             \
	X(hits, "balance calls seen by the hook")                  \
	X(calls, "newidle calls")                                  \
	X(attempts, "newidle attempts")                            \
	X(pulled, "attempts that pulled a task")                   \
	X(tasks, "tasks pulled by newidle")                        \
	X(newidle_ns, "time in newidle attempts, ns")              \
	X(bumps, "costs raised after a failed attempt")            \
	X(chosen, "CPUs chosen by slowpath=random")                \
	X(picks, "idle CPUs picked for new tasks")                 \
	X(stale, "picks that were busy before the task came")      \
	X(burst_seen, "placements seen by burst")                  \
	X(burst_over, "placements over the threshold")             \
	X(burst_moved, "placements moved by burst")                \
	X(burst_idle, "placements moved by burst to idle CPUs")    \
	X(sync_pairs, "pairs of CPUs that attempted together")     \
	X(sync_expected_milli, "pairs expected by chance, 1/1000") \
	X(context_switches, "context switches of the machine")     \
	X(migrations, "migrations of the command's tasks")         \
	X(steal_ticks, "ticks stolen by the hypervisor")           \
	X(called_domains, "domains that made newidle calls")       \
	X(learned_domains, "domains that learned another ratio")

#define SF_COUNTER_ID(name, what) SF_COUNTER_##name,
enum sf_counter {
	SF_COUNTERS(SF_COUNTER_ID) SF_NR_COUNTERS
};
#undef SF_COUNTER_ID

/**
 * struct sf_counters - values of all counters
 * @value: by enum sf_counter; NAN where the machine does not tell
 */
struct sf_counters {
	double value[SF_NR_COUNTERS];
};

const char *sf_counter_name(enum sf_counter counter);
void sf_counters_take(const struct sf_state *state,
		      struct sf_counters *counters);
void sf_counters_since(const struct sf_counters *before,
		       struct sf_counters *after);
void sf_counters_compare(const struct sf_state *before,
			 const struct sf_state *after,
			 struct sf_counters *counters);

#endif
