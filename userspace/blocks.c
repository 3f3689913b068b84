// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "blocks.h"

static int sf_compare_runs(const void *left, const void *right)
{
	const struct sf_run *a = *(const struct sf_run *const *)left;
	const struct sf_run *b = *(const struct sf_run *const *)right;

	if (a->block != b->block)
		return a->block < b->block ? -1 : 1;
	return (a->policy > b->policy) - (a->policy < b->policy);
}

/* All runs that are no warm-up, by block and policy; returns how many. */
static size_t sf_sort_runs(const struct sf_experiment *experiment,
			   const struct sf_run **runs)
{
	size_t i, count = 0;

	for (i = 0; i < experiment->run_count; i++)
		if (!experiment->runs[i].warmup)
			runs[count++] = &experiment->runs[i];
	qsort(runs, count, sizeof(*runs), sf_compare_runs);
	return count;
}

static bool sf_run_counts(const struct sf_run *run, size_t metric_count)
{
	size_t i;

	if (run->invalid)
		return false;
	for (i = 0; i < metric_count; i++)
		if (!isfinite(run->values[i]))
			return false;
	return true;
}

/* Runs at the head of @runs that are in one block. */
static size_t sf_block_size(const struct sf_run **runs, size_t count)
{
	size_t size = 1;

	while (size < count && runs[size]->block == runs[0]->block)
		size++;
	return size;
}

/* Add the block in which the @size runs are, if it is whole. */
static void sf_add_block(struct sf_blocks *blocks, const struct sf_run **runs,
			 size_t size, size_t metric_count)
{
	bool whole = size == blocks->policy_count;
	size_t i, bad = 0;

	for (i = 0; i < size; i++) {
		bad += !sf_run_counts(runs[i], metric_count);
		whole = whole && runs[i]->policy == i;
	}
	blocks->invalid_runs += bad;
	blocks->broken += bad > 0;
	if (!whole || bad)
		return;
	/* It moves down in the same array, to behind the last whole block. */
	memmove(blocks->runs + blocks->count++ * size, runs,
		size * sizeof(*runs));
}

/**
 * sf_blocks_find - find the whole blocks
 * @experiment: whole or not
 * @blocks: to be freed by sf_blocks_free(), also after a failure
 * @err: says if memory ran out
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_blocks_find(const struct sf_experiment *experiment,
		   struct sf_blocks *blocks, struct sf_error *err)
{
	size_t count, size, i;

	*blocks = (struct sf_blocks){
		.policy_count = experiment->policy_count,
		.runs = calloc(experiment->run_count + 1,
			       sizeof(*blocks->runs)),
	};
	if (!blocks->runs)
		return sf_fail(err, SF_FAILED, "out of memory");
	count = sf_sort_runs(experiment, blocks->runs);
	for (i = 0; i < count; i += size) {
		size = sf_block_size(blocks->runs + i, count - i);
		sf_add_block(blocks, blocks->runs + i, size,
			     experiment->metric_count);
	}
	return SF_OK;
}

/**
 * sf_blocks_free - free what sf_blocks_find() allocated
 * @blocks: from it
 */
void sf_blocks_free(struct sf_blocks *blocks)
{
	free(blocks->runs);
	blocks->runs = NULL;
}

/**
 * sf_blocks_run - a run of a whole block
 * @blocks: from sf_blocks_find()
 * @block: below their number
 * @policy: below the number of policies
 */
const struct sf_run *sf_blocks_run(const struct sf_blocks *blocks, size_t block,
				   size_t policy)
{
	return blocks->runs[block * blocks->policy_count + policy];
}
