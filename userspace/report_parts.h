/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parts of a report, and what they share.
 */
#ifndef SCHEDFLIP_REPORT_PARTS_H
#define SCHEDFLIP_REPORT_PARTS_H

#include "label.h"
#include "metric.h"
#include "page.h"
#include "report.h"

/**
 * struct sf_report - what is reported, and where
 * @experiment: it
 * @analysis: of it
 * @page: gets it
 * @letters: policies are letters in tables, since their names are too long for the page
 */
struct sf_report {
	const struct sf_experiment *experiment;
	const struct sf_analysis *analysis;
	struct sf_page *page;
	bool letters;
};

struct sf_label sf_policy_label(const struct sf_experiment *experiment,
				size_t policy);
struct sf_label sf_table_label(const struct sf_report *report, size_t policy);
struct sf_label sf_metric_label(const struct sf_metric *metric);
size_t sf_report_comparisons(const struct sf_experiment *experiment,
			     const struct sf_analysis *analysis);
double sf_drift_p(const struct sf_experiment *experiment,
		  const struct sf_analysis *analysis, size_t metric,
		  size_t policy);
void sf_report_facts(const struct sf_report *report);
void sf_report_host(const struct sf_report *report);
void sf_report_result(const struct sf_report *report);
void sf_report_metric(const struct sf_report *report, size_t metric);
void sf_report_balancer(const struct sf_report *report);
void sf_report_csv(const struct sf_experiment *experiment, const char *file,
		   bool head, FILE *to);

#endif
