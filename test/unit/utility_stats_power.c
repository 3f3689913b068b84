// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How often the verdicts are right, in experiments of which the truth is known.
 */
#include "simulation.h"

/*
 * The level at which 2 comparisons, of which none is true, give a verdict in 8 % of the
 * experiments. With 1 there is no such level, as the interval has its say as well.
 */
#define LEVEL_OF_8_PERCENT 0.105

/* True rate 3.8 %. */
static void test_fixed_blocks(void **unused)
{
	struct design design = usual;

	(void)unused;
	assert_true(level_holds("A/A, 10 blocks", &design));
	design.metrics = 2;
	assert_true(level_holds("A/A, 10 blocks, 2 metrics", &design));
	design.level = LEVEL_OF_8_PERCENT;
	assert_false(level_holds("A/A, 10 blocks, 2 metrics, at 8 %", &design));
}

/*
 * One comparison alone, judged by p alone: of 1024 patterns of signs 50 are rare enough at
 * 5 %, and at 8 %, where these tests notice, 80.
 */
static void test_one_at_8_percent(void **unused)
{
	struct design design = usual;
	struct tally tally;

	(void)unused;
	design.by_p_only = true;
	tally = make_experiments("A/A, 10 blocks, by p", &design);
	assert_rate("by p", tally.any, EXPERIMENTS, 50 / 1024.0);
	design.level = 0.08;
	assert_false(level_holds("A/A, 10 blocks, by p, at 8 %", &design));
}

static void test_until_precise(void **unused)
{
	struct design design = usual;

	(void)unused;
	design.precision = 1;
	assert_true(level_holds("A/A, to +-1 %", &design));
	design.metrics = 2;
	design.level = LEVEL_OF_8_PERCENT;
	assert_false(level_holds("A/A, 2 metrics, to +-1 %, at 8 %", &design));
}

/* More noise, and so more occasions to stop at the wrong time. */
static void test_until_precise_noisy(void **unused)
{
	struct design design = usual;

	(void)unused;
	design.precision = 1;
	design.noise = 1.4;
	assert_true(level_holds("A/A, noisier, to +-1 %", &design));
}

static void test_other_noise(void **unused)
{
	static const struct {
		const char *fixed;
		const char *sequential;
		enum noise kind;
	} cases[] = {
		{ "A/A, exponential noise, 10 blocks",
		  "A/A, exponential noise, to +-1 %", SKEWED },
		{ "A/A, heavy tails, 10 blocks", "A/A, heavy tails, to +-1 %",
		  HEAVY },
	};
	struct design design = usual;
	size_t i;

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		design.kind = cases[i].kind;
		design.precision = 0;
		assert_true(level_holds(cases[i].fixed, &design));
		design.precision = 1;
		assert_true(level_holds(cases[i].sequential, &design));
	}
}

/*
 * Every second run is 4 % slower, so that the differences are all of about one size: no
 * reason to take them for precise. To +-1 % would take 70 blocks.
 */
static void test_every_second_run(void **unused)
{
	struct design design = usual;
	struct tally tally;

	(void)unused;
	design.every_second = 4;
	design.noise = 0.7;
	design.precision = 1;
	design.most = 24;
	tally = make_experiments("A/A, each second run +4 %, to +-1 %",
				 &design);
	assert_true(tally.any * 20 <= EXPERIMENTS);
	assert_true(tally.precise * 100 <= EXPERIMENTS);
	assert_true(tally.widest <= 1.5);
	design.order = SF_ORDER_ABBA;
	tally = make_experiments("the same in ABBA order", &design);
	assert_true(tally.any * 20 <= EXPERIMENTS);
	assert_int_equal(tally.precise, 0);
}

/* The same with a precision that is reached, by differences of one size exactly as well. */
static void test_every_second_run_until_precise(void **unused)
{
	struct design design = usual;
	struct tally tally;

	(void)unused;
	design.every_second = 4;
	design.noise = 0.7;
	design.precision = 2;
	design.most = 28;
	tally = make_experiments("A/A, each second run +4 %, to +-2 %",
				 &design);
	assert_true(tally.any * 20 <= EXPERIMENTS);
	assert_true(tally.precise * 10 >= EXPERIMENTS * 9);
	assert_true(tally.widest <= 1.5 * 2);
	design.noise = 0;
	tally = make_experiments("the same without noise", &design);
	assert_true(tally.any * 20 <= EXPERIMENTS);
	assert_true(tally.widest <= 1.5 * 2);
}

