// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_machine.h>
#include <gsl/gsl_statistics_double.h>

#include "bootstrap.h"
#include "comparison.h"
#include "flips.h"
#include "stats.h"

/*
 * Of fewer pairs too few different samples can be drawn: one that is nearly all the same
 * pair has next to no deviation, and a tail far out.
 */
#define SF_BOOTSTRAP_PAIRS 10

/* The chance that a difference of the size called detectable is seen. */
#define SF_POWER 0.8

/* So many times its own half width a difference that is clear is. */
#define SF_CLEAR 2

/*
 * That size is larger by this share with no more pairs than are needed, if there is a
 * bootstrap; with Student's intervals by the sum of the others, and by the first alone
 * with a few more.
 */
#define SF_SCARCITY 0.28
#define SF_FEW 0.03
#define SF_BARELY 0.23

/* The tails of the mean of differences, in standard errors. */
static struct sf_tails sf_find_tails(const double *differences,
				     const struct sf_summary *of, double same,
				     size_t resamples, u64 seed)
{
	struct sf_tails tails = { NAN, NAN };
	double *scores;
	size_t i;

	if (of->count < SF_BOOTSTRAP_PAIRS || !resamples) {
		tails.high = gsl_cdf_tdist_Pinv(0.975, of->count - 1.0);
		tails.low = -tails.high;
		return tails;
	}
	scores = malloc(of->count * sizeof(*scores));
	if (!scores)
		return tails;
	for (i = 0; i < of->count; i++)
		scores[i] = (differences[i] - of->mean) / of->sd;
	tails = sf_bootstrap_tails(scores, of->count, same / of->sd, resamples,
				   seed);
	free(scores);
	return tails;
}

/* The standard error of the mean, in % of the baseline's. */
static double sf_error_percent(const struct sf_comparison *comparison)
{
	return comparison->sd / sqrt(comparison->pairs) /
	       fabs(comparison->base_mean) * 100;
}

/*
 * There are few patterns of signs of few pairs, so that p can only be well below the level,
 * and the bootstrap's intervals are wider. How much that takes is from simulation.
 */
static double sf_scarcity(size_t pairs, double scarcity)
{
	if (pairs < SF_BOOTSTRAP_PAIRS)
		return SF_FEW + SF_BARELY * pow(scarcity, 12);
	return SF_SCARCITY * scarcity * scarcity;
}

/* For the t test, and somewhat more for few pairs. */
static double sf_detectable(const struct sf_comparison *comparison,
			    size_t comparisons, double level)
{
	double needed = sf_needed_pairs(comparisons, level);
	double scarcity = needed / comparison->pairs;

	if (scarcity > 1)
		return NAN;
	return (gsl_cdf_tdist_Pinv(1 - level / comparisons / 2,
				   comparison->pairs - 1.0) +
		gsl_cdf_tdist_Pinv(SF_POWER, comparison->pairs - 1.0)) *
	       (1 + sf_scarcity(comparison->pairs, scarcity)) *
	       sf_error_percent(comparison);
}

/* The bootstrap's interval is wider than Student's by about 1/n. */
static double sf_half_width(double deviation, double pairs)
{
	return gsl_cdf_tdist_Pinv(0.975, pairs - 1) * (1 + 1 / pairs) *
	       deviation / sqrt(pairs);
}

/*
 * The root mean square is the deviation if there is no difference, and too large if there
 * is one. Only the sizes count, for their signs are what is tested: with a look at those
 * after each pair, adding pairs would end at a lucky moment. A difference that is clear
 * twice over is no matter of luck.
 */
static double sf_precision(const double *differences,
			   const struct sf_comparison *comparison)
{
	size_t pairs = comparison->pairs;
	double sizes = gsl_stats_tss_m(differences, 1, pairs, 0) / pairs;
	double own = sf_half_width(comparison->sd, pairs);
	double half = fabs(comparison->mean) >= SF_CLEAR * own ?
			      own :
			      sf_half_width(sqrt(sizes), pairs);

	return half / fabs(comparison->base_mean) * 100;
}

/* What is a percentage: nothing if the baseline's mean is 0. */
static void sf_relate(const double *differences, const struct sf_tails *tails,
		      struct sf_comparison *comparison)
{
	double percent = comparison->mean / fabs(comparison->base_mean) * 100;
	double error = sf_error_percent(comparison);

	if (!isfinite(percent) || !isfinite(error))
		return;
	comparison->percent = percent;
	if (comparison->pairs < 2)
		return;
	comparison->precision = sf_precision(differences, comparison);
	if (comparison->equal)
		return;
	comparison->low = percent - tails->high * error;
	comparison->high = percent - tails->low * error;
	comparison->detectable = sf_detectable(comparison, 1, SF_LEVEL);
}

/* The sum of differences may be off by so much because the values are rounded. */
static double sf_rounding(const double *base, const double *other, size_t count)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < count; i++)
		sum += fabs(base[i]) + fabs(other[i]);
	return 2 * GSL_DBL_EPSILON * sum;
}

/* 0 if that is what it is but for rounding: no percentage is taken of a leftover. */
static double sf_mean_of(const double *base, size_t count, double rounding)
{
	double mean = gsl_stats_mean(base, 1, count);

	return fabs(mean) > rounding ? mean : 0;
}

static void sf_test(const double *differences, double rounding,
		    size_t resamples, u64 seed,
		    struct sf_comparison *comparison)
{
	struct sf_tails tails = { NAN, NAN };
	struct sf_summary summary;

