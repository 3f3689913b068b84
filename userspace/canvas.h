/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A screen full of characters that is drawn without a terminal. */
#ifndef SCHEDFLIP_CANVAS_H
#define SCHEDFLIP_CANVAS_H

#include <stddef.h>

/* Shades of a heat map, beside none at all. */
#define SF_NR_SHADES 9

enum sf_look {
	SF_LOOK_PLAIN,
	SF_LOOK_TITLE,
	SF_LOOK_HEAD,
	SF_LOOK_GOOD,
	SF_LOOK_WARN,
	SF_LOOK_BAD,
	SF_LOOK_DIM,
	SF_LOOK_SELECTED,
	SF_LOOK_SHADE,
	SF_NR_LOOKS = SF_LOOK_SHADE + SF_NR_SHADES,
};

/**
 * struct sf_cell - a character
 * @ch: printable ASCII
 * @look: enum sf_look; SF_LOOK_SHADE and the following are those of a heat map
 */
struct sf_cell {
	char ch;
	unsigned char look;
};

/**
 * struct sf_canvas - a screen
 * @rows: its height
 * @columns: its width
 * @cells: of all rows
 */
struct sf_canvas {
	size_t rows;
	size_t columns;
	struct sf_cell *cells;
};

int sf_canvas_begin(struct sf_canvas *canvas, size_t rows, size_t columns);
void sf_canvas_put(struct sf_canvas *canvas, size_t row, size_t column,
		   size_t width, enum sf_look look, const char *text);
size_t sf_canvas_say(struct sf_canvas *canvas, size_t row, size_t column,
		     enum sf_look look, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
void sf_canvas_paint(struct sf_canvas *canvas, size_t row, enum sf_look look);
char *sf_canvas_text(const struct sf_canvas *canvas);
void sf_canvas_free(struct sf_canvas *canvas);

#endif
