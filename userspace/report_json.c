// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A report for programs: the figures of the analysis, units in their keys.
 */
#include <math.h>
#include <stdlib.h>

#include "experiment_words.h"
#include "decisions.h"
#include "report_parts.h"

/* Return: the object, or NULL if any of it did not fit in memory. */
static json_t *sf_finished(struct sf_output *out)
{
	if (!out->incomplete)
		return out->root;
	json_decref(out->root);
	return NULL;
}

static void sf_set_summary(struct sf_output *out,
			   const struct sf_summary *summary)
{
	bool any = summary->count, varies = summary->count > 1;

	sf_output_set(out, "runs", json_integer(summary->count));
	sf_output_set(out, "mean",
		      sf_json_maybe_real(any ? summary->mean : NAN));
	sf_output_set(out, "sd",
		      sf_json_maybe_real(varies ? summary->sd : NAN));
	sf_output_set(out, "cv_percent",
		      sf_json_maybe_real(varies && summary->mean != 0 ?
						 summary->cv :
						 NAN));
	sf_output_set(out, "median",
		      sf_json_maybe_real(any ? summary->median : NAN));
	sf_output_set(out, "min", sf_json_maybe_real(any ? summary->low : NAN));
	sf_output_set(out, "max",
		      sf_json_maybe_real(any ? summary->high : NAN));
}

/* In % of a baseline of 0 there is no telling. */
static json_t *sf_verdict_json(const struct sf_comparison *comparison)
{
	static const char *const verdicts[] = {
		[SF_VERDICT_TOO_FEW] = "too_few",
		[SF_VERDICT_NONE] = "none",
		[SF_VERDICT_LOWER] = "lower",
		[SF_VERDICT_HIGHER] = "higher",
	};

	if (comparison->verdict == SF_VERDICT_NONE &&
	    !isfinite(comparison->percent))
		return json_string("unknown");
	return json_string(verdicts[comparison->verdict]);
}

static json_t *sf_comparison_json(const struct sf_metric *metric, bool judged,
				  const struct sf_comparison *comparison)
{
	struct sf_output out = { .root = json_object() };
	char words[160] = "not judged";
	/* One pair tells nothing of it, nor of deviations. */
	bool chance = comparison->pairs > 1;

	if (judged)
		sf_verdict_words(metric, comparison, words, sizeof(words));
	sf_output_set(&out, "blocks", json_integer(comparison->pairs));
	sf_output_set(&out, "difference", sf_json_maybe_real(comparison->mean));
	sf_output_set(&out, "difference_sd",
		      sf_json_maybe_real(chance ? comparison->sd : NAN));
	sf_output_set(&out, "difference_median",
		      sf_json_maybe_real(comparison->median));
	sf_output_set(&out, "difference_percent",
		      sf_json_maybe_real(comparison->percent));
	sf_output_set(&out, "interval_low_percent",
		      sf_json_maybe_real(comparison->low));
	sf_output_set(&out, "interval_high_percent",
		      sf_json_maybe_real(comparison->high));
	sf_output_set(&out, "p",
		      sf_json_maybe_real(chance ? comparison->p : NAN));
	sf_output_set(&out, "p_exact", json_boolean(comparison->exact));
	sf_output_set(&out, "adjusted_p",
		      sf_json_maybe_real(chance ? comparison->adjusted_p :
						  NAN));
	sf_output_set(&out, "detectable_percent",
		      sf_json_maybe_real(comparison->detectable));
	sf_output_set(&out, "precision_percent",
		      sf_json_maybe_real(comparison->precision));
	sf_output_set(&out, "needed_blocks",
		      judged ? json_integer(comparison->needed) : json_null());
	sf_output_set(&out, "verdict",
		      judged ? sf_verdict_json(comparison) : json_null());
	sf_output_set(&out, "verdict_words", sf_json_text(words));
	return sf_finished(&out);
}

static json_t *sf_sample_json(const struct sf_experiment *experiment,
			      const struct sf_analysis *analysis, size_t metric,
			      size_t policy)
{
	const struct sf_sample *sample = &analysis->samples[metric][policy];
	struct sf_output out = { .root = json_object() };

	sf_output_set(&out, "policy",
		      sf_json_text(sf_policy_label(experiment, policy).text));
	sf_set_summary(&out, &sample->summary);
	sf_output_set(&out, "drift_percent",
		      sf_json_maybe_real(sample->drift.percent));
	sf_output_set(&out, "drift_p", sf_json_maybe_real(sample->drift.p));
	sf_output_set(&out, "drift_adjusted_p",
		      sf_json_maybe_real(sf_drift_p(experiment, analysis,
						    metric, policy)));
	sf_output_set(&out, "outliers", json_integer(sample->outliers));
	sf_output_set(&out, "comparison",
		      policy ? sf_comparison_json(&experiment->metrics[metric],
						  metric < analysis->judged,
						  &sample->comparison) :
			       json_null());
	return sf_finished(&out);
}

static json_t *sf_metric_report(const struct sf_experiment *experiment,
				const struct sf_analysis *analysis,
				size_t metric)
{
	const struct sf_metric *what = &experiment->metrics[metric];
	struct sf_output out = { .root = json_object() };
	const char *better =
		what->regex ? sf_better_words[what->better] : "lower";
	json_t *samples = json_array();
	size_t i;

	for (i = 0; i < experiment->policy_count; i++)
		if (json_array_append_new(samples,
					  sf_sample_json(experiment, analysis,
							 metric, i)))
			out.incomplete = true;
	sf_output_set(&out, "name", sf_json_text(what->name));
	sf_output_set(&out, "unit", sf_json_text(sf_metric_unit(what)));
	sf_output_set(&out, "better",
		      better ? json_string(better) : json_null());
	sf_output_set(&out, "judged", json_boolean(metric < analysis->judged));
	sf_output_set(&out, "samples", samples);
	return sf_finished(&out);
}

