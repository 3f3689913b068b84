// SPDX-License-Identifier: GPL-2.0-or-later
/* Bursts: when a CPU is too deep, and the average that says so. */
#include "unit.h"

#include <schedflip/burst.h>

static const enum sf_burst_policy averaging[] = { SF_BURST_SPREAD,
						  SF_BURST_NEAREST };

static void assert_over(enum sf_burst_policy policy, u32 depth, u32 min_depth,
			u32 factor, u32 average, bool want)
{
	if (sf_burst_is_over(policy, depth, min_depth, factor, average) == want)
		return;
	fail_msg("%s: depth %u of %u, %u times %u/1024: should be %d",
		 sf_burst_names[policy].name, depth, min_depth, factor, average,
		 want);
}

/* Without an average worth the name, the depth alone decides, to the task. */
static void test_min_depth(void **arg)
{
	static const u32 depths[] = { 1, 2, 3, 4095, SF_BURST_MAX_DEPTH };
	u32 policy, average;
	size_t d;

	(void)arg;
	for (policy = SF_BURST_IDLE; policy < SF_NR_BURST; policy++) {
		for (d = 0; d < ARRAY_SIZE(depths); d++) {
			u32 min = depths[d];

			for (average = 0; average <= 1; average++) {
				assert_over(policy, 0, min, 3, average, false);
				assert_over(policy, min - 1, min, 3, average,
					    false);
				assert_over(policy, min, min, 3, average, true);
				assert_over(policy, min + 1, min, 3, average,
					    true);
			}
		}
	}
}

/* Li's threshold is a depth and nothing else. */
static void test_idle(void **arg)
{
	static const u32 averages[] = { 0, 1, 1024, 1 << 20, UINT32_MAX };
	static const u32 factors[] = { 1, 3, SF_BURST_MAX_FACTOR };
	size_t a, f;
	u32 depth;

	(void)arg;
	for (a = 0; a < ARRAY_SIZE(averages); a++)
		for (f = 0; f < ARRAY_SIZE(factors); f++)
			for (depth = 0; depth < 20; depth++)
				assert_over(SF_BURST_IDLE, depth, 8, factors[f],
					    averages[a], depth >= 8);
}

/*
 * At so many times the average exactly it is over; a 1/1024 of a task more in
 * the average, or a task less in the depth, and it is not.
 */
static void test_factor_edge(void **arg)
{
	u32 factor, tasks, edge;
	size_t p;

	(void)arg;
	for (p = 0; p < ARRAY_SIZE(averaging); p++) {
		enum sf_burst_policy policy = averaging[p];

		for (factor = 1; factor <= SF_BURST_MAX_FACTOR; factor++) {
			for (tasks = 1; tasks <= 64; tasks++) {
				u32 average = tasks * SF_DEPTH_ONE;

				edge = factor * tasks;
				assert_over(policy, edge, 1, factor, average,
					    true);
				assert_over(policy, edge, 1, factor,
					    average + 1, false);
				assert_over(policy, edge, 1, factor,
					    average - 1, true);
				assert_over(policy, edge - 1, 1, factor,
					    average, false);
				/* The other threshold holds all the same. */
				assert_over(policy, edge, edge + 1, factor,
					    average, false);
			}
		}
	}
}

/* Products of the largest values are not cut off. */
static void test_largest(void **arg)
{
	const u32 depth = SF_BURST_MAX_DEPTH, factor = SF_BURST_MAX_FACTOR;
	size_t p;

	(void)arg;
	for (p = 0; p < ARRAY_SIZE(averaging); p++) {
		enum sf_burst_policy policy = averaging[p];

		assert_over(policy, depth, depth, factor, UINT32_MAX, false);
		/* 64 times this is 2^32, which 32 bits would take for 0. */
		assert_over(policy, depth, depth, factor, 1 << 26, false);
		assert_over(policy, depth, depth, factor, depth * 16, true);
		assert_over(policy, depth, depth, factor, depth * 16 + 1,
			    false);
		assert_over(policy, depth, depth, 1, depth * 1024, true);
		/* 2^22 tasks are 2^32 in the unit of averages. */
		assert_over(policy, 1 << 22, depth, 1, UINT32_MAX, true);
		assert_over(policy, 1 << 22, depth, 2, UINT32_MAX, false);
		assert_over(policy, UINT32_MAX, depth, factor, UINT32_MAX,
			    true);
	}
}

