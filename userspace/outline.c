// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "outline.h"

/**
 * sf_sort_name - a word for an order
 * @sort: it
 */
const char *sf_sort_name(enum sf_sort sort)
{
	static const char *const names[SF_NR_SORTS] = {
		[SF_SORT_NAME] = "name",
		[SF_SORT_RATE] = "rate",
		[SF_SORT_HIT] = "hit rate",
		[SF_SORT_RATIO] = "ratio",
	};

	return names[sort];
}

/**
 * sf_line_key - what names a line in every interval
 * @line: it
 * @buf: for the key
 * @size: of @buf; a longer span is cut
 */
void sf_line_key(const struct sf_line *line, char *buf, size_t size)
{
	const struct sf_domain *first = line->group->first;
	int len = snprintf(buf, size, "%llu %s ",
			   (unsigned long long)first->level, first->name);

	if (len < 0 || (size_t)len >= size)
		return;
	if (line->row)
		snprintf(buf + len, size - len, "cpu%llu %s",
			 (unsigned long long)line->row->domain->cpu,
			 first->span);
	else
		snprintf(buf + len, size - len, "%s", first->span);
}

/**
 * sf_folds_has - is a span unfolded?
 * @folds: those that are
 * @key: of its line
 */
bool sf_folds_has(const struct sf_folds *folds, const char *key)
{
	size_t i;

	for (i = 0; i < folds->count; i++)
		if (!strcmp(folds->keys[i], key))
			return true;
	return false;
}

/**
 * sf_folds_set - fold or unfold a span
 * @folds: gets it, or loses it
 * @key: of its line
 * @open: unfold
 *
 * Return: false if there are too many already.
 */
bool sf_folds_set(struct sf_folds *folds, const char *key, bool open)
{
	size_t i;

	for (i = 0; i < folds->count; i++) {
		if (strcmp(folds->keys[i], key))
			continue;
		if (!open)
			memmove(folds->keys[i], folds->keys[--folds->count],
				sizeof(folds->keys[i]));
		return true;
	}
	if (!open)
		return true;
	if (folds->count == SF_MAX_OPEN)
		return false;
	snprintf(folds->keys[folds->count++], SF_LINE_KEY_SIZE, "%s", key);
	return true;
}

static double sf_line_weight(const struct sf_line *line, enum sf_sort sort)
{
	switch (sort) {
	case SF_SORT_RATE:
		return line->figures.calls_s;
	case SF_SORT_HIT:
		return line->figures.hit_percent;
	case SF_SORT_RATIO:
		return line->figures.ratio;
	default:
		return 0;
	}
}

/* The largest first, and what is not known last. */
static int sf_compare_lines(const void *a, const void *b, void *arg)
{
	enum sf_sort sort = *(const enum sf_sort *)arg;
	const struct sf_line *left = a, *right = b;
	double x = sf_line_weight(left, sort), y = sf_line_weight(right, sort);
	const struct sf_domain *first =
		left->row ? left->row->domain : left->group->first;
	const struct sf_domain *second =
		right->row ? right->row->domain : right->group->first;

	if (isnan(x) != isnan(y))
		return isnan(x) ? 1 : -1;
	if (!isnan(x) && x != y)
		return x > y ? -1 : 1;
	return (first->cpu > second->cpu) - (first->cpu < second->cpu);
}

/* What is put together: the outline, and in which order. */
struct sf_outlining {
	struct sf_outline *outline;
	const struct sf_interval *interval;
	const struct sf_folds *folds;
	enum sf_sort sort;
};

static void sf_outline_cpus(struct sf_outlining *work,
			    const struct sf_group *group, unsigned int depth)
{
	struct sf_outline *outline = work->outline;
	struct sf_line *begin = &outline->lines[outline->count];
	size_t i;

	for (i = 0; i < group->count; i++) {
		struct sf_line *line = &outline->lines[outline->count++];

		*line = (struct sf_line){ .depth = depth,
					  .group = group,
					  .row = group->rows[i] };
		sf_figures_sum(&line->figures, &group->rows[i], 1,
			       work->interval->seconds);
	}
	qsort_r(begin, group->count, sizeof(*begin), sf_compare_lines,
		&work->sort);
}

static struct sf_line *sf_outline_children(struct sf_outlining *work,
					   size_t parent, size_t *count,
					   unsigned int depth)
{
	const struct sf_groups *groups = &work->outline->groups;
	struct sf_line *children = calloc(groups->count, sizeof(*children));
	size_t i;

	*count = 0;
	for (i = 0; children && i < groups->count; i++)
		if (groups->groups[i].parent == parent)
			children[(*count)++] = (struct sf_line){
				.depth = depth,
				.group = &groups->groups[i],
				.figures = groups->groups[i].figures,
			};
	if (*count)
		qsort_r(children, *count, sizeof(*children), sf_compare_lines,
			&work->sort);
	return children;
}

/* As deep as the kernel has levels, which are few. */
static int sf_outline_below(struct sf_outlining *work, size_t parent,
			    unsigned int depth)
{
	struct sf_outline *outline = work->outline;
	char key[SF_LINE_KEY_SIZE];
	size_t count, i;
	struct sf_line *children =
		sf_outline_children(work, parent, &count, depth);
	int error = !children && outline->groups.count;

	for (i = 0; i < count && !error; i++) {
		sf_line_key(&children[i], key, sizeof(key));
		children[i].open = sf_folds_has(work->folds, key);
		outline->lines[outline->count++] = children[i];
		if (children[i].open)
			sf_outline_cpus(work, children[i].group, depth + 1);
		error = sf_outline_below(
			work, children[i].group - outline->groups.groups,
			depth + 1);
	}
	free(children);
	return error;
}

/**
 * sf_outline_make - lay the domains of an interval out
 * @outline: set to the lines; to be freed also after an error
 * @interval: has to outlive them
 * @folds: spans that are unfolded
 * @sort: order of those that are in the same span
 * @err: says if it does not fit in memory
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_outline_make(struct sf_outline *outline,
		    const struct sf_interval *interval,
		    const struct sf_folds *folds, enum sf_sort sort,
		    struct sf_error *err)
{
	struct sf_outlining work = { outline, interval, folds, sort };

	memset(outline, 0, sizeof(*outline));
	if (sf_groups_make(&outline->groups, interval, true, err))
		return err->code;
	outline->lines =
		calloc(2 * interval->count + 1, sizeof(*outline->lines));
	if (!outline->lines || sf_outline_below(&work, SF_NO_GROUP, 0))
		return sf_fail(err, SF_FAILED, "out of memory");
	return SF_OK;
}

/**
 * sf_outline_free - forget it
 * @outline: as sf_outline_make() left it
 */
void sf_outline_free(struct sf_outline *outline)
{
	free(outline->lines);
	sf_groups_free(&outline->groups);
	memset(outline, 0, sizeof(*outline));
}
