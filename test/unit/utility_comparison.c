// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Comparisons of which the result is known, and what is said where there is none.
 */
#include "unit.h"

#include "comparison.h"

/* Differences 1 to 6, to a baseline of 100. */
static void test_known_values(void **unused)
{
	static const double base[] = { 90, 110, 100, 100, 95, 105 };
	static const double other[] = { 91, 112, 103, 104, 100, 111 };
	struct sf_comparison comparison;

	(void)unused;
	sf_compare(base, other, 6, 1, &comparison);
	assert_int_equal(comparison.pairs, 6);
	assert_float_equal(comparison.base_mean, 100, 1e-12);
	assert_float_equal(comparison.mean, 3.5, 1e-12);
	assert_float_equal(comparison.sd, sqrt(3.5), 1e-12);
	assert_float_equal(comparison.median, 3.5, 1e-12);
	assert_float_equal(comparison.percent, 3.5, 1e-12);
	assert_true(comparison.p == 2.0 / 64);
	assert_true(comparison.exact);
	/* t of 5 degrees of freedom is 2.5706 and 0.9195. */
	assert_float_equal(comparison.detectable,
			   (2.5706 + 0.9195) * 1.26 * sqrt(3.5 / 6), 1e-3);
	/* Below 10 pairs the interval is Student's. */
	assert_float_equal(comparison.low, 3.5 - 2.5706 * sqrt(3.5 / 6), 1e-3);
	assert_float_equal(comparison.high, 3.5 + 2.5706 * sqrt(3.5 / 6), 1e-3);
}

/* The tests of power resample less, which is to come to about the same thing. */
static void test_resamples(void **unused)
{
	static const double base[] = { 100, 102, 97, 101, 99,
				       100, 103, 98, 96,  104 };
	static const double other[] = { 101.3, 102.9, 99.1, 101.2, 102.4,
					100.7, 104.6, 97.7, 98.8,  105.1 };
	struct sf_comparison comparison, by, fewer;

	(void)unused;
	sf_compare(base, other, 10, 1, &comparison);
	sf_compare_by(base, other, 10, SF_RESAMPLES, 1, &by);
	assert_memory_equal(&by, &comparison, sizeof(by));
	sf_compare_by(base, other, 10, 999, 1, &fewer);
	assert_true(fewer.low != by.low && fewer.high != by.high);
	assert_float_equal(fewer.low, by.low, 0.2);
	assert_float_equal(fewer.high, by.high, 0.2);
	assert_true(fewer.p == by.p && fewer.precision == by.precision);
}

/* Without resamples the interval is Student's, and there is no p. */
static void test_no_resamples(void **unused)
{
	static const double base[] = { 90,  110, 100, 100, 95,
				       105, 90,	 110, 100, 100 };
	static const double other[] = { 91,  112, 103, 104, 100,
					111, 97,  118, 109, 110 };
	const double half = 2.2622 * sqrt(55 / 6.0 / 10);
	struct sf_comparison comparison, whole;

	(void)unused;
	sf_compare(base, other, 10, 1, &whole);
	sf_compare_by(base, other, 10, 0, 1, &comparison);
	assert_float_equal(comparison.low, 5.5 - half, 1e-3);
	assert_float_equal(comparison.high, 5.5 + half, 1e-3);
	assert_true(whole.low != comparison.low);
	assert_true(comparison.p == 1);
	assert_true(comparison.precision == whole.precision);
}

/* Of 2 and 3 pairs Student's: +-12.706 and +-4.3027 standard errors. */
static void test_interval_of_few(void **unused)
{
	static const double base[] = { 200, 200, 200 };
	static const double other[] = { 198, 202, 206 };
	struct sf_comparison comparison;

	(void)unused;
	sf_compare(base, other, 2, 1, &comparison);
	assert_float_equal(comparison.low, -12.706, 1e-3);
	assert_float_equal(comparison.high, 12.706, 1e-3);
	sf_compare(base, other, 3, 1, &comparison);
	assert_float_equal(comparison.low, 1 - 4.3027 * 2 / sqrt(3), 1e-3);
	assert_float_equal(comparison.high, 1 + 4.3027 * 2 / sqrt(3), 1e-3);
	assert_true(isnan(comparison.detectable));
}

