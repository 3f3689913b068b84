// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "canvas.h"

/**
 * sf_canvas_begin - an empty screen
 * @canvas: to set; to be freed
 * @rows: its height
 * @columns: its width
 *
 * Return: 0, or -1 if it does not fit in memory.
 */
int sf_canvas_begin(struct sf_canvas *canvas, size_t rows, size_t columns)
{
	size_t i;

	canvas->rows = rows;
	canvas->columns = columns;
	canvas->cells = calloc(rows * columns + 1, sizeof(*canvas->cells));
	if (!canvas->cells)
		return -1;
	for (i = 0; i < rows * columns; i++)
		canvas->cells[i].ch = ' ';
	return 0;
}

/**
 * sf_canvas_put - write a text
 * @canvas: the screen; what is beyond its edges is not drawn
 * @row: where
 * @column: where
 * @width: of the field; what is longer is cut, and what is left of it is not touched
 * @look: of the text
 * @text: it
 */
void sf_canvas_put(struct sf_canvas *canvas, size_t row, size_t column,
		   size_t width, enum sf_look look, const char *text)
{
	size_t i;

	if (row >= canvas->rows)
		return;
	for (i = 0; i < width && text[i] && column + i < canvas->columns; i++) {
		struct sf_cell *cell =
			&canvas->cells[row * canvas->columns + column + i];

		cell->ch = text[i] < ' ' || text[i] > '~' ? '?' : text[i];
		cell->look = look;
	}
}

/**
 * sf_canvas_say - print to the end of the row
 * @canvas: the screen
 * @row: where
 * @column: where
 * @look: of the text
 * @format: of the text
 *
 * Return: the column behind the text.
 */
size_t sf_canvas_say(struct sf_canvas *canvas, size_t row, size_t column,
		     enum sf_look look, const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	sf_canvas_put(canvas, row, column, sizeof(text), look, text);
	return column + strlen(text);
}

/**
 * sf_canvas_paint - give a whole row another look
 * @canvas: the screen
 * @row: it
 * @look: of the row
 */
void sf_canvas_paint(struct sf_canvas *canvas, size_t row, enum sf_look look)
{
	size_t i;

	for (i = 0; row < canvas->rows && i < canvas->columns; i++)
		canvas->cells[row * canvas->columns + i].look = look;
}

/**
 * sf_canvas_text - the screen as lines of text
 * @canvas: the screen
 *
 * Return: without blanks at the ends of lines; to be freed. NULL if it does not fit in
 * memory.
 */
char *sf_canvas_text(const struct sf_canvas *canvas)
{
	char *text = malloc(canvas->rows * (canvas->columns + 1) + 1);
	size_t used = 0, begin, row, i;

	if (!text)
		return NULL;
	for (row = 0; row < canvas->rows; row++) {
		begin = used;
		for (i = 0; i < canvas->columns; i++)
			text[used++] =
				canvas->cells[row * canvas->columns + i].ch;
		while (used > begin && text[used - 1] == ' ')
			used--;
		text[used++] = '\n';
	}
	text[used] = '\0';
	return text;
}

/**
 * sf_canvas_free - forget it
 * @canvas: from sf_canvas_begin()
 */
void sf_canvas_free(struct sf_canvas *canvas)
{
	free(canvas->cells);
	memset(canvas, 0, sizeof(*canvas));
}
