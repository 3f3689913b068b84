// SPDX-License-Identifier: GPL-2.0-or-later
/* The learned ratio against a model of the kernel's rule. */
#include "unit.h"

#include <schedflip/learner.h>

enum {
	HALF = 512,
	PERIODS = 2000
};

static const u64 start = 1000000007;

/*
 * The rule of update_newidle_stats(), written as a sum: every 512 calls the
 * ratio becomes the credits of these calls plus half the former sum, rounded
 * down, plus (with NI_RATE) one for each 2^22 ns that they took; 1024 at most.
 */
struct model {
	s64 sum;
	s64 ratio;
	u64 stamp;
};

static void model_period(struct model *model, const u32 *credits, u64 now,
			 bool rate)
{
	s64 took = now - model->stamp;
	int i;

	model->sum /= 2;
	for (i = 0; i < HALF; i++)
		model->sum += credits[i];
	model->ratio = model->sum;
	if (rate)
		model->ratio += (took < 0 ? 0 : took) / 4194304;
	if (model->ratio > 1024)
		model->ratio = 1024;
	model->stamp = now;
}

/* Credits of one period: none, few, many, the largest, as the dice fall. */
static void draw_credits(struct sf_rng *rng, u32 *credits)
{
	static const u32 largest[] = { 1, 2, 5, 64, 1024 };
	u32 odds = sf_random_below(rng, 1025), i;
	u32 most = largest[sf_random_below(rng, ARRAY_SIZE(largest))];

	for (i = 0; i < HALF; i++) {
		credits[i] = 0;
		if (sf_random_below(rng, 1024) < odds)
			credits[i] = 1 + sf_random_below(rng, most);
	}
}

static void assert_follows_model(u64 seed, bool rate)
{
	struct sf_rng rng = { .state = seed };
	/* A new domain, as if 512 calls with 512 credits lay behind it. */
	struct model model = { .sum = 512, .ratio = 512, .stamp = start };
	struct sf_learner learner;
	u32 credits[HALF], period, i;
	u64 now = start;
	bool due;

	sf_learner_init(&learner, now);
	for (period = 0; period < PERIODS; period++) {
		draw_credits(&rng, credits);
		for (i = 0; i < HALF; i++) {
			assert_int_equal(learner.ratio, model.ratio);
			assert_int_equal(learner.call, HALF + i);
			/* Up to 8.6 s a period, and now and then back. */
			now += sf_random_below(&rng, 1 << 24);
			if (sf_random_below(&rng, 1000) == 0)
				now -= now / 3;
			/* Time is for the last call; others may pass any. */
			due = sf_learner_is_due(&learner);
			assert_int_equal(due, i == HALF - 1);
			sf_learn(&learner, credits[i], due ? now : 0, rate);
		}
		model_period(&model, credits, now, rate);
	}
	assert_int_equal(learner.ratio, model.ratio);
}

static void test_model(void **arg)
{
	u64 seed;

	(void)arg;
	for (seed = 1; seed <= 4; seed++) {
		assert_follows_model(seed, false);
		assert_follows_model(seed, true);
	}
}

static void test_init(void **arg)
{
	struct sf_learner learner;

	(void)arg;
	sf_learner_init(&learner, start);
	assert_int_equal(learner.call, 512);
	assert_int_equal(learner.success, 256);
	assert_int_equal(learner.ratio, 512);
	assert_true(learner.stamp == start);
}

static void learn_period(struct sf_learner *learner, u32 credit, u64 now,
			 bool rate)
{
	int i;

	for (i = 0; i < HALF; i++)
		sf_learn(learner, credit, now, rate);
}

/* The time of the last of 512 calls counts, to the last nanosecond. */
static void test_rate_table(void **arg)
{
	/* Calls a second, nearly, and what they add. */
	static const struct {
		u64 took;
		u32 ratio;
	} rows[] = {
		{ 0, 0 },
		{ 4194303, 0 },
		{ 4194304, 1 },
		{ 268435456, 64 }, /* 0.25 s, 2048 Hz */
		{ 536870912, 128 }, /* 0.5 s, 1024 Hz */
		{ 1073741824, 256 }, /* 1 s, 512 Hz */
		{ 2147483648, 512 }, /* 2 s, 256 Hz */
		{ 4294967295, 1023 }, /* 4.29 s, 128 Hz */
		{ 4294967296, 1024 },
		{ 8589934592, 1024 }, /* no more than all */
		{ 1ull << 62, 1024 }, /* 146 years */
		{ -1ull, 0 }, /* the clock went back */
		{ -4294967296ull, 0 },
	};
	size_t i;

	(void)arg;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sf_learner learner = { .call = 512,
					      .stamp = 1ull << 40 };
		u64 now = learner.stamp + rows[i].took;

		learn_period(&learner, 0, now, true);
		assert_int_equal(learner.ratio, rows[i].ratio);
		assert_true(learner.stamp == now);
		/* The term is not learned: at once it is gone. */
		learn_period(&learner, 0, now, true);
		assert_int_equal(learner.ratio, 0);
	}
}

/* Without the term, time does not matter; with it, credits add to it. */
static void test_rate_option(void **arg)
{
	struct sf_learner off = { .call = 512 }, on = { .call = 512 };

	(void)arg;
	sf_learn(&off, 100, 0, false);
	sf_learn(&on, 100, 0, true);
	off.call = on.call = 1023;
	sf_learn(&off, 0, 1 << 30, false);
	sf_learn(&on, 0, 1 << 30, true);
	assert_int_equal(off.ratio, 100);
	assert_int_equal(on.ratio, 100 + 256);
	assert_int_equal(off.success, 50);
	assert_int_equal(on.success, 50);
	assert_true(off.stamp == 1 << 30);
}

/* All failures: the ratio halves with every period, down to nothing. */
static void test_failures(void **arg)
{
	struct sf_learner learner;
	u32 want;

	(void)arg;
	sf_learner_init(&learner, start);
	for (want = 256; want; want /= 2) {
		learn_period(&learner, 0, start, false);
		assert_int_equal(learner.ratio, want);
	}
	learn_period(&learner, 0, start, false);
	assert_int_equal(learner.ratio, 0);
}

/* All successes: 1023, where every call attempts; credits do not overflow. */
static void test_successes(void **arg)
{
	struct sf_learner learner;
	int i;

	(void)arg;
	sf_learner_init(&learner, start);
	for (i = 0; i < 20; i++)
		learn_period(&learner, 1, start, false);
	assert_int_equal(learner.ratio, 1023);
	for (i = 0; i < 100; i++)
		learn_period(&learner, sf_newidle_credit(1), start, false);
	assert_int_equal(learner.ratio, 1024);
	assert_in_range(learner.success, 1024 * 511, 1024 * 512);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_model),
		cmocka_unit_test(test_init),
		cmocka_unit_test(test_rate_table),
		cmocka_unit_test(test_rate_option),
		cmocka_unit_test(test_failures),
		cmocka_unit_test(test_successes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
