// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "grid.h"
#include "text.h"

/* Between columns. */
#define SF_GAP 2

/* What Markdown would take for more than a letter. */
#define SF_MARKDOWN "\\|`*_<>[]~#&"

/**
 * sf_grid_begin - begin a table
 * @grid: to set
 * @columns: heads of its columns; SCOLS_FL_RIGHT of the flags counts
 * @count: number of them
 */
void sf_grid_begin(struct sf_grid *grid, const struct sf_column *columns,
		   size_t count)
{
	memset(grid, 0, sizeof(*grid));
	grid->columns = columns;
	grid->column_count = count;
}

/**
 * sf_grid_add_row - begin a row
 * @grid: the table
 */
void sf_grid_add_row(struct sf_grid *grid)
{
	size_t row = grid->column_count, used = grid->row_count * row;
	char **cells = reallocarray(grid->cells, used + row, sizeof(*cells));

	if (!cells) {
		grid->incomplete = true;
		return;
	}
	memset(cells + used, 0, row * sizeof(*cells));
	grid->cells = cells;
	grid->row_count++;
}

/**
 * sf_grid_set - fill a cell of the last row
 * @grid: the table
 * @column: number of the column; each is filled once
 * @format: of the text
 */
void sf_grid_set(struct sf_grid *grid, size_t column, const char *format, ...)
{
	char *text = NULL;
	va_list args;

	/* Without the memory for a row, it would go to the row before. */
	if (grid->incomplete)
		return;
	va_start(args, format);
	if (vasprintf(&text, format, args) < 0) {
		text = NULL;
		grid->incomplete = true;
	}
	va_end(args);
	grid->cells[(grid->row_count - 1) * grid->column_count + column] = text;
}

/* @row: 0 is the head. */
static const char *sf_grid_cell(const struct sf_grid *grid, size_t row,
				size_t column)
{
	const char *text;

	if (!row)
		return grid->columns[column].name;
	text = grid->cells[(row - 1) * grid->column_count + column];
	return text ? text : "";
}

static bool sf_grid_is_right(const struct sf_grid *grid, size_t column)
{
	return grid->columns[column].flags & SCOLS_FL_RIGHT;
}

/**
 * sf_grid_print_terminal - print a table as all commands do
 * @grid: the table
 * @color: its heads have colours
 * @to: a terminal or whatever
 */
void sf_grid_print_terminal(struct sf_grid *grid, bool color, FILE *to)
{
	struct sf_output out = { .color = color,
				 .incomplete = grid->incomplete };
	struct libscols_table *table =
		sf_table_new(grid->columns, grid->column_count);
	struct libscols_line *line;
	size_t row, column;

	for (row = 1; table && row <= grid->row_count; row++) {
		line = scols_table_new_line(table, NULL);
		for (column = 0; column < grid->column_count; column++)
			sf_table_cell(line, column, "%s",
				      sf_grid_cell(grid, row, column));
	}
	if (table) {
		scols_table_set_stream(table, to);
		/* A number that is cut off is another number. */
		scols_table_set_termforce(table, SCOLS_TERMFORCE_NEVER);
	}
	sf_table_print(&out, table);
	grid->incomplete = out.incomplete;
}

/**
 * sf_print_markdown - print a text that Markdown shows as it is
 * @text: the text
 * @to: gets it
 */
void sf_print_markdown(const char *text, FILE *to)
{
	const char *start = text;

	for (; *text; text++) {
		/* Within a word it is none of Markdown's. */
		if (*text == '_' && text != start && text[1]) {
			putc('_', to);
			continue;
		}
		if (strchr(SF_MARKDOWN, *text))
			putc('\\', to);
		putc(*text, to);
	}
}

/**
 * sf_grid_print_markdown - print a table as GitHub reads it
 * @grid: the table
 * @to: gets it
 */