static void test_no_interval(void **unused)
{
	static const double base[] = { 10, 10, 10 }, other[] = { 11, 12, 11 };
	struct sf_comparison comparison, *list[] = { &comparison };

	(void)unused;
	sf_compare(base, other, 1, 1, &comparison);
	assert_float_equal(comparison.percent, 10, 1e-12);
	assert_true(comparison.sd == 0 && comparison.p == 1);
	assert_true(isnan(comparison.low) && isnan(comparison.high));
	assert_true(isnan(comparison.detectable));
	assert_true(isnan(comparison.precision));
	sf_judge(list, 1, SF_LEVEL);
	assert_int_equal(comparison.verdict, SF_VERDICT_TOO_FEW);
	sf_compare(base, other, 0, 1, &comparison);
	assert_true(isnan(comparison.percent) && isnan(comparison.mean));
	assert_true(comparison.p == 1);
	sf_judge(list, 1, SF_LEVEL);
	assert_int_equal(comparison.verdict, SF_VERDICT_TOO_FEW);
	assert_true(comparison.adjusted_p == 1);
}

/* Equal but for rounding: 0.3 - 0.2 is not 0.1. */
static void test_no_noise(void **unused)
{
	static const double base[] = { 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7 };
	static const double other[] = { 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8 };
	struct sf_comparison comparison, *list[] = { &comparison };

	(void)unused;
	sf_compare(base, other, 7, 1, &comparison);
	assert_float_equal(comparison.percent, 25, 1e-9);
	/* No interval is claimed of a metric that may just be too coarse. */
	assert_true(comparison.equal && comparison.precision < 1e-9);
	assert_true(isnan(comparison.low) && isnan(comparison.high));
	assert_true(isnan(comparison.detectable));
	sf_judge(list, 1, SF_LEVEL);
	assert_int_equal(comparison.verdict, SF_VERDICT_HIGHER);
	sf_compare(base, base, 7, 1, &comparison);
	assert_true(comparison.equal && comparison.precision == 0);
	assert_true(comparison.p == 1);
	sf_judge(list, 1, SF_LEVEL);
	assert_int_equal(comparison.verdict, SF_VERDICT_NONE);
}

/* Steps of 0.1 tie, though the doubles do not: 7 of one sign, and one of the other. */
static void test_ties_in_decimals(void **unused)
{
	static const double base[] = { 1000.1, 1001.2, 1002.3, 1003.4,
				       1004.5, 1005.6, 1006.7, 1007.8 };
	static const double other[] = { 1000.2, 1001.3, 1002.4, 1003.5,
					1004.6, 1005.7, 1006.8, 1007.7 };
	struct sf_comparison comparison;

	(void)unused;
	sf_compare(base, other, 8, 1, &comparison);
	assert_true(comparison.p == 18.0 / 256);
	/* Samples of 8 times +0.1 vary by nothing, and not by rounding. */
	assert_true(comparison.high < 0.1 && comparison.low > -0.1);
}

static void test_baseline_without_mean(void **unused)
{
	static const double base[] = { -1, 1, -2, 2, -3, 3 };
	static const double other[] = { 9, 11, 8, 12, 7, 13 };
	static const double huge[] = {
		1e308, 1e308, 1e308, 1e308, 1e308, 1e308
	};
	static const double negative[] = { -1e308, -1e308, -1e308,
					   -1e308, -1e308, -1e308 };
	struct sf_comparison comparison, *list[] = { &comparison };

	(void)unused;
	sf_compare(base, other, 6, 1, &comparison);
	assert_float_equal(comparison.mean, 10, 1e-12);
	assert_true(comparison.p == 2.0 / 64);
	assert_true(isnan(comparison.percent) && isnan(comparison.low) &&
		    isnan(comparison.high) && isnan(comparison.detectable) &&
		    isnan(comparison.precision));
	sf_judge(list, 1, SF_LEVEL);
	assert_int_equal(comparison.verdict, SF_VERDICT_NONE);
	/* The difference is infinite. */
	sf_compare(huge, negative, 6, 1, &comparison);
	assert_true(isnan(comparison.percent) && comparison.p == 1);
	sf_judge(list, 1, SF_LEVEL);
	assert_int_equal(comparison.verdict, SF_VERDICT_NONE);
}

