// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Statistics of which the result is known: by hand, or by counting it all.
 */
#include "unit.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <schedflip/random.h>

#include "comparison.h"
#include "flips.h"
#include "stats.h"

enum {
	MAX_COUNT = 200,
};

/* Sums of the numbers here that are equal differ by less, and others by more. */
#define TIES 1e-12

/* Uniform in [-1, 1). */
static double uniform(struct sf_rng *rng)
{
	return ldexp(sf_random(rng), -31) - 1;
}

static void test_summary(void **unused)
{
	static const double values[] = { 4, 1, 2, 9 };
	struct sf_summary summary;

	(void)unused;
	sf_summarize(values, 4, &summary);
	assert_int_equal(summary.count, 4);
	assert_float_equal(summary.mean, 4, 1e-12);
	assert_float_equal(summary.sd, sqrt(38.0 / 3), 1e-12);
	assert_float_equal(summary.cv, 25 * sqrt(38.0 / 3), 1e-12);
	assert_float_equal(summary.median, 3, 1e-12);
	assert_float_equal(summary.low, 1, 0);
	assert_float_equal(summary.high, 9, 0);
	/* It was sorted elsewhere. */
	assert_float_equal(values[0], 4, 0);
}

static void test_summary_of_few(void **unused)
{
	static const double one[] = { -3 }, opposite[] = { -3, 3 };
	struct sf_summary summary;

	(void)unused;
	sf_summarize(one, 0, &summary);
	assert_int_equal(summary.count, 0);
	assert_true(summary.mean == 0 && summary.sd == 0 && summary.cv == 0);
	sf_summarize(one, 1, &summary);
	assert_true(summary.mean == -3 && summary.sd == 0 &&
		    summary.median == -3);
	sf_summarize(opposite, 2, &summary);
	assert_true(summary.mean == 0 && summary.cv == 0 && summary.sd > 4);
}

/* The line through (0, 1), (1, 2), (2, 2) is 7/6 + x/2; t is sqrt(3) with 1 degree. */
static void test_drift(void **unused)
{
	static const double when[] = { 0, 1, 2 }, values[] = { 1, 2, 2 };
	struct sf_drift drift;

	(void)unused;
	sf_find_drift(when, values, 3, &drift);
	assert_float_equal(drift.percent, 60, 1e-9);
	assert_float_equal(drift.p, 1.0 / 3, 1e-9);
}

static void test_drift_on_a_line(void **unused)
{
	static const double when[] = { 5, 6, 8, 15 }, flat[] = { 7, 7, 7, 7 };
	static const double once[] = { 2, 2, 2, 2 };
	double line[4], negative[4];
	struct sf_drift drift;
	size_t i;

	(void)unused;
	for (i = 0; i < 4; i++) {
		line[i] = 2 * when[i];
		negative[i] = -line[i];
	}
	sf_find_drift(when, line, 4, &drift);
	assert_float_equal(drift.percent, 20 / 17.0 * 100, 1e-9);
	assert_true(drift.p < 1e-12);
	sf_find_drift(when, negative, 4, &drift);
	assert_float_equal(drift.percent, -20 / 17.0 * 100, 1e-9);
	sf_find_drift(when, flat, 4, &drift);
	assert_true(drift.percent == 0 && drift.p == 1);
	sf_find_drift(once, line, 4, &drift);
	assert_true(drift.percent == 0 && drift.p == 1);
	sf_find_drift(when, line, 2, &drift);
	assert_true(drift.percent == 0 && drift.p == 1);
}

/* A sample with noise of +-1 % that drifts by so many percent. */
static void make_sample(double *when, double *values, size_t count,
			double drift, u64 seed)
{
	struct sf_rng rng;
	size_t i;

	sf_random_seed(&rng, seed, 0);
	for (i = 0; i < count; i++) {
		when[i] = 3.0 * i;
		values[i] = 100 + uniform(&rng) + drift * i / count;
	}
}

