// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdlib.h>

#include <schedflip/random.h>

#include "comparison.h"
#include "flips.h"

/* Random patterns of signs where all would be too many. */
#define SF_PATTERNS 99999

/**
 * struct sf_sums - sums of numbers under all patterns of their signs
 * @sums: in ascending order; NULL if out of memory
 * @count: of them
 */
struct sf_sums {
	double *sums;
	size_t count;
};

/* Each sum once with @step taken from it, and once added, in order. */
static void sf_merge_sums(const double *sums, size_t count, double step,
			  double *merged)
{
	size_t down = 0, up = 0;

	while (up < count)
		if (down < count && sums[down] - step <= sums[up] + step)
			*merged++ = sums[down++] - step;
		else
			*merged++ = sums[up++] + step;
}

/* Merged as they grow, which takes a fraction of the time of sorting. */
static struct sf_sums sf_sums_of(const double *values, size_t count)
{
	size_t room = (size_t)1 << count, i;
	double *sums = malloc(room * sizeof(*sums));
	double *merged = malloc(room * sizeof(*merged));
	double *swap;

	if (!sums || !merged) {
		free(sums);
		free(merged);
		return (struct sf_sums){ NULL, 0 };
	}
	sums[0] = 0;
	for (i = 0; i < count; i++) {
		sf_merge_sums(sums, (size_t)1 << i, fabs(values[i]), merged);
		swap = sums;
		sums = merged;
		merged = swap;
	}
	free(merged);
	return (struct sf_sums){ sums, room };
}

/* How many sums of one of @left and one of @right are @least or more. */
static u64 sf_count_pairs(const struct sf_sums *left,
			  const struct sf_sums *right, double least)
{
	size_t i, below = right->count;
	u64 pairs = 0;

	for (i = 0; i < left->count; i++) {
		while (below && left->sums[i] + right->sums[below - 1] >= least)
			below--;
		pairs += right->count - below;
	}
	return pairs;
}

/* NAN if out of memory. */
static double sf_exact_p(const double *differences, size_t count, double least)
{
	size_t half = count / 2;
	struct sf_sums left = sf_sums_of(differences, half);
	struct sf_sums right = sf_sums_of(differences + half, count - half);
	double p = NAN;

	/* As many patterns have the sum's negative. */
	if (left.sums && right.sums)
		p = ldexp(sf_count_pairs(&left, &right, least), 1 - (int)count);
	free(left.sums);
	free(right.sums);
	return p;
}

static double sf_random_sum(const double *differences, size_t count,
			    struct sf_rng *rng)
{
	double sum = 0;
	u64 bits = 0;
	size_t i;

	for (i = 0; i < count; i++, bits >>= 1) {
		if (i % 64 == 0)
			bits = sf_random64(rng);
		sum += bits & 1 ? differences[i] : -differences[i];
	}
	return sum;
}

/* The pattern observed counts as one of them, so that p is never 0. */
static double sf_random_p(const double *differences, size_t count, double least,
			  u64 seed)
{
	struct sf_rng rng;
	u32 i, hits = 0;

	sf_random_seed(&rng, seed, 0);
	for (i = 0; i < SF_PATTERNS; i++)
		hits += fabs(sf_random_sum(differences, count, &rng)) >= least;
	return (hits + 1.0) / (SF_PATTERNS + 1.0);
}

/**
 * sf_flips_p - how rare is a sum so far from 0 if signs are by chance?
 * @differences: finite
 * @count: of them
 * @tolerance: a sum that is short of the one observed by so little equals it
 * @seed: of the random patterns, of which there are none up to SF_EXACT_PAIRS
 * @exact: set to whether all patterns were counted
 *
 * Up to SF_EXACT_PAIRS all patterns are counted, unless there is no memory for
 * that (some 32 MB at most).
 *
 * Return: the share of the patterns of signs under which the sum is as far from 0 as
 * the one observed, or farther; 1 without differences.
 */
double sf_flips_p(const double *differences, size_t count, double tolerance,
		  u64 seed, bool *exact)
{
	double sum = 0, least, p = NAN;
	size_t i;

	for (i = 0; i < count; i++)
		sum += differences[i];
	least = fabs(sum) - tolerance;
	*exact = true;
	if (least <= 0)
		return 1;
	if (count <= SF_EXACT_PAIRS)
		p = sf_exact_p(differences, count, least);
	*exact = !isnan(p);
	return *exact ? p : sf_random_p(differences, count, least, seed);
}
