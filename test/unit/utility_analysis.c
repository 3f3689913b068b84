// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is made of an experiment: which blocks count, rates, verdicts in words.
 */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "analysis.h"

enum {
	MAX_RUNS = 64,
	BLOCKS = 8,
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
static char why[] = "features changed";

/* A run takes 2 s under the baseline, and 0.1 s more under each policy after it. */
static struct sf_run *add_run(struct fixture *fixture, size_t block,
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

static void add_warmups(struct fixture *fixture)
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

static int setup(void **state)
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

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	sf_analysis_free(&fixture->analysis);
	json_decref(fixture->experiment.system);
	free(fixture);
	return 0;
}

static struct sf_analysis *analyze(struct fixture *fixture)
{
	sf_analysis_free(&fixture->analysis);
	assert_int_equal(sf_analyze(&fixture->experiment, &fixture->analysis,
				    &fixture->err),
			 SF_OK);
	return &fixture->analysis;
}

/* A run that is no warm-up. */
static struct sf_run *run_of(struct fixture *fixture, size_t block,
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

static void test_whole_blocks(void **state)
{
	struct fixture *fixture = *state;
	struct sf_analysis *analysis = analyze(fixture);

	assert_int_equal(analysis->blocks, BLOCKS);
	assert_int_equal(analysis->broken_blocks, 0);
	assert_int_equal(analysis->invalid_runs, 0);
	assert_int_equal(analysis->judged, 1);
	/* The warm-up's million is not among them. */
	assert_float_equal(analysis->samples[0][0].summary.mean, 100, 1e-9);
	assert_float_equal(analysis->samples[1][2].summary.mean, 2.2, 1e-9);
}

static void test_broken_blocks(void **state)
{
	struct fixture *fixture = *state;
	struct sf_analysis *analysis;

	run_of(fixture, 1, 2)->invalid = why;
	run_of(fixture, 1, 2)->values[0] = 1e9;
	run_of(fixture, 3, 0)->invalid = why;
	run_of(fixture, 3, 1)->invalid = why;
	run_of(fixture, 5, 1)->values[1] = NAN;
	fixture->runs[0].invalid = why;
	analysis = analyze(fixture);
	assert_int_equal(analysis->blocks, BLOCKS - 3);
	assert_int_equal(analysis->broken_blocks, 3);
	assert_int_equal(analysis->invalid_runs, 4);
	assert_int_equal(analysis->samples[0][1].summary.count, BLOCKS - 3);
	assert_int_equal(analysis->samples[0][1].comparison.pairs, BLOCKS - 3);
	assert_float_equal(analysis->samples[0][2].summary.mean, 100, 1e-9);
}

/* An experiment that was interrupted lacks runs of its last block. */
static void test_missing_run(void **state)
{
	struct fixture *fixture = *state;
	struct sf_analysis *analysis;

	add_run(fixture, BLOCKS, 0)->values[0] = 1e9;
	add_run(fixture, BLOCKS, 2);
	add_run(fixture, BLOCKS + 1, 0);
	add_run(fixture, BLOCKS + 1, 0);
	add_run(fixture, BLOCKS + 1, 1);
	analysis = analyze(fixture);
	assert_int_equal(analysis->blocks, BLOCKS);
	assert_int_equal(analysis->broken_blocks, 0);
	assert_float_equal(analysis->samples[0][0].summary.mean, 100, 1e-9);
}

static void test_no_blocks(void **state)
{
	struct fixture *fixture = *state;
	struct sf_analysis *analysis;

	fixture->experiment.run_count = 0;
	analysis = analyze(fixture);
	assert_int_equal(analysis->blocks, 0);
	assert_int_equal(analysis->samples[0][1].comparison.verdict,
			 SF_VERDICT_TOO_FEW);
	assert_int_equal(analysis->samples[1][1].comparison.verdict,
			 SF_VERDICT_TOO_FEW);
	assert_true(isinf(sf_widest_interval(analysis, POLICIES)));
	assert_false(analysis->rates[0][0].known);
}

static const struct sf_rate *rate_of(const struct sf_analysis *analysis,
				     size_t policy, const char *name)
{
	size_t i;

	for (i = 0; i < analysis->rate_count; i++)
		if (!strcmp(analysis->rates[policy][i].name, name))
			return &analysis->rates[policy][i];
	fail_msg("no rate %s", name);
	return NULL;
}

static void assert_rate_is(const struct sf_analysis *analysis, size_t policy,
			   const char *name, double value)
{
	const struct sf_rate *rate = rate_of(analysis, policy, name);

	assert_true(rate->known);
	assert_int_equal(rate->summary.count, analysis->blocks);
	if (fabs(rate->summary.mean - value) > 1e-9 * value)
		fail_msg("%s is %.9g instead of %.9g", name, rate->summary.mean,
			 value);
}

static void test_rates(void **state)
{
	struct sf_analysis *analysis = analyze(*state);
	size_t i;

	assert_rate_is(analysis, 0, "attempts_per_s", 500);
	assert_rate_is(analysis, 2, "attempts_per_s", 1000 / 2.2);
	assert_rate_is(analysis, 0, "failed_attempts_per_s", 300);
	/* 80 ms of 2 s on 4 CPUs. */
	assert_rate_is(analysis, 0, "newidle_share_percent", 1);
	assert_rate_is(analysis, 0, "pulled_tasks_per_s", 250);
	assert_rate_is(analysis, 0, "stale_picks_percent", 4);
	assert_rate_is(analysis, 0, "burst_moves_per_s", 15);
	assert_rate_is(analysis, 0, "context_switches_per_s", 4500);
	assert_rate_is(analysis, 0, "synchrony", 1.5);
	assert_false(rate_of(analysis, 0, "migrations_per_s")->known);
	for (i = 0; i < analysis->rate_count; i++)
		assert_string_equal(analysis->rates[0][i].name,
				    analysis->rates[2][i].name);
}

/* 100 requests a second; 2 s make 200, and 2.2 s make 220. */
static void test_rates_per_operation(void **state)
{
	struct fixture *fixture = *state;
	struct sf_analysis *analysis = analyze(fixture);

	assert_int_equal(analysis->rate_count, 15);
	assert_rate_is(analysis, 0, "attempts_per_request", 5);
	assert_rate_is(analysis, 2, "attempts_per_request", 1000 / 220.0);
	assert_rate_is(analysis, 0, "failed_attempts_per_request", 3);
	assert_rate_is(analysis, 0, "newidle_ns_per_request", 4e5);
	assert_rate_is(analysis, 0, "pulled_tasks_per_request", 2.5);
	assert_rate_is(analysis, 0, "context_switches_per_request", 45);
	assert_false(rate_of(analysis, 0, "migrations_per_request")->known);

	fixture->experiment.metrics[0].name = regex;
	analysis = analyze(fixture);
	assert_rate_is(analysis, 2, "attempts_per_([0-9]+)", 10);
}

/* Wall time is judged if the user has no metric, and is no unit of work. */
static void test_wall_time_alone(void **state)
{
	struct fixture *fixture = *state;
	struct sf_analysis *analysis;
	size_t i;

	fixture->experiment.metrics[0] = fixture->experiment.metrics[1];
	fixture->experiment.metric_count = 1;
	for (i = 0; i < fixture->experiment.run_count; i++)
		fixture->runs[i].values[0] = fixture->runs[i].values[1];
	analysis = analyze(fixture);
	assert_int_equal(analysis->judged, 1);
	assert_int_equal(analysis->rate_count, 9);
	assert_rate_is(analysis, 0, "attempts_per_s", 500);
	assert_int_equal(analysis->samples[0][1].comparison.verdict,
			 SF_VERDICT_HIGHER);
}

/* Runs that lack a rate are left out of it, and of that alone. */
static void test_rates_unknown(void **state)
{
	struct fixture *fixture = *state;
	struct sf_analysis *analysis;
	const struct sf_rate *rate;
	size_t i;

	for (i = 0; i < fixture->experiment.run_count; i++) {
		struct sf_counters *counters = &fixture->runs[i].counters;

		counters->value[SF_COUNTER_sync_expected_milli] = 0;
		counters->value[SF_COUNTER_sync_pairs] = 0;
	}
	run_of(fixture, 4, 1)->counters.value[SF_COUNTER_picks] = 0;
	run_of(fixture, 4, 1)->counters.value[SF_COUNTER_stale] = 0;
	run_of(fixture, 5, 1)->counters.value[SF_COUNTER_tasks] = NAN;
	json_object_clear(fixture->experiment.system);
	analysis = analyze(fixture);
	assert_false(rate_of(analysis, 1, "synchrony")->known);
	assert_false(rate_of(analysis, 1, "newidle_share_percent")->known);
	rate = rate_of(analysis, 1, "stale_picks_percent");
	assert_true(rate->known);
	assert_int_equal(rate->summary.count, BLOCKS - 1);
	assert_float_equal(rate->summary.mean, 4, 1e-9);
	rate = rate_of(analysis, 1, "pulled_tasks_per_s");
	assert_int_equal(rate->summary.count, BLOCKS - 1);
	assert_rate_is(analysis, 1, "attempts_per_s", 1000 / 2.1);
}

static void test_outlier(void **state)
{
	struct fixture *fixture = *state;
	struct sf_analysis *analysis;
	struct sf_run *far = run_of(fixture, 6, 1);
	size_t i;

	for (i = 0; i < fixture->experiment.run_count; i++)
		fixture->runs[i].values[0] += 0.1 * (i * 7 % 10);
	far->values[0] = 150;
	/* Not judged. */
	for (i = 0; i < fixture->experiment.run_count; i++)
		fixture->runs[i].values[1] += 0.01 * (i * 7 % 10);
	run_of(fixture, 2, 2)->values[1] = 7;
	analysis = analyze(fixture);
	assert_int_equal(analysis->samples[0][1].outliers, 1);
	assert_int_equal(analysis->samples[1][2].outliers, 1);
	for (i = 0; i < fixture->experiment.run_count; i++)
		assert_int_equal(analysis->outlier[i],
				 &fixture->runs[i] == far);
}

/* A policy that is 5 % slower for sure, and one that is not. */
static void plant_verdicts(struct fixture *fixture)
{
	size_t i;

	for (i = 0; i < fixture->experiment.run_count; i++) {
		struct sf_run *run = &fixture->runs[i];

		run->values[0] = 100 + 0.03 * (i * i * 37 % 101);
		if (run->policy == 1)
			run->values[0] -= 5;
	}
}

static void test_verdicts(void **state)
{
	struct fixture *fixture = *state;
	struct sf_analysis *analysis;

	plant_verdicts(fixture);
	analysis = analyze(fixture);
	assert_int_equal(analysis->samples[0][1].comparison.verdict,
			 SF_VERDICT_LOWER);
	assert_float_equal(analysis->samples[0][1].comparison.p, 2.0 / 256,
			   1e-12);
	/* Holm: the smaller p of 2. */
	assert_float_equal(analysis->samples[0][1].comparison.adjusted_p,
			   4.0 / 256, 1e-12);
	assert_int_equal(analysis->samples[0][1].comparison.needed, 7);
	assert_int_equal(analysis->samples[0][2].comparison.verdict,
			 SF_VERDICT_NONE);
	/* Wall time differs for sure, but is not what the user asked about. */
	assert_int_equal(analysis->samples[1][1].comparison.verdict,
			 SF_VERDICT_NONE);
	assert_true(analysis->samples[1][1].comparison.adjusted_p ==
		    analysis->samples[1][1].comparison.p);
}

static void test_same_analysis(void **state)
{
	struct fixture *fixture = *state;
	struct sf_comparison first;
	const struct sf_comparison *again;

	plant_verdicts(fixture);
	first = analyze(fixture)->samples[0][1].comparison;
	again = &analyze(fixture)->samples[0][1].comparison;
	assert_memory_equal(again, &first, sizeof(first));
	fixture->experiment.seed++;
	again = &analyze(fixture)->samples[0][1].comparison;
	assert_true(again->low != first.low || again->high != first.high);
}

static void test_widest_interval(void **state)
{
	struct fixture *fixture = *state;
	struct sf_analysis *analysis;
	double widest, wider;

	plant_verdicts(fixture);
	analysis = analyze(fixture);
	widest = sf_widest_interval(analysis, POLICIES);
	wider = fmax(analysis->samples[0][1].comparison.precision,
		     analysis->samples[0][2].comparison.precision);
	assert_true(widest > 0.5 && widest < 2.5);
	assert_true(widest == wider);
	analysis->samples[0][2].comparison.precision = NAN;
	assert_true(isinf(sf_widest_interval(analysis, POLICIES)));
}

static void test_words(void **state)
{
	static const struct {
		bool wall;
		enum sf_better better;
		enum sf_verdict verdict;
		const char *words;
	} cases[] = {
		{ true, SF_BETTER_UNSAID, SF_VERDICT_LOWER, "faster" },
		{ true, SF_BETTER_LOWER, SF_VERDICT_HIGHER, "slower" },
		{ false, SF_BETTER_LOWER, SF_VERDICT_LOWER, "better" },
		{ false, SF_BETTER_LOWER, SF_VERDICT_HIGHER, "worse" },
		{ false, SF_BETTER_HIGHER, SF_VERDICT_LOWER, "worse" },
		{ false, SF_BETTER_HIGHER, SF_VERDICT_HIGHER, "better" },
		{ false, SF_BETTER_UNSAID, SF_VERDICT_LOWER, "lower" },
		{ false, SF_BETTER_UNSAID, SF_VERDICT_HIGHER, "higher" },
		{ false, SF_BETTER_HIGHER, SF_VERDICT_TOO_FEW,
		  "no verdict: 4 blocks, needs 6" },
		{ false, SF_BETTER_HIGHER, SF_VERDICT_NONE,
		  "no difference detected (smallest detectable: 1.2 %)" },
	};
	struct sf_comparison comparison = { .pairs = 4,
					    .needed = 6,
					    .detectable = 1.21 };
	struct sf_metric metric = { .name = metric_name };
	char words[128];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		metric.regex = cases[i].wall ? NULL : regex;
		metric.better = cases[i].better;
		comparison.verdict = cases[i].verdict;
		sf_verdict_words(&metric, &comparison, words, sizeof(words));
		assert_string_equal(words, cases[i].words);
	}
	comparison.detectable = NAN;
	sf_verdict_words(&metric, &comparison, words, sizeof(words));
	assert_string_equal(words, "no verdict: the baseline's mean is 0");
}

#define fixture_test(test) \
	cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		fixture_test(test_whole_blocks),
		fixture_test(test_broken_blocks),
		fixture_test(test_missing_run),
		fixture_test(test_no_blocks),
		fixture_test(test_rates),
		fixture_test(test_rates_per_operation),
		fixture_test(test_wall_time_alone),
		fixture_test(test_rates_unknown),
		fixture_test(test_outlier),
		fixture_test(test_verdicts),
		fixture_test(test_same_analysis),
		fixture_test(test_widest_interval),
		cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
