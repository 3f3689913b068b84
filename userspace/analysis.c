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

static void sf_compare_column(const struct sf_experiment *experiment,
			      const struct sf_column *column, size_t count,
			      size_t metric, size_t policy, size_t resamples,
			      struct sf_comparison *comparison)
{
	sf_compare_by(column->base, column->values, count, resamples,
		      sf_comparison_seed(experiment->seed, metric, policy),
		      comparison);
}

static void sf_find_sample(const struct sf_blocks *blocks,
			   struct sf_column *column, struct sf_sample *sample)
{
	sf_summarize(column->values, blocks->count, &sample->summary);
	sf_find_drift(column->when, column->values, blocks->count,
		      &sample->drift);
	sample->outliers = sf_find_outliers(column->when, column->values,
					    blocks->count, column->far);
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
			   const struct sf_blocks *blocks, size_t resamples,
			   struct sf_analysis *analysis, struct sf_error *err)
{
	struct sf_column column = { NULL };
	int code = sf_column_allocate(&column, blocks->count, err);
	size_t metric, policy;

	for (metric = 0; !code && metric < experiment->metric_count; metric++)
		for (policy = 0; policy < experiment->policy_count; policy++) {
			struct sf_sample *sample =
				&analysis->samples[metric][policy];

			sf_fill_column(blocks, metric, policy, &column);
			sf_find_sample(blocks, &column, sample);
			if (policy)
				sf_compare_column(experiment, &column,
						  blocks->count, metric, policy,
						  resamples,
						  &sample->comparison);
			if (metric < analysis->judged)
				sf_note_outliers(experiment, blocks, policy,
						 &column, analysis);
		}
	sf_column_free(&column);
	return code;
}

/* What is judged, without resampling, and nothing else. */
static int sf_glance_at_samples(const struct sf_experiment *experiment,
				const struct sf_blocks *blocks,
				struct sf_analysis *analysis,
				struct sf_error *err)
{
	struct sf_column column = { NULL };
	int code = sf_column_allocate(&column, blocks->count, err);
	size_t metric, policy;

	for (metric = 0; !code && metric < analysis->judged; metric++)
		for (policy = 1; policy < experiment->policy_count; policy++) {
			sf_fill_column(blocks, metric, policy, &column);
			sf_compare_column(
				experiment, &column, blocks->count, metric,
				policy, 0,
				&analysis->samples[metric][policy].comparison);
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

static int sf_begin_analysis(const struct sf_experiment *experiment,
			     struct sf_blocks *blocks,
			     struct sf_analysis *analysis, struct sf_error *err)
{
	int code = sf_blocks_find(experiment, blocks, err);

	*analysis = (struct sf_analysis){
		.blocks = blocks->count,
		.broken_blocks = blocks->broken,
		.invalid_runs = blocks->invalid_runs,
		.judged = experiment->metric_count > 1 ?
				  experiment->metric_count - 1 :
				  1,
		.outlier = calloc(experiment->run_count + 1,
				  sizeof(*analysis->outlier)),
	};
	if (!code && !analysis->outlier)
		code = sf_fail(err, SF_FAILED, "out of memory");
	return code;
}

/**
 * sf_analyze_by - analyze with another number of resamples
 * @experiment: as for sf_analyze(), as are all others
 * @resamples: fewer are faster, and shake the ends of the intervals
 * @analysis: set
 * @err: says if memory ran out
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_analyze_by(const struct sf_experiment *experiment, size_t resamples,
		  struct sf_analysis *analysis, struct sf_error *err)
{
	struct sf_blocks blocks;
	int code = sf_begin_analysis(experiment, &blocks, analysis, err);

	if (!code)
		code = sf_find_samples(experiment, &blocks, resamples, analysis,
				       err);
	if (!code)
		code = sf_rates_find(experiment, &blocks, analysis, err);
	if (!code)
		sf_judge_samples(experiment, analysis);
	sf_blocks_free(&blocks);
	return code;
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
	return sf_analyze_by(experiment, SF_RESAMPLES, analysis, err);
}

/**
 * sf_glance - find how well the differences are known, and no more
 * @experiment: not finished
 * @analysis: set; to be freed by sf_analysis_free(), also after a failure
 * @err: says if memory ran out
 *
 * It takes so little time that it does not disturb the next run: there are the
 * comparisons that are judged only, with Student's intervals, without p and verdicts.
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_glance(const struct sf_experiment *experiment,
	      struct sf_analysis *analysis, struct sf_error *err)
{
	struct sf_blocks blocks;
	int code = sf_begin_analysis(experiment, &blocks, analysis, err);

	if (!code)
		code = sf_glance_at_samples(experiment, &blocks, analysis, err);
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
 * sf_least_known - the comparison that is known least well, of those that are judged
 * @analysis: with at least one block
 * @policy_count: of the experiment
 */
struct sf_place sf_least_known(const struct sf_analysis *analysis,
			       size_t policy_count)
{
	struct sf_place widest = { 0, 1 };
	double most = -1, precision;
	size_t metric, policy;

	for (metric = 0; metric < analysis->judged; metric++)
		for (policy = 1; policy < policy_count; policy++) {
			precision = analysis->samples[metric][policy]
					    .comparison.precision;
			if (isnan(precision))
				precision = INFINITY;
			if (precision <= most)
				continue;
			most = precision;
			widest = (struct sf_place){ metric, policy };
		}
	return widest;
}

static double sf_half_interval(const struct sf_comparison *comparison)
{
	double half = (comparison->high - comparison->low) / 2;

	if (comparison->equal && isfinite(comparison->percent))
		return 0;
	return isnan(half) ? INFINITY : half;
}

/**
 * sf_widest_interval - how wide is the widest interval?
 * @analysis: of the experiment
 * @policy_count: of the experiment
 *
 * Return: half of it, +- %, of the comparisons that are judged; INFINITY if any has none,
 * though of equal differences it is taken to be 0.
 */
double sf_widest_interval(const struct sf_analysis *analysis,
			  size_t policy_count)
{
	double widest = 0;
	size_t metric, policy;

	if (!analysis->blocks)
		return INFINITY;
	for (metric = 0; metric < analysis->judged; metric++)
		for (policy = 1; policy < policy_count; policy++)
			widest = fmax(widest,
				      sf_half_interval(
					      &analysis->samples[metric][policy]
						       .comparison));
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

	if (comparison->equal && isfinite(comparison->percent))
		snprintf(
			buf, size,
			"no difference detected (all differences are equal; the metric's resolution is unknown)");
	else if (isnan(detectable))
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
