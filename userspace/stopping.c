// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdio.h>

#include "stopping.h"

/* Fewer give no interval to be trusted, however narrow. */
#define SF_MIN_SEQUENTIAL 10

/*
 * An interval may be so many times as wide as was asked for. That it depends on the signs
 * of the differences, as verdicts do, is no harm as long as it seldom decides.
 */
#define SF_INTERVAL_SLACK 1.5

/**
 * sf_least_blocks - whole blocks without which the precision is not looked at
 * @plan: after sf_plan_check()
 */
size_t sf_least_blocks(const struct sf_plan *plan)
{
	size_t needed = sf_plan_needed(plan);

	return needed > SF_MIN_SEQUENTIAL ? needed : SF_MIN_SEQUENTIAL;
}

/**
 * sf_is_precise - is as much known as the user wants to know?
 * @analysis: from sf_glance(), or from sf_analyze(), which has the last word
 * @plan: with a precision
 *
 * Blocks may be added one by one until it is so. See struct sf_comparison.
 */
bool sf_is_precise(const struct sf_analysis *analysis,
		   const struct sf_plan *plan)
{
	struct sf_place place;

	if (analysis->blocks < sf_least_blocks(plan))
		return false;
	place = sf_least_known(analysis, plan->contender_count);
	return analysis->samples[place.metric][place.policy]
			       .comparison.precision <= plan->precision &&
	       sf_widest_interval(analysis, plan->contender_count) <=
		       SF_INTERVAL_SLACK * plan->precision;
}

/**
 * sf_precision_words - say what was reached
 * @analysis: from sf_analyze()
 * @plan: with a precision
 * @buf: such as "the widest interval is +-0.93 %, asked for +-1 %"
 * @size: of @buf
 */
void sf_precision_words(const struct sf_analysis *analysis,
			const struct sf_plan *plan, char *buf, size_t size)
{
	double widest = sf_widest_interval(analysis, plan->contender_count);

	if (widest > 0)
		snprintf(buf, size,
			 "the widest interval is +-%.3g %%, asked for +-%g %%",
			 widest, plan->precision);
	else
		snprintf(buf, size,
			 "all differences are equal, asked for +-%g %%",
			 plan->precision);
}
