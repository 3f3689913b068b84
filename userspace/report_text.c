// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A report for people: the order of its parts, and those that are but sentences.
 */
#include <stdlib.h>
#include <string.h>

#include "decisions.h"
#include "figure.h"
#include "report_parts.h"
#include "text.h"

/* More of one kind tell no more. */
#define SF_MAX_LISTED 20

/* Longer names of policies leave a mail's tables no room. */
#define SF_MAX_MAIL_LABEL 24

static bool sf_needs_letters(const struct sf_experiment *experiment)
{
	size_t i;

	for (i = 0; i < experiment->policy_count; i++)
		if (strlen(sf_policy_label(experiment, i).text) >
		    SF_MAX_MAIL_LABEL)
			return true;
	return false;
}

static void sf_report_incomplete(const struct sf_report *report)
{
	char why[512];

	if (report->experiment->complete)
		return;
	snprintf(why, sizeof(why), "%s",
		 report->experiment->stopped ? report->experiment->stopped :
					       "unknown why");
	sf_clean_text(why);
	sf_page_say(
		report->page,
		"NOT COMPLETE: the experiment did not come to its planned end: %s. What follows is of the runs that were made.",
		why);
}

static void sf_report_warnings(const struct sf_report *report)
{
	json_t *warning;
	size_t i;

	if (!json_array_size(report->experiment->warnings))
		return;
	sf_page_heading(report->page, "Warnings");
	json_array_foreach(report->experiment->warnings, i, warning)
		sf_page_item(
			report->page, "%s: %s; remedy: %s",
			json_string_value(json_object_get(warning, "what")),
			json_string_value(json_object_get(warning, "value")),
			json_string_value(json_object_get(warning, "remedy")));
}

/* "block 3, newidle=dice" or "warm-up 1, newidle=dice" */
static void sf_run_name(const struct sf_experiment *experiment,
			const struct sf_run *run, char *buf, size_t size)
{
	snprintf(buf, size, "%s %zu, %s", run->warmup ? "warm-up" : "block",
		 run->block + 1, sf_policy_label(experiment, run->policy).text);
}

static void sf_report_invalid(const struct sf_report *report)
{
	const struct sf_experiment *experiment = report->experiment;
	char name[384], why[512];
	size_t i, listed = 0;

	for (i = 0; i < experiment->run_count; i++) {
		const struct sf_run *run = &experiment->runs[i];

		if (!run->invalid || ++listed > SF_MAX_LISTED)
			continue;
		if (listed == 1)
			sf_page_heading(report->page,
					"Invalid runs, which do not count");
		sf_run_name(experiment, run, name, sizeof(name));
		snprintf(why, sizeof(why), "%s", run->invalid);
		sf_clean_text(why);
		sf_page_item(report->page, "%s: %s", name, why);
	}
	if (listed > SF_MAX_LISTED)
		sf_page_item(report->page, "and %zu more",
			     listed - SF_MAX_LISTED);
}

/* All metrics that are judged: which of them is far out can be seen. */
static void sf_report_outlier(const struct sf_report *report,
			      const struct sf_run *run)
{
	const struct sf_experiment *experiment = report->experiment;
	const struct sf_metric *metric;
	char name[384], values[1024] = "";
	size_t i;

	for (i = 0; i < report->analysis->judged; i++) {
		metric = &experiment->metrics[i];
		sf_append_text(values, sizeof(values), ", %s %s%s",
			       metric->name,
			       sf_figure(run->values[i],
					 sf_figure_decimals(run->values[i], 0))
				       .text,
			       metric->regex ? "" : " s");
	}
	sf_run_name(experiment, run, name, sizeof(name));
	sf_page_item(report->page, "%s%s", name, values);
}

static void sf_report_outliers(const struct sf_report *report)
{
	const struct sf_experiment *experiment = report->experiment;
	size_t i, count = 0, listed = 0;

	for (i = 0; i < experiment->run_count; i++)
		count += report->analysis->outlier[i];
	if (!count)
		return;
	sf_page_heading(
		report->page,
		"Outliers: %zu run%s far off the line of drift, counted all the same",
		count, count == 1 ? "" : "s");
	for (i = 0; i < experiment->run_count; i++)
		if (report->analysis->outlier[i] && ++listed <= SF_MAX_LISTED)
			sf_report_outlier(report, &experiment->runs[i]);
	if (listed > SF_MAX_LISTED)
		sf_page_item(report->page, "and %zu more",
			     listed - SF_MAX_LISTED);
}

