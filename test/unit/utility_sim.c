// SPDX-License-Identifier: GPL-2.0-or-later
/* The experiments of `sim`: the figures that are known from elsewhere, or by hand. */
#include "utility.h"

#include "sim.h"

#define CASE(policy, start) \
	(&(struct sf_sim_case){ SF_NEWIDLE_##policy, SF_START_##start })

/* With the presets. */
static const struct sf_sim presets = {
	.seed = 1, .windows = 20000, .calls = 512, .ratio = 31
};

static struct sf_sim_windows windows(const struct sf_sim_case *which)
{
	struct sf_sim_windows result;

	sf_sim_windows_run(&presets, which, NULL, &result);
	return result;
}

/*
 * By the exact distribution in newidle_table.c the worst of 20000 windows is below 35
 * or above 72 for less than one seed in a million each.
 */
static void test_windows_dice(void **arg)
{
	struct sf_sim_windows result = windows(CASE(DICE, ZERO));

	(void)arg;
	assert_true(result.max >= 35 && result.max <= 72);
	assert_float_equal(result.excess, 10000, 100);
	assert_float_equal(result.chance, 1305, 15);
	assert_near("dice, long run", result.attempts - result.exact,
		    result.excess, result.chance * result.chance);
}

static void test_windows_exact(void **arg)
{
	struct sf_sim_windows result;
	u32 start;

	(void)arg;
	for (start = 0; start < SF_NR_START; start++) {
		struct sf_sim_case which = { SF_NEWIDLE_ACCUMULATOR, start };

		result = windows(&which);
		assert_float_equal(result.max, 0.5, 0);
		assert_true(fabs(result.attempts - result.exact) < 1);
		which.policy = SF_NEWIDLE_JITTER;
		result = windows(&which);
		/* Only windows that begin at 0 or 512 are cut at half a cell. */
		assert_float_equal(result.max,
				   start <= SF_START_HALF ? 1.0 : 1.5, 0);
		assert_true(fabs(result.attempts - result.exact) < 2);
	}
}

/* The errors of single windows are those that were summed up. */
static void test_windows_errors(void **arg)
{
	static double errors[20000];
	struct sf_sim_windows result;
	double max = 0, squares = 0;
	size_t i;

	(void)arg;
	sf_sim_windows_run(&presets, CASE(JITTER, ZERO), errors, &result);
	for (i = 0; i < ARRAY_SIZE(errors); i++) {
		max = fmax(max, errors[i]);
		squares += errors[i] * errors[i];
	}
	assert_float_equal(max, result.max, 0);
	assert_float_equal(sqrt(squares / ARRAY_SIZE(errors)), result.rms,
			   1e-12);
}

/* Dice: 33/1024, with a standard error of 0.1. */
static void test_gaps(void **arg)
{
	struct sf_sim_gaps gaps;

	(void)arg;
	sf_sim_gaps_run(&presets, CASE(ACCUMULATOR, STAGGER), &gaps);
	assert_int_equal(gaps.min, 32);
	assert_int_equal(gaps.max, 32);
	sf_sim_gaps_run(&presets, CASE(JITTER, ZERO), &gaps);
	assert_int_equal(gaps.min, 1);
	assert_int_equal(gaps.max, 63);
	assert_float_equal(gaps.mean, 32, 31e-5);
	sf_sim_gaps_run(&presets, CASE(DICE, ZERO), &gaps);
	assert_int_equal(gaps.min, 1);
	assert_true(gaps.max > 250 && gaps.max < 700);
	assert_float_equal(gaps.mean, 1024 / 33.0, 0.5);
}

/* As an independent run of the rule that is called fair comes to. */
static double flip_coins(u32 period, u32 calls)
{
	struct sf_rng rng = { .state = 5 };
	u32 call, ratio = 0, success = 0;
	double sum = 0;

	for (call = 0; call < calls; call++) {
		if (call % period == 0 &&
		    sf_random_below(&rng, SF_CELL) <
			    sf_newidle_weight(SF_NEWIDLE_DICE, ratio))
			success += sf_newidle_credit(
				sf_newidle_weight(SF_NEWIDLE_DICE, ratio));
		if (call % 512 == 511) {
			ratio = success < SF_CELL ? success : SF_CELL;
			success /= 2;
		}
		sum += ratio;
	}
	return sum / calls;
}

/*
 * 257.02 is learner_table.c's. A run of a million calls has a standard deviation of
 * about 1 at period 4, somewhat more at 3 and at 16.
 */
static void test_trap_fair(void **arg)
{
	(void)arg;
	assert_float_equal(sf_sim_fair_ratio(4), 257.02, 0.01);
	assert_float_equal(sf_sim_fair_ratio(1), 1024, 1e-6);
	assert_float_equal(sf_sim_fair_ratio(3), flip_coins(3, 16000000), 2);
	assert_float_equal(sf_sim_fair_ratio(16), flip_coins(16, 16000000), 4);
}

static void test_trap(void **arg)
{
	const struct sf_sim sim = { .seed = 1, .calls = 1000000, .period = 4 };
	double fair = sf_sim_fair_ratio(4);
	u32 phase;

	(void)arg;
	for (phase = 0; phase < 4; phase++) {
		assert_float_equal(
			sf_sim_trap_run(&sim, CASE(ACCUMULATOR, ZERO), phase),
			phase == 3 ? 294.6 : 0, 0.2);
		assert_float_equal(sf_sim_trap_run(&sim, CASE(JITTER, ZERO),
						   phase),
				   fair, 5);
		assert_float_equal(sf_sim_trap_run(&sim, CASE(DICE, ZERO),
						   phase),
				   fair + 1, 5);
	}
}

static struct sf_sim_sync lockstep(const struct sf_sim_case *which, u64 cpus,
				   u64 ratio)
{
	const struct sf_sim sim = {
		.seed = 1, .cpus = cpus, .ratio = ratio, .rounds = 40000
	};
	struct sf_error err = { .code = SF_OK };
	struct sf_sim_sync result;

	assert_int_equal(sf_sim_sync_run(&sim, which, &result, &err), SF_OK);
	return result;
}

/* Quotients are those that sync.c has of the module's meter. */
static void test_sync_accumulator(void **arg)
{
	struct sf_sim_sync result = lockstep(CASE(ACCUMULATOR, ZERO), 64, 255);

	(void)arg;
	assert_float_equal(result.mean, 16, 0);
	assert_float_equal(result.variance, 768, 0);
	assert_float_equal(result.independent, 12, 0);
	assert_int_equal(result.pairs, 10000 * 64 * 63 / 2);
	assert_float_equal(result.pairs / result.expected_pairs, 4, 0);
	result = lockstep(CASE(ACCUMULATOR, HALF), 64, 255);
	assert_float_equal(result.variance, 768, 0);
	result = lockstep(CASE(ACCUMULATOR, STAGGER), 64, 255);
	assert_float_equal(result.variance, 0, 0);
}

/* The variance is measured from cells that are independent, of four rounds each. */
static void test_sync_random(void **arg)
{
	struct sf_sim_sync result;
	size_t i;

	(void)arg;
	for (i = 0; i < SF_NR_SIM_CASES; i++) {
		if (sf_sim_cases[i].policy == SF_NEWIDLE_ACCUMULATOR)
			continue;
		result = lockstep(&sf_sim_cases[i], 64, 255);
		assert_near("variance", result.variance, result.independent,
			    2 * 144 / 10000.0);
		assert_float_equal(result.pairs / result.expected_pairs, 1,
				   0.02);
	}
}

/* What independent decisions come to is not known where nothing is left to chance. */
static void test_sync_bounds(void **arg)
{
	struct sf_sim_sync result = lockstep(CASE(DICE, ZERO), 1, 255);

	(void)arg;
	assert_float_equal(result.expected_pairs, 0, 0);
	result = lockstep(CASE(JITTER, ZERO), 2, 1024);
	assert_float_equal(result.independent, 0, 0);
	assert_float_equal(result.mean, 2, 0);
	assert_float_equal(result.variance, 0, 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_windows_dice),
		cmocka_unit_test(test_windows_exact),
		cmocka_unit_test(test_windows_errors),
		cmocka_unit_test(test_gaps),
		cmocka_unit_test(test_trap_fair),
		cmocka_unit_test(test_trap),
		cmocka_unit_test(test_sync_accumulator),
		cmocka_unit_test(test_sync_random),
		cmocka_unit_test(test_sync_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
