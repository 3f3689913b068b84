// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One metric under all policies: a table, and in words what it shows.
 */
#include <math.h>
#include <string.h>

#include "figure.h"
#include "report_parts.h"
#include "text.h"

/* All differences and intervals have so many decimals, in percent. */
#define SF_PERCENT_DECIMALS 2

/* That any drift is named although there is none is at most so likely. */
#define SF_DRIFT_LEVEL 0.05

enum {
	SF_COL_POLICY,
	SF_COL_MEAN,
	SF_COL_SD,
	SF_COL_CV,
	SF_COL_MEDIAN,
	SF_COL_DIFFERENCE,
	SF_COL_INTERVAL,
	SF_COL_P,
	SF_COL_VERDICT,
	SF_NR_COLS,
};

/**
 * sf_report_comparisons - how many comparisons are judged at once
 * @experiment: it
 * @analysis: of it
 */
size_t sf_report_comparisons(const struct sf_experiment *experiment,
			     const struct sf_analysis *analysis)
{
	return (experiment->policy_count - 1) * analysis->judged;
}

static bool sf_is_adjusted(const struct sf_report *report, size_t metric)
{
	return metric < report->analysis->judged &&
	       sf_report_comparisons(report->experiment, report->analysis) > 1;
}

/* One for the whole column, so that its figures can be compared at a glance. */
static int sf_metric_decimals(const struct sf_report *report, size_t metric)
{
	const struct sf_sample *samples = report->analysis->samples[metric];
	double noise = INFINITY, sd;
	size_t i;

	for (i = 0; i < report->experiment->policy_count; i++) {
		sd = samples[i].summary.sd;
		if (sd > 0 && sd < noise)
			noise = sd;
	}
	return sf_figure_decimals(samples[0].summary.mean,
				  isfinite(noise) ? noise : 0);
}

static void sf_verdict_cell(const struct sf_report *report, size_t metric,
			    const struct sf_comparison *comparison,
			    struct sf_grid *grid)
{
	char words[160];

	if (metric >= report->analysis->judged)
		snprintf(words, sizeof(words), "not judged");
	else if (comparison->verdict == SF_VERDICT_TOO_FEW)
		snprintf(words, sizeof(words), "too few blocks");
	else if (!isfinite(comparison->percent))
		snprintf(words, sizeof(words), "no verdict");
	else if (comparison->verdict == SF_VERDICT_NONE)
		snprintf(words, sizeof(words), "none detected");
	else
		sf_verdict_words(&report->experiment->metrics[metric],
				 comparison, words, sizeof(words));
	sf_grid_set(grid, SF_COL_VERDICT, "%s", words);
}

static void sf_comparison_cells(const struct sf_comparison *comparison,
				struct sf_grid *grid)
{
	int decimals = SF_PERCENT_DECIMALS;

	sf_grid_set(grid, SF_COL_DIFFERENCE, "%s",
		    sf_figure_signed(comparison->percent, decimals).text);
	if (isfinite(comparison->low) && isfinite(comparison->high))
		sf_grid_set(grid, SF_COL_INTERVAL, "%s to %s",
			    sf_figure_signed(comparison->low, decimals).text,
			    sf_figure_signed(comparison->high, decimals).text);
	else
		sf_grid_set(grid, SF_COL_INTERVAL, "-");
	sf_grid_set(grid, SF_COL_P, "%s",
		    sf_figure_p(comparison->adjusted_p).text);
}

