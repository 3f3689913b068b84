// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_statistics_double.h>

#include <schedflip/random.h>

#include "bootstrap.h"

/* Draw as many scores as there are; false if they are all the same. */
static bool sf_draw(const double *scores, size_t count, double same,
		    struct sf_rng *rng, double *drawn)
{
	double low = INFINITY, high = -INFINITY;
	size_t i;

	for (i = 0; i < count; i++) {
		drawn[i] = scores[sf_random_below(rng, count)];
		if (drawn[i] < low)
			low = drawn[i];
		if (drawn[i] > high)
			high = drawn[i];
	}
	return high - low > same;
}

/* The mean in standard errors of its own. */
static double sf_studentize(const double *drawn, size_t count)
{
	double sum = 0, squares = 0, mean;
	size_t i;

	for (i = 0; i < count; i++)
		sum += drawn[i];
	mean = sum / count;
	for (i = 0; i < count; i++)
		squares += (drawn[i] - mean) * (drawn[i] - mean);
	return mean / sqrt(squares / (count - 1) / count);
}

/* The values that 1 in 40 lie beyond, on either side. */
static struct sf_tails sf_tails_of(double *means, size_t count)
{
	size_t beyond = (count + 1) / 40;

	if (beyond)
		beyond--;
	return (struct sf_tails){
		gsl_stats_select(means, 1, count, beyond),
		gsl_stats_select(means, 1, count, count - 1 - beyond),
	};
}

/**
 * sf_bootstrap_tails - how far means are from the true one, in standard errors
 * @scores: the sample, less its mean
 * @count: 2 or more, below 2^32
 * @same: values that differ by no more are equal but for rounding
 * @resamples: so many samples are drawn, some of which may be passed over
 * @seed: of the drawing
 *
 * Each of the samples drawn from @scores gives its mean in standard errors of
 * its own, and not just its mean: the plain bootstrap takes the spread of few values
 * for the true one, and its intervals of 10 pairs miss the true mean 1 time in 10.
 * Samples of one value only have no standard error and are passed over.
 *
 * Return: the tails; NAN if out of memory or if all scores are the same.
 */
struct sf_tails sf_bootstrap_tails(const double *scores, size_t count,
				   double same, size_t resamples, u64 seed)
{
	struct sf_tails tails = { NAN, NAN };
	double *means = malloc((resamples + count) * sizeof(*means));
	struct sf_rng rng;
	size_t i, used = 0;

	if (!means)
		return tails;
	sf_random_seed(&rng, seed, 1);
	for (i = 0; i < resamples; i++)
		if (sf_draw(scores, count, same, &rng, means + resamples))
			means[used++] = sf_studentize(means + resamples, count);
	if (used)
		tails = sf_tails_of(means, used);
	free(means);
	return tails;
}
