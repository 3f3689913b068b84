/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The blocks of an experiment that count. In a whole block every policy has exactly one
 * run, and all of them are valid.
 */
#ifndef SCHEDFLIP_BLOCKS_H
#define SCHEDFLIP_BLOCKS_H

#include "experiment.h"

/**
 * struct sf_blocks - the whole blocks of an experiment
 * @runs: by block, in the order of time, and policy
 * @count: of whole blocks
 * @policy_count: runs in each
 * @broken: blocks that are not whole because a run in them is invalid
 * @invalid_runs: number of those runs
 */
struct sf_blocks {
	const struct sf_run **runs;
	size_t count;
	size_t policy_count;
	size_t broken;
	size_t invalid_runs;
};

int sf_blocks_find(const struct sf_experiment *experiment,
		   struct sf_blocks *blocks, struct sf_error *err);
void sf_blocks_free(struct sf_blocks *blocks);
const struct sf_run *sf_blocks_run(const struct sf_blocks *blocks, size_t block,
				   size_t policy);

#endif
