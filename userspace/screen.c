// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "duration.h"
#include "kernel.h"
#include "screen.h"
#include "text.h"

/* From here on there is room for the tripwires' line. */
#define SF_ROWS_FOR_TRIPS 14

static void sf_screen_title(struct sf_canvas *canvas,
			    const struct sf_scene *scene, size_t row)
{
	const struct sf_console *console = scene->console;
	const struct sf_watcher *watcher = scene->watcher;
	char now[16];
	size_t column;

	sf_canvas_paint(canvas, row, SF_LOOK_TITLE);
	column = sf_canvas_say(
		canvas, row, 0, SF_LOOK_TITLE, "%s Linux %s, every %g s",
		sf_time_of_day(watcher->now.wall, now, sizeof(now)),
		sf_kernel_release(), console->interval_s);
	if (isfinite(watcher->interval.seconds))
		column = sf_canvas_say(canvas, row, column, SF_LOOK_TITLE,
				       " (%.3f)", watcher->interval.seconds);
	column = sf_canvas_say(canvas, row, column, SF_LOOK_TITLE, ", by %s",
			       sf_sort_name(console->sort));
	if (console->filter.cpu)
		column = sf_canvas_say(canvas, row, column, SF_LOOK_TITLE,
				       ", only CPUs %s", console->filter.cpu);
	if (console->filter.domain)
		sf_canvas_say(canvas, row, column, SF_LOOK_TITLE, ", only %s",
			      console->filter.domain);
}

static enum sf_look sf_hooks_look(const struct sf_status *status)
{
	if (!status->present || !strcmp(status->hooks, "live"))
		return SF_LOOK_GOOD;
	if (!strcmp(status->hooks, "patching") ||
	    !strcmp(status->hooks, "lease"))
		return SF_LOOK_WARN;
	return SF_LOOK_BAD;
}

static size_t sf_screen_hooks(struct sf_canvas *canvas,
			      const struct sf_status *status, size_t row)
{
	enum sf_look look = sf_hooks_look(status);
	size_t column =
		sf_canvas_say(canvas, row, 0, look, "hooks %s",
			      status->present ? status->hooks : "loaded");

	if (sf_status_is_off(status))
		column = sf_canvas_say(canvas, row, column, look, " by %s",
				       status->off_reason);
	if (status->present && strcmp(status->shadowed_by, "-"))
		column = sf_canvas_say(canvas, row, column, look, " by %s",
				       status->shadowed_by);
	return column;
}

static void sf_screen_status(struct sf_canvas *canvas,
			     const struct sf_glance *now, size_t row)
{
	const struct sf_status *status = &now->status;
	char left[SF_DURATION_SIZE];
	size_t column = sf_screen_hooks(canvas, status, row);

	if (sf_status_has_lease(status))
		column = sf_canvas_say(
			canvas, row, column, SF_LOOK_WARN, ", lease %s left",
			sf_duration_format(status->lease_left_ms * 1000, left,
					   sizeof(left)));
	column = sf_canvas_say(canvas, row, column, SF_LOOK_PLAIN,
			       ", NI_RANDOM %s%s", now->info.ni_random,
			       now->info.held ? " (held off)" : "");
	if (status->present && status->drift != SF_NO_NUMBER)
		sf_canvas_say(canvas, row, column,
			      status->drift ? SF_LOOK_WARN : SF_LOOK_PLAIN,
			      ", drift %llu",
			      (unsigned long long)status->drift);
}

static void sf_screen_trips(struct sf_canvas *canvas,
			    const struct sf_status *status, size_t row)
{
	char limits[SF_TRIPS_SIZE], found[SF_TRIPS_SIZE];
	const u64 figures[SF_NR_TRIPS] = {
		[SF_TRIP_DEPTH] = status->depth,
		[SF_TRIP_NEWIDLE] = status->newidle,
		[SF_TRIP_DELAY] = status->delay_us,
	};
	size_t column;

	if (status->present && sf_trips_armed(&status->trips)) {
		sf_trips_describe(&status->trips, limits, sizeof(limits));
		sf_trips_measure(&status->trips, figures, found, sizeof(found));
		column = sf_canvas_say(canvas, row, 0, SF_LOOK_PLAIN,
				       "trips at %s; now %s", limits, found);
	} else {
		column = sf_canvas_say(canvas, row, 0, SF_LOOK_PLAIN,
				       "tripwires off");
	}
	if (status->present && status->trip_count &&
	    status->trip_count != SF_NO_NUMBER)
		sf_canvas_say(canvas, row, column, SF_LOOK_BAD,
			      "; tripped %llu times, last: %s",
			      (unsigned long long)status->trip_count,
			      status->trip_reason);
}

