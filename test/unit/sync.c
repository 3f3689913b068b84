// SPDX-License-Identifier: GPL-2.0-or-later
/* The synchrony meter: what it says of rules whose synchrony is known. */
#include "unit.h"

#include <schedflip/sync.h>

enum {
	CPUS = 64,
	INTERVALS = 4096
};

static double expected(const struct sf_sync *sync)
{
	return sync->expected + ldexp(sync->fraction, -20);
}

static double quotient(const struct sf_sync *sync)
{
	return sync->pairs / expected(sync);
}

/*
 * Mean and variance of the pairs of one interval whose CPUs decide each on its
 * own, CPU i with probability p: pairs that share a CPU are not independent.
 */
static void add_moments(const double *p, u32 cpus, double *mean, double *var)
{
	double sum = 0, squares = 0, others, other_squares;
	u32 i, j;

	for (i = 0; i < cpus; i++) {
		sum += p[i];
		squares += p[i] * p[i];
	}
	for (i = 0; i < cpus; i++) {
		others = sum - p[i];
		other_squares = squares - p[i] * p[i];
		*var += p[i] * (1 - p[i]) * (others * others - other_squares);
		for (j = 0; j < i; j++) {
			*mean += p[i] * p[j];
			*var += p[i] * p[j] * (1 - p[i] * p[j]);
		}
	}
}

/* Weights are given, or drawn anew for every call if @weight is above 1024. */
static void assert_independent(u64 seed, u32 cpus, u32 weight)
{
	struct sf_rng rng = { .state = seed };
	struct sf_sync sync = { 0 };
	double p[CPUS], mean = 0, var = 0;
	u32 interval, cpu, w;

	for (interval = 0; interval < INTERVALS; interval++) {
		for (cpu = 0; cpu < cpus; cpu++) {
			w = weight > 1024 ? sf_random_below(&rng, 1025) :
					    weight;
			p[cpu] = w / 1024.0;
			sf_sync_call(&sync, interval, w,
				     sf_random_below(&rng, 1024) < w);
		}
		add_moments(p, cpus, &mean, &var);
	}
	assert_float_equal(expected(&sync) / mean, 1, 1e-9);
	assert_near("pairs", sync.pairs, mean, var);
}

/*
 * About 1 where each call decides on its own: within 5 standard errors, one of
 * which is 0.007 for 64 CPUs at 256/1024. 64 checks, and pairs of few CPUs are
 * not quite normal: 1 false alarm in 10,000.
 */
static void test_independent(void **arg)
{
	static const u32 cpus[] = { 2, 3, 8, CPUS };
	static const u32 weights[] = { 256, 512, 1000, 1025 };
	size_t c, w;
	u64 seed;

	(void)arg;
	for (c = 0; c < ARRAY_SIZE(cpus); c++)
		for (w = 0; w < ARRAY_SIZE(weights); w++)
			for (seed = 1; seed <= 4; seed++)
				assert_independent(seed, cpus[c], weights[w]);
}

/*
 * The check must be able to fail. Where CPUs decide alike by fours, 96 of 2016
 * pairs are 4 times as frequent: 1 + 3 * 96/2016, within 5 standard errors of
 * 0.014, which is 20 of those that independent CPUs have.
 */
static void test_control_alike(void **arg)
{
	struct sf_rng rng = { .state = 11 };
	struct sf_sync sync = { 0 };
	u32 interval, cpu;
	bool attempt = false;

	(void)arg;
	for (interval = 0; interval < INTERVALS; interval++) {
		for (cpu = 0; cpu < CPUS; cpu++) {
			if (cpu % 4 == 0)
				attempt = sf_random_below(&rng, 1024) < 256;
			sf_sync_call(&sync, interval, 256, attempt);
		}
	}
	assert_float_equal(quotient(&sync), 1.1429, 0.07);
	assert_true(quotient(&sync) > 1 + SIGMAS * 0.007);
}

/* CPUs that call in every interval, all with the same policy and ratio. */
static struct sf_sync run(enum sf_newidle policy, u32 ratio, u64 seed,
			  enum sf_start start, u32 intervals)
{
	u32 weight = sf_newidle_weight(policy, ratio), interval, cpu;
	struct sf_window windows[CPUS];
	struct sf_sync sync = { 0 };

