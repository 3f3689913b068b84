/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the tests of drawn screens share: a scene, and how a screen is compared.
 */
#ifndef SCHEDFLIP_UNIT_SCREENS_H
#define SCHEDFLIP_UNIT_SCREENS_H

#include "glances.h"

#include "screen.h"

/* Two looks, what the user has chosen, and a sheet to draw on. */
static struct sf_domain first[DOMAINS], second[DOMAINS];
static struct sf_watcher watcher;
static struct sf_console console;
static struct sf_outline outline;
static const struct sf_filter all;

static inline void lay_out(void)
{
	struct sf_error err = { .code = SF_OK };

	sf_outline_free(&outline);
	sf_interval_free(&watcher.interval);
	assert_int_equal(sf_interval_take(&watcher.interval, &watcher.before,
					  &watcher.now, &console.filter, &err),
			 SF_OK);
	assert_int_equal(sf_outline_make(&outline, &watcher.interval,
					 &console.folds, console.sort, &err),
			 SF_OK);
	sf_console_follow(&console, &outline);
}

static inline int setup(void **state)
{
	size_t i;

	if (tree_setup(state) || setenv("TZ", "UTC", 1))
		return -1;
	tree_write("/proc/sys/kernel/osrelease", "7.3.4-test\n");
	memset(&watcher, 0, sizeof(watcher));
	glance_at(&watcher.before, 10, first);
	glance_at(&watcher.now, 11, second);
	for (i = 0; i < DOMAINS; i++)
		work(&second[i], 100 * (1 + second[i].cpu));
	sf_console_begin(&console, 1, &all);
	lay_out();
	return 0;
}

static inline int teardown(void **state)
{
	sf_outline_free(&outline);
	sf_interval_free(&watcher.interval);
	sf_history_free(&watcher.history);
	return tree_teardown(state);
}

/* Rows that are empty, but the last of them, are not worth a line of this file. */
static inline void squeeze(char *text)
{
	char *to = text;

	for (; *text; text++)
		if (text[0] != '\n' || text[1] != '\n' || text[2] != '\n')
			*to++ = *text;
	*to = '\0';
}

static inline char *draw(size_t rows, size_t columns)
{
	const struct sf_scene scene = { &watcher, &console, &outline };
	struct sf_canvas canvas;
	char *text;

	assert_int_equal(sf_canvas_begin(&canvas, rows, columns), 0);
	sf_screen_draw(&canvas, &scene);
	text = sf_canvas_text(&canvas);
	sf_canvas_free(&canvas);
	assert_non_null(text);
	return text;
}

static inline void assert_screen(size_t rows, size_t columns,
				 const char *wanted)
{
	char *text = draw(rows, columns), *line;

	squeeze(text);
	if (strcmp(text, wanted)) {
		print_error("%zu rows, %zu columns; there is:\n", rows,
			    columns);
		for (line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
			print_error("%s\n", line);
		fail_msg("that is not what was wanted");
	}
	free(text);
}

#define screen_test(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

#endif
