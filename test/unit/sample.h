/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An experiment to save, to load and to spoil.
 */
#ifndef SCHEDFLIP_UNIT_SAMPLE_H
#define SCHEDFLIP_UNIT_SAMPLE_H

#include "utility.h"

#include <jansson.h>

#include "experiment.h"

static inline void add_metric(struct sf_experiment *experiment,
			      const char *name, const char *regex,
			      enum sf_better better)
{
	struct sf_metric *metric =
		&experiment->metrics[experiment->metric_count++];

	metric->name = strdup(name);
	metric->regex = regex ? strdup(regex) : NULL;
	metric->better = better;
}

static inline void add_evidence(struct sf_evidence *evidence,
				const char *layout)
{
	evidence->policy = strdup("newidle=dice burst_depth=2");
	evidence->layout = json_string(layout);
	evidence->hooks = strdup("newidle:patched balance:patched ");
	evidence->features = strdup("NO_NI_RANDOM\n");
}

static inline void add_run(struct sf_experiment *experiment, size_t block,
			   size_t policy)
{
	struct sf_run *run = sf_experiment_add_run(experiment);

	assert_non_null(run);
	run->block = block;
	run->policy = policy;
	run->warmup = !block;
	run->began_s = 0.1 * experiment->run_count;
	add_evidence(&run->before, "cpu0/domain0:SMT(level0):0-1 ");
	add_evidence(&run->after, "cpu0/domain0:SMT(level0):0-1 ");
	run->hook_calls = json_pack("{s:i, s:n}", "newidle", 7, "balance");
	run->output = strdup("RPS: 12\n");
	run->values[0] = 12 + block / 3.0;
	run->values[1] = 1.5;
	run->counters.value[SF_COUNTER_attempts] = 4000;
}

/* Two policies, two metrics, four runs, of which the last is invalid. */
static inline void make(struct sf_experiment *experiment)
{
	memset(experiment, 0, sizeof(*experiment));
	experiment->policies[0] = strdup("newidle=dice");
	experiment->policies[1] = strdup("newidle=jitter,start=half");
	experiment->policy_count = 2;
	add_metric(experiment, "rps", "RPS: ([0-9]+)", SF_BETTER_HIGHER);
	add_metric(experiment, "wall_s", NULL, SF_BETTER_LOWER);
	strcpy(experiment->order, "random");
	strcpy(experiment->learn, "restore");
	experiment->seed = INT64_MAX;
	experiment->precision = 1.5;
	experiment->stopped = strdup("interrupted");
	experiment->command = json_pack("[s, s]", "sleep", "1 s\n");
	experiment->system =
		json_pack("{s:s, s:i}", "kernel", "7.3", "cpus", 8);
	experiment->warnings = json_pack("[{s:s, s:s, s:s}]", "what", "turbo",
					 "value", "on", "remedy", "off");
	add_run(experiment, 0, 0);
	add_run(experiment, 0, 1);
	add_run(experiment, 1, 1);
	add_run(experiment, 1, 0);
	experiment->runs[3].invalid = strdup("the policy changed");
	experiment->runs[3].values[0] = NAN;
	experiment->runs[3].counters.value[SF_COUNTER_calls] = -5;
}

#endif
