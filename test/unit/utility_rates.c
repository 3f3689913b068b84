// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The balancer's rates, computed by hand as well.
 */
#include "fixture.h"

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

int main(void)
{
	static const struct CMUnitTest tests[] = {
		fixture_test(test_rates),
		fixture_test(test_rates_per_operation),
		fixture_test(test_rates_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