static void sf_stopping_words(const struct sf_experiment *experiment, char *buf,
			      size_t size)
{
	if (experiment->precision > 0)
		snprintf(
			buf, size,
			" From 10 on, blocks were added until all differences were known to about +-%.6g %%, going by their sizes and not by their signs unless they are clear, or until the time was up.",
			experiment->precision);
	else
		snprintf(buf, size,
			 " The number of blocks was set beforehand.");
}

static void sf_report_method(const struct sf_report *report)
{
	const struct sf_experiment *experiment = report->experiment;
	const struct sf_analysis *analysis = report->analysis;
	size_t comparisons = sf_report_comparisons(experiment, analysis);
	bool exact = analysis->samples[0][1].comparison.exact;
	char stopping[256], holm[96] = "";

	if (comparisons > 1)
		snprintf(holm, sizeof(holm),
			 ", adjusted for %zu comparisons by Holm's method",
			 comparisons);
	sf_stopping_words(experiment, stopping, sizeof(stopping));
	sf_page_heading(report->page, "How it was measured");
	sf_page_say(
		report->page,
		"On one boot. Each block runs the command once under each policy, %s; what the balancer had learned was %s before each run.%s A difference is the mean of the differences within blocks, in %% of the baseline's mean. Its 95 %% interval is by a studentized bootstrap of the blocks, %d times, or Student's with fewer than 10 blocks. p is two-sided, by %s flips of the differences' signs%s. There is a verdict only if p is at most %g and the interval, where there is one, leaves out 0.",
		strcmp(experiment->order, "abba") ? "in random order" :
						    "in ABBA order",
		!strcmp(experiment->learn, "keep")  ? "kept" :
		!strcmp(experiment->learn, "reset") ? "reset" :
						      "restored",
		stopping, SF_RESAMPLES, exact ? "all possible" : "random", holm,
		SF_LEVEL);
	sf_page_say(
		report->page,
		"Outliers are runs more than 3.5 standard deviations, by the median absolute deviation, off the line by which the runs of a policy drift; with fewer than 10 blocks there are none. Rates are of whole runs, start-up included. A first metric of which higher is better says how much work was done, and gives counts per unit of it: if its name ends in _per_s it is a rate, by which counts per second are divided, else a total, by which counts of the run are.");
}

/* Whether there was anything to compare at all comes before how it compares. */
static void sf_report_note(const struct sf_report *report)
{
	char *note = sf_decisions_note(report->experiment);

	if (note)
		sf_page_say(report->page, "NOTHING LEARNED: %s", note);
	free(note);
}

static void sf_report_figures(const struct sf_report *report)
{
	size_t i;

	for (i = 0; i < report->experiment->metric_count; i++)
		sf_report_metric(report, i);
	sf_report_outliers(report);
	sf_report_invalid(report);
	sf_report_balancer(report);
	sf_report_method(report);
}

/* What the reader came for is first, and what it was measured on last. */
static void sf_report_page(const struct sf_report *report)
{
	bool any = report->analysis->blocks;

	sf_report_incomplete(report);
	sf_page_heading(report->page, "What was compared");
	sf_report_facts(report);
	sf_page_heading(report->page, "Result");
	if (any)
		sf_report_result(report);
	else
		sf_page_say(
			report->page,
			"Nothing to compare: no block has a valid run of each policy.");
	sf_report_note(report);
	if (any)
		sf_report_figures(report);
	else
		sf_report_invalid(report);
	sf_report_host(report);
	sf_report_warnings(report);
}

static void sf_print_page(const struct sf_experiment *experiment,
			  const struct sf_analysis *analysis,
			  enum sf_layout layout, bool color, FILE *to)
{
	struct sf_page page = { .to = to, .layout = layout, .color = color };
	struct sf_report report = { experiment, analysis, &page, false };

	report.letters =
		layout == SF_LAYOUT_MAIL && sf_needs_letters(experiment);
	sf_report_page(&report);
	if (page.incomplete)
		sf_page_say(&page, "OUT OF MEMORY: parts are missing.");
}

/**
 * sf_report_print - print a report
 * @experiment: what was measured
 * @analysis: of it
 * @format: of the report
 * @to: gets it
 */
void sf_report_print(const struct sf_experiment *experiment,
		     const struct sf_analysis *analysis,
		     enum sf_report_format format, FILE *to)
{
	switch (format) {
	case SF_REPORT_MD:
		sf_print_page(experiment, analysis, SF_LAYOUT_MARKDOWN, false,
			      to);
		break;
	case SF_REPORT_MAIL:
		sf_print_page(experiment, analysis, SF_LAYOUT_MAIL, false, to);
		break;
	case SF_REPORT_CSV:
		sf_report_csv(experiment, NULL, true, to);
		break;
	default:
		sf_print_page(experiment, analysis, SF_LAYOUT_TERMINAL,
			      format == SF_REPORT_COLORED, to);
	}
}
