/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an experiment is to be good for, once it was read. */
#ifndef SCHEDFLIP_FUZZ_REPORTS_H
#define SCHEDFLIP_FUZZ_REPORTS_H

#include "fuzz.h"

#include "report_parts.h"

/* Fewer than `report` takes, as intervals need not be good here. */
#define FUZZ_RESAMPLES 32

/* What is written of it is read as the same. */
static inline void fuzz_same(const struct sf_experiment *experiment)
{
	json_t *first = sf_experiment_json(experiment), *second;
	struct sf_error err = { .code = SF_OK };
	struct sf_experiment again;

	fuzz_check(first, "an experiment can be written");
	if (sf_experiment_parse(first, "written", &again, &err))
		fprintf(stderr, "%s\n", err.message);
	fuzz_check(!err.code, "what was written can be read");
	second = sf_experiment_json(&again);
	fuzz_check(json_equal(first, second), "it is the same experiment");
	json_decref(first);
	json_decref(second);
	sf_experiment_free(&again);
}

/* Print it in all formats. */
static inline void fuzz_report(const struct sf_experiment *experiment)
{
	struct sf_error err = { .code = SF_OK };
	struct sf_analysis analysis;
	json_t *json;
	int format;

	fuzz_quiet();
	sf_analyze_by(experiment, FUZZ_RESAMPLES, &analysis, &err);
	if (err.code)
		fprintf(stderr, "%s\n", err.message);
	fuzz_check(!err.code, "an experiment can be analysed");
	for (format = 0; format < SF_NR_REPORT_FORMATS; format++)
		sf_report_print(experiment, &analysis, format, stdout);
	json = sf_report_json(experiment, &analysis);
	fuzz_check(!json_dumpf(json, stdout, 0), "all of it is JSON");
	json_decref(json);
	sf_analysis_free(&analysis);
}

#endif
