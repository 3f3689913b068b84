// SPDX-License-Identifier: GPL-2.0-or-later
/* Jitter: its count, its one point a cell, the rate of every single call. */
#include "unit.h"

#include <string.h>

static bool jitter(struct sf_window *win, u32 weight)
{
	return sf_newidle_decide(SF_NEWIDLE_JITTER, win, weight);
}

/*
 * Each full cell has had its attempt and the current one may have: so many
 * attempts, or one more, have been made after every call.
 */
static void assert_count(u64 attempts, u64 sum)
{
	if (attempts != sum / SF_CELL && attempts != sum / SF_CELL + 1)
		fail_msg("%llu attempts at %llu/1024",
			 (unsigned long long)attempts, (unsigned long long)sum);
}

/* All ratios, from starts all over the cell. */
static void test_count(void **arg)
{
	u32 start, weight, i;

	(void)arg;
	for (weight = 1; weight <= SF_CELL; weight++) {
		for (start = weight % 7; start < SF_CELL; start += 31) {
			struct sf_window win = window(1, start, start);
			u64 attempts = 0, sum = start;

			for (i = 0; i < 1000; i++) {
				attempts += jitter(&win, weight);
				sum += weight;
				assert_count(attempts, sum);
			}
			assert_int_equal(win.pos, sum % SF_CELL);
		}
	}
}

/* All starts, the weight changing at every call, often to an edge. */
static void test_count_changing(void **arg)
{
	static const u32 edges[] = { 0, 1, 2, 511, 512, 513, 1022, 1023, 1024 };
	struct sf_rng rng = { .state = 2 };
	u32 start, i, weight;

	(void)arg;
	for (start = 0; start < SF_CELL; start++) {
		struct sf_window win = window(2, start, start);
		u64 attempts = 0, sum = start;

		for (i = 0; i < 5000; i++) {
			if (sf_random(&rng) & 1)
				weight = sf_random_below(&rng, 1025);
			else
				weight = edges[sf_random_below(
					&rng, ARRAY_SIZE(edges))];
			attempts += jitter(&win, weight);
			sum += weight;
			assert_count(attempts, sum);
			assert_true(win.pos == sum % SF_CELL &&
				    win.theta < SF_CELL);
		}
	}
}

/* One who sees the point makes calls that end just before, at or after it. */
static void test_count_adversary(void **arg)
{
	struct sf_rng rng = { .state = 3 };
	struct sf_window win = window(3, 0, 0);
	u64 attempts = 0, sum = 0;
	u32 i, weight;

	(void)arg;
	for (i = 0; i < 5000000; i++) {
		weight = (win.theta - win.pos + sf_random_below(&rng, 4)) %
			 SF_CELL;
		attempts += jitter(&win, weight);
		sum += weight;
		assert_count(attempts, sum);
	}
	assert_true(attempts > 10000);
}

/*
 * Between any two calls the count is less than two off. More cannot be had of
 * one free point a cell: the last call of a cell and the first of the next may
 * both attempt. It does come to nearly two.
 */
static void test_any_window(void **arg)
{
	double least, most, error, worst = 0;
	u32 weight, i;

	(void)arg;
	for (weight = 1; weight <= SF_CELL; weight++) {
		struct sf_window win = window(4, weight, 0);
		double attempts = 0;

		least = most = 0;
		for (i = 1; i < 30000; i++) {
			attempts += jitter(&win, weight);
			error = attempts - i * weight / 1024.0;
			least = fmin(least, error);
			most = fmax(most, error);
		}
		assert_true(most - least < 2);
		worst = fmax(worst, most - least);
	}
	assert_true(worst > 1.9);
	printf("# jitter: in any window less than 2 off, worst seen %.4f\n",
	       worst);
}

/*
 * Where cells are whole numbers of calls, each cell has exactly one attempt, at
 * any of them. 7 checks, 1 false alarm in 500,000.
 */
static void test_one_a_cell(void **arg)
{
	static u32 counts[1024];
	u32 weight, calls, cell, i, attempts;

	(void)arg;
	for (weight = 1; weight <= 64; weight *= 2) {
		struct sf_window win = window(5, weight, 0);

		calls = SF_CELL / weight;
		memset(counts, 0, sizeof(counts));
		for (cell = 0; cell < 60000; cell++) {
			for (i = 0, attempts = 0; i < calls; i++) {
				bool attempt = jitter(&win, weight);

				counts[i] += attempt;
				attempts += attempt;
			}
			assert_int_equal(attempts, 1);
		}
		assert_uniform("place in the cell", counts, calls);
	}
}

/*
 * The exact probability that a call attempts, followed from call to call:
 * @open is the probability that this cell's point still lies ahead, uniform.
 */
static double exact_rate(u32 *pos, double *open, u32 weight)
{
	u32 end = *pos + weight;
	double rate = *open, into;

	if (end < SF_CELL) {
		rate *= (double)weight / (SF_CELL - *pos);
		*open -= rate;
	} else {
		end -= SF_CELL;
		into = *pos ? (1 - *open) * end / *pos : 0;
		rate += into;
		*open = 1 - into;
	}
	*pos = end;
	return rate;
}