static void sf_screen_journal(struct sf_canvas *canvas,
			      const struct sf_journal *journal, size_t row)
{
	const struct sf_entry_seen *entry;
	size_t column = 0, back;
	char when[16];

	sf_canvas_say(canvas, row, 0, SF_LOOK_DIM, "no change seen yet");
	for (back = 0; column < canvas->columns &&
		       (entry = sf_journal_get(journal, back));
	     back++)
		column = sf_canvas_say(
			canvas, row, column, back ? SF_LOOK_DIM : SF_LOOK_WARN,
			"%s%s %s", back ? " | " : "",
			sf_time_of_day(entry->wall, when, sizeof(when)),
			entry->text);
}

/*
 * Wrapped at columns, as a command has no better place. Return: the first row of the text.
 */
static size_t sf_screen_bottom(struct sf_canvas *canvas, enum sf_look look,
			       const char *text)
{
	size_t len = strlen(text), width = canvas->columns, i;
	size_t rows = (len + width - 1) / width, begin;

	if (rows > canvas->rows / 2)
		rows = canvas->rows / 2;
	begin = canvas->rows - rows;
	for (i = 0; i < rows; i++) {
		sf_canvas_paint(canvas, begin + i, look);
		sf_canvas_put(canvas, begin + i, 0, width, look,
			      text + i * width);
	}
	return begin;
}

static size_t sf_screen_footer(struct sf_canvas *canvas,
			       const struct sf_console *console)
{
	static const char hint[] =
		"q quit ? help h heat p flip s sort / filter space fold m metric +- pace";
	char text[sizeof(console->request) + 512];

	if (*console->message)
		return sf_screen_bottom(canvas, console->message_look,
					console->message);
	if (console->prompt) {
		sf_prompt_format(console, text, sizeof(text));
		return sf_screen_bottom(canvas, SF_LOOK_TITLE, text);
	}
	sf_canvas_say(canvas, canvas->rows - 1, 0, SF_LOOK_DIM, "%s", hint);
	return canvas->rows - 1;
}

static void sf_screen_trouble(struct sf_canvas *canvas, const char *trouble,
			      size_t row, size_t end)
{
	size_t len = strlen(trouble), at;

	for (at = 0; at < len && row + 1 < end; at += canvas->columns)
		sf_canvas_put(canvas, row++, 0, canvas->columns, SF_LOOK_BAD,
			      trouble + at);
	sf_canvas_say(canvas, row, 0, SF_LOOK_PLAIN, "waiting for the module");
}

static void sf_screen_body(struct sf_canvas *canvas,
			   const struct sf_scene *scene, size_t row, size_t end)
{
	if (scene->console->screen == SF_SCREEN_HELP)
		sf_manual_draw(canvas, scene, row, end);
	else if (scene->console->screen == SF_SCREEN_HEAT)
		sf_heatmap_draw(canvas, scene, row, end);
	else if (*scene->watcher->trouble)
		sf_screen_trouble(canvas, scene->watcher->trouble, row, end);
	else
		sf_board_draw(canvas, scene, row, end);
}

/**
 * sf_screen_draw - draw everything
 * @canvas: empty
 * @scene: what; how far it is scrolled is set to what fits
 */
void sf_screen_draw(struct sf_canvas *canvas, const struct sf_scene *scene)
{
	const struct sf_watcher *watcher = scene->watcher;
	size_t row = 0, end;

	if (!canvas->rows || !canvas->columns)
		return;
	sf_screen_title(canvas, scene, row++);
	if (*watcher->trouble)
		sf_canvas_say(canvas, row++, 0, SF_LOOK_BAD, "no module");
	else
		sf_screen_status(canvas, &watcher->now, row++);
	if (canvas->rows >= SF_ROWS_FOR_TRIPS)
		sf_screen_trips(canvas, &watcher->now.status, row++);
	sf_screen_journal(canvas, &watcher->journal, row++);
	/* Below, as what is drawn last covers what it has no room beside. */
	end = canvas->rows;
	if (canvas->rows > row)
		end = sf_screen_footer(canvas, scene->console);
	if (end > row)
		sf_screen_body(canvas, scene, row, end);
}