static void sf_sample_row(const struct sf_report *report, size_t metric,
			  size_t policy, struct sf_grid *grid)
{
	const struct sf_sample *sample =
		&report->analysis->samples[metric][policy];
	const struct sf_summary *summary = &sample->summary;
	int column, decimals = sf_metric_decimals(report, metric);
	/* One value has no deviation. */
	bool varies = summary->count > 1;

	sf_grid_add_row(grid);
	sf_grid_set(grid, SF_COL_POLICY, "%s",
		    sf_table_label(report, policy).text);
	sf_grid_set(grid, SF_COL_MEAN, "%s",
		    sf_figure(summary->mean, decimals).text);
	sf_grid_set(grid, SF_COL_SD, "%s",
		    sf_figure(varies ? summary->sd : NAN, decimals).text);
	sf_grid_set(
		grid, SF_COL_CV, "%s",
		sf_figure(varies ? summary->cv : NAN, SF_PERCENT_DECIMALS).text);
	sf_grid_set(grid, SF_COL_MEDIAN, "%s",
		    sf_figure(summary->median, decimals).text);
	if (policy) {
		sf_comparison_cells(&sample->comparison, grid);
		sf_verdict_cell(report, metric, &sample->comparison, grid);
		return;
	}
	for (column = SF_COL_DIFFERENCE; column <= SF_COL_P; column++)
		sf_grid_set(grid, column, "-");
	sf_grid_set(grid, SF_COL_VERDICT, "baseline");
}

static void sf_metric_table(const struct sf_report *report, size_t metric)
{
	const char *unit = sf_metric_unit(&report->experiment->metrics[metric]);
	char mean[64], sd[64], median[64];
	const struct sf_column columns[SF_NR_COLS] = {
		[SF_COL_POLICY] = { "policy", 0 },
		[SF_COL_MEAN] = { mean, SCOLS_FL_RIGHT },
		[SF_COL_SD] = { sd, SCOLS_FL_RIGHT },
		[SF_COL_CV] = { "CV [%]", SCOLS_FL_RIGHT },
		[SF_COL_MEDIAN] = { median, SCOLS_FL_RIGHT },
		[SF_COL_DIFFERENCE] = { "difference [%]", SCOLS_FL_RIGHT },
		[SF_COL_INTERVAL] = { "95 % interval [%]", SCOLS_FL_RIGHT },
		[SF_COL_P] = { sf_is_adjusted(report, metric) ? "p (Holm)" :
								"p",
			       SCOLS_FL_RIGHT },
		[SF_COL_VERDICT] = { "verdict", 0 },
	};
	struct sf_grid grid;
	size_t i;

	snprintf(mean, sizeof(mean), "mean [%s]", unit);
	snprintf(sd, sizeof(sd), "sd [%s]", unit);
	snprintf(median, sizeof(median), "median [%s]", unit);
	sf_grid_begin(&grid, columns, SF_NR_COLS);
	for (i = 0; i < report->experiment->policy_count; i++)
		sf_sample_row(report, metric, i, &grid);
	sf_page_table(report->page, &grid);
}

/* "p = 0.0021 (Holm, 2 comparisons), 12 blocks" */
static void sf_say_p(const struct sf_report *report, size_t metric,
		     const struct sf_comparison *comparison, char *buf,
		     size_t size)
{
	buf[0] = '\0';
	sf_append_text(buf, size, "%s",
		       sf_figure_p_is(comparison->adjusted_p).text);
	if (sf_is_adjusted(report, metric))
		sf_append_text(buf, size, " (Holm, %zu comparisons)",
			       sf_report_comparisons(report->experiment,
						     report->analysis));
	sf_append_text(buf, size, ", %zu block%s", comparison->pairs,
		       sf_plural(comparison->pairs));
}

static void sf_say_interval(const struct sf_comparison *comparison, char *buf,
			    size_t size)
{
	bool lower = comparison->verdict == SF_VERDICT_LOWER;
	double low = lower ? -comparison->high : comparison->low;
	double high = lower ? -comparison->low : comparison->high;
	int decimals = SF_PERCENT_DECIMALS;

	if (comparison->equal)
		snprintf(
			buf, size,
			"all differences are equal; the metric's resolution is unknown");
	else
		snprintf(buf, size, "95 %% interval %s to %s %%",
			 sf_figure(low, decimals).text,
			 sf_figure(high, decimals).text);
}

