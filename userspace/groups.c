// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "groups.h"

static int sf_compare_number(u64 a, u64 b)
{
	return (a > b) - (a < b);
}

static int sf_compare_levels(const struct sf_domain *a,
			     const struct sf_domain *b)
{
	int by_level = sf_compare_number(a->level, b->level);

	return by_level ? by_level : strcmp(a->name, b->name);
}

static int sf_by_level(const void *a, const void *b)
{
	const struct sf_domain *left = (*(struct sf_row *const *)a)->domain;
	const struct sf_domain *right = (*(struct sf_row *const *)b)->domain;
	int order = sf_compare_levels(left, right);

	return order ? order : sf_compare_number(left->cpu, right->cpu);
}

static int sf_by_span(const void *a, const void *b)
{
	const struct sf_domain *left = (*(struct sf_row *const *)a)->domain;
	const struct sf_domain *right = (*(struct sf_row *const *)b)->domain;
	int order = sf_compare_levels(left, right);

	if (!order)
		order = strcmp(left->span, right->span);
	return order ? order : sf_compare_number(left->cpu, right->cpu);
}

static int sf_by_first(const void *a, const void *b)
{
	const struct sf_group *left = a, *right = b;
	int order = sf_compare_levels(left->first, right->first);

	return order ? order :
		       sf_compare_number(left->first->cpu, right->first->cpu);
}

static bool sf_is_member(const struct sf_group *group,
			 const struct sf_domain *domain, bool by_span)
{
	return !sf_compare_levels(group->first, domain) &&
	       (!by_span || !strcmp(group->first->span, domain->span));
}

static bool sf_group_has_cpu(const struct sf_group *group, u64 cpu)
{
	size_t i;

	for (i = 0; i < group->count; i++)
		if (group->rows[i]->domain->cpu == cpu)
			return true;
	return false;
}

/* Groups are in the order of their levels, so the next that has the CPU is the parent. */
static size_t sf_find_parent(const struct sf_groups *groups, size_t child)
{
	const struct sf_domain *first = groups->groups[child].first;
	size_t i;

	for (i = child + 1; i < groups->count; i++)
		if (groups->groups[i].first->level > first->level &&
		    sf_group_has_cpu(&groups->groups[i], first->cpu))
			return i;
	return SF_NO_GROUP;
}

static void sf_groups_cut(struct sf_groups *groups, size_t rows, bool by_span)
{
	struct sf_group *group = NULL;
	size_t i;

	for (i = 0; i < rows; i++) {
		const struct sf_domain *domain = groups->rows[i]->domain;

		if (!group || !sf_is_member(group, domain, by_span)) {
			group = &groups->groups[groups->count++];
			group->first = domain;
			group->rows = &groups->rows[i];
		}
		group->count++;
	}
}

/**
 * sf_groups_make - put the domains of an interval into groups
 * @groups: set to them; to be freed also after an error
 * @interval: has to outlive them
 * @by_span: by level and span, or by level only
 * @err: says if it does not fit in memory
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_groups_make(struct sf_groups *groups, const struct sf_interval *interval,
		   bool by_span, struct sf_error *err)
{
	size_t i;

	groups->count = 0;
	groups->groups = calloc(interval->count + 1, sizeof(*groups->groups));
	groups->rows = calloc(interval->count + 1, sizeof(*groups->rows));
	if (!groups->groups || !groups->rows)
		return sf_fail(err, SF_FAILED, "out of memory");
	for (i = 0; i < interval->count; i++)
		groups->rows[i] = &interval->rows[i];
	qsort(groups->rows, interval->count, sizeof(*groups->rows),
	      by_span ? sf_by_span : sf_by_level);
	sf_groups_cut(groups, interval->count, by_span);
	qsort(groups->groups, groups->count, sizeof(*groups->groups),
	      sf_by_first);
	for (i = 0; i < groups->count; i++) {
		struct sf_group *group = &groups->groups[i];

		group->parent = sf_find_parent(groups, i);
		sf_figures_sum(&group->figures, group->rows, group->count,
			       interval->seconds);
	}
	return SF_OK;
}

/**
 * sf_groups_free - forget them
 * @groups: as sf_groups_make() left them
 */
void sf_groups_free(struct sf_groups *groups)
{
	free(groups->groups);
	free(groups->rows);
	memset(groups, 0, sizeof(*groups));
}
