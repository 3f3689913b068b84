// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The balancer's rates, computed by hand as well.
 */
#include "fixture.h"

#include "decisions.h"

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
	assert_rate_is(analysis, 0, "newidle_percent_of_cpu_time", 1);
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

	assert_int_equal(analysis->rate_count, 19);
	assert_rate_is(analysis, 0, "attempts_per_request", 5);
	assert_rate_is(analysis, 2, "attempts_per_request", 1000 / 220.0);
	assert_rate_is(analysis, 0, "failed_attempts_per_request", 3);
	assert_rate_is(analysis, 0, "newidle_ns_per_request", 4e5);
	assert_rate_is(analysis, 0, "pulled_tasks_per_request", 2.5);
	assert_rate_is(analysis, 0, "context_switches_per_request", 45);
	assert_false(rate_of(analysis, 0, "migrations_per_request")->known);

	/* The name of a total. */
	fixture->experiment.metrics[0].name = regex;
	analysis = analyze(fixture);
	assert_rate_is(analysis, 2, "attempts_per_([0-9]+)", 10);
}

/* No work is done by a latency, nor by what has no direction. */
static void test_rates_of_latencies(void **state)
{
	struct fixture *fixture = *state;

	fixture->experiment.metrics[0].better = SF_BETTER_LOWER;
	assert_int_equal(analyze(fixture)->rate_count, 13);
	fixture->experiment.metrics[0].better = SF_BETTER_UNSAID;
	assert_int_equal(analyze(fixture)->rate_count, 13);
}

static char stock[] = "stock", jitter[] = "newidle=jitter,start=half";
static char pinned[] = "newidle=dice,ratio=100";

static void set_policies(struct fixture *fixture, char *features)
{
	size_t i;

	fixture->experiment.policies[0] = stock;
	fixture->experiment.policies[1] = jitter;
	fixture->experiment.policies[2] = pinned;
	snprintf(fixture->experiment.learn, sizeof(fixture->experiment.learn),
		 "reset");
	for (i = 0; i < fixture->experiment.run_count; i++) {
		struct sf_run *run = &fixture->runs[i];

		run->before.features = features;
		run->counters.value[SF_COUNTER_calls] = 4000;
		run->counters.value[SF_COUNTER_called_domains] = 6;
		run->counters.value[SF_COUNTER_learned_domains] = 0;
	}
}

/* Of the calls that the kernel's own dice skip nobody knows. */
static void test_rates_of_calls(void **state)
{
	static char on[] = "TTWU NI_RANDOM", off[] = "NO_NI_RANDOM TTWU";
	struct fixture *fixture = *state;
	struct sf_analysis *analysis;

	set_policies(fixture, on);
	analysis = analyze(fixture);
	assert_false(rate_of(analysis, 0, "newidle_calls_per_s")->known);
	assert_false(rate_of(analysis, 0, "attempts_per_call_percent")->known);
	assert_false(rate_of(analysis, 0, "domains_that_called")->known);
	assert_rate_is(analysis, 0, "attempts_per_s", 500);
	assert_rate_is(analysis, 1, "newidle_calls_per_s", 4000 / 2.1);
	assert_rate_is(analysis, 1, "attempts_per_call_percent", 25);
	assert_rate_is(analysis, 1, "domains_that_called", 6);
	set_policies(fixture, off);
	analysis = analyze(fixture);
	assert_rate_is(analysis, 0, "newidle_calls_per_s", 2000);
}

static void test_unlearned(void **state)
{
	static char off[] = "NO_NI_RANDOM", on[] = "NI_RANDOM";
	struct fixture *fixture = *state;
	struct sf_experiment *experiment = &fixture->experiment;
	char *note;

	set_policies(fixture, off);
	assert_false(sf_decisions_unlearned(experiment, 0));
	assert_true(sf_decisions_unlearned(experiment, 1));
	assert_false(sf_decisions_unlearned(experiment, 2));
	note = sf_decisions_note(experiment);
	assert_non_null(strstr(note, ": newidle=jitter,start=half was compared "
				     "at the starting ratio."));
	assert_non_null(strstr(note, "--learn keep"));
	free(note);
	snprintf(experiment->learn, sizeof(experiment->learn), "keep");
	note = sf_decisions_note(experiment);
	assert_null(strstr(note, "--learn"));
	free(note);
	/* The kernel's own dice go by the ratio as well. */
	set_policies(fixture, on);
	assert_true(sf_decisions_unlearned(experiment, 0));
	run_of(fixture, 3, 1)->counters.value[SF_COUNTER_learned_domains] = 1;
	assert_false(sf_decisions_unlearned(experiment, 1));
	run_of(fixture, 2, 0)->counters.value[SF_COUNTER_learned_domains] = 2;
	assert_null(sf_decisions_note(experiment));
}

/* A zero of a hook that is off is no zero. */
static void test_hook_off(void **state)
{
	static char off[] = "balance:patched select:off ",
		    on[] = "balance:patched select:patched ";
	struct fixture *fixture = *state;
	const struct sf_rate *rate;
	size_t i;

	for (i = 0; i < fixture->experiment.run_count; i++)
		fixture->runs[i].before.hooks = off;
	rate = rate_of(analyze(fixture), 1, "burst_moves_per_s");
	assert_false(rate->known);
	assert_string_equal(rate->needs, "--hooks all");
	for (i = 0; i < fixture->experiment.run_count; i++)
		fixture->runs[i].before.hooks = on;
	assert_true(rate_of(analyze(fixture), 1, "burst_moves_per_s")->known);
}

static void test_domains(void **state)
{
	struct sf_domain was[] = { { .calls = 5, .learned = 512 },
				   { .cpu = 1, .calls = 5, .learned = 512 },
				   { .cpu = 2, .learned = 512 } };
	struct sf_domain is[] = { { .calls = 900, .learned = 30 },
				  { .cpu = 1, .calls = 6, .learned = 512 },
				  { .cpu = 2, .learned = 512 } };
	const struct sf_state before = { .domains = was, .count = 3 };
	struct sf_state after = { .domains = is, .count = 3 };
	struct sf_counters counters;
	double *value = counters.value;

	(void)state;
	sf_counters_compare(&before, &after, &counters);
	assert_float_equal(value[SF_COUNTER_called_domains], 2, 0);
	assert_float_equal(value[SF_COUNTER_learned_domains], 1, 0);
	after.count = 2;
	sf_counters_compare(&before, &after, &counters);
	assert_true(isnan(value[SF_COUNTER_called_domains]));
	assert_true(isnan(value[SF_COUNTER_learned_domains]));
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
	assert_false(
		rate_of(analysis, 1, "newidle_percent_of_cpu_time")->known);
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
		fixture_test(test_rates_of_latencies),
		fixture_test(test_rates_of_calls),
		fixture_test(test_unlearned),
		fixture_test(test_hook_off),
		fixture_test(test_rates_unknown),
		cmocka_unit_test(test_domains),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
