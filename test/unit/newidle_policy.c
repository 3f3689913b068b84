// SPDX-License-Identifier: GPL-2.0-or-later
/* Weights, credits, start positions, and all policies but jitter. */
#include "unit.h"

#include <string.h>

static void test_weight(void **arg)
{
	static const struct {
		u32 ratio;
		u32 weight;
	} rows[] = {
		{ 0, 1 },	{ 1, 2 },	   { 255, 256 },
		{ 1022, 1023 }, { 1023, 1024 },	   { 1024, 1024 },
		{ 1025, 1024 }, { 1 << 20, 1024 }, { UINT32_MAX, 1024 },
	};
	static const enum sf_newidle policies[] = {
		SF_NEWIDLE_STOCK,
		SF_NEWIDLE_DICE,
		SF_NEWIDLE_ACCUMULATOR,
		SF_NEWIDLE_JITTER,
	};
	size_t i, j;

	(void)arg;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		for (j = 0; j < ARRAY_SIZE(policies); j++)
			assert_int_equal(sf_newidle_weight(policies[j],
							   rows[i].ratio),
					 rows[i].weight);
		assert_int_equal(sf_newidle_weight(SF_NEWIDLE_ALWAYS,
						   rows[i].ratio),
				 1024);
		assert_int_equal(
			sf_newidle_weight(SF_NEWIDLE_NEVER, rows[i].ratio), 0);
	}
}

/* The nearest whole number to 1024/weight: their product is near 1024. */
static void test_credit(void **arg)
{
	u32 weight;

	(void)arg;
	assert_int_equal(sf_newidle_credit(0), 1);
	for (weight = 1; weight <= SF_CELL; weight++)
		assert_int_equal(sf_newidle_credit(weight),
				 (u32)floor(1024.0 / weight + 0.5));
}

static void test_names(void **arg)
{
	static const char *const policies[] = { "stock",       "dice",
						"accumulator", "jitter",
						"always",      "never" };
	static const char *const starts[] = { "zero", "half", "random",
					      "stagger" };
	u32 i;

	(void)arg;
	assert_int_equal(SF_NR_NEWIDLE, ARRAY_SIZE(policies));
	for (i = 0; i < SF_NR_NEWIDLE; i++) {
		assert_string_equal(sf_newidle_names[i].name, policies[i]);
		assert_int_equal(sf_newidle_names[i].id, i);
	}
	assert_int_equal(SF_NR_START, ARRAY_SIZE(starts));
	for (i = 0; i < SF_NR_START; i++) {
		assert_string_equal(sf_start_names[i].name, starts[i]);
		assert_int_equal(sf_start_names[i].id, i);
	}
}

/* Whatever the weight; they leave the window and its random numbers alone. */
static void test_every_call_or_none(void **arg)
{
	struct sf_window win = window(1, 0, 300), before = win;
	u32 weight;

	(void)arg;
	for (weight = 0; weight <= SF_CELL; weight++) {
		assert_true(sf_newidle_decide(SF_NEWIDLE_STOCK, &win, weight));
		assert_true(sf_newidle_decide(SF_NEWIDLE_ALWAYS, &win, weight));
		assert_false(sf_newidle_decide(SF_NEWIDLE_NEVER, &win, weight));
		assert_memory_equal(&win, &before, sizeof(win));
	}
}

/* The kernel: skip if rnd % 1024 > weight. One number a call, and no state. */
static void test_dice_rule(void **arg)
{
	struct sf_window win = window(2, 0, 700);
	struct sf_rng copy;
	u32 weight, i, dice;

	(void)arg;
	for (weight = 0; weight <= SF_CELL; weight++) {
		for (i = 0; i < 5000; i++) {
			copy = win.rng;
			dice = sf_random_below(&copy, 1024);
			assert_int_equal(sf_newidle_decide(SF_NEWIDLE_DICE,
							   &win, weight),
					 !(dice > weight));
			assert_true(win.rng.state == copy.state);
		}
	}
	assert_int_equal(win.pos, 700);
}

/* 1024 checks of 1 in 1.7 million: 1 false alarm in 1700. */
static void test_dice_rate(void **arg)
{
	const u32 calls = 20000;
	struct sf_window win = window(3, 0, 0);
	u32 weight, i, attempts;

	(void)arg;
	for (weight = 1; weight <= SF_CELL; weight++) {
		for (i = 0, attempts = 0; i < calls; i++)
			attempts += sf_newidle_decide(SF_NEWIDLE_DICE, &win,
						      weight);
		assert_rate("dice", attempts, calls,
			    fmin(weight + 1, 1024) / 1024);
	}
}

/* One step of any weight from any position. */
static void test_accumulator_step(void **arg)
{
	struct sf_window win = { 0 };
	u32 pos, weight;
	bool attempt;

	(void)arg;
	for (pos = 0; pos < SF_CELL; pos++) {
		for (weight = 0; weight <= SF_CELL; weight++) {
			win.pos = pos;
			attempt = sf_newidle_decide(SF_NEWIDLE_ACCUMULATOR,
						    &win, weight);
			if (attempt != (pos + weight >= 1024) ||
			    win.pos != (pos + weight) % 1024)
				fail_msg("from %u by %u", pos, weight);
		}
	}
}

