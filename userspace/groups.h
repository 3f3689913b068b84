/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Domains that belong together: those of one level, or of one span of CPUs. */
#ifndef SCHEDFLIP_GROUPS_H
#define SCHEDFLIP_GROUPS_H

#include "interval.h"

/* Of a group without parent. */
#define SF_NO_GROUP SIZE_MAX

/**
 * struct sf_group - domains that are shown in one line
 * @first: that of the first CPU
 * @rows: of all of them, by CPU
 * @count: number of @rows
 * @parent: the group of the next larger domain of the first CPU, or SF_NO_GROUP
 * @figures: the rows summed up
 */
struct sf_group {
	const struct sf_domain *first;
	const struct sf_row **rows;
	size_t count;
	size_t parent;
	struct sf_figures figures;
};

/**
 * struct sf_groups - all of them, in the order of their levels and first CPUs
 * @groups: they
 * @count: number of @groups
 * @rows: what the groups' rows point into
 */
struct sf_groups {
	struct sf_group *groups;
	size_t count;
	const struct sf_row **rows;
};

int sf_groups_make(struct sf_groups *groups, const struct sf_interval *interval,
		   bool by_span, struct sf_error *err);
void sf_groups_free(struct sf_groups *groups);

#endif
