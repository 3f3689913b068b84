// SPDX-License-Identifier: GPL-2.0-or-later
/* The tree of domains, one line a span or CPU. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gauge.h"
#include "screen.h"
#include "text.h"

/* From here on there is room for longer bars. */
#define SF_WIDE 160

#define SF_MAX_COLUMN 48

enum sf_board_id {
	SF_BOARD_DOMAIN,
	SF_BOARD_CPUS,
	SF_BOARD_FIRST,
	SF_BOARD_NEWIDLE,
	SF_BOARD_CALLS,
	SF_BOARD_ATTEMPTS,
	SF_BOARD_SKIP,
	SF_BOARD_HIT,
	SF_BOARD_RATIO,
	SF_BOARD_BAR,
	SF_BOARD_WINDOW,
	SF_BOARD_COST,
	SF_BOARD_STALE,
	SF_BOARD_MOVED,
	SF_NR_BOARD,
};

/**
 * struct sf_board_column - a column
 * @head: its head, with the unit
 * @width: of it; 0 is as wide as what is in it
 * @right: flush right
 */
static const struct sf_board_column {
	const char *head;
	size_t width;
	bool right;
} sf_board_columns[SF_NR_BOARD] = {
	[SF_BOARD_DOMAIN] = { "DOMAIN", 0, false },
	[SF_BOARD_CPUS] = { "CPUS", 0, false },
	[SF_BOARD_FIRST] = { "FIRST", 5, true },
	[SF_BOARD_NEWIDLE] = { "NEWIDLE", 11, false },
	[SF_BOARD_CALLS] = { "CALLS/s", 7, true },
	[SF_BOARD_ATTEMPTS] = { "ATT/s", 7, true },
	[SF_BOARD_SKIP] = { "SKIP%", 5, true },
	[SF_BOARD_HIT] = { "HIT%", 5, true },
	[SF_BOARD_RATIO] = { "RATIO", 5, true },
	[SF_BOARD_BAR] = { "OF 1024", 8, false },
	[SF_BOARD_WINDOW] = { "WINDOW", 8, false },
	[SF_BOARD_COST] = { "COST us", 7, true },
	[SF_BOARD_STALE] = { "STALE/s", 7, true },
	[SF_BOARD_MOVED] = { "MOVED/s", 7, true },
};

/* A narrow screen goes without these, the first one first; the help says so. */
static const enum sf_board_id sf_board_dropped[] = {
	SF_BOARD_FIRST, SF_BOARD_WINDOW, SF_BOARD_MOVED, SF_BOARD_STALE,
	SF_BOARD_COST,	SF_BOARD_BAR,	 SF_BOARD_SKIP,	 SF_BOARD_CALLS,
	SF_BOARD_RATIO, SF_BOARD_HIT,	 SF_BOARD_CPUS,
};

/**
 * struct sf_board - the table as it is drawn
 * @canvas: where
 * @scene: what
 * @width: of each column; 0 for one that is not there
 */
struct sf_board {
	struct sf_canvas *canvas;
	const struct sf_scene *scene;
	size_t width[SF_NR_BOARD];
};

static void sf_board_domain(const struct sf_line *line, char *buf, size_t size)
{
	int indent = 2 * line->depth;

	if (line->row)
		snprintf(buf, size, "%*s cpu%llu", indent, "",
			 (unsigned long long)line->row->domain->cpu);
	else
		snprintf(buf, size, "%*s%c %s", indent, "",
			 line->open ? '-' : '+', line->group->first->name);
}

/* A CPU's line has its own row only. */
static void sf_board_window(const struct sf_line *line, size_t width, char *buf)
{
	if (line->row)
		sf_gauge_window(&line->row, 1, width, buf);
	else
		sf_gauge_window(line->group->rows, line->group->count, width,
				buf);
	if (!*buf)
		strcpy(buf, "-");
}

static void sf_board_ratio(const struct sf_figures *figures, char *buf,
			   size_t size)
{
	snprintf(buf, size, "%.0f%s", figures->ratio,
		 figures->pinned ? "*" : "");
}

static void sf_board_text(const struct sf_line *line, enum sf_board_id id,
			  size_t width, char *buf, size_t size)
{
	buf[0] = '\0';
	switch (id) {
	case SF_BOARD_DOMAIN:
		sf_board_domain(line, buf, size);
		break;
	case SF_BOARD_CPUS:
		if (!line->row)
			snprintf(buf, size, "%s", line->group->first->span);
		break;
	case SF_BOARD_FIRST:
		if (!line->row)
			snprintf(buf, size, "%llu",
				 (unsigned long long)line->group->first->cpu);
		break;
	case SF_BOARD_NEWIDLE:
		snprintf(buf, size, "%s", line->figures.newidle);
		break;
	case SF_BOARD_RATIO:
		sf_board_ratio(&line->figures, buf, size);
		break;
	case SF_BOARD_BAR:
		sf_gauge_ratio(line->figures.ratio, line->figures.learned,
			       width, buf);
		break;
	case SF_BOARD_WINDOW:
		sf_board_window(line, width, buf);
		break;
	default:
		break;
	}
}

