/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The statistics of comparisons, on plain arrays: what a sample looks like, and
 * whether two that were taken in pairs differ.
 */
#ifndef SCHEDFLIP_STATS_H
#define SCHEDFLIP_STATS_H

#include <schedflip/types.h>

/* So many random resamplings give an interval. */
#define SF_RESAMPLES 9999

/* Up to so many pairs all flips of signs are counted; beyond, some at random. */
#define SF_EXACT_PAIRS 40

/* A verdict is wrong with at most this probability when there is no difference. */
#define SF_LEVEL 0.05

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

enum sf_verdict {
	SF_VERDICT_TOO_FEW,
	SF_VERDICT_NONE,
	SF_VERDICT_LOWER,
	SF_VERDICT_HIGHER,
};

/**
 * struct sf_comparison - a sample compared with the baseline, pair by pair
 * @pairs: number of them
 * @base_mean: of the baseline
 * @mean: of the differences, in the metric's unit
 * @sd: of the differences
 * @median: of the differences
 * @percent: @mean in % of @base_mean
 * @low: lower end of the 95 % interval of @percent
 * @high: its upper end
 * @p: two-sided, by flipping the signs of the differences
 * @exact: @p counts all flips, and not some at random
 * @adjusted_p: @p for all comparisons that are made at once (Holm); set by
 *	sf_judge()
 * @detectable: the smallest difference, in % of @base_mean, that so many pairs of such
 *	noise would show 8 times in 10
 * @needed: pairs without which no verdict can be reached; set by sf_judge()
 * @verdict: set by sf_judge()
 */
struct sf_comparison {
	size_t pairs;
	double base_mean;
	double mean;
	double sd;
	double median;
	double percent;
	double low;
	double high;
	double p;
	bool exact;
	double adjusted_p;
	double detectable;
	size_t needed;
	enum sf_verdict verdict;
};

void sf_summarize(const double *values, size_t count,
		  struct sf_summary *summary);
size_t sf_find_outliers(const double *when, const double *values, size_t count,
			bool *flags);
void sf_find_drift(const double *when, const double *values, size_t count,
		   struct sf_drift *drift);
double sf_flip_signs(const double *differences, size_t count, u64 seed,
		     bool *exact);
void sf_compare(const double *base, const double *other, size_t count, u64 seed,
		struct sf_comparison *comparison);
size_t sf_needed_pairs(size_t comparisons, double level);
void sf_judge(struct sf_comparison *const *comparisons, size_t count,
	      double level);

#endif