/*
 * attempts == floor((start_pos + weight_sum) / 1024) after every call, from any
 * start, the weight changing at every call: learned ones, edges, and any.
 */
static void test_accumulator_count(void **arg)
{
	static const u32 edges[] = { 0, 1, 2, 512, 1022, 1023, 1024 };
	struct sf_rng rng = { .state = 4 };
	u32 start, i, weight;

	(void)arg;
	for (start = 0; start < SF_CELL; start++) {
		struct sf_window win = window(4, start, start);
		u64 attempts = 0, sum = start;

		for (i = 0; i < 4000; i++) {
			if (i % 3)
				weight = sf_random_below(&rng, 1025);
			else
				weight = edges[sf_random_below(
					&rng, ARRAY_SIZE(edges))];
			attempts += sf_newidle_decide(SF_NEWIDLE_ACCUMULATOR,
						      &win, weight);
			sum += weight;
			if (attempts != sum / 1024 || win.pos != sum % 1024)
				fail_msg("start %u, call %u", start, i);
		}
	}
}

/* Equal weights make gaps of 1024/weight, rounded down or up, and no other. */
static void test_accumulator_gaps(void **arg)
{
	u32 weight, i, last, gap;

	(void)arg;
	for (weight = 1; weight <= SF_CELL; weight++) {
		struct sf_window win = window(5, 0, weight * 7 % 1024);

		for (i = 1, last = 0; i < 5000; i++) {
			if (!sf_newidle_decide(SF_NEWIDLE_ACCUMULATOR, &win,
					       weight))
				continue;
			gap = i - last;
			if (last && gap != 1024 / weight &&
			    gap != (1023 + weight) / weight)
				fail_msg("weight %u: gap %u", weight, gap);
			last = i;
		}
	}
}

static void test_start_fixed(void **arg)
{
	struct sf_rng rng = { .state = 6 };
	u32 rank;

	(void)arg;
	for (rank = 0; rank < 8; rank++) {
		assert_int_equal(sf_start_pos(SF_START_ZERO, rank, 8, &rng), 0);
		assert_int_equal(sf_start_pos(SF_START_HALF, rank, 8, &rng),
				 512);
		assert_int_equal(sf_start_pos(SF_START_STAGGER, rank, 8, &rng),
				 rank * 128);
	}
	assert_true(rng.state == 6);
}

/* Evenly spread over the cell for any number of CPUs, up to 8192. */
static void test_start_stagger(void **arg)
{
	u32 weight, rank, pos, last;

	(void)arg;
	for (weight = 1; weight <= 8192; weight += weight < 1100 ? 1 : 709) {
		for (rank = 0, last = 0; rank < weight; rank++) {
			pos = sf_start_pos(SF_START_STAGGER, rank, weight,
					   NULL);
			assert_in_range(pos, last, 1023);
			assert_int_equal(pos,
					 (u32)floor(1024.0 * rank / weight));
			last = pos;
		}
	}
	/* A domain that is being rebuilt may say anything. */
	assert_int_equal(sf_start_pos(SF_START_STAGGER, 5, 0, NULL), 0);
	assert_in_range(sf_start_pos(SF_START_STAGGER, 9, 8, NULL), 0, 1023);
}

/* 1 false alarm in 3.5 million. */
static void test_start_random(void **arg)
{
	static u32 counts[1024];
	struct sf_rng rng = { .state = 7 };
	u32 i, pos;

	(void)arg;
	for (i = 0; i < 1024 * 500; i++) {
		pos = sf_start_pos(SF_START_RANDOM, i % 8, 8, &rng);
		assert_in_range(pos, 0, 1023);
		counts[pos]++;
	}
	assert_uniform("random start", counts, ARRAY_SIZE(counts));
}

/* The first point lies in what is left of the cell, anywhere in it. */
static void test_window_start(void **arg)
{
	static u32 counts[1024];
	struct sf_window win = window(8, 0, 0);
	u32 pos, i;

	(void)arg;
	for (pos = 0; pos < SF_CELL; pos++) {
		sf_window_start(&win, pos);
		assert_int_equal(win.pos, pos);
		assert_in_range(win.theta, pos, 1023);
	}
	/* 1 false alarm in 3.5 million */
	for (i = 0; i < 24 * 10000; i++) {
		sf_window_start(&win, 1000);
		counts[win.theta - 1000]++;
	}
	assert_uniform("first point", counts, 24);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_weight),
		cmocka_unit_test(test_credit),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_every_call_or_none),
		cmocka_unit_test(test_dice_rule),
		cmocka_unit_test(test_dice_rate),
		cmocka_unit_test(test_accumulator_step),
		cmocka_unit_test(test_accumulator_count),
		cmocka_unit_test(test_accumulator_gaps),
		cmocka_unit_test(test_start_fixed),
		cmocka_unit_test(test_start_stagger),
		cmocka_unit_test(test_start_random),
		cmocka_unit_test(test_window_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