/* Against the same in numbers that hold everything. */
static void test_random(void **arg)
{
	struct sf_rng rng = { .state = 1 };
	u32 i, depth, min, factor, average;
	bool deep, far;

	(void)arg;
	for (i = 0; i < 1000000; i++) {
		depth = sf_random_below(&rng, SF_BURST_MAX_DEPTH + 1);
		min = 1 + sf_random_below(&rng, SF_BURST_MAX_DEPTH);
		factor = 1 + sf_random_below(&rng, SF_BURST_MAX_FACTOR);
		average = sf_random(&rng) >> sf_random_below(&rng, 32);
		deep = depth >= min;
		far = depth * 1024.0L >= (long double)factor * average;
		assert_over(SF_BURST_IDLE, depth, min, factor, average, deep);
		assert_over(SF_BURST_SPREAD, depth, min, factor, average,
			    deep && far);
		assert_over(SF_BURST_NEAREST, depth, min, factor, average,
			    deep && far);
	}
}

/* Passes over @cpus CPUs with @tasks in all, one after the other. */
static void pass(struct sf_depth *depth, u32 tasks, u32 cpus, u32 passes)
{
	while (passes--)
		depth->sum = sf_depth_next(depth, tasks, cpus);
}

/* An average that has settled at @tasks a CPU. */
static struct sf_depth settled(u32 tasks)
{
	return (struct sf_depth){ tasks * SF_DEPTH_ONE << SF_DEPTH_SHIFT };
}

static const u32 levels[] = { 0, 1, 2, 3, 7, 10, 100, 4096, 100000, 500000 };

/*
 * The eighth that goes is rounded down, so the sum is at most 7 too large; the
 * average is an eighth of it, rounded down too. So it is at most 7/8 of a unit,
 * which is 1/1024 of a task, off the exact step response, up or down.
 */
static void assert_step(u32 from, u32 to)
{
	struct sf_depth depth = settled(from);
	double left = ((double)from - to) * SF_DEPTH_ONE, exact, off;
	u32 n;

	for (n = 0; n <= 200; n++) {
		exact = (double)to * SF_DEPTH_ONE + left * pow(0.875, n);
		off = sf_depth_average(&depth) - exact;
		if (fabs(off) > 0.875 + 1e-6)
			fail_msg("from %u to %u: %.3f off after %u passes",
				 from, to, off, n);
		pass(&depth, to, 1, 1);
	}
	/* There, to the unit, and it does not leave any more. */
	for (n = 0; n < 10000; n++) {
		assert_int_equal(sf_depth_average(&depth), to * SF_DEPTH_ONE);
		pass(&depth, to, 1, 1);
	}
}

static void test_step(void **arg)
{
	size_t from, to;

	(void)arg;
	for (from = 0; from < ARRAY_SIZE(levels); from++)
		for (to = 0; to < ARRAY_SIZE(levels); to++)
			assert_step(levels[from], levels[to]);
}

/* 7.5 passes leave 1/e: so 15 leave 1/e^2, and 30 1/e^4, within 1%. */
static void test_time_constant(void **arg)
{
	struct sf_depth up = settled(0), down = settled(1000);
	const double whole = 1000 * SF_DEPTH_ONE;
	u32 passes;

	(void)arg;
	for (passes = 15; passes <= 30; passes += 15) {
		double left = exp(-(passes / 7.5)) * whole;

		pass(&up, 1000, 1, 15);
		pass(&down, 0, 1, 15);
		assert_float_equal(whole - sf_depth_average(&up), left,
				   left / 100);
		assert_float_equal(sf_depth_average(&down), left, left / 100);
	}
}

