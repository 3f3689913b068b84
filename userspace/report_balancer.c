// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the balancer did meanwhile.
 */
#include <stdlib.h>
#include <string.h>

#include "figure.h"
#include "decisions.h"
#include "report_parts.h"
#include "text.h"

static void sf_rate_cell(const struct sf_report *report,
			 const struct sf_rate *rate, size_t column,
			 struct sf_grid *grid)
{
	int decimals = sf_figure_decimals(rate->summary.mean, rate->summary.sd);

	if (!rate->known)
		sf_grid_set(grid, column, "-");
	else if (rate->summary.count < 2)
		sf_grid_set(grid, column, "%s",
			    sf_figure(rate->summary.mean, decimals).text);
	else
		sf_grid_set(grid, column, "%s %s %s",
			    sf_figure(rate->summary.mean, decimals).text,
			    report->page->layout == SF_LAYOUT_MARKDOWN ?
				    "\xc2\xb1" :
				    "+-",
			    sf_figure(rate->summary.sd, decimals).text);
}

static void sf_balancer_table(const struct sf_report *report)
{
	const struct sf_experiment *experiment = report->experiment;
	const struct sf_analysis *analysis = report->analysis;
	struct sf_label labels[SF_MAX_POLICIES];
	struct sf_column columns[SF_MAX_POLICIES + 1] = { { "rate", 0 } };
	struct sf_grid grid;
	size_t rate, i;

	for (i = 0; i < experiment->policy_count; i++) {
		labels[i] = sf_table_label(report, i);
		columns[i + 1].name = labels[i].text;
		columns[i + 1].flags = SCOLS_FL_RIGHT;
	}
	sf_grid_begin(&grid, columns, experiment->policy_count + 1);
	for (rate = 0; rate < analysis->rate_count; rate++) {
		sf_grid_add_row(&grid);
		sf_grid_set(&grid, 0, "%s", analysis->rates[0][rate].name);
		for (i = 0; i < experiment->policy_count; i++)
			sf_rate_cell(report, &analysis->rates[i][rate], i + 1,
				     &grid);
	}
	sf_page_table(report->page, &grid);
}

/* Why there is nothing, where that can be mended. */
static void sf_say_needs(const struct sf_report *report)
{
	const struct sf_analysis *analysis = report->analysis;
	const struct sf_rate *rate;
	size_t i, policy;
	bool known;

	for (i = 0; i < analysis->rate_count; i++) {
		rate = &analysis->rates[0][i];
		known = !rate->needs;
		for (policy = 0; policy < report->experiment->policy_count;
		     policy++)
			known |= analysis->rates[policy][i].known;
		if (!known)
			sf_page_item(report->page, "%s is -: it needs %s",
				     rate->name, rate->needs);
	}
}

/**
 * sf_report_balancer - print what the balancer did
 * @report: the report
 */
void sf_report_balancer(const struct sf_report *report)
{
	size_t i;

	sf_page_heading(
		report->page,
		report->analysis->blocks > 1 ?
			"The balancer, mean and standard deviation of a run" :
			"The balancer, in the one run of each policy");
	sf_balancer_table(report);
	sf_say_needs(report);
	for (i = 0; i < report->experiment->policy_count; i++)
		if (sf_decisions_unseen(report->experiment, i))
			sf_page_item(
				report->page,
				"%s leaves newidle to the kernel, with NI_RANDOM on, whose dice are thrown before the hook: the hook sees only what they let through. That is all attempts, so attempts can be compared with those of other policies, but calls can't, as those that were skipped are not counted; newidle=dice is the same rule, counted",
				sf_policy_label(report->experiment, i).text);
}
