/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run of the user's command under one policy, and whether it may count.
 */
#ifndef SCHEDFLIP_TRIAL_H
#define SCHEDFLIP_TRIAL_H

#include "plan.h"
#include "reading.h"

/**
 * struct sf_trials - what all runs of an experiment have in common
 * @plan: of the experiment
 * @began_ms: when it began, of sf_progress_now()
 * @layout: that of the last reading, for the runs to share; NULL before
 * @first: what the first run found; empty before it
 * @left: processes that the command left behind and that were killed, of all runs since
 *	the user was last told
 * @strays: since then it left others, which still run
 */
struct sf_trials {
	const struct sf_plan *plan;
	u64 began_ms;
	json_t *layout;
	struct sf_reading first;
	size_t left;
	bool strays;
};

int sf_trial_run(struct sf_trials *trials, struct sf_run *run,
		 struct sf_error *err);
void sf_trials_free(struct sf_trials *trials);

#endif
