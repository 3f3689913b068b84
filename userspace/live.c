// SPDX-License-Identifier: GPL-2.0-or-later
/* The screen of watch: looks, keys and drawing. */
#include <stdlib.h>
#include <unistd.h>

#include "pause.h"
#include "policy.h"
#include "screen.h"
#include "terminal.h"
#include "watch.h"

/**
 * struct sf_live - watch on a terminal
 * @watcher: what was seen
 * @console: what the user has chosen
 * @outline: of the watcher's interval
 */
struct sf_live {
	struct sf_watcher watcher;
	struct sf_console console;
	struct sf_outline outline;
};

static int sf_live_lay_out(struct sf_live *live, struct sf_error *err)
{
	sf_outline_free(&live->outline);
	if (!sf_outline_make(&live->outline, &live->watcher.interval,
			     &live->console.folds, live->console.sort, err))
		sf_console_follow(&live->console, &live->outline);
	return err->code;
}

/* The outline points into what a look frees. */
static int sf_live_look(struct sf_live *live, struct sf_error *err)
{
	sf_outline_free(&live->outline);
	if (sf_watcher_look(&live->watcher, &live->console.filter, err))
		return err->code;
	return sf_live_lay_out(live, err);
}

static int sf_live_filter(struct sf_live *live, struct sf_error *err)
{
	sf_outline_free(&live->outline);
	if (sf_watcher_refilter(&live->watcher, &live->console.filter, err))
		return err->code;
	return sf_live_lay_out(live, err);
}

static int sf_live_draw(struct sf_live *live, struct sf_error *err)
{
	const struct sf_scene scene = { &live->watcher, &live->console,
					&live->outline };
	struct sf_canvas canvas;
	size_t rows, columns;

	sf_terminal_size(&rows, &columns);
	if (sf_canvas_begin(&canvas, rows, columns))
		return sf_fail(err, SF_FAILED, "out of memory");
	sf_screen_draw(&canvas, &scene);
	sf_terminal_draw(&canvas);
	sf_canvas_free(&canvas);
	return SF_OK;
}

/* What set would have said, is said. */
static void sf_live_flip(struct sf_live *live)
{
	struct sf_error refused = { .code = SF_OK };
	char said[SF_POLICY_SIZE + 128];

	if (sf_request_carry_out(&live->console.request, said, sizeof(said),
				 &refused))
		sf_console_tell(&live->console, SF_LOOK_BAD, "%s",
				refused.message);
	else
		sf_console_tell(&live->console, SF_LOOK_GOOD, "%s", said);
}

/* Return: false to quit. */
static bool sf_live_key(struct sf_live *live, int key, struct sf_error *err)
{
	switch (sf_console_key(&live->console, key, &live->outline)) {
	case SF_ACT_QUIT:
		return false;
	case SF_ACT_LAY_OUT:
		return !sf_live_lay_out(live, err);
	case SF_ACT_FILTER:
		return !sf_live_filter(live, err);
	case SF_ACT_FLIP:
		sf_live_flip(live);
		return true;
	default:
		return true;
	}
}

/* Return: false to quit. */
static bool sf_live_keys(struct sf_live *live, struct sf_error *err)
{
	int key;

	while ((key = sf_terminal_key()) != SF_NO_KEY)
		if (key && !sf_live_key(live, key, err))
			return false;
	return true;
}

static void sf_live_loop(struct sf_live *live, const struct sf_vigil *vigil,
			 struct sf_error *err)
{
	double looked = sf_pause_now();
	enum sf_pause_end end;
	u64 count = 0;

	if (sf_live_look(live, err))
		return;
	while (!sf_live_draw(live, err)) {
		end = sf_pause_until(looked + live->console.interval_s,
				     STDIN_FILENO);
		if (end == SF_PAUSE_SIGNAL || !sf_live_keys(live, err))
			return;
		/* Keys that are held down do not put off the next look. */
		if (sf_pause_now() < looked + live->console.interval_s)
			continue;
		looked = sf_pause_now();
		if (sf_live_look(live, err) ||
		    (vigil->count && ++count == vigil->count))
			return;
	}
}

/**
 * sf_live_run - watch on a terminal
 * @vigil: how
 * @err: says what was wrong
 *
 * Return: SF_OK, or the code in @err.
 */
int sf_live_run(const struct sf_vigil *vigil, struct sf_error *err)
{
	struct sf_live *live = calloc(1, sizeof(*live));

	if (!live)
		return sf_fail(err, SF_FAILED, "out of memory");
	sf_console_begin(&live->console, vigil->interval_s, vigil->filter);
	sf_pause_begin();
	if (sf_terminal_begin(vigil->color))
		sf_fail(err, SF_FAILED,
			"cannot use this terminal; give --plain");
	else
		sf_live_loop(live, vigil, err);
	sf_terminal_end();
	sf_outline_free(&live->outline);
	sf_watcher_free(&live->watcher);
	free(live);
	return err->code;
}
