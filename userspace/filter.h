/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_FILTER_H
#define SCHEDFLIP_FILTER_H

#include "cpulist.h"
#include "state.h"

/**
 * struct sf_filter - the domains a command is for
 * @cpu: the user's list of CPUs, or NULL for all
 * @cpus: @cpu as a set
 * @domain: name or index of the domains, or NULL for all
 * @by_index: @domain is an index
 * @index: it
 */
struct sf_filter {
	const char *cpu;
	struct sf_cpulist cpus;
	const char *domain;
	bool by_index;
	u64 index;
};

int sf_filter_parse(struct sf_filter *filter, struct sf_error *err);
bool sf_filter_matches(const struct sf_filter *filter,
		       const struct sf_domain *domain);
int sf_filter_check(const struct sf_filter *filter,
		    const struct sf_state *state, struct sf_error *err);
int sf_filter_format(const struct sf_filter *filter, char *buf, size_t size,
		     struct sf_error *err);

#endif
