/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The runs in the file of an experiment.
 */
#ifndef SCHEDFLIP_RUNS_H
#define SCHEDFLIP_RUNS_H

#include "experiment.h"
#include "reader.h"

json_t *sf_runs_json(const struct sf_experiment *experiment, json_t *layouts);
void sf_runs_parse(struct sf_reader *reader, const json_t *root,
		   struct sf_experiment *experiment);

#endif