void sf_grid_print_markdown(struct sf_grid *grid, FILE *to)
{
	size_t row, column;

	for (row = 0; row <= grid->row_count; row++) {
		for (column = 0; column < grid->column_count; column++) {
			fputs("| ", to);
			sf_print_markdown(sf_grid_cell(grid, row, column), to);
			putc(' ', to);
		}
		fputs("|\n", to);
		for (column = 0; !row && column < grid->column_count; column++)
			fputs(sf_grid_is_right(grid, column) ? "|---:" : "|---",
			      to);
		if (!row)
			fputs("|\n", to);
	}
}

static size_t sf_grid_width(const struct sf_grid *grid, size_t column)
{
	size_t row, len, width = 0;

	for (row = 0; row <= grid->row_count; row++) {
		len = strlen(sf_grid_cell(grid, row, column));
		if (len > width)
			width = len;
	}
	return width;
}

static bool sf_grid_is_hidden(const struct sf_grid *grid, size_t column)
{
	return grid->hidden >> column & 1;
}

/**
 * sf_grid_fits - is the table no wider than that?
 * @grid: the table
 * @width: of a page
 */
bool sf_grid_fits(const struct sf_grid *grid, size_t width)
{
	size_t column, used = sf_grid_width(grid, 0);

	for (column = 1; column < grid->column_count; column++)
		if (!sf_grid_is_hidden(grid, column))
			used += SF_GAP + sf_grid_width(grid, column);
	return used <= width;
}

/**
 * sf_grid_hide - leave a column out on a narrow page
 * @grid: the table
 * @column: number of the column, below 32; not the first
 */
void sf_grid_hide(struct sf_grid *grid, size_t column)
{
	grid->hidden |= 1u << column;
}

/* Return: the first column from @first on that does not fit; one always does. */
static size_t sf_grid_fit(const struct sf_grid *grid, size_t first,
			  size_t width)
{
	size_t used = sf_grid_width(grid, 0), column;

	for (column = first; column < grid->column_count; column++) {
		if (sf_grid_is_hidden(grid, column))
			continue;
		used += SF_GAP + sf_grid_width(grid, column);
		if (used > width && column > first)
			break;
	}
	return column;
}

/* No line ends in blanks: mailers take them for something. */
static void sf_grid_print_part(const struct sf_grid *grid, size_t row,
			       size_t first, size_t end, FILE *to)
{
	size_t column, gap = 0;
	const char *text;
	int pad;

	for (column = 0; column < end; column = column ? column + 1 : first) {
		if (sf_grid_is_hidden(grid, column))
			continue;
		text = sf_grid_cell(grid, row, column);
		pad = sf_grid_width(grid, column) - strlen(text);
		if (sf_grid_is_right(grid, column))
			gap += pad;
		if (*text)
			fprintf(to, "%*s%s", (int)gap, "", text);
		gap = *text ? SF_GAP : gap + strlen(text) + SF_GAP;
		if (!sf_grid_is_right(grid, column))
			gap += pad;
	}
	putc('\n', to);
}

/**
 * sf_grid_print_plain - print a table for a narrow page
 * @grid: the table; has two columns or more
 * @indent: blanks before each line
 * @width: of the page; columns that do not fit go into further tables, each with the
 *	first column
 * @to: gets it
 */
void sf_grid_print_plain(struct sf_grid *grid, size_t indent, size_t width,
			 FILE *to)
{
	size_t first, end, row;

	for (first = 1; first < grid->column_count; first = end) {
		end = sf_grid_fit(grid, first, width - indent);
		if (first > 1)
			putc('\n', to);
		for (row = 0; row <= grid->row_count; row++) {
			fprintf(to, "%*s", (int)indent, "");
			sf_grid_print_part(grid, row, first, end, to);
		}
	}
}

/**
 * sf_grid_free - free a table
 * @grid: the table
 */
void sf_grid_free(struct sf_grid *grid)
{
	size_t i;

	for (i = 0; i < grid->row_count * grid->column_count; i++)
		free(grid->cells[i]);
	free(grid->cells);
}
