// SPDX-License-Identifier: GPL-2.0-or-later
/* What each CPU did over time, one column an interval. */
#include <math.h>
#include <string.h>

#include "gauge.h"
#include "screen.h"

/* For the number of a CPU. */
#define SF_LABEL_WIDTH 8

static const char *const sf_heats[SF_NR_HEATS] = {
	[SF_HEAT_ATTEMPTS] = "newidle attempts",
	[SF_HEAT_MOVED] = "burst moves",
	[SF_HEAT_STALE] = "stale picks",
};

/**
 * struct sf_heatmap - the map as it is drawn
 * @canvas: where
 * @scene: what
 * @columns: intervals that there is room for
 * @most: the largest rate of all that is in sight
 */
struct sf_heatmap {
	struct sf_canvas *canvas;
	const struct sf_scene *scene;
	size_t columns;
	double most;
};

static bool sf_heatmap_has(const struct sf_heatmap *map, u64 cpu)
{
	const struct sf_filter *filter = &map->scene->console->filter;

	return !filter->cpu || sf_cpulist_has(&filter->cpus, cpu);
}

/* Those that were there at any time in sight. */
static size_t sf_heatmap_cpus(const struct sf_heatmap *map)
{
	const struct sf_moment *moment;
	size_t cpus = 0, i;

	for (i = 0; i < map->columns; i++) {
		moment = sf_history_get(&map->scene->watcher->history, i);
		if (moment && moment->cpus > cpus)
			cpus = moment->cpus;
	}
	return cpus;
}

static void sf_heatmap_measure(struct sf_heatmap *map, size_t cpus)
{
	const struct sf_moment *moment;
	size_t i, cpu;

	for (i = 0; i < map->columns; i++) {
		moment = sf_history_get(&map->scene->watcher->history, i);
		for (cpu = 0; moment && cpu < cpus; cpu++)
			if (sf_heatmap_has(map, cpu))
				map->most =
					fmax(map->most,
					     sf_moment_rate(
						     moment,
						     map->scene->console->heat,
						     cpu));
	}
}

static void sf_heatmap_cell(const struct sf_heatmap *map, size_t row,
			    size_t back, u64 cpu)
{
	const struct sf_moment *moment =
		sf_history_get(&map->scene->watcher->history, back);
	size_t column = SF_LABEL_WIDTH + map->columns - 1 - back;
	char text[2] = "?";
	double rate;
	unsigned int shade;

	if (!moment)
		return;
	rate = sf_moment_rate(moment, map->scene->console->heat, cpu);
	if (isnan(rate)) {
		sf_canvas_put(map->canvas, row, column, 1, SF_LOOK_DIM, text);
		return;
	}
	shade = sf_gauge_shade(rate, map->most);
	text[0] = sf_shade_char(shade);
	sf_canvas_put(map->canvas, row, column, 1,
		      shade ? SF_LOOK_SHADE + shade - 1 : SF_LOOK_PLAIN, text);
}

static void sf_heatmap_row(const struct sf_heatmap *map, size_t row, u64 cpu)
{
	size_t back;

	sf_canvas_say(map->canvas, row, 0, SF_LOOK_PLAIN, "cpu%llu",
		      (unsigned long long)cpu);
	for (back = 0; back < map->columns; back++)
		sf_heatmap_cell(map, row, back, cpu);
}

static void sf_heatmap_scale(const struct sf_heatmap *map, size_t row)
{
	char most[16], shades[SF_NR_SHADES + 1] = "";
	size_t i;

	for (i = 0; i < SF_NR_SHADES; i++)
		shades[i] = sf_shade_char(i + 1);
	sf_gauge_number(map->most, 7, 1, most, sizeof(most));
	sf_canvas_say(map->canvas, row, 0, SF_LOOK_HEAD,
		      "%s/s: 0 %s %s (? not known)",
		      sf_heats[map->scene->console->heat], shades,
		      most + strspn(most, " "));
}

static void sf_heatmap_marks(const struct sf_heatmap *map, size_t row)
{
	const struct sf_moment *moment;
	size_t back;

	sf_canvas_say(map->canvas, row, 0, SF_LOOK_DIM, "flips");
	for (back = 0; back < map->columns; back++) {
		moment = sf_history_get(&map->scene->watcher->history, back);
		if (moment && moment->changes)
			sf_canvas_put(map->canvas, row,
				      SF_LABEL_WIDTH + map->columns - 1 - back,
				      1, SF_LOOK_WARN, "v");
	}
}

static void sf_heatmap_axis(const struct sf_heatmap *map, size_t row)
{
	const struct sf_moment *moment;
	size_t back = map->columns;
	char text[16];

	do
		moment = sf_history_get(&map->scene->watcher->history, --back);
	while (!moment && back);
	/* Beside each other they would not be read. */
	if (!moment || back < 2 * strlen("12:03:07"))
		back = 0;
	if (back)
		sf_canvas_say(map->canvas, row,
			      SF_LABEL_WIDTH + map->columns - 1 - back,
			      SF_LOOK_DIM, "%s",
			      sf_time_of_day(moment->wall, text, sizeof(text)));
	moment = sf_history_get(&map->scene->watcher->history, 0);
	if (moment)
		sf_canvas_say(map->canvas, row,
			      SF_LABEL_WIDTH + map->columns -
				      strlen("12:03:07"),
			      SF_LOOK_DIM, "%s",
			      sf_time_of_day(moment->wall, text, sizeof(text)));
}

static void sf_heatmap_rows(const struct sf_heatmap *map, size_t cpus,
			    size_t row, size_t end)
{
	size_t *top = &map->scene->console->top[SF_SCREEN_HEAT], cpu, skip;
	size_t shown = 0, page = end > row ? end - row : 1;

	for (cpu = 0; cpu < cpus; cpu++)
		shown += sf_heatmap_has(map, cpu);
	map->scene->console->page = page;
	if (*top + page > shown)
		*top = shown > page ? shown - page : 0;
	skip = *top;
	for (cpu = 0; cpu < cpus && row < end; cpu++) {
		if (!sf_heatmap_has(map, cpu))
			continue;
		if (skip)
			skip--;
		else
			sf_heatmap_row(map, row++, cpu);
	}
}

/**
 * sf_heatmap_draw - draw the heat map
 * @canvas: where
 * @scene: what
 * @row: the first row for it
 * @end: the row behind the last
 */
void sf_heatmap_draw(struct sf_canvas *canvas, const struct sf_scene *scene,
		     size_t row, size_t end)
{
	struct sf_heatmap map = { .canvas = canvas, .scene = scene };
	size_t cpus;

	if (canvas->columns <= SF_LABEL_WIDTH || end < row + 4)
		return;
	map.columns = canvas->columns - SF_LABEL_WIDTH;
	if (map.columns > SF_HISTORY_SIZE)
		map.columns = SF_HISTORY_SIZE;
	cpus = sf_heatmap_cpus(&map);
	sf_heatmap_measure(&map, cpus);
	sf_heatmap_scale(&map, row);
	sf_heatmap_marks(&map, row + 1);
	sf_heatmap_rows(&map, cpus, row + 2, end - 1);
	sf_heatmap_axis(&map, end - 1);
}