enum {
	CALLS = 60,
	RUNS = 20000
};

/* How often each of the first calls attempts, in many runs from one start. */
static void measure(u64 seed, u32 start, const u32 *weights, u32 *counts)
{
	u32 run, i;

	memset(counts, 0, CALLS * sizeof(*counts));
	for (run = 0; run < RUNS; run++) {
		struct sf_window win = window(seed, run, start);

		for (i = 0; i < CALLS; i++)
			counts[i] += jitter(&win, weights[i]);
	}
}

static void assert_rates(u64 seed, u32 start, const u32 *weights)
{
	double open = 1, rate;
	u32 counts[CALLS], pos = start, i;

	measure(seed, start, weights, counts);
	for (i = 0; i < CALLS; i++) {
		rate = exact_rate(&pos, &open, weights[i]);
		/* From a whole cell on, each call has its weight's rate. */
		if (start == 0)
			assert_float_equal(rate, weights[i] / 1024.0, 1e-9);
		assert_rate("one call", counts[i], RUNS, rate);
	}
}

/* 60 calls, 30 weights, 5 starts: 1 false alarm in 190. */
static void test_rate_of_each_call(void **arg)
{
	static const u32 starts[] = { 0, 256, 512, 341, 1023 };
	static const u32 weights[] = { 1,   2,	 16,  31,   32,	  33,  64,  100,
				       128, 200, 255, 256,  257,  300, 341, 342,
				       400, 500, 511, 512,  513,  600, 682, 683,
				       767, 768, 900, 1000, 1023, 1024 };
	u32 same[CALLS], i;
	size_t w, s;

	(void)arg;
	for (w = 0; w < ARRAY_SIZE(weights); w++) {
		for (i = 0; i < CALLS; i++)
			same[i] = weights[w];
		for (s = 0; s < ARRAY_SIZE(starts); s++)
			assert_rates(6 + w, starts[s], same);
	}
}

/* The same with a new weight for each call. 1 false alarm in 900. */
static void test_rate_changing(void **arg)
{
	struct sf_rng rng = { .state = 7 };
	u32 weights[CALLS], i, round;

	(void)arg;
	for (round = 0; round < 32; round++) {
		for (i = 0; i < CALLS; i++)
			weights[i] = sf_random_below(&rng, 1025);
		assert_rates(50 + round, 0, weights);
	}
}

/*
 * A start in mid-cell gives that cell its attempt all the same; the calls
 * forget it within a few cells, unless the weight is near a whole cell.
 */
static void test_start_forgotten(void **arg)
{
	double open, rate, off, worst = 0;
	u32 start, weight, pos, sum;

	(void)arg;
	for (weight = 1; weight <= 768; weight++) {
		for (start = 0; start < SF_CELL; start += 11) {
			pos = start;
			open = 1;
			for (sum = start; sum < 10 * SF_CELL; sum += weight) {
				rate = exact_rate(&pos, &open, weight);
				off = fabs(rate - weight / 1024.0);
				if (sum > 9 * SF_CELL)
					worst = fmax(worst, off);
			}
		}
	}
	printf("# jitter: nine cells after a start rates are off by %.1g\n",
	       worst);
	assert_true(worst < 0.01);
}

/*
 * Two CPUs in lockstep attempt together as often as chance has it: their
 * random numbers are their own. 64 checks, 1 false alarm in 27000.
 */
static void test_cpus_independent(void **arg)
{
	const u32 weight = 128, cells = 2000;
	u32 cpu, cell, i, together;

	(void)arg;
	for (cpu = 0; cpu < 64; cpu++) {
		struct sf_window one = window(8, cpu, 0);
		struct sf_window two = window(8, cpu + 1, 0);

		for (cell = 0, together = 0; cell < cells; cell++)
			for (i = 0; i < SF_CELL / weight; i++)
				together += jitter(&one, weight) &
					    jitter(&two, weight);
		assert_rate("together", together, cells, weight / 1024.0);
	}
}

/* Skips draw nothing: the hot path has no random number in it. */
static void test_draws(void **arg)
{
	struct sf_window win = window(9, 0, 0);
	u32 i;

	(void)arg;
	for (i = 0; i < 100000; i++) {
		u64 state = win.rng.state;
		u32 pos = win.pos;

		jitter(&win, 32);
		assert_int_equal(win.rng.state != state, win.pos < pos);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_count),
		cmocka_unit_test(test_count_changing),
		cmocka_unit_test(test_count_adversary),
		cmocka_unit_test(test_any_window),
		cmocka_unit_test(test_one_a_cell),
		cmocka_unit_test(test_rate_of_each_call),
		cmocka_unit_test(test_rate_changing),
		cmocka_unit_test(test_start_forgotten),
		cmocka_unit_test(test_cpus_independent),
		cmocka_unit_test(test_draws),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
