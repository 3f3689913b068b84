/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What machine and kernel an experiment ran on.
 */
#ifndef SCHEDFLIP_MACHINE_H
#define SCHEDFLIP_MACHINE_H

#include <jansson.h>

#include "state.h"

#define SF_SYSFS_CPU "/sys/devices/system/cpu"
#define SF_CLOCKSOURCE \
	"/sys/devices/system/clocksource/clocksource0/current_clocksource"
#define SF_NO_TURBO SF_SYSFS_CPU "/intel_pstate/no_turbo"
#define SF_BOOST SF_SYSFS_CPU "/cpufreq/boost"

char *sf_machine_features(void);
const char *sf_machine_turbo(void);
json_t *sf_machine_json(const struct sf_state *state);

#endif
