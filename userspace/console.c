// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "console.h"
#include "text.h"

static const double sf_intervals[] = { 0.1, 0.2, 0.5, 1,  2,   5,
				       10,  20,	 30,  60, 300, 3600 };

/**
 * sf_console_begin - nothing is chosen yet
 * @console: to set
 * @interval_s: nominal interval
 * @filter: parsed; the words it points to are copied
 */
void sf_console_begin(struct sf_console *console, double interval_s,
		      const struct sf_filter *filter)
{
	memset(console, 0, sizeof(*console));
	console->interval_s = interval_s;
	console->filter = *filter;
	console->page = 1;
}

/**
 * sf_console_tell - leave a message for the user
 * @console: shows it until a key is pressed
 * @look: of the message
 * @format: of the message
 */
void sf_console_tell(struct sf_console *console, enum sf_look look,
		     const char *format, ...)
{
	va_list args;

	console->message_look = look;
	va_start(args, format);
	vsnprintf(console->message, sizeof(console->message), format, args);
	va_end(args);
}

static void sf_console_select(struct sf_console *console,
			      const struct sf_outline *outline, size_t line)
{
	if (line >= outline->count)
		line = outline->count ? outline->count - 1 : 0;
	console->selected = line;
	if (outline->count)
		sf_line_key(&outline->lines[line], console->selected_key,
			    sizeof(console->selected_key));
}

/**
 * sf_console_follow - find the selected line in an outline that was made anew
 * @console: it
 * @outline: the new one
 */
void sf_console_follow(struct sf_console *console,
		       const struct sf_outline *outline)
{
	char key[SF_LINE_KEY_SIZE];
	size_t i;

	for (i = 0; i < outline->count; i++) {
		sf_line_key(&outline->lines[i], key, sizeof(key));
		if (!strcmp(key, console->selected_key)) {
			console->selected = i;
			return;
		}
	}
	sf_console_select(console, outline, console->selected);
}

/* Return: by how many lines a key moves; 0 if it does not. */
static long sf_key_step(const struct sf_console *console, int key)
{
	switch (key) {
	case SF_KEY_UP:
	case 'k':
		return -1;
	case SF_KEY_DOWN:
	case 'j':
		return 1;
	case SF_KEY_PAGE_UP:
		return -(long)console->page;
	case SF_KEY_PAGE_DOWN:
		return console->page;
	case SF_KEY_HOME:
		return -SF_MAX_CPUS * 64L;
	case SF_KEY_END:
		return SF_MAX_CPUS * 64L;
	default:
		return 0;
	}
}

/* The screens cut it to what they have. */
static void sf_console_move(struct sf_console *console, long step,
			    const struct sf_outline *outline)
{
	size_t *place = console->screen == SF_SCREEN_TREE ?
				&console->selected :
				&console->top[console->screen];
	long to = (long)*place + step;

	*place = to < 0 ? 0 : to;
	if (console->screen == SF_SCREEN_TREE)
		sf_console_select(console, outline, *place);
}

/* @open: of the selected span, or of that of the selected CPU. */
static enum sf_act sf_console_fold(struct sf_console *console,
				   const struct sf_outline *outline, bool open)
{
	struct sf_line line;
	char key[SF_LINE_KEY_SIZE];

	if (console->screen != SF_SCREEN_TREE || !outline->count)
		return SF_ACT_NONE;
	line = outline->lines[console->selected];
	line.row = NULL;
	sf_line_key(&line, key, sizeof(key));
	if (!sf_folds_set(&console->folds, key, open))
		sf_console_tell(console, SF_LOOK_BAD,
				"%d spans are unfolded already; fold one first",
				SF_MAX_OPEN);
	if (!open)
		memcpy(console->selected_key, key, sizeof(key));
	return SF_ACT_LAY_OUT;
}

static enum sf_act sf_console_toggle(struct sf_console *console,
				     const struct sf_outline *outline)
{
	const struct sf_line *line;

	if (console->screen != SF_SCREEN_TREE || !outline->count)
		return SF_ACT_NONE;
	line = &outline->lines[console->selected];
	return sf_console_fold(console, outline, !line->row && !line->open);
}

/* The next longer or shorter one of the table; there may be none. */
static double sf_next_interval(double interval_s, bool slower)
{
	double found = interval_s;
	size_t i;

	for (i = 0; i < SF_ARRAY_SIZE(sf_intervals); i++) {
		if (!slower && sf_intervals[i] < interval_s)
			found = sf_intervals[i];
		if (slower && sf_intervals[i] > interval_s)
			return sf_intervals[i];
	}
	return found;
}

static void sf_console_ask(struct sf_console *console, enum sf_prompt prompt)
{
	console->prompt = prompt;
	console->typed[0] = '\0';
}

static void sf_console_flip(struct sf_console *console,
			    const struct sf_outline *outline, bool all)
{
	if (!all && (console->screen != SF_SCREEN_TREE || !outline->count)) {
		sf_console_tell(console, SF_LOOK_BAD,
				"no domain is selected; P flips all of them");
		return;
	}
	sf_request_aim(&console->request,
		       all ? NULL : &outline->lines[console->selected]);
	sf_console_ask(console, SF_PROMPT_POLICY);
}

static void sf_console_show(struct sf_console *console, enum sf_screen screen)
{
	console->screen = console->screen == screen ? SF_SCREEN_TREE : screen;
}

static enum sf_act sf_console_command(struct sf_console *console, int key,
				      const struct sf_outline *outline)
{
	switch (key) {
	case 'q':
		return SF_ACT_QUIT;
	case 'h':
		sf_console_show(console, SF_SCREEN_HEAT);
		break;
	case '?':
		sf_console_show(console, SF_SCREEN_HELP);
		break;
	case SF_KEY_ESCAPE:
		console->screen = SF_SCREEN_TREE;
		break;
	case 'm':
		console->heat = (console->heat + 1) % SF_NR_HEATS;
		break;
	case 's':
		console->sort = (console->sort + 1) % SF_NR_SORTS;
		return SF_ACT_LAY_OUT;
	case '/':
		sf_console_ask(console, SF_PROMPT_FILTER);
		break;
	case 'p':
	case 'P':
		sf_console_flip(console, outline, key == 'P');
		break;
	case '+':
	case '-':
		console->interval_s =
			sf_next_interval(console->interval_s, key == '+');
		break;
	case ' ':
	case SF_KEY_ENTER:
		return sf_console_toggle(console, outline);
	case SF_KEY_LEFT:
	case SF_KEY_RIGHT:
		return sf_console_fold(console, outline, key == SF_KEY_RIGHT);
	}
	return SF_ACT_NONE;
}

/**
 * sf_console_key - a key was pressed
 * @console: it
 * @key: a character, or enum sf_key
 * @outline: as it is shown
 *
 * Return: what is to be done, beside to draw the screen again.
 */
enum sf_act sf_console_key(struct sf_console *console, int key,
			   const struct sf_outline *outline)
{
	long step;

	console->message[0] = '\0';
	if (console->prompt)
		return sf_prompt_key(console, key);
	step = sf_key_step(console, key);
	if (!step)
		return sf_console_command(console, key, outline);
	sf_console_move(console, step, outline);
	return SF_ACT_NONE;
}
