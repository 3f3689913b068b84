// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What each policy makes of a task that can be pulled on every fourth call: the
 * learned ratio is right if it comes to 256 wherever the pattern begins.
 */
#include "unit.h"

#include <schedflip/learner.h>

#include <string.h>

enum {
	PERIOD = 512, /* calls between two ratios */
	WARM_UP = 100, /* periods that are not counted */
	PERIODS = 2000, /* and those that are */
	RUNS = 24,
	SUMS = 8192, /* sums of credits that dice can come to, and more */
};

/* Mean ratio over PERIODS; it starts at 0, where a domain may have died. */
static double mean_ratio(enum sf_newidle policy, u32 phase, u32 stride,
			 u64 seed)
{
	struct sf_window win = window(seed, phase, 0);
	struct sf_learner learner = { .call = PERIOD };
	u32 i, weight, credit;
	double sum = 0;

	for (i = 0; i < (WARM_UP + PERIODS) * PERIOD; i++) {
		weight = sf_newidle_weight(policy, learner.ratio);
		credit = 0;
		if (sf_newidle_decide(policy, &win, weight) &&
		    i % stride == phase)
			credit = sf_newidle_credit(weight);
		sf_learn(&learner, credit, 0, false);
		if (i >= WARM_UP * PERIOD)
			sum += learner.ratio;
	}
	return sum / PERIODS / PERIOD;
}

struct estimate {
	double mean;
	double variance; /* of the mean */
};

static struct estimate estimate_ratio(enum sf_newidle policy, u32 phase,
				      u32 stride)
{
	double sum = 0, squares = 0, mean;
	struct estimate ratio;
	u32 run;

	for (run = 0; run < RUNS; run++) {
		mean = mean_ratio(policy, phase, stride, run);
		sum += mean;
		squares += mean * mean;
	}
	ratio.mean = sum / RUNS;
	ratio.variance =
		(squares / RUNS - ratio.mean * ratio.mean) / (RUNS - 1);
	printf("# %s, task on call %u of %u: mean ratio %.2f +- %.2f\n",
	       sf_newidle_names[policy].name, phase, stride, ratio.mean,
	       sqrt(ratio.variance));
	return ratio;
}

/*
 * pmf[r][k]: probability that a policy which attempts each call independently
 * pulls k of the tasks of one period at ratio r.
 */
static double pmf[SF_CELL + 1][PERIOD + 1];

static void fill_pmf(u32 tasks, u32 extra)
{
	u32 ratio, pulled;

	for (ratio = 0; ratio <= SF_CELL; ratio++)
		for (pulled = 0; pulled <= tasks; pulled++)
			pmf[ratio][pulled] =
				binomial(tasks, pulled,
					 fmin(ratio + 1 + extra, 1024) / 1024);
}

/* From one period's distribution of the sum of credits to the next one's. */
static void next_period(const double *from, double *to, u32 tasks)
{
	u32 sum, ratio, pulled, credit, next;

	memset(to, 0, SUMS * sizeof(*to));
	for (sum = 0; sum < SUMS; sum++) {
		if (from[sum] < 1e-15)
			continue;
		ratio = sum < SF_CELL ? sum : SF_CELL;
		credit = sf_newidle_credit(
			sf_newidle_weight(SF_NEWIDLE_DICE, ratio));
		for (pulled = 0; pulled <= tasks; pulled++) {
			next = sum / 2 + pulled * credit;
			to[next < SUMS ? next : SUMS - 1] +=
				from[sum] * pmf[ratio][pulled];
		}
	}
}

/*
 * The exact mean ratio of such a policy. It pulls each of 512/stride tasks with
 * probability (weight + @extra)/1024, so the sum of credits is a Markov chain,
 * here followed until it has come to rest.
 */
static double exact_ratio(u32 stride, u32 extra)
{
	static double now[SUMS], then[SUMS];
	double change = 1, mean = 0;
	u32 sum, tasks = PERIOD / stride;

	fill_pmf(tasks, extra);
	memset(now, 0, sizeof(now));
	now[0] = 1;
	while (change > 1e-6) {
		memcpy(then, now, sizeof(now));
		next_period(then, now, tasks);
		for (sum = 0, change = 0; sum < SUMS; sum++)
			change += fabs(now[sum] - then[sum]);
	}
	for (sum = 0; sum < SUMS; sum++)
		mean += now[sum] * (sum < SF_CELL ? sum : SF_CELL);
	return mean;
}

/*
 * The variance comes from the runs themselves. Student's t of 23 degrees of
 * freedom is beyond 6 once in 250,000. @slack is what the policy may be off.
 */
static void assert_ratio(enum sf_newidle policy, u32 stride, double mean,
			 double slack)
{
	double sum = 0, variance = 0;
	struct estimate ratio;
	u32 phase;

	for (phase = 0; phase < stride; phase++) {
		ratio = estimate_ratio(policy, phase, stride);
		assert_float_equal(ratio.mean, mean,
				   slack + 6 * sqrt(ratio.variance));
		sum += ratio.mean;
		variance += ratio.variance;
	}
	/* All phases together tell dice from a fair rule. */
	assert_float_equal(sum / stride, mean,
			   slack + 6 * sqrt(variance) / stride);
}

/* 4 phases and their mean: 1 false alarm in 50,000. */
static void test_dice(void **arg)
{
	double exact = exact_ratio(4, 1);

	(void)arg;
	printf("# dice, task on every 4th call: mean ratio, exactly, %.2f\n",
	       exact);
	assert_float_equal(exact, 258.14, 0.01);
	assert_ratio(SF_NEWIDLE_DICE, 4, exact, 0);
}

/*
 * The right ratio is that of dice without their bias, which credits rounded to
 * whole numbers push up by one. Jitter's attempts are not independent within a
 * cell, so its spread, and with it the mean, may differ a little. 12 phases and
 * 2 means: 1 false alarm in 17,000.
 */
static void test_jitter(void **arg)
{
	double exact = exact_ratio(4, 0);

	(void)arg;
	printf("# any fair policy, task on every 4th call: mean ratio %.2f\n",
	       exact);
	assert_float_equal(exact, 257.02, 0.01);
	assert_ratio(SF_NEWIDLE_JITTER, 4, exact, 0.25);
	assert_ratio(SF_NEWIDLE_JITTER, 8, exact_ratio(8, 0), 0.25);
}

/*
 * From ratio 0 it attempts at every 1024th call, always of the same phase: dead
 * for good on three phases, well off on the fourth. Nothing is random here.
 */
static void test_accumulator(void **arg)
{
	double mean;
	u32 phase;

	(void)arg;
	for (phase = 0; phase < 4; phase++) {
		mean = mean_ratio(SF_NEWIDLE_ACCUMULATOR, phase, 4, 1);
		printf("# accumulator, task on call %u of 4: mean ratio %.2f\n",
		       phase, mean);
		assert_float_equal(mean, phase == 3 ? 294.6 : 0, 0.1);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dice),
		cmocka_unit_test(test_jitter),
		cmocka_unit_test(test_accumulator),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
