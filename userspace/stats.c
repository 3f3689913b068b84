// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_machine.h>
#include <gsl/gsl_statistics_double.h>

#include "stats.h"

/* Fewer values tell neither the line they drift by nor which of them is far off it. */
#define SF_OUTLIER_COUNT 10

/* In standard deviations: Iglewicz and Hoaglin, "How to Detect and Handle Outliers". */
#define SF_OUTLIER_BOUND 3.5

/* As many as 447 values have; a line is no better known by more. */
#define SF_MAX_SLOPES 100000

/* NAN if out of memory. */
static double sf_median(const double *values, size_t count)
{
	double *copy = malloc(count * sizeof(*copy));
	double median = NAN;

	if (copy) {
		memcpy(copy, values, count * sizeof(*copy));
		median = gsl_stats_median(copy, 1, count);
	}
	free(copy);
	return median;
}

/**
 * sf_summarize - say what a sample looks like
 * @values: finite
 * @count: of them; without any all of @summary is 0
 * @summary: set; its median is NAN if out of memory
 */
void sf_summarize(const double *values, size_t count,
		  struct sf_summary *summary)
{
	*summary = (struct sf_summary){ .count = count };
	if (!count)
		return;
	summary->mean = gsl_stats_mean(values, 1, count);
	if (count > 1)
		summary->sd = gsl_stats_sd_m(values, 1, count, summary->mean);
	if (summary->mean != 0)
		summary->cv = summary->sd / fabs(summary->mean) * 100;
	summary->median = sf_median(values, count);
	gsl_stats_minmax(&summary->low, &summary->high, values, 1, count);
}

/* Probability of a line that is @slope steep or steeper, with that error, by chance. */
static double sf_slope_p(double slope, double error, size_t count)
{
	if (error > 0)
		return 2 * gsl_cdf_tdist_Q(fabs(slope) / error, count - 2.0);
	return slope != 0 ? 0 : 1;
}

/**
 * sf_find_drift - fit a line to a sample over the time it was taken at
 * @when: each value was taken, s, in ascending order
 * @values: finite
 * @count: of them
 * @drift: set; no drift and p = 1 for fewer than 3 values, for a mean of 0, and if
 *	all were taken at once
 */
void sf_find_drift(const double *when, const double *values, size_t count,
		   struct sf_drift *drift)
{
	double start, slope, cov00, cov01, cov11, squares, mean;

	*drift = (struct sf_drift){ .p = 1 };
	if (count < 3)
		return;
	mean = gsl_stats_mean(values, 1, count);
	gsl_fit_linear(when, 1, values, 1, count, &start, &slope, &cov00,
		       &cov01, &cov11, &squares);
	if (mean == 0 || !isfinite(slope) || !isfinite(cov11))
		return;
	drift->percent = slope * (when[count - 1] - when[0]) / fabs(mean) * 100;
	drift->p = sf_slope_p(slope, sqrt(cov11), count);
}

/* Slopes between values, those far apart first; returns how many. */
static size_t sf_find_slopes(const double *when, const double *values,
			     size_t count, double *slopes)
{
	size_t apart, i, found = 0;

	for (apart = count - 1; apart; apart--)
		for (i = 0; i + apart < count && found < SF_MAX_SLOPES; i++)
			if (when[i + apart] > when[i])
				slopes[found++] =
					(values[i + apart] - values[i]) /
					(when[i + apart] - when[i]);
	return found;
}

/*
 * The median slope (Theil and Sen). A line of least squares leans towards an outlier at
 * its end so far that no value is far from it.
 */
static double sf_median_slope(const double *when, const double *values,
			      size_t count, double *slopes)
{
	size_t found = sf_find_slopes(when, values, count, slopes);

	return found ? gsl_stats_median(slopes, 1, found) : 0;
}

/* Flags what is far from the median of @residuals; @work is as long as they are. */
static size_t sf_flag_outliers(double *residuals, size_t count, double same,
			       double *work, bool *flags)
{
	double mad = gsl_stats_mad(residuals, 1, count, work), median;
	size_t i, found = 0;

	/* Half of them are equal, so that nothing says how far is far. */
	if (!(mad > same))
		return 0;
	memcpy(work, residuals, count * sizeof(*work));
	median = gsl_stats_median(work, 1, count);
	for (i = 0; i < count; i++) {
		flags[i] = fabs(residuals[i] - median) > SF_OUTLIER_BOUND * mad;
		found += flags[i];
	}
	return found;
}

/* Rounding makes no more of a difference than this in any of the values. */
static double sf_resolution(const double *values, size_t count)
{
	double most = 0;
	size_t i;

	for (i = 0; i < count; i++)
		most = fmax(most, fabs(values[i]));
	return 4 * GSL_DBL_EPSILON * most;
}

/**
 * sf_find_outliers - find values that are far off the line of drift
 * @when: each was taken, s, in ascending order
 * @values: finite
 * @count: of them
 * @flags: set for each
 *
 * Far is more than 3.5 standard deviations, estimated by the median absolute deviation,
 * from the line by which the sample drifts.
 *
 * Return: how many there are; 0 for fewer than 10 values, if half of the values or more
 * are equal but for the drift, or if out of memory.
 */
size_t sf_find_outliers(const double *when, const double *values, size_t count,
			bool *flags)
{
	double *work, *residuals, slope;
	size_t i, found = 0, room = count + SF_MAX_SLOPES;

	memset(flags, 0, count * sizeof(*flags));
	if (count < SF_OUTLIER_COUNT)
		return 0;
	work = malloc(room * sizeof(*work));
	residuals = malloc(count * sizeof(*residuals));
	if (work && residuals) {
		slope = sf_median_slope(when, values, count, work);
		for (i = 0; i < count; i++)
			residuals[i] = values[i] - slope * (when[i] - when[0]);
		found = sf_flag_outliers(residuals, count,
					 sf_resolution(values, count), work,
					 flags);
	}
	free(work);
	free(residuals);
	return found;
}
