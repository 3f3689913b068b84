/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_CPULIST_H
#define SCHEDFLIP_CPULIST_H

#include <schedflip/types.h>

#include "error.h"

/* The largest NR_CPUS that x86 can be configured for. */
#define SF_MAX_CPUS 8192

/**
 * struct sf_cpulist - a set of CPUs
 * @bits: one a CPU
 */
struct sf_cpulist {
	u64 bits[SF_MAX_CPUS / 64];
};

int sf_cpulist_parse(const char *text, struct sf_cpulist *list,
		     struct sf_error *err);
bool sf_cpulist_has(const struct sf_cpulist *list, u64 cpu);
void sf_cpulist_add(struct sf_cpulist *list, u64 cpu);
void sf_cpulist_format(struct sf_cpulist *list, char *buf, size_t size);
unsigned int sf_cpulist_count(const struct sf_cpulist *list);

#endif
