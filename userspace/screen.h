/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What watch draws; it knows of no terminal. */
#ifndef SCHEDFLIP_SCREEN_H
#define SCHEDFLIP_SCREEN_H

#include "console.h"
#include "watcher.h"

/* Smaller screens are drawn as well, but lack what does not fit. */
#define SF_MIN_ROWS 10
#define SF_MIN_COLUMNS 40

/**
 * struct sf_scene - all that a screen shows
 * @watcher: what was seen
 * @console: what the user has chosen
 * @outline: of the watcher's interval
 */
struct sf_scene {
	const struct sf_watcher *watcher;
	struct sf_console *console;
	const struct sf_outline *outline;
};

void sf_screen_draw(struct sf_canvas *canvas, const struct sf_scene *scene);
void sf_board_draw(struct sf_canvas *canvas, const struct sf_scene *scene,
		   size_t row, size_t end);
void sf_heatmap_draw(struct sf_canvas *canvas, const struct sf_scene *scene,
		     size_t row, size_t end);
void sf_manual_draw(struct sf_canvas *canvas, const struct sf_scene *scene,
		    size_t row, size_t end);

#endif