/* One is slower by 2 %, and not faster by -2 %. */
static void sf_report_difference(const struct sf_report *report, size_t metric,
				 const char *subject, const char *words,
				 size_t policy)
{
	const struct sf_comparison *comparison =
		&report->analysis->samples[metric][policy].comparison;
	char interval[128], p[96];

	sf_say_interval(comparison, interval, sizeof(interval));
	sf_say_p(report, metric, comparison, p, sizeof(p));
	sf_page_item(
		report->page, "%s%s is %s than %s by %s %% (%s), %s", subject,
		sf_policy_label(report->experiment, policy).text, words,
		sf_policy_label(report->experiment, 0).text,
		sf_figure(fabs(comparison->percent), SF_PERCENT_DECIMALS).text,
		interval, p);
}

/* From one block there is no interval, and of a baseline of 0 no percentage. */
static void sf_say_difference(const struct sf_comparison *comparison, char *buf,
			      size_t size)
{
	int decimals = SF_PERCENT_DECIMALS;

	buf[0] = '\0';
	if (!isfinite(comparison->percent))
		return;
	sf_append_text(buf, size, "difference %s %%",
		       sf_figure_signed(comparison->percent, decimals).text);
	if (isfinite(comparison->low) && isfinite(comparison->high))
		sf_append_text(
			buf, size, " (95 %% interval %s to %s %%)",
			sf_figure_signed(comparison->low, decimals).text,
			sf_figure_signed(comparison->high, decimals).text);
	sf_append_text(buf, size, ", ");
}

static void sf_report_no_difference(const struct sf_report *report,
				    size_t metric, const char *subject,
				    const char *words, size_t policy)
{
	const struct sf_comparison *comparison =
		&report->analysis->samples[metric][policy].comparison;
	char difference[192], p[96];

	sf_say_difference(comparison, difference, sizeof(difference));
	sf_say_p(report, metric, comparison, p, sizeof(p));
	sf_page_item(report->page, "%s%s against %s: %s; %s%s", subject,
		     sf_policy_label(report->experiment, policy).text,
		     sf_policy_label(report->experiment, 0).text, words,
		     difference, p);
}

static void sf_report_verdict(const struct sf_report *report, size_t metric,
			      size_t policy)
{
	const struct sf_metric *what = &report->experiment->metrics[metric];
	const struct sf_comparison *comparison =
		&report->analysis->samples[metric][policy].comparison;
	char words[160], subject[64] = "";

	sf_verdict_words(what, comparison, words, sizeof(words));
	if (what->regex)
		snprintf(subject, sizeof(subject), "%s: ", what->name);
	if (comparison->verdict == SF_VERDICT_LOWER ||
	    comparison->verdict == SF_VERDICT_HIGHER)
		sf_report_difference(report, metric, subject, words, policy);
	else
		sf_report_no_difference(report, metric, subject, words, policy);
}

static void sf_report_drift(const struct sf_report *report, size_t metric,
			    size_t policy)
{
	const struct sf_drift *drift =
		&report->analysis->samples[metric][policy].drift;
	double p = sf_drift_p(report->experiment, report->analysis, metric,
			      policy);

	if (!(p < SF_DRIFT_LEVEL))
		return;
	sf_page_item(
		report->page,
		"%s drifted by %s %% over the run under %s (%s, Holm, %zu trends); differences within blocks leave out what drifts from block to block, while the drift within a block is noise in them",
		report->experiment->metrics[metric].name,
		sf_figure_signed(drift->percent, SF_PERCENT_DECIMALS).text,
		sf_policy_label(report->experiment, policy).text,
		sf_figure_p_is(p).text,
		report->experiment->policy_count * report->analysis->judged);
}

/**
 * sf_report_metric - print a metric under all policies
 * @report: the report
 * @metric: its index
 */
void sf_report_metric(const struct sf_report *report, size_t metric)
{
	const struct sf_experiment *experiment = report->experiment;
	size_t i;

	sf_page_heading(report->page, "Metric %s",
			sf_metric_label(&experiment->metrics[metric]).text);
	sf_metric_table(report, metric);
	if (metric >= report->analysis->judged)
		return;
	for (i = 1; i < experiment->policy_count; i++)
		sf_report_verdict(report, metric, i);
	for (i = 0; i < experiment->policy_count; i++)
		sf_report_drift(report, metric, i);
}
