/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An experiment in print.
 */
#ifndef SCHEDFLIP_REPORT_H
#define SCHEDFLIP_REPORT_H

#include "analysis.h"

enum sf_report_format {
	SF_REPORT_TEXT,
	SF_REPORT_MD,
	SF_REPORT_CSV,
	SF_REPORT_MAIL,
	SF_NR_REPORT_FORMATS,
	/* Text in colours, for which the user has an option of its own. */
	SF_REPORT_COLORED = SF_NR_REPORT_FORMATS,
};

void sf_report_print(const struct sf_experiment *experiment,
		     const struct sf_analysis *analysis,
		     enum sf_report_format format, FILE *to);
json_t *sf_report_json(const struct sf_experiment *experiment,
		       const struct sf_analysis *analysis);
int sf_report_plot(const struct sf_experiment *experiment,
		   const struct sf_analysis *analysis, const char *path,
		   struct sf_error *err);

#endif
