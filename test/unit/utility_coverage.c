// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How often the interval of a difference has the true one in it.
 */
#include "unit.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "comparison.h"

enum {
	SAMPLES = 800,
	MAX_PAIRS = 20,
};

/* In how many samples the interval of the mean has the true one in it, %. */
static double coverage(size_t pairs, bool skewed)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	double base[MAX_PAIRS], other[MAX_PAIRS], percent;
	struct sf_comparison comparison;
	size_t i, j, covered = 0;

	for (i = 0; i < SAMPLES; i++) {
		for (j = 0; j < pairs; j++) {
			base[j] = 100;
			other[j] = 100 +
				   (skewed ? gsl_ran_exponential(rng, 1) - 1 :
					     gsl_ran_gaussian(rng, 1));
		}
		sf_compare(base, other, pairs, i, &comparison);
		covered += comparison.low <= 0 && comparison.high >= 0;
	}
	gsl_rng_free(rng);
	percent = 100.0 * covered / SAMPLES;
	printf("# %s noise, %zu pairs: the 95 %% interval covers %.1f %%\n",
	       skewed ? "exponential" : "normal", pairs, percent);
	return percent;
}

static void test_coverage(void **unused)
{
	(void)unused;
	assert_true(coverage(6, false) >= 93);
	assert_true(coverage(8, false) >= 93);
	assert_true(coverage(10, false) >= 93);
	assert_true(coverage(20, false) >= 93);
	assert_true(coverage(10, true) >= 90);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_coverage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
