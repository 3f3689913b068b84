/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An experiment: policies that were compared on one boot, and what each run of the
 * command came to. `ab` makes one, a file keeps it, `report` prints it.
 */
#ifndef SCHEDFLIP_EXPERIMENT_H
#define SCHEDFLIP_EXPERIMENT_H

#include <jansson.h>

#include "counters.h"
#include "error.h"
#include "evidence.h"
#include "writer.h"

/* More policies than anybody can interleave. */
#define SF_MAX_POLICIES 8

/* Of the user's, and wall time. */
#define SF_MAX_METRICS 9

enum sf_better {
	SF_BETTER_UNSAID,
	SF_BETTER_LOWER,
	SF_BETTER_HIGHER,
	SF_NR_BETTER,
};

/**
 * struct sf_metric - what is measured of a run
 * @name: the user's; wall_s for wall time, in seconds
 * @regex: extended regular expression whose first group, or else whose whole match,
 *	is the value in the command's output; NULL for wall time
 * @better: which way
 */
struct sf_metric {
	char *name;
	char *regex;
	enum sf_better better;
};

/**
 * struct sf_run - one run of the command under one policy
 * @block: 0 and up, that of a warm-up its round; wherever it is written or printed,
 *	the first is 1
 * @policy: index of the policy
 * @warmup: does not count
 * @began_s: seconds since the experiment began
 * @invalid: why it does not count, or NULL
 * @before: what was read back before it
 * @after: and after
 * @hook_calls: an object: how often each hook was called from before to after, a number
 *	or null; NULL if unknown
 * @exit_status: of the command
 * @output: of the command, the end of it if it is long
 * @values: by metric
 * @counters: what was counted from before the run to after it
 */
struct sf_run {
	size_t block;
	size_t policy;
	bool warmup;
	double began_s;
	char *invalid;
	struct sf_evidence before;
	struct sf_evidence after;
	json_t *hook_calls;
	int exit_status;
	char *output;
	double values[SF_MAX_METRICS];
	struct sf_counters counters;
};

/**
 * struct sf_experiment - all of it
 * @policies: as the user wrote them; the first is the baseline
 * @policy_count: 2 or more
 * @metrics: those of the user, then wall time; only the user's are judged, or wall time
 *	if there are none
 * @metric_count: 1 or more
 * @runs: in the order they were made
 * @run_count: number of them
 * @order: random or abba
 * @learn: what became of the learned state before each run: keep, reset or restore
 * @seed: of the order and of the resampling
 * @precision: the interval was to be this narrow, +- %; 0 if the number of blocks
 *	was given
 * @complete: it came to its planned end
 * @stopped: why it ended
 * @command: the user's, an array of strings
 * @system: what the machine was, an object of strings and numbers: kernel,
 *	module_version, hostname, cpu_model, cpus, sockets, cores, threads_per_core,
 *	numa_nodes, domains (such as "16 CPUs: SMT of 2, MC of 20; 4 CPUs: MC of 20"),
 *	features, ni_random, preemption, memory_kib, governor, turbo, clocksource, cmdline,
 *	date, user, schedflip_command
 * @warnings: of the preflight, an array of objects of what, value, remedy
 */
struct sf_experiment {
	char *policies[SF_MAX_POLICIES];
	size_t policy_count;
	struct sf_metric metrics[SF_MAX_METRICS];
	size_t metric_count;
	struct sf_run *runs;
	size_t run_count;
	char order[8];
	char learn[8];
	u64 seed;
	double precision;
	bool complete;
	char *stopped;
	json_t *command;
	json_t *system;
	json_t *warnings;
};

struct sf_run *sf_experiment_add_run(struct sf_experiment *experiment);
void sf_experiment_free(struct sf_experiment *experiment);
json_t *sf_experiment_json(const struct sf_experiment *experiment);
int sf_experiment_parse(const json_t *root, const char *name,
			struct sf_experiment *experiment, struct sf_error *err);
int sf_experiment_load(const char *path, struct sf_experiment *experiment,
		       struct sf_error *err);
int sf_experiment_save(const struct sf_experiment *experiment,
		       struct sf_writer *writer, struct sf_error *err);

#endif