	sf_summarize(differences, comparison->pairs, &summary);
	if (!isfinite(summary.mean) || !isfinite(summary.sd))
		return;
	comparison->mean = summary.mean;
	comparison->sd = summary.sd;
	comparison->median = summary.median;
	comparison->equal = summary.count > 1 && summary.sd <= rounding;
	if (resamples)
		comparison->p = sf_flips_p(differences, summary.count, rounding,
					   seed, &comparison->exact);
	if (summary.count > 1 && !comparison->equal)
		tails = sf_find_tails(differences, &summary, rounding,
				      resamples, seed);
	sf_relate(differences, &tails, comparison);
}

/**
 * sf_compare_by - compare with another number of resamples
 * @base: as for sf_compare(), as are all others
 * @other: of the other policy
 * @count: of each
 * @resamples: fewer are faster, and shake the ends of the interval; with 0 it is
 *	Student's, and there is no p
 * @seed: of the resampling
 * @comparison: set
 */
void sf_compare_by(const double *base, const double *other, size_t count,
		   size_t resamples, u64 seed, struct sf_comparison *comparison)
{
	double *differences = malloc((count + 1) * sizeof(*differences));
	double rounding;
	size_t i;

	*comparison = (struct sf_comparison){
		.pairs = count,
		.base_mean = NAN,
		.mean = NAN,
		.sd = NAN,
		.median = NAN,
		.percent = NAN,
		.low = NAN,
		.high = NAN,
		.p = 1,
		.exact = true,
		.adjusted_p = 1,
		.detectable = NAN,
		.precision = NAN,
	};
	if (count && differences) {
		for (i = 0; i < count; i++)
			differences[i] = other[i] - base[i];
		rounding = sf_rounding(base, other, count);
		comparison->base_mean = sf_mean_of(base, count, rounding);
		sf_test(differences, rounding, resamples, seed, comparison);
	}
	free(differences);
}

/**
 * sf_compare - compare a sample with the baseline, pair by pair
 * @base: finite
 * @other: finite
 * @count: of each
 * @seed: of the resampling; the same one gives the same interval
 * @comparison: set but for the verdict, for which it is to be given to sf_judge();
 *	what there is no telling is NAN: all without pairs, the interval from 1 pair or if
 *	all differences are equal, every percentage if the mean of @base is 0. p is 1 where
 *	it is unknown.
 */
void sf_compare(const double *base, const double *other, size_t count, u64 seed,
		struct sf_comparison *comparison)
{
	sf_compare_by(base, other, count, SF_RESAMPLES, seed, comparison);
}

/**
 * sf_needed_pairs - how many pairs can give a verdict at all?
 * @comparisons: that are made at once
 * @level: above 0
 *
 * Return: the least number of pairs of which the two patterns of equal signs are rare
 * enough for the hardest step of Holm's method: 6 for 1 comparison at 5 %.
 */
size_t sf_needed_pairs(size_t comparisons, double level)
{
	double p = 2;
	size_t pairs;

	for (pairs = 0; p * (comparisons ? comparisons : 1) > level; pairs++)
		p /= 2;
	return pairs;
}

/* Times p, so many of the comparisons are not yet rejected when its turn comes. */
static double sf_holm_step(struct sf_comparison *const *comparisons,
			   size_t count, double p)
{
	size_t i, left = count;

	for (i = 0; i < count; i++)
		left -= comparisons[i]->p < p;
	return left * p;
}

static double sf_holm(struct sf_comparison *const *comparisons, size_t count,
		      double p)
{
	double adjusted = 0;
	size_t i;

	for (i = 0; i < count; i++)
		if (comparisons[i]->p <= p)
			adjusted =
				fmax(adjusted, sf_holm_step(comparisons, count,
							    comparisons[i]->p));
	return fmin(adjusted, 1);
}

/* Never against the interval, which is printed beside it. */
static enum sf_verdict sf_decide(const struct sf_comparison *comparison,
				 double level)
{
	if (comparison->pairs < comparison->needed)
		return SF_VERDICT_TOO_FEW;
	if (comparison->adjusted_p > level)
		return SF_VERDICT_NONE;
	if (comparison->percent > 0 &&
	    (comparison->equal || comparison->low > 0))
		return SF_VERDICT_HIGHER;
	if (comparison->percent < 0 &&
	    (comparison->equal || comparison->high < 0))
		return SF_VERDICT_LOWER;
	return SF_VERDICT_NONE;
}

/**
 * sf_judge - give the verdicts on comparisons that are made at once
 * @comparisons: from sf_compare()
 * @count: of them
 * @level: probability of at least one wrong verdict if there is no difference at all;
 *	SF_LEVEL
 *
 * A difference is found if p, adjusted by Holm's method, is at most @level, and if
 * the interval, where there is one, is on one side of 0 as well.
 */
void sf_judge(struct sf_comparison *const *comparisons, size_t count,
	      double level)
{
	size_t i;

	for (i = 0; i < count; i++) {
		struct sf_comparison *comparison = comparisons[i];

		comparison->adjusted_p =
			sf_holm(comparisons, count, comparison->p);
		comparison->needed = sf_needed_pairs(count, level);
		if (!isnan(comparison->detectable))
			comparison->detectable =
				sf_detectable(comparison, count, level);
		comparison->verdict = sf_decide(comparison, level);
	}
}
