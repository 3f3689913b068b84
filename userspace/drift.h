/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How what is in force differs from a configuration. */
#ifndef SCHEDFLIP_DRIFT_H
#define SCHEDFLIP_DRIFT_H

#include "info.h"
#include "output.h"
#include "settings.h"
#include "status.h"

/**
 * struct sf_drift - the differences
 * @count: number of them
 * @domains: number of domains that were compared
 * @cpus: number of CPUs that have them
 * @first: some of them, in words
 * @all: one object each
 */
struct sf_drift {
	size_t count;
	size_t domains;
	unsigned int cpus;
	char first[512];
	json_t *all;
};

void sf_drift_find(const struct sf_settings *settings,
		   const struct sf_state *state, const struct sf_status *status,
		   const struct sf_info *info, struct sf_drift *drift);
void sf_drift_print(const struct sf_drift *drift, struct sf_output *out);

#endif
