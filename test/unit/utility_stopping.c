// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * When an experiment has enough blocks, and what is said then.
 */
#include "unit.h"

#include "stopping.h"

static const struct sf_plan plan = { .contender_count = 2, .precision = 1 };

/* As many blocks as that, with that precision and such an interval. */
static void analysis_of(size_t blocks, double precision, double half,
			struct sf_analysis *analysis)
{
	*analysis = (struct sf_analysis){ .blocks = blocks, .judged = 1 };
	analysis->samples[0][1].comparison = (struct sf_comparison){
		.pairs = blocks,
		.percent = 3,
		.low = 3 - half,
		.high = 3 + half,
		.precision = precision,
	};
}

static bool is_precise(size_t blocks, double precision, double half)
{
	struct sf_analysis analysis;

	analysis_of(blocks, precision, half, &analysis);
	return sf_is_precise(&analysis, &plan);
}

static void test_precise(void **unused)
{
	(void)unused;
	assert_true(is_precise(10, 1, 1.4));
	assert_false(is_precise(9, 0.1, 0.1));
	assert_false(is_precise(10, 1.01, 0.5));
	/* Narrow by its sizes, but not as it would be printed. */
	assert_false(is_precise(10, 0.5, 1.6));
	assert_false(is_precise(10, NAN, 0.5));
	assert_false(is_precise(10, 0.5, NAN));
	assert_false(is_precise(0, 0, 0));
}

static void test_least_blocks(void **unused)
{
	struct sf_plan large = { .contender_count = 8, .metric_count = 8 };

	(void)unused;
	assert_int_equal(sf_least_blocks(&plan), 10);
	assert_int_equal(sf_least_blocks(&large), 12);
}

static void assert_words(size_t blocks, double half, bool equal,
			 const char *expected)
{
	struct sf_analysis analysis;
	char words[96];

	analysis_of(blocks, 1, half, &analysis);
	analysis.samples[0][1].comparison.equal = equal;
	sf_precision_words(&analysis, &plan, words, sizeof(words));
	assert_string_equal(words, expected);
}

static void test_words(void **unused)
{
	(void)unused;
	assert_words(10, 1.3, false,
		     "the widest interval is +-1.3 %, asked for +-1 %");
	assert_words(10, 0.9349, false,
		     "the widest interval is +-0.935 %, asked for +-1 %");
	assert_words(10, NAN, true,
		     "all differences are equal, asked for +-1 %");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_precise),
		cmocka_unit_test(test_least_blocks),
		cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
