// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <schedflip/random.h>

#include "analysis.h"
#include "blocks.h"
#include "rates.h"
#include "text.h"

/**
 * struct sf_column - the runs of one policy, by block, in one metric
 * @when: they began, s
 * @values: of the metric
 * @base: the same of the baseline
 * @far: they are outliers
 */
struct sf_column {
	double *when;
	double *values;
	double *base;
	bool *far;
};

static void sf_column_free(struct sf_column *column)
{
	free(column->when);
	free(column->values);
	free(column->base);
	free(column->far);
}

/* Room for so many blocks. */
static int sf_column_allocate(struct sf_column *column, size_t blocks,
			      struct sf_error *err)
{
	column->when = calloc(blocks + 1, sizeof(*column->when));
	column->values = calloc(blocks + 1, sizeof(*column->values));
	column->base = calloc(blocks + 1, sizeof(*column->base));
	column->far = calloc(blocks + 1, sizeof(*column->far));
	if (!column->when || !column->values || !column->base || !column->far)
		return sf_fail(err, SF_FAILED, "out of memory");
	return SF_OK;
}

static void sf_fill_column(const struct sf_blocks *blocks, size_t metric,
			   size_t policy, struct sf_column *column)
{
	size_t i;

	for (i = 0; i < blocks->count; i++) {
		const struct sf_run *run = sf_blocks_run(blocks, i, policy);

		column->when[i] = run->began_s;
		column->values[i] = run->values[metric];
		column->base[i] = sf_blocks_run(blocks, i, 0)->values[metric];
	}
}

/* A stream of its own for each comparison. */
static u64 sf_comparison_seed(u64 seed, size_t metric, size_t policy)
{
	struct sf_rng rng;

	sf_random_seed(&rng, seed, metric * SF_MAX_POLICIES + policy);
	return sf_random64(&rng);
}

static void sf_find_sample(const struct sf_experiment *experiment,
			   const struct sf_blocks *blocks, size_t metric,
			   size_t policy, struct sf_column *column,
			   struct sf_sample *sample)
{
	sf_fill_column(blocks, metric, policy, column);
	sf_summarize(column->values, blocks->count, &sample->summary);
	sf_find_drift(column->when, column->values, blocks->count,
		      &sample->drift);
	sample->outliers = sf_find_outliers(column->when, column->values,
					    blocks->count, column->far);
	if (policy)
		sf_compare(column->base, column->values, blocks->count,
			   sf_comparison_seed(experiment->seed, metric, policy),
			   &sample->comparison);
}

static void sf_note_outliers(const struct sf_experiment *experiment,
			     const struct sf_blocks *blocks, size_t policy,
			     const struct sf_column *column,
			     struct sf_analysis *analysis)
{
	size_t i;

	for (i = 0; i < blocks->count; i++)
		if (column->far[i])
			analysis->outlier[sf_blocks_run(blocks, i, policy) -
					  experiment->runs] = true;
}

static int sf_find_samples(const struct sf_experiment *experiment,
			   const struct sf_blocks *blocks,
			   struct sf_analysis *analysis, struct sf_error *err)
{
	struct sf_column column = { NULL };
	int code = sf_column_allocate(&column, blocks->count, err);
	size_t metric, policy;

	for (metric = 0; !code && metric < experiment->metric_count; metric++)
		for (policy = 0; policy < experiment->policy_count; policy++) {
			sf_find_sample(experiment, blocks, metric, policy,
				       &column,
				       &analysis->samples[metric][policy]);
			if (metric < analysis->judged)
				sf_note_outliers(experiment, blocks, policy,
						 &column, analysis);
		}
	sf_column_free(&column);
	return code;
}

/* Compared, but for the reader's information only. */
static void sf_leave_unjudged(struct sf_comparison *comparison, size_t needed)
{
	comparison->adjusted_p = comparison->p;
	comparison->needed = needed;
	comparison->verdict = comparison->pairs < needed ? SF_VERDICT_TOO_FEW :
							   SF_VERDICT_NONE;
}

/* All that is judged at once, so that verdicts together are wrong at that level. */
static void sf_judge_samples(const struct sf_experiment *experiment,
			     struct sf_analysis *analysis)
{
	struct sf_comparison *judged[SF_MAX_METRICS * SF_MAX_POLICIES];
	size_t metric, policy, count = 0;

