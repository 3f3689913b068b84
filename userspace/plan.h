/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the user wants compared, and how.
 */
#ifndef SCHEDFLIP_PLAN_H
#define SCHEDFLIP_PLAN_H

#include <argp.h>

#include "label.h"
#include "metric.h"
#include "order.h"
#include "policy.h"
#include "workload.h"

/* Of the user's. */
#define SF_MAX_OWN_METRICS (SF_MAX_METRICS - 1)

/**
 * struct sf_contender - a policy that takes part
 * @text: as the user wrote it
 * @label: what to call it in a line for the user
 * @policy: all kinds of it
 * @command: that for the module, with the newline
 */
struct sf_contender {
	const char *text;
	struct sf_label label;
	struct sf_policy policy;
	char command[SF_POLICY_SIZE];
};

/**
 * struct sf_plan - all of it
 * @contenders: the first is the baseline
 * @contender_count: number of them
 * @metrics: of the user's
 * @metric_count: number of them
 * @blocks: so many; 0 until the precision is reached
 * @precision: how well the differences are to be known, +- %; 0 if the number of
 *	blocks is given
 * @max_time_s: no block begins that would end later; 0 for no limit
 * @warmups: runs of each policy that do not count
 * @order: of a block
 * @learn: what becomes of the learned state before each run
 * @seed: of the order and of the resampling
 * @seeded: the user gave it
 * @output: file to keep the experiment in, or NULL
 * @plot: picture to draw, or NULL
 * @quiet: no warnings
 * @workload: the command
 */
struct sf_plan {
	struct sf_contender contenders[SF_MAX_POLICIES];
	size_t contender_count;
	struct sf_metric metrics[SF_MAX_OWN_METRICS];
	size_t metric_count;
	u64 blocks;
	double precision;
	u64 max_time_s;
	u64 warmups;
	enum sf_order order;
	const char *learn;
	u64 seed;
	bool seeded;
	const char *output;
	const char *plot;
	bool quiet;
	struct sf_workload workload;
};

extern const struct argp_option sf_plan_options[];

void sf_plan_init(struct sf_plan *plan);
int sf_plan_option(struct sf_plan *plan, int key, const char *arg,
		   struct sf_error *err);
int sf_plan_check(struct sf_plan *plan, char **command, struct sf_error *err);
size_t sf_plan_needed(const struct sf_plan *plan);
void sf_plan_free(struct sf_plan *plan);

#endif