	for (cpu = 0; cpu < CPUS; cpu++) {
		windows[cpu] = window(seed, cpu, 0);
		sf_window_start(&windows[cpu], sf_start_pos(start, cpu, CPUS,
							    &windows[cpu].rng));
	}
	for (interval = 0; interval < intervals; interval++)
		for (cpu = 0; cpu < CPUS; cpu++)
			sf_sync_call(&sync, interval, weight,
				     sf_newidle_decide(policy, &windows[cpu],
						       weight));
	return sync;
}

/* In lockstep all attempt every n-th time, n times as often as by chance. */
static void test_lockstep(void **arg)
{
	static const u32 every[] = { 1, 2, 4, 8, 64, 256 };
	enum sf_start start;
	struct sf_sync sync;
	size_t i;

	(void)arg;
	for (start = SF_START_ZERO; start <= SF_START_HALF; start++) {
		for (i = 0; i < ARRAY_SIZE(every); i++) {
			sync = run(SF_NEWIDLE_ACCUMULATOR, 1024 / every[i] - 1,
				   21, start, INTERVALS);
			assert_int_equal(sync.pairs, INTERVALS / every[i] *
							     CPUS * (CPUS - 1) /
							     2);
			assert_true(quotient(&sync) == every[i]);
		}
	}
}

/* Lockstep with a rate that does not divide the cell: 1024/w all the same. */
static void test_lockstep_any(void **arg)
{
	u32 weight;

	(void)arg;
	for (weight = 64; weight <= 1024; weight += 37) {
		struct sf_sync sync = run(SF_NEWIDLE_ACCUMULATOR, weight - 1,
					  22, SF_START_ZERO, INTERVALS);

		assert_float_equal(quotient(&sync), 1024.0 / weight,
				   1024.0 / weight / 200);
	}
}

/* Mean of many runs with other random numbers, and its standard error. */
static void measure(enum sf_newidle policy, u32 ratio, enum sf_start start,
		    double *mean, double *error)
{
	enum {
		RUNS = 200
	};
	double sum = 0, squares = 0, q;
	struct sf_sync sync;
	u64 seed;

	for (seed = 0; seed < RUNS; seed++) {
		sync = run(policy, ratio, 100 + seed, start, 512);
		q = quotient(&sync);
		sum += q;
		squares += q * q;
	}
	*mean = sum / RUNS;
	*error = sqrt((squares / RUNS - *mean * *mean) / (RUNS - 1));
}

/*
 * Jitter's calls attempt with the rate of their weight and each on its own,
 * even if all start at the same place. Within 5 standard errors, taken from 200
 * runs, for which they are 5.2; errors below 1%. 5 checks, 1 in 200,000.
 */
static void test_jitter(void **arg)
{
	static const u32 ratios[] = { 31, 99, 255, 511, 767 };
	double mean, error;
	size_t i;

	(void)arg;
	for (i = 0; i < ARRAY_SIZE(ratios); i++) {
		measure(SF_NEWIDLE_JITTER, ratios[i], SF_START_ZERO, &mean,
			&error);
		printf("# sync: jitter at %u: %.4f, standard error %.4f\n",
		       ratios[i], mean, error);
		assert_true(error < 0.01);
		assert_true(fabs(mean - 1) <= 5.2 * error);
	}
}

/* Dice roll one position too well: ((w + 1) / w)^2. */
static void test_dice(void **arg)
{
	double mean, error;

	(void)arg;
	measure(SF_NEWIDLE_DICE, 255, SF_START_ZERO, &mean, &error);
	assert_true(error < 0.01);
	assert_true(fabs(mean - pow(257 / 256.0, 2)) <= 5.2 * error);
}

/* Evenly spread starts: 16 of 64 in each interval, less than chance has. */
static void test_staggered(void **arg)
{
	struct sf_sync sync = run(SF_NEWIDLE_ACCUMULATOR, 255, 31,
				  SF_START_STAGGER, INTERVALS);

	(void)arg;
	assert_int_equal(sync.pairs, INTERVALS * 16 * 15 / 2);
	assert_true(quotient(&sync) < 1);
	assert_float_equal(quotient(&sync), 120 / 126.0, 1e-9);
	/* At 1 in 64 no two of them ever meet. */
	sync = run(SF_NEWIDLE_ACCUMULATOR, 15, 31, SF_START_STAGGER, INTERVALS);
	assert_int_equal(sync.pairs, 0);
	assert_true(expected(&sync) > 0);
}

