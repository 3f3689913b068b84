/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The statistics of plain arrays: what a sample looks like.
 */
#ifndef SCHEDFLIP_STATS_H
#define SCHEDFLIP_STATS_H

#include <schedflip/types.h>

/**
 * struct sf_summary - what a sample looks like
 * @count: of values
 * @mean: of them
 * @sd: their standard deviation (n - 1); 0 for fewer than 2
 * @cv: @sd in % of @mean; 0 if the mean is 0
 * @median: of them
 * @low: least of them
 * @high: greatest of them
 */
struct sf_summary {
	size_t count;
	double mean;
	double sd;
	double cv;
	double median;
	double low;
	double high;
};

/**
 * struct sf_drift - how a sample moved while it was taken
 * @percent: change of the fitted line from the first value to the last, % of the mean
 * @p: probability of such a slope or a steeper one if there was none; 1 if unknown
 */
struct sf_drift {
	double percent;
	double p;
};

void sf_summarize(const double *values, size_t count,
		  struct sf_summary *summary);
size_t sf_find_outliers(const double *when, const double *values, size_t count,
			bool *flags);
void sf_find_drift(const double *when, const double *values, size_t count,
		   struct sf_drift *drift);

#endif