/* The sign is the difference's, whatever the baseline's. */
static void test_negative_baseline(void **unused)
{
	static const double base[] = { -100, -101, -99, -100, -102, -98, -100 };
	static const double other[] = { -90, -91.5, -89, -91, -92, -88.5, -90 };
	struct sf_comparison comparison, *list[] = { &comparison };

	(void)unused;
	sf_compare(base, other, 7, 1, &comparison);
	sf_judge(list, 1, SF_LEVEL);
	assert_true(comparison.percent > 9 && comparison.percent < 10);
	assert_true(comparison.low > 8 && comparison.high < 11);
	assert_int_equal(comparison.verdict, SF_VERDICT_HIGHER);
}

/* Differences of one size are as uncertain as their mean square says. */
static void test_precision_of_one_size(void **unused)
{
	static const double base[] = { 100, 104, 100, 104, 100, 104, 100, 104 };
	static const double other[] = { 104, 100, 104, 100, 104, 100, 104, 100 };
	struct sf_comparison comparison;

	(void)unused;
	sf_compare(base, other, 8, 1, &comparison);
	/* t of 7 degrees of freedom is 2.3646. */
	assert_float_equal(comparison.precision,
			   2.3646 * (1 + 1 / 8.0) * 4 / sqrt(8) / 102 * 100,
			   1e-3);
	assert_true((comparison.high - comparison.low) / 2 <
		    1.5 * comparison.precision);
}

/* Whose run is whose makes no difference to when to stop. */
static void test_precision_without_signs(void **unused)
{
	static const double base[] = { 100, 103, 98, 101, 99, 104, 97, 100 };
	static const double other[] = { 99, 101, 101, 100, 103, 99, 98, 102 };
	static const double half[] = { 0.1, 0.2, 0.1, 0.2, 0.1, 0.2, 0.1, 0.2 };
	double one[8], two[8], far[8];
	struct sf_comparison straight, swapped;
	size_t i;

	(void)unused;
	for (i = 0; i < 8; i++) {
		one[i] = i % 3 ? base[i] : other[i];
		two[i] = i % 3 ? other[i] : base[i];
		far[i] = base[i] + 50 + half[i];
	}
	sf_compare(base, other, 8, 1, &straight);
	sf_compare(one, two, 8, 1, &swapped);
	assert_true(straight.low != swapped.low);
	assert_float_equal(straight.precision * straight.base_mean,
			   swapped.precision * swapped.base_mean, 1e-9);
	/* A difference that is large and certain is precise. */
	sf_compare(base, far, 8, 1, &straight);
	assert_true(straight.precision < 0.2);
}

static void test_needed_pairs(void **unused)
{
	(void)unused;
	assert_int_equal(sf_needed_pairs(0, 0.05), 6);
	assert_int_equal(sf_needed_pairs(1, 0.05), 6);
	assert_int_equal(sf_needed_pairs(2, 0.05), 7);
	assert_int_equal(sf_needed_pairs(3, 0.05), 7);
	assert_int_equal(sf_needed_pairs(4, 0.05), 8);
	assert_int_equal(sf_needed_pairs(56, 0.05), 12);
	assert_int_equal(sf_needed_pairs(1, 0.0625), 5);
}

/* A difference that is sure, but for p. */
static struct sf_comparison with_p(double p)
{
	return (struct sf_comparison){
		.pairs = 20,
		.base_mean = 100,
		.mean = -1,
		.sd = 1,
		.percent = -1,
		.low = -1.5,
		.high = -0.5,
		.p = p,
		.detectable = 1,
	};
}