static void test_three_policies(void **unused)
{
	struct design design = usual;

	(void)unused;
	design.policies = 3;
	assert_true(level_holds("A/A/A, 10 blocks", &design));
	design.precision = 1;
	assert_true(level_holds("A/A/A, to +-1 %", &design));
}

/* True rate 95 %. */
static void test_planted_effect(void **unused)
{
	struct design design = usual;
	struct tally tally;

	(void)unused;
	design.effect = 2;
	tally = make_experiments("+2 %, 10 blocks", &design);
	assert_true(tally.higher * 10 >= EXPERIMENTS * 9);
	assert_int_equal(tally.lower, 0);
	design.effect = -2;
	tally = make_experiments("-2 %, 10 blocks", &design);
	assert_true(tally.lower * 10 >= EXPERIMENTS * 9);
	assert_int_equal(tally.higher, 0);
}

/* A difference that is clear does not take more blocks the larger it is. */
static void test_large_effect(void **unused)
{
	struct design design = usual;
	struct tally tally;

	(void)unused;
	design.effect = 30;
	design.precision = 1;
	tally = make_experiments("+30 %, to +-1 %", &design);
	assert_int_equal(tally.higher, EXPERIMENTS);
	assert_int_equal(tally.precise, EXPERIMENTS);
	assert_true(tally.blocks < 13 * EXPERIMENTS);
}

static void test_planted_drift(void **unused)
{
	struct design design = usual;
	struct tally tally;

	(void)unused;
	design.drift = 20;
	tally = make_experiments("A/A that drifts by 20 %, random", &design);
	assert_true(tally.any * 20 <= EXPERIMENTS);
	assert_true(tally.drifts * 100 >= EXPERIMENTS * 99);
	design.order = SF_ORDER_ABBA;
	tally = make_experiments("A/A that drifts by 20 %, ABBA", &design);
	assert_true(tally.any * 20 <= EXPERIMENTS);
	assert_true(tally.drifts * 100 >= EXPERIMENTS * 99);
	/* One block is not turned round for. */
	design.blocks = 11;
	tally = make_experiments("the same, 11 blocks", &design);
	assert_true(tally.any * 20 <= EXPERIMENTS);
	design.drift = 0;
	tally = make_experiments("A/A, ABBA, 11 blocks", &design);
	assert_true(tally.any * 20 <= EXPERIMENTS);
	assert_true(tally.drifts * 100 <= EXPERIMENTS * 3);
}

/* What is called detectable is detected 8 times in 10. */
static void test_detectable(void **unused)
{
	static const size_t blocks[] = { 6, 7, 8, 10, 20 };
	double base[20] = { 0 }, other[20];
	struct design design = usual;
	struct sf_comparison comparison;
	struct tally tally;
	size_t i, j;

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(blocks); i++) {
		design.blocks = blocks[i];
		for (j = 0; j < blocks[i]; j++) {
			base[j] = 100;
			other[j] = 100 + 3.0 * (j % 2);
		}
		sf_compare(base, other, blocks[i], 1, &comparison);
		design.effect = comparison.detectable / comparison.sd * M_SQRT2;
		tally = make_experiments("as much as is detectable", &design);
		assert_float_equal(tally.higher, 0.8 * EXPERIMENTS,
				   0.02 * EXPERIMENTS);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fixed_blocks),
		cmocka_unit_test(test_one_at_8_percent),
		cmocka_unit_test(test_until_precise),
		cmocka_unit_test(test_until_precise_noisy),
		cmocka_unit_test(test_other_noise),
		cmocka_unit_test(test_every_second_run),
		cmocka_unit_test(test_every_second_run_until_precise),
		cmocka_unit_test(test_three_policies),
		cmocka_unit_test(test_planted_effect),
		cmocka_unit_test(test_large_effect),
		cmocka_unit_test(test_planted_drift),
		cmocka_unit_test(test_detectable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