static json_t *sf_rate_json(const struct sf_experiment *experiment,
			    const struct sf_analysis *analysis, size_t rate,
			    size_t policy)
{
	const struct sf_rate *figure = &analysis->rates[policy][rate];
	struct sf_summary none = { .count = 0 };
	struct sf_output out = { .root = json_object() };

	sf_output_set(&out, "policy",
		      sf_json_text(sf_policy_label(experiment, policy).text));
	sf_set_summary(&out, figure->known ? &figure->summary : &none);
	return sf_finished(&out);
}

static json_t *sf_rate_report(const struct sf_experiment *experiment,
			      const struct sf_analysis *analysis, size_t rate)
{
	struct sf_output out = { .root = json_object() };
	json_t *samples = json_array();
	size_t i;

	for (i = 0; i < experiment->policy_count; i++)
		if (json_array_append_new(samples,
					  sf_rate_json(experiment, analysis,
						       rate, i)))
			out.incomplete = true;
	sf_output_set(&out, "name",
		      sf_json_text(analysis->rates[0][rate].name));
	sf_output_set(&out, "samples", samples);
	return sf_finished(&out);
}

static json_t *sf_run_report(const struct sf_experiment *experiment,
			     size_t index)
{
	const struct sf_run *run = &experiment->runs[index];
	struct sf_output out = { .root = json_object() };

	sf_output_set(&out, "order", json_integer(index + 1));
	sf_output_set(&out, "block", json_integer(run->block + 1));
	sf_output_set(
		&out, "policy",
		sf_json_text(sf_policy_label(experiment, run->policy).text));
	sf_output_set(&out, "warmup", json_boolean(run->warmup));
	sf_output_set(&out, "invalid_reason",
		      run->invalid ? sf_json_text(run->invalid) : json_null());
	return sf_finished(&out);
}

static void sf_set_runs(struct sf_output *out,
			const struct sf_experiment *experiment,
			const struct sf_analysis *analysis)
{
	json_t *invalid = json_array(), *outliers = json_array();
	size_t i;

	for (i = 0; i < experiment->run_count; i++) {
		if (experiment->runs[i].invalid &&
		    json_array_append_new(invalid,
					  sf_run_report(experiment, i)))
			out->incomplete = true;
		if (analysis->outlier[i] &&
		    json_array_append_new(outliers,
					  sf_run_report(experiment, i)))
			out->incomplete = true;
	}
	sf_output_set(out, "invalid_runs", invalid);
	sf_output_set(out, "outliers", outliers);
}

static void sf_set_figures(struct sf_output *out,
			   const struct sf_experiment *experiment,
			   const struct sf_analysis *analysis)
{
	json_t *metrics = json_array(), *rates = json_array();
	size_t i;

	for (i = 0; i < experiment->metric_count; i++)
		if (json_array_append_new(
			    metrics, sf_metric_report(experiment, analysis, i)))
			out->incomplete = true;
	for (i = 0; i < analysis->rate_count; i++)
		if (json_array_append_new(rates, sf_rate_report(experiment,
								analysis, i)))
			out->incomplete = true;
	sf_output_set(out, "metrics", metrics);
	sf_output_set(out, "rates", rates);
}

/* Of all policies, or of those that @have it. */
static json_t *sf_labels_json(
	const struct sf_experiment *experiment,
	bool (*have)(const struct sf_experiment *experiment, size_t policy))
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < experiment->policy_count; i++)
		if (!have || have(experiment, i))
			json_array_append_new(
				array,
				sf_json_text(
					sf_policy_label(experiment, i).text));
	return array;
}

/**
 * sf_report_json - a report for programs
 * @experiment: what was measured
 * @analysis: of it
 *
 * Return: an object, to be freed; NULL if it does not fit in memory.
 */
json_t *sf_report_json(const struct sf_experiment *experiment,
		       const struct sf_analysis *analysis)
{
	struct sf_output out = { .root = json_object() };
	char *note = sf_decisions_note(experiment);

	sf_output_set(&out, "complete", json_boolean(experiment->complete));
	sf_output_set(&out, "stopped",
		      experiment->stopped ? sf_json_text(experiment->stopped) :
					    json_null());
	sf_output_set(&out, "policies", sf_labels_json(experiment, NULL));
	sf_output_set(&out, "newidle_calls_unseen",
		      sf_labels_json(experiment, sf_decisions_unseen));
	sf_output_set(&out, "newidle_unlearned",
		      sf_labels_json(experiment, sf_decisions_unlearned));
	sf_output_set(&out, "newidle_note", sf_json_maybe_text(note));
	free(note);
	sf_output_set(&out, "command", json_incref(experiment->command));
	sf_output_set(&out, "order", sf_json_text(experiment->order));
	sf_output_set(&out, "learn", sf_json_text(experiment->learn));
	sf_output_set(&out, "seed",
		      json_integer(experiment->seed & SF_MAX_SEED));
	sf_output_set(&out, "precision_percent",
		      sf_json_maybe_real(experiment->precision));
	sf_output_set(&out, "blocks", json_integer(analysis->blocks));
	sf_output_set(&out, "broken_blocks",
		      json_integer(analysis->broken_blocks));
	sf_set_figures(&out, experiment, analysis);
	sf_set_runs(&out, experiment, analysis);
	sf_output_set(&out, "warnings", json_incref(experiment->warnings));
	sf_output_set(&out, "system", json_incref(experiment->system));
	return sf_finished(&out);
}