/* Holm's steps by hand: 4 * 0.01, 3 * 0.015, then no less than that, 1 * 0.5. */
static void test_holm(void **unused)
{
	struct sf_comparison comparisons[] = { with_p(0.5), with_p(0.01),
					       with_p(0.02), with_p(0.015) };
	struct sf_comparison *list[] = { &comparisons[0], &comparisons[1],
					 &comparisons[2], &comparisons[3] };

	(void)unused;
	sf_judge(list, 4, SF_LEVEL);
	assert_float_equal(comparisons[0].adjusted_p, 0.5, 1e-12);
	assert_float_equal(comparisons[1].adjusted_p, 0.04, 1e-12);
	assert_float_equal(comparisons[2].adjusted_p, 0.045, 1e-12);
	assert_float_equal(comparisons[3].adjusted_p, 0.045, 1e-12);
	assert_int_equal(comparisons[0].verdict, SF_VERDICT_NONE);
	assert_int_equal(comparisons[1].verdict, SF_VERDICT_LOWER);
	assert_int_equal(comparisons[2].verdict, SF_VERDICT_LOWER);
	assert_int_equal(comparisons[3].needed, 8);
}

static void test_holm_ties(void **unused)
{
	struct sf_comparison comparisons[] = { with_p(0.02), with_p(0.02),
					       with_p(0.9) };
	struct sf_comparison *list[] = { &comparisons[0], &comparisons[1],
					 &comparisons[2] };

	(void)unused;
	sf_judge(list, 3, SF_LEVEL);
	assert_float_equal(comparisons[0].adjusted_p, 0.06, 1e-12);
	assert_float_equal(comparisons[1].adjusted_p, 0.06, 1e-12);
	assert_float_equal(comparisons[2].adjusted_p, 0.9, 1e-12);
	comparisons[0].p = comparisons[1].p = comparisons[2].p = 0.6;
	sf_judge(list, 3, SF_LEVEL);
	assert_true(comparisons[1].adjusted_p == 1);
}

/* More comparisons at once make less detectable. */
static void test_detectable_at_once(void **unused)
{
	struct sf_comparison one = with_p(0.2), two = with_p(0.2);
	struct sf_comparison *list[] = { &one, &two };
	double alone;

	(void)unused;
	sf_judge(list, 1, SF_LEVEL);
	alone = one.detectable;
	sf_judge(list, 2, SF_LEVEL);
	assert_true(one.detectable > 1.1 * alone);
	assert_true(two.detectable == one.detectable);
}

/* Neither p nor the interval is enough. */
static void test_both_decide(void **unused)
{
	struct sf_comparison comparison = with_p(0.05),
			     *list[] = { &comparison };

	(void)unused;
	sf_judge(list, 1, SF_LEVEL);
	assert_int_equal(comparison.verdict, SF_VERDICT_LOWER);
	comparison.high = 0;
	sf_judge(list, 1, SF_LEVEL);
	assert_int_equal(comparison.verdict, SF_VERDICT_NONE);
	comparison.high = -0.1;
	comparison.p = 0.051;
	sf_judge(list, 1, SF_LEVEL);
	assert_int_equal(comparison.verdict, SF_VERDICT_NONE);
	comparison.p = 0.01;
	comparison.percent = 1;
	sf_judge(list, 1, SF_LEVEL);
	assert_int_equal(comparison.verdict, SF_VERDICT_NONE);
	comparison.low = 0.1;
	comparison.high = 2;
	sf_judge(list, 1, SF_LEVEL);
	assert_int_equal(comparison.verdict, SF_VERDICT_HIGHER);
	comparison.pairs = 5;
	sf_judge(list, 1, SF_LEVEL);
	assert_int_equal(comparison.verdict, SF_VERDICT_TOO_FEW);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known_values),
		cmocka_unit_test(test_resamples),
		cmocka_unit_test(test_no_resamples),
		cmocka_unit_test(test_interval_of_few),
		cmocka_unit_test(test_no_interval),
		cmocka_unit_test(test_no_noise),
		cmocka_unit_test(test_ties_in_decimals),
		cmocka_unit_test(test_baseline_without_mean),
		cmocka_unit_test(test_negative_baseline),
		cmocka_unit_test(test_precision_of_one_size),
		cmocka_unit_test(test_precision_without_signs),
		cmocka_unit_test(test_needed_pairs),
		cmocka_unit_test(test_holm),
		cmocka_unit_test(test_holm_ties),
		cmocka_unit_test(test_detectable_at_once),
		cmocka_unit_test(test_both_decide),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
