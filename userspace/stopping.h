/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When an experiment to which no number of blocks was given has enough of them.
 */
#ifndef SCHEDFLIP_STOPPING_H
#define SCHEDFLIP_STOPPING_H

#include "analysis.h"
#include "plan.h"

size_t sf_least_blocks(const struct sf_plan *plan);
bool sf_is_precise(const struct sf_analysis *analysis,
		   const struct sf_plan *plan);
void sf_precision_words(const struct sf_analysis *analysis,
			const struct sf_plan *plan, char *buf, size_t size);

#endif
