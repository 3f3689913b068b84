/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An experiment made by hand, for the tests of what is made of it.
 */
#ifndef SCHEDFLIP_UNIT_FIXTURE_H
#define SCHEDFLIP_UNIT_FIXTURE_H

#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "analysis.h"

enum {
	MAX_RUNS = 64,
	BLOCKS = 12,
	POLICIES = 3,
};

/* An experiment of 3 policies without any noise; tests change what they are about. */
struct fixture {
	struct sf_experiment experiment;
	struct sf_run runs[MAX_RUNS];
	struct sf_analysis analysis;
	struct sf_error err;
};

static char metric_name[] = "request_per_s";
static char regex[] = "([0-9]+)";
static char wall_name[] = "wall_s";

/* A run takes 2 s under the baseline, and 0.1 s more under each policy after it. */
static inline struct sf_run *add_run(struct fixture *fixture, size_t block,
				     size_t policy)
{
	struct sf_run *run = &fixture->runs[fixture->experiment.run_count];
	static const struct sf_counters counters = {
		.value = {
			[SF_COUNTER_attempts] = 1000,
			[SF_COUNTER_pulled] = 400,
			[SF_COUNTER_tasks] = 500,
			[SF_COUNTER_newidle_ns] = 8e7,
			[SF_COUNTER_picks] = 50,
			[SF_COUNTER_stale] = 2,
			[SF_COUNTER_burst_moved] = 30,
			[SF_COUNTER_sync_pairs] = 60,
			[SF_COUNTER_sync_expected_milli] = 40000,
			[SF_COUNTER_context_switches] = 9000,
			[SF_COUNTER_migrations] = NAN,
		},
	};

	assert_true(fixture->experiment.run_count < MAX_RUNS);
	*run = (struct sf_run){
		.block = block,
		.policy = policy,
		.began_s = 10.0 * fixture->experiment.run_count,
		.values = { 100, 2 + 0.1 * policy },
		.counters = counters,
	};
	fixture->experiment.run_count++;
	return run;
}

static inline void add_warmups(struct fixture *fixture)
{
	struct sf_run *run;
	size_t policy;

	for (policy = 0; policy < POLICIES; policy++) {
		run = add_run(fixture, 0, policy);
		run->warmup = true;
		run->values[0] = 1e6;
		run->counters.value[SF_COUNTER_attempts] = 1e9;
	}
}

static inline int setup(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	size_t block, policy;

	fixture->experiment = (struct sf_experiment){
		.policy_count = POLICIES,
		.metric_count = 2,
		.metrics = { { metric_name, regex, SF_BETTER_HIGHER },
			     { wall_name, NULL, SF_BETTER_LOWER } },
		.runs = fixture->runs,
		.seed = 7,
		.system = json_pack("{s:i}", "cpus", 4),
	};
	add_warmups(fixture);
	/* In another order within each block. */
	for (block = 0; block < BLOCKS; block++)
		for (policy = 0; policy < POLICIES; policy++)
			add_run(fixture, block, (block + policy) % POLICIES);
	*state = fixture;
	return 0;
}

static inline int teardown(void **state)
{
	struct fixture *fixture = *state;

	sf_analysis_free(&fixture->analysis);
	json_decref(fixture->experiment.system);
	free(fixture);
	return 0;
}

static inline struct sf_analysis *analyze(struct fixture *fixture)
{
	sf_analysis_free(&fixture->analysis);
	assert_int_equal(sf_analyze(&fixture->experiment, &fixture->analysis,
				    &fixture->err),
			 SF_OK);
	return &fixture->analysis;
}

/* A run that is no warm-up. */
static inline struct sf_run *run_of(struct fixture *fixture, size_t block,
				    size_t policy)
{
	size_t i;

	for (i = 0; i < fixture->experiment.run_count; i++)
		if (!fixture->runs[i].warmup &&
		    fixture->runs[i].block == block &&
		    fixture->runs[i].policy == policy)
			return &fixture->runs[i];
	fail_msg("no run of policy %zu in block %zu", policy, block);
	return NULL;
}

#define fixture_test(test) \
	cmocka_unit_test_setup_teardown(test, setup, teardown)

#endif
