// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which drifts are no accident: one is looked for under each policy, in each metric.
 */
#include <math.h>

#include "report_parts.h"

/* Times p, so many of the trends are not less likely. */
static double sf_drift_step(const struct sf_experiment *experiment,
			    const struct sf_analysis *analysis, double p)
{
	size_t metric, policy, left = 0;

	for (metric = 0; metric < analysis->judged; metric++)
		for (policy = 0; policy < experiment->policy_count; policy++)
			left += !(analysis->samples[metric][policy].drift.p <
				  p);
	return left * p;
}

/**
 * sf_drift_p - how likely a drift is without a cause, among all that are looked for
 * @experiment: it
 * @analysis: of it
 * @metric: index of the metric
 * @policy: index of the policy
 *
 * Return: p, adjusted by Holm's method for all policies and all metrics that are
 * judged; NAN if it is unknown, or if the metric is not judged.
 */
double sf_drift_p(const struct sf_experiment *experiment,
		  const struct sf_analysis *analysis, size_t metric,
		  size_t policy)
{
	double own = analysis->samples[metric][policy].drift.p, worst = 0, p;
	size_t i, j;

	if (metric >= analysis->judged || isnan(own))
		return NAN;
	for (i = 0; i < analysis->judged; i++)
		for (j = 0; j < experiment->policy_count; j++) {
			p = analysis->samples[i][j].drift.p;
			if (p <= own)
				worst = fmax(worst, sf_drift_step(experiment,
								  analysis, p));
		}
	return fmin(worst, 1);
}
