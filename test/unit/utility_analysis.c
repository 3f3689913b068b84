// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is made of an experiment: which blocks count, and the verdicts.
 */
#include "fixture.h"

static char why[] = "features changed";

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
	assert_int_equal(analysis->rate_count, 13);
	assert_int_equal(analysis->samples[0][1].comparison.verdict,
			 SF_VERDICT_HIGHER);
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
	assert_float_equal(analysis->samples[0][1].comparison.p, 2.0 / 4096,
			   1e-12);
	/* Holm: the smaller p of 2. */
	assert_float_equal(analysis->samples[0][1].comparison.adjusted_p,
			   4.0 / 4096, 1e-12);
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
	struct sf_comparison *one, *two;
	struct sf_analysis *analysis;
	double widest;

	plant_verdicts(fixture);
	analysis = analyze(fixture);
	one = &analysis->samples[0][1].comparison;
	two = &analysis->samples[0][2].comparison;
	widest = sf_widest_interval(analysis, POLICIES);
	assert_true(widest > 0.5 && widest < 2.5);
	assert_true(widest ==
		    fmax(one->high - one->low, two->high - two->low) / 2);
	two->equal = true;
	two->low = two->high = NAN;
	assert_true(sf_widest_interval(analysis, POLICIES) ==
		    (one->high - one->low) / 2);
	one->low = NAN;
	assert_true(isinf(sf_widest_interval(analysis, POLICIES)));
}

/* Of all that are judged, and of no others. */
static void test_least_known(void **state)
{
	struct fixture *fixture = *state;
	struct sf_analysis *analysis;
	struct sf_place place;

	plant_verdicts(fixture);
	analysis = analyze(fixture);
	analysis->samples[0][1].comparison.precision = 1;
	analysis->samples[0][2].comparison.precision = 2;
	analysis->samples[1][1].comparison.precision = 3;
	place = sf_least_known(analysis, POLICIES);
	assert_int_equal(place.metric, 0);
	assert_int_equal(place.policy, 2);
	analysis->judged = 2;
	place = sf_least_known(analysis, POLICIES);
	assert_int_equal(place.metric, 1);
	assert_int_equal(place.policy, 1);
	analysis->samples[0][1].comparison.precision = NAN;
	place = sf_least_known(analysis, POLICIES);
	assert_int_equal(place.metric, 0);
	assert_int_equal(place.policy, 1);
}

/* A glance sees the same precision as the analysis. */
static void test_glance(void **state)
{
	struct fixture *fixture = *state;
	struct sf_analysis glance, *analysis;
	size_t i;

	plant_verdicts(fixture);
	analysis = analyze(fixture);
	assert_int_equal(
		sf_glance(&fixture->experiment, &glance, &fixture->err), SF_OK);
	assert_int_equal(glance.blocks, analysis->blocks);
	for (i = 1; i < POLICIES; i++)
		assert_true(glance.samples[0][i].comparison.precision ==
			    analysis->samples[0][i].comparison.precision);
	assert_int_equal(glance.samples[1][1].comparison.pairs, 0);
	sf_analysis_free(&glance);
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
		  "no difference detected (smallest detectable, 8 times in 10: 1.2 %)" },
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
	comparison.verdict = SF_VERDICT_NONE;
	comparison.equal = true;
	sf_verdict_words(&metric, &comparison, words, sizeof(words));
	assert_string_equal(
		words,
		"no difference detected (all differences are equal; the metric's resolution is unknown)");
	comparison.equal = false;
	comparison.detectable = NAN;
	sf_verdict_words(&metric, &comparison, words, sizeof(words));
	assert_string_equal(words, "no verdict: the baseline's mean is 0");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		fixture_test(test_whole_blocks),
		fixture_test(test_broken_blocks),
		fixture_test(test_missing_run),
		fixture_test(test_no_blocks),
		fixture_test(test_wall_time_alone),
		fixture_test(test_outlier),
		fixture_test(test_verdicts),
		fixture_test(test_same_analysis),
		fixture_test(test_widest_interval),
		fixture_test(test_least_known),
		fixture_test(test_glance),
		cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
