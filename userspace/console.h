/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the user of watch has chosen by keys, and is choosing. */
#ifndef SCHEDFLIP_CONSOLE_H
#define SCHEDFLIP_CONSOLE_H

#include "canvas.h"
#include "history.h"
#include "outline.h"
#include "request.h"

/* Keys that are no character. */
enum sf_key {
	SF_KEY_ENTER = '\n',
	SF_KEY_TAB = '\t',
	SF_KEY_ESCAPE = 27,
	SF_KEY_BACKSPACE = 127,
	SF_KEY_UP = 0x100,
	SF_KEY_DOWN,
	SF_KEY_LEFT,
	SF_KEY_RIGHT,
	SF_KEY_PAGE_UP,
	SF_KEY_PAGE_DOWN,
	SF_KEY_HOME,
	SF_KEY_END,
};

enum sf_screen {
	SF_SCREEN_TREE,
	SF_SCREEN_HEAT,
	SF_SCREEN_HELP,
};

enum sf_prompt {
	SF_PROMPT_NONE,
	SF_PROMPT_FILTER,
	SF_PROMPT_POLICY,
	SF_PROMPT_CONFIRM,
};

/* What a key asks for, beside to draw again. */
enum sf_act {
	SF_ACT_NONE,
	SF_ACT_QUIT,
	SF_ACT_LAY_OUT,
	SF_ACT_FILTER,
	SF_ACT_FLIP,
};

/**
 * struct sf_console - what the user has chosen
 * @screen: that is shown
 * @sort: order of the tree
 * @heat: what the heat map shows
 * @interval_s: nominal interval
 * @folds: spans that are unfolded
 * @selected: line of the tree
 * @selected_key: names it in the next interval as well
 * @top: first line shown of each screen
 * @page: lines that the screen has room for; set as it is drawn
 * @filter: domains shown
 * @filter_cpu: its list of CPUs
 * @filter_domain: its domain
 * @prompt: what is being typed
 * @typed: so far
 * @request: set command that is being made up
 * @message: what became of the last one
 * @message_look: of @message
 */
struct sf_console {
	enum sf_screen screen;
	enum sf_sort sort;
	enum sf_heat heat;
	double interval_s;
	struct sf_folds folds;
	size_t selected;
	char selected_key[SF_LINE_KEY_SIZE];
	size_t top[SF_SCREEN_HELP + 1];
	size_t page;
	struct sf_filter filter;
	char filter_cpu[128];
	char filter_domain[128];
	enum sf_prompt prompt;
	char typed[128];
	struct sf_request request;
	char message[sizeof(((struct sf_error *)0)->message)];
	enum sf_look message_look;
};

void sf_console_begin(struct sf_console *console, double interval_s,
		      const struct sf_filter *filter);
void sf_console_follow(struct sf_console *console,
		       const struct sf_outline *outline);
enum sf_act sf_console_key(struct sf_console *console, int key,
			   const struct sf_outline *outline);
void sf_console_tell(struct sf_console *console, enum sf_look look,
		     const char *format, ...)
	__attribute__((format(printf, 3, 4)));
enum sf_act sf_prompt_key(struct sf_console *console, int key);
void sf_prompt_format(const struct sf_console *console, char *buf, size_t size);

#endif
