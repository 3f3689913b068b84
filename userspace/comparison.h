/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether two samples that were taken in pairs differ.
 */
#ifndef SCHEDFLIP_COMPARISON_H
#define SCHEDFLIP_COMPARISON_H

#include <schedflip/types.h>

/* So many random resamplings give an interval. */
#define SF_RESAMPLES 9999

/* Up to so many pairs all flips of signs are counted; beyond, some at random. */
#define SF_EXACT_PAIRS 40

/* A verdict is wrong with at most this probability when there is no difference. */
#define SF_LEVEL 0.05

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
 * @equal: all differences are, so that nothing tells how well the mean is known: the
 *	metric may be too coarse
 * @low: lower end of the 95 % interval of @percent; NAN if they are @equal
 * @high: its upper end
 * @p: two-sided, by flipping the signs of the differences
 * @exact: @p counts all flips, and not some at random
 * @adjusted_p: @p for all comparisons that are made at once (Holm); set by
 *	sf_judge()
 * @detectable: the smallest difference, in % of @base_mean, that so many pairs of such
 *	noise would show 8 times in 10; NAN if so few cannot show any, or if they are
 *	@equal. sf_judge() sets it anew for all comparisons that are made at once
 * @precision: half the width, in % of @base_mean, that the interval has or that is above
 *	it, by and large. It goes by the sizes of the differences and not by their signs,
 *	unless the mean is twice as far from 0 as that; so adding pairs until it is small
 *	enough makes no false verdicts. By @low and @high it would: narrow intervals come
 *	with means that are off
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
	bool equal;
	double low;
	double high;
	double p;
	bool exact;
	double adjusted_p;
	double detectable;
	double precision;
	size_t needed;
	enum sf_verdict verdict;
};

void sf_compare(const double *base, const double *other, size_t count, u64 seed,
		struct sf_comparison *comparison);
void sf_compare_by(const double *base, const double *other, size_t count,
		   size_t resamples, u64 seed,
		   struct sf_comparison *comparison);
size_t sf_needed_pairs(size_t comparisons, double level);
void sf_judge(struct sf_comparison *const *comparisons, size_t count,
	      double level);

#endif