/* Uniform noise has no outliers by this rule, at any drift. */
static void test_no_outliers(void **unused)
{
	double when[MAX_COUNT], values[MAX_COUNT];
	bool flags[MAX_COUNT];
	u64 seed;

	(void)unused;
	for (seed = 0; seed < 20; seed++) {
		make_sample(when, values, MAX_COUNT, 0, seed);
		assert_int_equal(
			sf_find_outliers(when, values, MAX_COUNT, flags), 0);
		make_sample(when, values, MAX_COUNT, 50, seed);
		assert_int_equal(
			sf_find_outliers(when, values, MAX_COUNT, flags), 0);
	}
}

/*
 * Wherever it is, and though a line of least squares would lean to it. Of as few as 10
 * some others are called far out as well.
 */
static void test_planted_outlier(void **unused)
{
	double when[40], values[40];
	bool flags[40];
	size_t i, place;

	(void)unused;
	for (place = 0; place < 40; place++) {
		make_sample(when, values, 40, 20, 1);
		values[place] += 20;
		assert_int_equal(sf_find_outliers(when, values, 40, flags), 1);
		for (i = 0; i < 40; i++)
			assert_int_equal(flags[i], i == place);
	}
	for (place = 0; place < 10; place++) {
		make_sample(when, values, 10, 20, 1);
		values[place] += 20;
		assert_true(sf_find_outliers(when, values, 10, flags) >= 1);
		assert_true(flags[place]);
	}
}

static void test_outliers_of_equal_values(void **unused)
{
	double when[10], values[10];
	bool flags[10];
	size_t i;

	(void)unused;
	for (i = 0; i < 10; i++) {
		when[i] = i;
		values[i] = 0.1 * i + 0.3;
	}
	/* On a line but for rounding. */
	assert_int_equal(sf_find_outliers(when, values, 10, flags), 0);
	for (i = 0; i < 10; i++)
		values[i] = i == 4 ? 8 : 7;
	assert_int_equal(sf_find_outliers(when, values, 10, flags), 0);
	for (i = 0; i < 10; i++)
		assert_false(flags[i]);
	memset(flags, 1, sizeof(flags));
	assert_int_equal(sf_find_outliers(when, values, 4, flags), 0);
	assert_false(flags[0] || flags[3]);
}

/* More slopes than are looked at; all values were taken at once. */
static void test_outliers_of_many(void **unused)
{
	enum {
		MANY = 5000
	};
	double *when = calloc(MANY, sizeof(*when));
	double *values = calloc(MANY, sizeof(*values));
	bool *flags = calloc(MANY, sizeof(*flags));
	size_t i;

	(void)unused;
	make_sample(when, values, MANY, 30, 1);
	values[2500] += 10;
	values[4999] -= 10;
	assert_int_equal(sf_find_outliers(when, values, MANY, flags), 2);
	assert_true(flags[2500] && flags[4999]);
	make_sample(when, values, MANY, 0, 1);
	values[2500] += 10;
	for (i = 0; i < MANY; i++)
		when[i] = 1;
	assert_int_equal(sf_find_outliers(when, values, MANY, flags), 1);
	free(when);
	free(values);
	free(flags);
}

/* All patterns of signs, one by one. */
static double count_flips(const double *differences, size_t count)
{
	double sum = 0, flipped, size = 0;
	u32 pattern, hits = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		sum += differences[i];
		size += fabs(differences[i]);
	}
	for (pattern = 0; pattern < 1u << count; pattern++) {
		flipped = 0;
		for (i = 0; i < count; i++)
			flipped += pattern >> i & 1 ? differences[i] :
						      -differences[i];
		hits += fabs(flipped) >= fabs(sum) - 1e-12 * size;
	}
	return (double)hits / (1u << count);
}

