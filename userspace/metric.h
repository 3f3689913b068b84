/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the user wants measured of a command: a number in its output.
 */
#ifndef SCHEDFLIP_METRIC_H
#define SCHEDFLIP_METRIC_H

#include "experiment.h"

/* Wall time, which each experiment has as its last metric. */
#define SF_WALL_METRIC "wall_s"

int sf_metric_parse(const char *text, struct sf_metric *metric,
		    struct sf_error *err);
void sf_metric_free(struct sf_metric *metric);
const char *sf_metric_unit(const struct sf_metric *metric);
int sf_metric_find(const struct sf_metric *metric, const char *output,
		   double *value, struct sf_error *err);

#endif
