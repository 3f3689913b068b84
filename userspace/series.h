/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All runs of an experiment: the warm-up, then block after block, until enough is
 * known.
 */
#ifndef SCHEDFLIP_SERIES_H
#define SCHEDFLIP_SERIES_H

#include "analysis.h"
#include "progress.h"
#include "trial.h"

/**
 * struct sf_series - them
 * @trials: what they have in common
 * @experiment: gets them
 * @progress: begun
 * @silent: print nothing but warnings
 * @glance: at the blocks until now
 * @blocks: begun until now
 * @broken: of them the last ones that had an invalid run
 * @blocks_ms: when the first block began
 * @saved_ms: when the experiment was saved last
 */
struct sf_series {
	struct sf_trials trials;
	struct sf_experiment *experiment;
	struct sf_progress *progress;
	bool silent;
	struct sf_analysis glance;
	size_t blocks;
	size_t broken;
	u64 blocks_ms;
	u64 saved_ms;
};

int sf_series_run(struct sf_series *series, struct sf_error *err);
void sf_series_free(struct sf_series *series);

#endif
