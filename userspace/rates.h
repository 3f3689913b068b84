/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the balancer did under each policy, per second and per unit of work.
 */
#ifndef SCHEDFLIP_RATES_H
#define SCHEDFLIP_RATES_H

#include "analysis.h"
#include "blocks.h"

int sf_rates_find(const struct sf_experiment *experiment,
		  const struct sf_blocks *blocks, struct sf_analysis *analysis,
		  struct sf_error *err);

#endif
