// SPDX-License-Identifier: GPL-2.0-or-later
#include <ncursesw/curses.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include "console.h"
#include "terminal.h"

/* How long an escape key may be the beginning of another one's sequence, in ms. */
#define SF_ESCAPE_MS 25

/* Of a heat map on a terminal of 256 colours: from blue over green to red. */
static const short sf_shades[SF_NR_SHADES] = { 17, 19,	27,  37, 34,
					       76, 184, 208, 196 };

/* Of one that has eight. */
static const short sf_few_shades[SF_NR_SHADES] = {
	COLOR_BLUE,  COLOR_BLUE,   COLOR_CYAN,	  COLOR_CYAN, COLOR_GREEN,
	COLOR_GREEN, COLOR_YELLOW, COLOR_MAGENTA, COLOR_RED
};

static SCREEN *sf_curses;
static bool sf_colors;

static void sf_terminal_colors(void)
{
	const short *shades = COLORS >= 256 ? sf_shades : sf_few_shades;
	short i;

	if (!has_colors() || start_color() != OK)
		return;
	use_default_colors();
	sf_colors = true;
	init_pair(SF_LOOK_GOOD, COLOR_GREEN, -1);
	init_pair(SF_LOOK_WARN, COLOR_YELLOW, -1);
	init_pair(SF_LOOK_BAD, COLOR_RED, -1);
	for (i = 0; i < SF_NR_SHADES; i++)
		init_pair(SF_LOOK_SHADE + i, COLOR_WHITE, shades[i]);
}

/**
 * sf_terminal_begin - take the terminal over
 * @color: use colours, if it has them
 *
 * ncurses gives it back and takes it again around SIGTSTP.
 *
 * Return: 0, or -1 if it cannot be.
 */
int sf_terminal_begin(bool color)
{
	sf_curses = newterm(NULL, stdout, stdin);
	if (!sf_curses)
		return -1;
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(SF_ESCAPE_MS);
	curs_set(0);
	if (color)
		sf_terminal_colors();
	return 0;
}

/**
 * sf_terminal_size - how large is it now?
 * @rows: set to its height
 * @columns: set to its width
 */
void sf_terminal_size(size_t *rows, size_t *columns)
{
	struct winsize size;

	/* It may have been resized while we were stopped, of which no signal tells. */
	if (!ioctl(fileno(stdout), TIOCGWINSZ, &size) && size.ws_row &&
	    size.ws_col && is_term_resized(size.ws_row, size.ws_col))
		resizeterm(size.ws_row, size.ws_col);
	*rows = LINES;
	*columns = COLS;
}

static chtype sf_terminal_look(enum sf_look look)
{
	chtype pair = sf_colors ? COLOR_PAIR(look) : A_NORMAL;

	switch (look) {
	case SF_LOOK_PLAIN:
		return A_NORMAL;
	case SF_LOOK_TITLE:
	case SF_LOOK_SELECTED:
		return A_REVERSE;
	case SF_LOOK_HEAD:
		return A_BOLD;
	case SF_LOOK_DIM:
		return A_DIM;
	case SF_LOOK_GOOD:
		return pair;
	case SF_LOOK_WARN:
	case SF_LOOK_BAD:
		return pair | A_BOLD;
	default:
		return pair;
	}
}

/**
 * sf_terminal_draw - show a screen
 * @canvas: of the size that sf_terminal_size() told
 */
void sf_terminal_draw(const struct sf_canvas *canvas)
{
	size_t row, column;

	erase();
	for (row = 0; row < canvas->rows; row++)
		for (column = 0; column < canvas->columns; column++) {
			const struct sf_cell *cell =
				&canvas->cells[row * canvas->columns + column];

			mvaddch(row, column,
				(unsigned char)cell->ch |
					sf_terminal_look(cell->look));
		}
	refresh();
}

/**
 * sf_terminal_key - the next key that was pressed
 *
 * Return: a character, one of enum sf_key, or SF_NO_KEY; what is no key of ours is 0.
 */
int sf_terminal_key(void)
{
	static const struct {
		int curses;
		int key;
	} keys[] = {
		{ ERR, SF_NO_KEY },
		{ KEY_UP, SF_KEY_UP },
		{ KEY_DOWN, SF_KEY_DOWN },
		{ KEY_LEFT, SF_KEY_LEFT },
		{ KEY_RIGHT, SF_KEY_RIGHT },
		{ KEY_PPAGE, SF_KEY_PAGE_UP },
		{ KEY_NPAGE, SF_KEY_PAGE_DOWN },
		{ KEY_HOME, SF_KEY_HOME },
		{ KEY_END, SF_KEY_END },
		{ KEY_ENTER, SF_KEY_ENTER },
		{ '\r', SF_KEY_ENTER },
		{ KEY_BACKSPACE, SF_KEY_BACKSPACE },
		{ '\b', SF_KEY_BACKSPACE },
	};
	int key = getch();
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (keys[i].curses == key)
			return keys[i].key;
	return key < 0x80 ? key : 0;
}

/**
 * sf_terminal_end - give the terminal back as it was
 */
void sf_terminal_end(void)
{
	if (!sf_curses)
		return;
	endwin();
	delscreen(sf_curses);
	sf_curses = NULL;
	sf_colors = false;
}
