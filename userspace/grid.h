/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table that is not yet laid out, since nobody knows yet on what page.
 */
#ifndef SCHEDFLIP_GRID_H
#define SCHEDFLIP_GRID_H

#include <stdio.h>

#include "output.h"

/**
 * struct sf_grid - a table
 * @columns: heads and flags; they stay the caller's
 * @column_count: number of them
 * @cells: of all rows, one row after the other; NULL for an empty one
 * @row_count: number of rows
 * @hidden: columns, by bit, that a narrow page goes without
 * @incomplete: a cell did not fit in memory
 */
struct sf_grid {
	const struct sf_column *columns;
	size_t column_count;
	char **cells;
	size_t row_count;
	unsigned int hidden;
	bool incomplete;
};

void sf_grid_begin(struct sf_grid *grid, const struct sf_column *columns,
		   size_t count);
void sf_grid_add_row(struct sf_grid *grid);
void sf_grid_set(struct sf_grid *grid, size_t column, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
bool sf_grid_fits(const struct sf_grid *grid, size_t width);
void sf_grid_hide(struct sf_grid *grid, size_t column);
void sf_grid_print_terminal(struct sf_grid *grid, bool color, FILE *to);
void sf_grid_print_markdown(struct sf_grid *grid, FILE *to);
void sf_grid_print_plain(struct sf_grid *grid, size_t indent, size_t width,
			 FILE *to);
void sf_grid_free(struct sf_grid *grid);
void sf_print_markdown(const char *text, FILE *to);

#endif