static void test_flips_counted(void **unused)
{
	double differences[10];
	struct sf_rng rng;
	size_t count, i;
	u64 seed;
	bool exact;

	(void)unused;
	for (count = 1; count <= 10; count++)
		for (seed = 0; seed < 50; seed++) {
			sf_random_seed(&rng, seed, count);
			/* From all of one sign to none, and half of them with ties. */
			for (i = 0; i < count; i++)
				differences[i] =
					uniform(&rng) + 0.05 * seed - 1;
			for (i = 0; seed % 2 && i < count; i++)
				differences[i] = round(3 * differences[i]) / 10;
			assert_true(sf_flips_p(differences, count, TIES, 1,
					       &exact) ==
				    count_flips(differences, count));
			assert_true(exact);
		}
}

static void test_flips_known(void **unused)
{
	static const double same[] = { 0.1, 0.1, 0.1, 0.1, 0.1, 0.1 };
	static const double one_less[] = { 5, 4, 3, 2, -1 };
	static const double zeroes[12];
	bool exact;

	(void)unused;
	assert_true(sf_flips_p(same, 6, TIES, 1, &exact) == 2.0 / 64);
	/* 13 of 15: it, all of one sign, and 15 - 2 * 1 only. */
	assert_true(sf_flips_p(one_less, 5, TIES, 1, &exact) == 4.0 / 32);
	assert_true(sf_flips_p(zeroes, 12, TIES, 1, &exact) == 1);
	assert_true(sf_flips_p(zeroes, 0, TIES, 1, &exact) == 1);
	assert_true(exact);
}

/* 2^40 patterns: of 40 times 1, the sum is 20 or more, either way, if 30 have a sign. */
static void test_flips_of_forty(void **unused)
{
	double differences[SF_EXACT_PAIRS], p = 0;
	clock_t began;
	bool exact;
	size_t i;

	(void)unused;
	for (i = 0; i < SF_EXACT_PAIRS; i++)
		differences[i] = i < 30 ? 1 : -1;
	for (i = 30; i <= 40; i++)
		p += 2 * binomial(40, i, 0.5);
	began = clock();
	assert_float_equal(sf_flips_p(differences, 40, TIES, 1, &exact), p,
			   1e-12);
	assert_true(exact);
	assert_true(clock() - began < 5 * CLOCKS_PER_SEC);
}

static void test_flips_at_random(void **unused)
{
	double differences[100], p = 0;
	bool exact;
	size_t i;

	(void)unused;
	for (i = 0; i < 100; i++)
		differences[i] = i < 60 ? 1 : -1;
	for (i = 60; i <= 100; i++)
		p += 2 * binomial(100, i, 0.5);
	/* p is 0.057; its error from 99999 patterns is 0.0007. */
	assert_near("p", sf_flips_p(differences, 100, TIES, 1, &exact), p,
		    p * (1 - p) / 1e5);
	assert_false(exact);
	assert_true(sf_flips_p(differences, 100, TIES, 1, &exact) ==
		    sf_flips_p(differences, 100, TIES, 1, &exact));
	assert_true(sf_flips_p(differences, 100, TIES, 1, &exact) !=
		    sf_flips_p(differences, 100, TIES, 2, &exact));
	for (i = 0; i < 41; i++)
		differences[i] = 1 + i;
	assert_true(sf_flips_p(differences, 41, TIES, 1, &exact) == 1e-5);
	assert_false(exact);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_summary),
		cmocka_unit_test(test_summary_of_few),
		cmocka_unit_test(test_drift),
		cmocka_unit_test(test_drift_on_a_line),
		cmocka_unit_test(test_no_outliers),
		cmocka_unit_test(test_planted_outlier),
		cmocka_unit_test(test_outliers_of_equal_values),
		cmocka_unit_test(test_outliers_of_many),
		cmocka_unit_test(test_flips_counted),
		cmocka_unit_test(test_flips_known),
		cmocka_unit_test(test_flips_of_forty),
		cmocka_unit_test(test_flips_at_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