/* Nothing of one interval is paired with anything of another, later or not. */
static void test_new_interval(void **arg)
{
	static const u64 intervals[] = { 0, 1, 7, 6, UINT64_MAX, 0, 1 };
	struct sf_sync sync = { 0 };
	size_t i;

	(void)arg;
	for (i = 0; i < ARRAY_SIZE(intervals); i++) {
		sf_sync_call(&sync, intervals[i], 1024, true);
		assert_int_equal(sync.pairs, i);
		assert_int_equal(sync.expected, i);
		sf_sync_call(&sync, intervals[i], 1024, true);
		assert_int_equal(sync.pairs, i + 1);
		assert_int_equal(sync.expected, i + 1);
		assert_int_equal(sync.attempts, 2);
		assert_int_equal(sync.weights, 2048);
	}
}

/* The sums over all pairs of one interval, whatever the order of the calls. */
static void test_all_pairs(void **arg)
{
	struct sf_rng rng = { .state = 41 };
	struct sf_sync sync = { 0 };
	u32 weights[CPUS], interval, i, j;
	u64 pairs = 0, products = 0;
	bool attempts[CPUS];

	(void)arg;
	for (interval = 1; interval <= 1000; interval++) {
		for (i = 0; i < CPUS; i++) {
			weights[i] = sf_random_below(&rng, 1025);
			attempts[i] = sf_random_below(&rng, 2);
			sf_sync_call(&sync, interval, weights[i], attempts[i]);
			for (j = 0; j < i; j++) {
				pairs += attempts[i] && attempts[j];
				products += (u64)weights[i] * weights[j];
			}
		}
		assert_true(sync.pairs == pairs &&
			    (sync.expected << 20) + sync.fraction == products);
	}
}

static void test_single_cpu(void **arg)
{
	struct sf_sync sync = { 0 };
	u32 interval;

	(void)arg;
	for (interval = 0; interval < INTERVALS; interval++)
		sf_sync_call(&sync, interval, 1024, true);
	assert_int_equal(sync.pairs, 0);
	assert_int_equal(sync.expected, 0);
}

/* Always and never: exactly as expected, all pairs and none. */
static void test_edges(void **arg)
{
	struct sf_sync sync =
		run(SF_NEWIDLE_ALWAYS, 0, 51, SF_START_ZERO, 1000);

	(void)arg;
	assert_int_equal(sync.pairs, 1000 * 2016);
	assert_true(quotient(&sync) == 1);
	assert_true(sf_sync_expected_milli(&sync) == 1000 * 2016 * 1000);
	sync = run(SF_NEWIDLE_NEVER, 1024, 51, SF_START_ZERO, 1000);
	assert_int_equal(sync.pairs, 0);
	assert_int_equal(sync.expected, 0);
	/* One that cannot attempt changes nothing for one that must. */
	sync = (struct sf_sync){ 0 };
	sf_sync_call(&sync, 1, 0, false);
	sf_sync_call(&sync, 1, 1024, true);
	assert_true(sync.pairs == 0 && sync.expected == 0);
	sf_sync_call(&sync, 1, 1024, true);
	assert_true(sync.pairs == 1 && sync.expected == 1);
}

/* 8192 CPUs that all attempt in one interval, 1000 times, are not too many. */
static void test_largest(void **arg)
{
	const u64 cpus = 8192, want = 1000 * cpus * (cpus - 1) / 2;
	struct sf_sync sync = { 0 };
	u32 interval, cpu;

	(void)arg;
	for (interval = 0; interval < 1000; interval++)
		for (cpu = 0; cpu < cpus; cpu++)
			sf_sync_call(&sync, interval, 1024, true);
	assert_true(sync.pairs == want && sync.expected == want);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_independent),
		cmocka_unit_test(test_control_alike),
		cmocka_unit_test(test_lockstep),
		cmocka_unit_test(test_lockstep_any),
		cmocka_unit_test(test_jitter),
		cmocka_unit_test(test_dice),
		cmocka_unit_test(test_staggered),
		cmocka_unit_test(test_new_interval),
		cmocka_unit_test(test_all_pairs),
		cmocka_unit_test(test_single_cpu),
		cmocka_unit_test(test_edges),
		cmocka_unit_test(test_largest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