	for (metric = 0; metric < analysis->judged; metric++)
		for (policy = 1; policy < experiment->policy_count; policy++)
			judged[count++] =
				&analysis->samples[metric][policy].comparison;
	sf_judge(judged, count, SF_LEVEL);
	for (; metric < experiment->metric_count; metric++)
		for (policy = 1; policy < experiment->policy_count; policy++)
			sf_leave_unjudged(
				&analysis->samples[metric][policy].comparison,
				sf_needed_pairs(count, SF_LEVEL));
}

/**
 * sf_analyze - find what an experiment shows
 * @experiment: finished or not
 * @analysis: set; to be freed by sf_analysis_free(), also after a failure
 * @err: says if memory ran out
 *
 * The same experiment always gives the same analysis.
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_analyze(const struct sf_experiment *experiment,
	       struct sf_analysis *analysis, struct sf_error *err)
{
	struct sf_blocks blocks;
	int code = sf_blocks_find(experiment, &blocks, err);

	*analysis = (struct sf_analysis){
		.blocks = blocks.count,
		.broken_blocks = blocks.broken,
		.invalid_runs = blocks.invalid_runs,
		.judged = experiment->metric_count > 1 ?
				  experiment->metric_count - 1 :
				  1,
		.outlier = calloc(experiment->run_count + 1,
				  sizeof(*analysis->outlier)),
	};
	if (!code && !analysis->outlier)
		code = sf_fail(err, SF_FAILED, "out of memory");
	if (!code)
		code = sf_find_samples(experiment, &blocks, analysis, err);
	if (!code)
		code = sf_rates_find(experiment, &blocks, analysis, err);
	if (!code)
		sf_judge_samples(experiment, analysis);
	sf_blocks_free(&blocks);
	return code;
}

/**
 * sf_analysis_free - free what sf_analyze() allocated
 * @analysis: from it
 */
void sf_analysis_free(struct sf_analysis *analysis)
{
	free(analysis->outlier);
	analysis->outlier = NULL;
}

/**
 * sf_widest_interval - how well are the differences known?
 * @analysis: from sf_analyze()
 * @policy_count: of the experiment
 *
 * Adding blocks until this is small enough, from 10 on, is safe; until the intervals
 * themselves are, or the verdicts, is not. See struct sf_comparison.
 *
 * Return: the largest precision of the comparisons that are judged, +- %; INFINITY if
 * any is unknown.
 */
double sf_widest_interval(const struct sf_analysis *analysis,
			  size_t policy_count)
{
	double widest = 0;
	size_t metric, policy;

	if (!analysis->blocks)
		return INFINITY;
	for (metric = 0; metric < analysis->judged; metric++)
		for (policy = 1; policy < policy_count; policy++) {
			double precision = analysis->samples[metric][policy]
						   .comparison.precision;

			if (isnan(precision))
				return INFINITY;
			widest = fmax(widest, precision);
		}
	return widest;
}

static const char *sf_found_word(const struct sf_metric *metric, bool higher)
{
	if (!metric->regex)
		return higher ? "slower" : "faster";
	if (metric->better == SF_BETTER_UNSAID)
		return higher ? "higher" : "lower";
	return higher == (metric->better == SF_BETTER_HIGHER) ? "better" :
								"worse";
}

static void sf_none_words(const struct sf_comparison *comparison, char *buf,
			  size_t size)
{
	double detectable = comparison->detectable;

	if (isnan(detectable))
		snprintf(buf, size, "no verdict: the baseline's mean is %g",
			 comparison->base_mean);
	else
		snprintf(
			buf, size,
			"no difference detected (smallest detectable, 8 times in 10: %.*f %%)",
			detectable < 1 ? 2 : 1, detectable);
}

/**
 * sf_verdict_words - say what a comparison came to
 * @metric: that is compared
 * @comparison: after sf_judge()
 * @buf: such as "faster", "worse" or "no verdict: 4 blocks, needs 6"
 * @size: of @buf
 */
void sf_verdict_words(const struct sf_metric *metric,
		      const struct sf_comparison *comparison, char *buf,
		      size_t size)
{
	switch (comparison->verdict) {
	case SF_VERDICT_TOO_FEW:
		snprintf(buf, size, "no verdict: %zu block%s, needs %zu",
			 comparison->pairs, sf_plural(comparison->pairs),
			 comparison->needed);
		return;
	case SF_VERDICT_NONE:
		sf_none_words(comparison, buf, size);
		return;
	case SF_VERDICT_LOWER:
	case SF_VERDICT_HIGHER:
		snprintf(buf, size, "%s",
			 sf_found_word(metric, comparison->verdict ==
						       SF_VERDICT_HIGHER));
	}
}
