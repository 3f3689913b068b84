/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree of the domains as it is shown: spans within spans, unfolded to CPUs. */
#ifndef SCHEDFLIP_OUTLINE_H
#define SCHEDFLIP_OUTLINE_H

#include "groups.h"

/* Room for what names a line: level, span and CPU. */
#define SF_LINE_KEY_SIZE 128

/* Spans that can be unfolded at once. */
#define SF_MAX_OPEN 64

enum sf_sort {
	SF_SORT_NAME,
	SF_SORT_RATE,
	SF_SORT_HIT,
	SF_SORT_RATIO,
	SF_NR_SORTS,
};

/**
 * struct sf_line - a line of the outline
 * @depth: number of spans that it is in
 * @group: the span
 * @row: the CPU; NULL if the line is the span's own
 * @open: the span's CPUs follow
 * @figures: of the span or the CPU
 */
struct sf_line {
	unsigned int depth;
	const struct sf_group *group;
	const struct sf_row *row;
	bool open;
	struct sf_figures figures;
};

/**
 * struct sf_outline - all lines
 * @lines: they
 * @count: number of @lines
 * @groups: what they point into
 */
struct sf_outline {
	struct sf_line *lines;
	size_t count;
	struct sf_groups groups;
};

/**
 * struct sf_folds - the spans that are unfolded
 * @keys: of their lines
 * @count: number of @keys
 */
struct sf_folds {
	char keys[SF_MAX_OPEN][SF_LINE_KEY_SIZE];
	size_t count;
};

int sf_outline_make(struct sf_outline *outline,
		    const struct sf_interval *interval,
		    const struct sf_folds *folds, enum sf_sort sort,
		    struct sf_error *err);
void sf_outline_free(struct sf_outline *outline);
const char *sf_sort_name(enum sf_sort sort);
void sf_line_key(const struct sf_line *line, char *buf, size_t size);
bool sf_folds_has(const struct sf_folds *folds, const char *key);
bool sf_folds_set(struct sf_folds *folds, const char *key, bool open);

#endif
