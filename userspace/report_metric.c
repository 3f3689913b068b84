// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One metric under all policies: a table, and in words what it shows.
 */
#include <math.h>
#include <string.h>

#include "figure.h"
#include "report_parts.h"
#include "text.h"

/* So many decimals have percentages whose noise is not known. */
#define SF_PERCENT_DECIMALS 2

/* Half an interval that is narrower, in %, is but that of arithmetic. */
#define SF_MIN_HALF 1e-6

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

/* Of a difference and its interval, two digits of the latter's half width. */
static int sf_percent_decimals(const struct sf_comparison *comparison)
{
	double half = (comparison->high - comparison->low) / 2;

	if (!isfinite(half) || half < SF_MIN_HALF)
		return SF_PERCENT_DECIMALS;
	return sf_figure_decimals(comparison->percent, half);
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

/* One pair tells nothing of chance. */
static double sf_known_p(const struct sf_comparison *comparison)
{
	return comparison->pairs > 1 ? comparison->adjusted_p : NAN;
}

static void sf_comparison_cells(const struct sf_comparison *comparison,
				struct sf_grid *grid)
{
	int decimals = sf_percent_decimals(comparison);

	sf_grid_set(grid, SF_COL_DIFFERENCE, "%s",
		    sf_figure_signed(comparison->percent, decimals).text);
	if (isfinite(comparison->low) && isfinite(comparison->high))
		sf_grid_set(grid, SF_COL_INTERVAL, "%s to %s",
			    sf_figure_signed(comparison->low, decimals).text,
			    sf_figure_signed(comparison->high, decimals).text);
	else
		sf_grid_set(grid, SF_COL_INTERVAL, "-");
	sf_grid_set(grid, SF_COL_P, "%s",
		    sf_figure_p(sf_known_p(comparison)).text);
}

static void sf_sample_row(const struct sf_report *report, size_t metric,
			  size_t policy, struct sf_grid *grid)
{
	const struct sf_sample *sample =
		&report->analysis->samples[metric][policy];
	const struct sf_summary *summary = &sample->summary;
	int column, decimals = sf_metric_decimals(report, metric);
	/* One value has no deviation, and 0 no percentage. */
	bool varies = summary->count > 1;
	bool relates = varies && summary->mean != 0;

	sf_grid_add_row(grid);
	sf_grid_set(grid, SF_COL_POLICY, "%s",
		    sf_table_label(report, policy).text);
	sf_grid_set(grid, SF_COL_MEAN, "%s",
		    sf_figure(summary->mean, decimals).text);
	sf_grid_set(grid, SF_COL_SD, "%s",
		    sf_figure(varies ? summary->sd : NAN, decimals).text);
	sf_grid_set(grid, SF_COL_CV, "%s",
		    sf_figure(relates ? summary->cv : NAN, SF_PERCENT_DECIMALS)
			    .text);
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

/* What goes first where a page is narrow; the verdict is among the results. */
static const int sf_spare_columns[] = { SF_COL_CV, SF_COL_MEDIAN,
					SF_COL_VERDICT, SF_COL_SD };

static void sf_metric_table(const struct sf_report *report, size_t metric)
{
	const char *unit = sf_metric_unit(&report->experiment->metrics[metric]);
	bool mail = report->page->layout == SF_LAYOUT_MAIL;
	char mean[64], sd[64], median[64];
	const struct sf_column columns[SF_NR_COLS] = {
		[SF_COL_POLICY] = { "policy", 0 },
		[SF_COL_MEAN] = { mean, SCOLS_FL_RIGHT },
		[SF_COL_SD] = { sd, SCOLS_FL_RIGHT },
		[SF_COL_CV] = { "CV [%]", SCOLS_FL_RIGHT },
		[SF_COL_MEDIAN] = { median, SCOLS_FL_RIGHT },
		[SF_COL_DIFFERENCE] = { mail ? "diff. [%]" : "difference [%]",
					SCOLS_FL_RIGHT },
		[SF_COL_INTERVAL] = { mail ? "interval [%]" :
					     "95 % interval [%]",
				      SCOLS_FL_RIGHT },
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
	for (i = 0; i < SF_ARRAY_SIZE(sf_spare_columns); i++)
		if (!sf_page_fits(report->page, &grid))
			sf_grid_hide(&grid, sf_spare_columns[i]);
	sf_page_table(report->page, &grid);
}

/* ", p = 0.0021 (Holm, 2 comparisons), 12 blocks" */
static void sf_say_p(const struct sf_report *report, size_t metric,
		     const struct sf_comparison *comparison, char *buf,
		     size_t size)
{
	double p = sf_known_p(comparison);

	buf[0] = '\0';
	if (isfinite(p))
		sf_append_text(buf, size, ", %s", sf_figure_p_is(p).text);
	if (isfinite(p) && sf_is_adjusted(report, metric))
		sf_append_text(buf, size, " (Holm, %zu comparisons)",
			       sf_report_comparisons(report->experiment,
						     report->analysis));
	sf_append_text(buf, size, ", %zu block%s", comparison->pairs,
		       sf_plural(comparison->pairs));
}

/* From one block there is no interval, and of a baseline of 0 no percentage. */
static void sf_say_difference(const struct sf_comparison *comparison, char *buf,
			      size_t size)
{
	int decimals = sf_percent_decimals(comparison);

	buf[0] = '\0';
	if (!isfinite(comparison->percent))
		return;
	sf_append_text(buf, size, ": %s %%",
		       sf_figure_signed(comparison->percent, decimals).text);
	/* Words of a difference that is none say so themselves. */
	if (comparison->equal && (comparison->verdict == SF_VERDICT_LOWER ||
				  comparison->verdict == SF_VERDICT_HIGHER))
		sf_append_text(
			buf, size,
			" (all differences are equal; the metric's resolution is unknown)");
	else if (isfinite(comparison->low) && isfinite(comparison->high))
		sf_append_text(
			buf, size, " (95 %% interval %s to %s %%)",
			sf_figure_signed(comparison->low, decimals).text,
			sf_figure_signed(comparison->high, decimals).text);
}

static void sf_report_verdict(const struct sf_report *report, size_t metric,
			      size_t policy)
{
	const struct sf_metric *what = &report->experiment->metrics[metric];
	const struct sf_comparison *comparison =
		&report->analysis->samples[metric][policy].comparison;
	struct sf_label base = sf_policy_label(report->experiment, 0);
	struct sf_label other = sf_policy_label(report->experiment, policy);
	char words[160], difference[192], p[96];

	sf_verdict_words(what, comparison, words, sizeof(words));
	sf_say_difference(comparison, difference, sizeof(difference));
	sf_say_p(report, metric, comparison, p, sizeof(p));
	if (comparison->verdict == SF_VERDICT_LOWER ||
	    comparison->verdict == SF_VERDICT_HIGHER)
		sf_page_item(report->page, "%s: %s is %s than %s%s%s",
			     what->name, other.text, words, base.text,
			     difference, p);
	else
		sf_page_item(report->page, "%s: %s against %s%s%s; %s",
			     what->name, other.text, base.text, difference, p,
			     words);
}

/**
 * sf_report_result - print what the experiment has shown, a line each comparison
 * @report: the report
 */
void sf_report_result(const struct sf_report *report)
{
	size_t metric, policy;

	for (metric = 0; metric < report->analysis->judged; metric++)
		for (policy = 1; policy < report->experiment->policy_count;
		     policy++)
			sf_report_verdict(report, metric, policy);
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
	if (metric >= report->analysis->judged) {
		sf_page_item(
			report->page,
			"not judged, as the user's own metrics are; it counts for none of the verdicts");
		return;
	}
	for (i = 0; i < experiment->policy_count; i++)
		sf_report_drift(report, metric, i);
}