/* What one pass adds to nothing is the depth it saw, rounded down. */
static void test_sample(void **arg)
{
	struct sf_depth none = { 0 };
	u32 tasks, cpus;

	(void)arg;
	assert_int_equal(sf_depth_next(&none, 1, 3), 341);
	assert_int_equal(sf_depth_next(&none, 2, 3), 682);
	assert_int_equal(sf_depth_next(&none, 1, 2000), 0);
	for (cpus = 1; cpus <= SF_DEPTH_SAMPLE; cpus++)
		for (tasks = 0; tasks < 1000; tasks++)
			assert_int_equal(sf_depth_next(&none, tasks, cpus),
					 (u32)(tasks * 1024.0 / cpus));
}

/* Constant input of any fraction is reached from both sides, and is exact. */
static void test_fractions(void **arg)
{
	u32 cpus, tasks, want;

	(void)arg;
	for (cpus = 1; cpus <= SF_DEPTH_SAMPLE; cpus++) {
		for (tasks = 0; tasks < 200; tasks++) {
			struct sf_depth up = { 0 }, down = settled(500);

			want = tasks * SF_DEPTH_ONE / cpus;
			pass(&up, tasks, cpus, 200);
			pass(&down, tasks, cpus, 200);
			assert_int_equal(sf_depth_average(&up), want);
			assert_int_equal(sf_depth_average(&down), want);
			pass(&up, tasks, cpus, 100);
			assert_int_equal(sf_depth_average(&up), want);
		}
	}
}

/* Input that changes all the time: the error does not build up. */
static void test_no_drift(void **arg)
{
	struct sf_rng rng = { .state = 2 };
	struct sf_depth depth = { 0 };
	double exact = 0;
	u32 i, tasks, cpus, sample;

	(void)arg;
	for (i = 0; i < 1000000; i++) {
		cpus = 1 + sf_random_below(&rng, SF_DEPTH_SAMPLE);
		tasks = sf_random_below(&rng, 1000);
		sample = (u64)tasks * SF_DEPTH_ONE / cpus;
		exact += (sample - exact) / 8;
		pass(&depth, tasks, cpus, 1);
		assert_true(fabs(sf_depth_average(&depth) - exact) < 1);
	}
}

static void assert_million(u32 cpus)
{
	const u64 want = 1000000ull * SF_DEPTH_ONE / cpus;
	struct sf_depth depth = { 0 };
	u32 n, before = 0;

	for (n = 0; n < 300; n++) {
		pass(&depth, 1000000, cpus, 1);
		if (sf_depth_average(&depth) < before)
			fail_msg("overflow: average %u after %u in pass %u",
				 sf_depth_average(&depth), before, n + 1);
		before = sf_depth_average(&depth);
	}
	assert_int_equal(before, want);
}

/* A million runnable tasks are no reason to overflow. */
static void test_million(void **arg)
{
	u32 cpus;

	(void)arg;
	for (cpus = 2; cpus <= SF_DEPTH_SAMPLE; cpus++)
		assert_million(cpus);
}

/* Nor are they on a single CPU. */
static void test_million_one_cpu(void **arg)
{
	(void)arg;
	assert_million(1);
}

/* What it begins with is what it would come to, and stays there. */
static void test_first(void **arg)
{
	struct sf_depth depth;
	u32 tasks, cpus, n;

	(void)arg;
	for (tasks = 0; tasks < 100; tasks++) {
		for (cpus = 1; cpus <= 32; cpus++) {
			depth.sum = sf_depth_first(tasks, cpus);
			assert_int_equal(sf_depth_average(&depth),
					 tasks * SF_DEPTH_ONE / cpus);
			for (n = 0; n < 20; n++)
				depth.sum = sf_depth_next(&depth, tasks, cpus);
			assert_int_equal(sf_depth_average(&depth),
					 tasks * SF_DEPTH_ONE / cpus);
		}
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first),
		cmocka_unit_test(test_min_depth),
		cmocka_unit_test(test_idle),
		cmocka_unit_test(test_factor_edge),
		cmocka_unit_test(test_largest),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_step),
		cmocka_unit_test(test_time_constant),
		cmocka_unit_test(test_sample),
		cmocka_unit_test(test_fractions),
		cmocka_unit_test(test_no_drift),
		cmocka_unit_test(test_million),
		cmocka_unit_test(test_million_one_cpu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