static double sf_board_value(const struct sf_figures *figures,
			     enum sf_board_id id)
{
	switch (id) {
	case SF_BOARD_CALLS:
		return figures->calls_s;
	case SF_BOARD_ATTEMPTS:
		return figures->attempts_s;
	case SF_BOARD_SKIP:
		return figures->skip_percent;
	case SF_BOARD_HIT:
		return figures->hit_percent;
	case SF_BOARD_COST:
		return figures->cost_us;
	case SF_BOARD_STALE:
		return figures->stale_s;
	default:
		return figures->moved_s;
	}
}

static bool sf_board_is_number(enum sf_board_id id)
{
	return sf_board_columns[id].right && id != SF_BOARD_RATIO &&
	       id != SF_BOARD_FIRST;
}

static void sf_board_cell(const struct sf_line *line, enum sf_board_id id,
			  size_t width, char *buf, size_t size)
{
	if (sf_board_is_number(id))
		sf_gauge_number(sf_board_value(&line->figures, id), width, 1,
				buf, size);
	else
		sf_board_text(line, id, width, buf, size);
}

static size_t sf_board_needs(const struct sf_board *board, enum sf_board_id id,
			     size_t least, size_t most)
{
	const struct sf_outline *outline = board->scene->outline;
	size_t needs = least, i;
	char text[256];

	for (i = 0; i < outline->count; i++) {
		sf_board_text(&outline->lines[i], id, most, text, sizeof(text));
		if (strlen(text) > needs)
			needs = strlen(text);
	}
	return needs > most ? most : needs;
}

static size_t sf_board_width(const struct sf_board *board)
{
	size_t width = 0, id;

	for (id = 0; id < SF_NR_BOARD; id++)
		if (board->width[id])
			width += board->width[id] + 1;
	return width ? width - 1 : 0;
}

static void sf_board_choose(struct sf_board *board)
{
	bool wide = board->canvas->columns >= SF_WIDE;
	size_t id, i;

	for (id = 0; id < SF_NR_BOARD; id++)
		board->width[id] = sf_board_columns[id].width;
	board->width[SF_BOARD_DOMAIN] = sf_board_needs(
		board, SF_BOARD_DOMAIN, strlen("DOMAIN"), wide ? 24 : 14);
	board->width[SF_BOARD_CPUS] = sf_board_needs(
		board, SF_BOARD_CPUS, strlen("CPUS"), wide ? 32 : 12);
	if (wide)
		board->width[SF_BOARD_BAR] = board->width[SF_BOARD_WINDOW] = 32;
	if (!sf_glance_has_select(&board->scene->watcher->now))
		board->width[SF_BOARD_STALE] = board->width[SF_BOARD_MOVED] = 0;
	for (i = 0; i < SF_ARRAY_SIZE(sf_board_dropped) &&
		    sf_board_width(board) > board->canvas->columns;
	     i++)
		board->width[sf_board_dropped[i]] = 0;
}

/* @line: NULL for the heads. What is cut ends in ~. */
static void sf_board_row(const struct sf_board *board, size_t row,
			 const struct sf_line *line, enum sf_look look)
{
	size_t column = 0, id;
	char text[256];

	sf_canvas_paint(board->canvas, row, look);
	for (id = 0; id < SF_NR_BOARD; id++) {
		size_t width = board->width[id], len, skip;

		if (!width)
			continue;
		if (line)
			sf_board_cell(line, id, width, text, sizeof(text));
		else
			snprintf(text, sizeof(text), "%s",
				 sf_board_columns[id].head);
		len = strlen(text);
		if (len > width)
			text[width - 1] = '~';
		skip = sf_board_columns[id].right && len < width ? width - len :
								   0;
		sf_canvas_put(board->canvas, row, column + skip, width - skip,
			      look, text);
		column += width + 1;
	}
}

static enum sf_look sf_board_look(const struct sf_line *line, bool selected)
{
	if (selected)
		return SF_LOOK_SELECTED;
	if (line->row)
		return SF_LOOK_DIM;
	if (strcmp(line->figures.newidle, "stock"))
		return SF_LOOK_GOOD;
	return SF_LOOK_PLAIN;
}

/* The selected line is always in sight. */
static void sf_board_scroll(struct sf_console *console, size_t page)
{
	size_t *top = &console->top[SF_SCREEN_TREE];

	console->page = page ? page : 1;
	if (console->selected < *top)
		*top = console->selected;
	if (console->selected >= *top + console->page)
		*top = console->selected - console->page + 1;
}

/**
 * sf_board_draw - draw the tree of domains
 * @canvas: where
 * @scene: what
 * @row: the first row for it
 * @end: the row behind the last
 */
void sf_board_draw(struct sf_canvas *canvas, const struct sf_scene *scene,
		   size_t row, size_t end)
{
	struct sf_board board = { .canvas = canvas, .scene = scene };
	const struct sf_outline *outline = scene->outline;
	struct sf_console *console = scene->console;
	size_t i;

	sf_board_choose(&board);
	sf_board_row(&board, row++, NULL, SF_LOOK_HEAD);
	sf_board_scroll(console, end > row ? end - row : 0);
	i = console->top[SF_SCREEN_TREE];
	for (; row < end && i < outline->count; row++, i++)
		sf_board_row(&board, row, &outline->lines[i],
			     sf_board_look(&outline->lines[i],
					   i == console->selected));
	if (!outline->count)
		sf_canvas_say(canvas, row, 0, SF_LOOK_DIM, "no domain%s",
			      console->filter.cpu || console->filter.domain ?
				      " passes the filter; / changes it" :
				      "");
}
