/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `sim`: the policies without a kernel. Each experiment has a file, and runs the
 * rules of <schedflip/newidle.h> that the module runs. docs/sim.md says what the
 * numbers mean.
 */
#ifndef SCHEDFLIP_SIM_H
#define SCHEDFLIP_SIM_H

#include <schedflip/newidle.h>

#include "gnuplot.h"
#include "output.h"
#include "recording.h"

/* An option that was not given, and for which the experiment finds a value. */
#define SF_SIM_UNSET UINT64_MAX

/* Where a window alone starts under stagger: as this CPU of so many. */
#define SF_SIM_RANK 21
#define SF_SIM_SPAN 64

/**
 * struct sf_sim - what the user asked for
 * @seed: of all random numbers
 * @windows: number of windows
 * @calls: in a window, or of the run that is averaged
 * @ratio: pinned, 0 .. 1024
 * @period: a task is there on one call in so many
 * @phase: of the period, or SF_SIM_UNSET for each
 * @cpus: that call together
 * @rounds: in which they do, or SF_SIM_UNSET
 * @seconds: that measuring may take
 * @file: recording, or NULL
 * @plot: picture to draw, or NULL
 */
struct sf_sim {
	u64 seed;
	u64 windows;
	u64 calls;
	u64 ratio;
	u64 period;
	u64 phase;
	u64 cpus;
	u64 rounds;
	u64 seconds;
	const char *file;
	const char *plot;
};

/**
 * struct sf_sim_case - a policy, and where its window starts
 * @policy: with a rule of its own
 * @start: means nothing to dice, which have no window
 */
struct sf_sim_case {
	enum sf_newidle policy;
	enum sf_start start;
};

#define SF_NR_SIM_CASES 9

/* Streams of random numbers that each has: one for each domain there can be. */
#define SF_SIM_STREAMS (1u << 17)

/* All of them, a bit each. */
#define SF_SIM_ALL ((1u << SF_NR_SIM_CASES) - 1)

extern const struct sf_sim_case sf_sim_cases[SF_NR_SIM_CASES];

json_t *sf_sim_case_json(const struct sf_sim_case *which);
struct libscols_line *sf_sim_case_line(struct libscols_table *table,
				       const struct sf_sim_case *which);
void sf_sim_case_seed(const struct sf_sim_case *which, struct sf_rng *rng,
		      u64 seed, u32 number);
void sf_sim_case_begin(const struct sf_sim_case *which, struct sf_window *win,
		       u32 rank, u32 span);
u32 sf_sim_odds(enum sf_newidle policy, u32 weight);
void sf_sim_add(struct sf_output *out, json_t *array, json_t *value);
json_t *sf_sim_real(bool known, double value);
int sf_sim_plot_begin(struct sf_plot *plot, const struct sf_sim *sim,
		      const char *title, struct sf_error *err);
void sf_sim_plot_block(struct sf_plot *plot, size_t which);
void sf_sim_plot_curves(struct sf_plot *plot, const char *style, u32 cases);
int sf_sim_plot_end(struct sf_plot *plot, struct sf_output *out,
		    struct sf_error *err);

/**
 * struct sf_sim_windows - what a policy makes of windows of calls
 * @attempts: in all of them
 * @exact: how many it should be, the sum of weights over 1024
 * @excess: how many more dice throw, as they are one position in 1024 too generous
 * @chance: standard deviation of the number that dice throw
 * @max: largest error of a window, attempts
 * @rms: root mean square of these errors, attempts
 */
struct sf_sim_windows {
	u64 attempts;
	double exact;
	double excess;
	double chance;
	double max;
	double rms;
};

/**
 * struct sf_sim_gaps - calls from one attempt to the next
 * @min: of them
 * @mean: of them
 * @max: of them
 */
struct sf_sim_gaps {
	u64 min;
	double mean;
	u64 max;
};

void sf_sim_windows_run(const struct sf_sim *sim,
			const struct sf_sim_case *which, double *errors,
			struct sf_sim_windows *result);
void sf_sim_gaps_run(const struct sf_sim *sim, const struct sf_sim_case *which,
		     struct sf_sim_gaps *gaps);
int sf_sim_windows(const struct sf_sim *sim, struct sf_output *out,
		   struct sf_error *err);

double sf_sim_fair_ratio(u32 period);
double sf_sim_trap_run(const struct sf_sim *sim,
		       const struct sf_sim_case *which, u32 phase);
int sf_sim_trap(const struct sf_sim *sim, struct sf_output *out,
		struct sf_error *err);

/**
 * struct sf_sim_sync - CPUs that call together
 * @mean: attempts in a round
 * @variance: of the attempts in a round
 * @independent: that variance if each CPU decided on its own, at the policy's rate
 * @pairs: of CPUs that attempted in the same round, over all rounds
 * @expected_pairs: of such pairs, by chance
 */
struct sf_sim_sync {
	double mean;
	double variance;
	double independent;
	u64 pairs;
	double expected_pairs;
};

int sf_sim_sync_run(const struct sf_sim *sim, const struct sf_sim_case *which,
		    struct sf_sim_sync *result, struct sf_error *err);
int sf_sim_sync(const struct sf_sim *sim, struct sf_output *out,
		struct sf_error *err);

/* Into so many parts the time of a recording is cut. */
#define SF_SIM_STEPS 20

/**
 * struct sf_sim_replay - what a policy would have made of recorded calls
 * @duration_ns: of the recording, ns
 * @domains: that made them
 * @calls: all of them
 * @pulls: calls that pulled a task
 * @call_ns: time that all of them took, ns
 * @attempts: calls that the policy lets run
 * @attempt_ns: time that these took, ns
 * @won: pulls among them
 * @ratio: learned, mean of the domains, at the end of each step
 */
struct sf_sim_replay {
	u64 duration_ns;
	size_t domains;
	u64 calls;
	u64 pulls;
	u64 call_ns;
	u64 attempts;
	u64 attempt_ns;
	u64 won;
	double ratio[SF_SIM_STEPS];
};

int sf_sim_replay_check(const struct sf_recording *recording, const char *name,
			struct sf_error *err);
int sf_sim_replay_run(const struct sf_sim *sim,
		      const struct sf_recording *recording,
		      const struct sf_sim_case *which,
		      struct sf_sim_replay *result, struct sf_error *err);
int sf_sim_replay(const struct sf_sim *sim, struct sf_output *out,
		  struct sf_error *err);

int sf_sim_speed(const struct sf_sim *sim, struct sf_output *out,
		 struct sf_error *err);

#endif
