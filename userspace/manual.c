// SPDX-License-Identifier: GPL-2.0-or-later
/* The help of watch, as it is shown by a key. */
#include "screen.h"
#include "text.h"

static const char *const sf_manual[] = {
	"q           quit",
	"up down j k move; page up, page down, home, end",
	"space enter unfold a span to its CPUs, or fold it; so do left and right",
	"s           sort by name, rate (calls/s), hit rate, ratio",
	"/           show one domain (NUMA), some CPUs (0-3), or both; empty: all",
	"h           heat map of CPUs over time, and back",
	"m           heat map of newidle attempts, burst moves or stale picks",
	"+ -         longer or shorter interval",
	"p           flip the policy of the selected domain; P: of all",
	"?           this help, and back",
	"",
	"ATT/s  newidle calls that ran the kernel's balance; SKIP% the others",
	"HIT%   attempts that brought a task",
	"RATIO  in force, mean of the CPUs; * is pinned. The bar's | is the learned",
	"WINDOW where the CPUs are in their windows: | one, 2 to 9 so many, + more",
	"COST   max_newidle_lb_cost, mean of the CPUs",
	"STALE  slow-path picks that were busy before the task came",
	"MOVED  tasks moved by burst",
	"-      not known: restarted counters, a domain that is new, 0 of 0",
	"",
	"A narrow screen has no FIRST, then no WINDOW, MOVED, STALE, COST, bar, SKIP%,",
	"CALLS, RATIO, HIT%, CPUS, in this order; one below 14 rows no tripwires.",
	"At stock with NI_RANDOM on the hook sees attempts only, so SKIP% is 0.",
};

/**
 * sf_manual_draw - draw the help
 * @canvas: where
 * @scene: how far it was moved
 * @row: the first row for it
 * @end: the row behind the last
 */
void sf_manual_draw(struct sf_canvas *canvas, const struct sf_scene *scene,
		    size_t row, size_t end)
{
	size_t *top = &scene->console->top[SF_SCREEN_HELP], i;
	size_t count = SF_ARRAY_SIZE(sf_manual);
	size_t page = end > row ? end - row : 1;

	scene->console->page = page;
	if (*top + page > count)
		*top = count > page ? count - page : 0;
	for (i = *top; i < count && row < end; i++)
		sf_canvas_say(canvas, row++, 0, SF_LOOK_PLAIN, "%s",
			      sf_manual[i]);
}
