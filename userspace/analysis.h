/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an experiment shows. Only whole blocks count: a block in which a run is
 * invalid or missing has no pairs.
 */
#ifndef SCHEDFLIP_ANALYSIS_H
#define SCHEDFLIP_ANALYSIS_H

#include "comparison.h"
#include "experiment.h"
#include "stats.h"

/**
 * struct sf_sample - one metric under one policy
 * @summary: of the runs of whole blocks
 * @drift: over the run of the experiment
 * @outliers: number of runs far off the line of drift, of those above
 * @comparison: with the baseline; not set for the baseline itself
 */
struct sf_sample {
	struct sf_summary summary;
	struct sf_drift drift;
	size_t outliers;
	struct sf_comparison comparison;
};

/**
 * struct sf_rate - one of the balancer's figures under one policy
 * @name: of the figure, with its unit, as docs/experiment.md lists them; for a first
 *	metric of which higher is better attempts_per_UNIT and so on follow
 * @known: there is a value
 * @needs: what has to be on for it, in words for the user; NULL if nothing
 * @summary: over the runs
 */
struct sf_rate {
	char name[64];
	bool known;
	const char *needs;
	struct sf_summary summary;
};

#define SF_MAX_RATES 24

/* What is said where there are none but broken blocks. */
#define SF_NOTHING_TO_COMPARE \
	"nothing to compare: no block has a valid run of each policy"

/**
 * struct sf_analysis - all of it
 * @blocks: whole ones
 * @broken_blocks: those with an invalid run
 * @invalid_runs: number of them
 * @judged: so many of the metrics, from the first on, are judged
 * @samples: by metric and policy
 * @rates: by policy
 * @rate_count: number of rates of each policy
 * @outlier: by run: it is one, in a metric that is judged
 */
struct sf_analysis {
	size_t blocks;
	size_t broken_blocks;
	size_t invalid_runs;
	size_t judged;
	struct sf_sample samples[SF_MAX_METRICS][SF_MAX_POLICIES];
	struct sf_rate rates[SF_MAX_POLICIES][SF_MAX_RATES];
	size_t rate_count;
	bool *outlier;
};

/**
 * struct sf_place - one of the comparisons
 * @metric: of it
 * @policy: that is compared with the baseline
 */
struct sf_place {
	size_t metric;
	size_t policy;
};

int sf_analyze(const struct sf_experiment *experiment,
	       struct sf_analysis *analysis, struct sf_error *err);
int sf_analyze_by(const struct sf_experiment *experiment, size_t resamples,
		  struct sf_analysis *analysis, struct sf_error *err);
int sf_glance(const struct sf_experiment *experiment,
	      struct sf_analysis *analysis, struct sf_error *err);
void sf_analysis_free(struct sf_analysis *analysis);
struct sf_place sf_least_known(const struct sf_analysis *analysis,
			       size_t policy_count);
double sf_widest_interval(const struct sf_analysis *analysis,
			  size_t policy_count);
void sf_verdict_words(const struct sf_metric *metric,
		      const struct sf_comparison *comparison, char *buf,
		      size_t size);

#endif
