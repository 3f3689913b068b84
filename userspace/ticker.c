// SPDX-License-Identifier: GPL-2.0-or-later
/* Watch without a screen: lines, or JSON objects, one an interval. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "groups.h"
#include "kernel.h"
#include "notice.h"
#include "output.h"
#include "pause.h"
#include "watch.h"
#include "watcher.h"

/* Tells times of day apart, and counts exactly. */
#define SF_REAL_DIGITS 15

static void sf_ticker_head(void)
{
	printf("%-8s %-8s %5s %-11s %9s %12s %7s %7s %12s %14s %8s %7s %9s %9s\n",
	       "TIME", "DOMAIN", "CPUS", "NEWIDLE", "CALLS[/s]", "ATTEMPTS[/s]",
	       "SKIP[%]", "HIT[%]", "RATIO[/1024]", "LEARNED[/1024]",
	       "COST[us]", "TIME[%]", "STALE[/s]", "MOVED[/s]");
}

static const char *sf_real_text(double value, int digits, char *buf,
				size_t size)
{
	snprintf(buf, size, "%.*f", digits, value);
	return isfinite(value) ? buf : "-";
}

static void sf_ticker_line(const struct sf_group *group, const char *when)
{
	const struct sf_figures *f = &group->figures;
	char text[9][32];

	printf("%-8s %-8s %5zu %-11s %9s %12s %7s %7s %12s %14.1f %8.1f %7s %9s %9s\n",
	       when, group->first->name, group->count, f->newidle,
	       sf_real_text(f->calls_s, 1, text[0], sizeof(text[0])),
	       sf_real_text(f->attempts_s, 1, text[1], sizeof(text[1])),
	       sf_real_text(f->skip_percent, 1, text[2], sizeof(text[2])),
	       sf_real_text(f->hit_percent, 1, text[3], sizeof(text[3])),
	       sf_real_text(f->ratio, 1, text[4], sizeof(text[4])), f->learned,
	       f->cost_us,
	       sf_real_text(f->busy_percent, 3, text[5], sizeof(text[5])),
	       sf_real_text(f->stale_s, 1, text[6], sizeof(text[6])),
	       sf_real_text(f->moved_s, 1, text[7], sizeof(text[7])));
}

static void sf_ticker_changes(const struct sf_watcher *watcher)
{
	const struct sf_entry_seen *entry;
	char when[16];
	size_t i;

	for (i = watcher->new_changes; i--;) {
		entry = sf_journal_get(&watcher->journal, i);
		if (entry)
			printf("# %s %s\n",
			       sf_time_of_day(entry->wall, when, sizeof(when)),
			       entry->text);
	}
}

static void sf_ticker_print(const struct sf_watcher *watcher,
			    const struct sf_groups *groups)
{
	char when[16];
	size_t i;

	sf_time_of_day(watcher->now.wall, when, sizeof(when));
	sf_ticker_changes(watcher);
	if (*watcher->trouble && watcher->new_changes)
		printf("# %s %s; waiting for it\n", when, watcher->trouble);
	for (i = 0; i < groups->count; i++)
		sf_ticker_line(&groups->groups[i], when);
}

static json_t *sf_group_json(const struct sf_group *group)
{
	const struct sf_figures *f = &group->figures;
	struct sf_output row = { .root = json_object() };

	sf_output_set(&row, "name", sf_json_text(group->first->name));
	sf_output_set(&row, "level", sf_json_number(group->first->level));
	sf_output_set(&row, "cpus", sf_json_number(group->count));
	sf_output_set(&row, "newidle", sf_json_text(f->newidle));
	sf_output_set(&row, "slowpath", sf_json_text(f->slowpath));
	sf_output_set(&row, "burst", sf_json_text(f->burst));
	sf_output_set(&row, "pinned", json_boolean(f->pinned));
	sf_output_set(&row, "ratio", json_real(f->ratio));
	sf_output_set(&row, "learned", json_real(f->learned));
	sf_output_set(&row, "cost_us", json_real(f->cost_us));
	sf_output_set(&row, "calls_per_s", sf_json_maybe_real(f->calls_s));
	sf_output_set(&row, "attempts_per_s",
		      sf_json_maybe_real(f->attempts_s));
	sf_output_set(&row, "skip_percent",
		      sf_json_maybe_real(f->skip_percent));
	sf_output_set(&row, "hit_rate_percent",
		      sf_json_maybe_real(f->hit_percent));
	sf_output_set(&row, "newidle_time_percent",
		      sf_json_maybe_real(f->busy_percent));
	sf_output_set(&row, "stale_per_s", sf_json_maybe_real(f->stale_s));
	sf_output_set(&row, "moved_per_s", sf_json_maybe_real(f->moved_s));
	if (!row.incomplete)
		return row.root;
	json_decref(row.root);
	return NULL;
}

static json_t *sf_changes_json(const struct sf_watcher *watcher)
{
	const struct sf_entry_seen *entry;
	json_t *array = json_array();
	size_t i;

	for (i = watcher->new_changes; i--;) {
		entry = sf_journal_get(&watcher->journal, i);
		if (entry)
			json_array_append_new(array, sf_json_text(entry->text));
	}
	return array;
}

static void sf_ticker_fill(struct sf_output *row,
			   const struct sf_watcher *watcher,
			   const struct sf_groups *groups)
{
	const struct sf_glance *now = &watcher->now;
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < groups->count; i++)
		if (json_array_append_new(array,
					  sf_group_json(&groups->groups[i])))
			row->incomplete = true;
	sf_output_set(row, "time_s", json_integer(now->wall));
	sf_output_set(row, "interval_s",
		      sf_json_maybe_real(watcher->interval.seconds));
	sf_output_set(row, "kernel", sf_json_text(sf_kernel_release()));
	sf_output_set(row, "trouble",
		      sf_json_maybe_text(*watcher->trouble ? watcher->trouble :
							     NULL));
	sf_output_set(row, "ni_random",
		      sf_json_maybe_text(now->present ? now->info.ni_random :
							NULL));
	sf_output_set(row, "ni_random_held", json_boolean(now->info.held));
	sf_output_set(row, "status",
		      now->present ? sf_notice_json(&now->status) :
				     json_null());
	sf_output_set(row, "changes", sf_changes_json(watcher));
	sf_output_set(row, "domains", array);
}

static int sf_ticker_dump(const struct sf_watcher *watcher,
			  const struct sf_groups *groups, struct sf_error *err)
{
	struct sf_output row;

	sf_output_init(&row, true);
	sf_ticker_fill(&row, watcher, groups);
	if (row.incomplete)
		sf_fail(err, SF_FAILED, "out of memory");
	else if (!json_dumpf(row.root, stdout,
			     JSON_COMPACT |
				     JSON_REAL_PRECISION(SF_REAL_DIGITS)))
		putchar('\n');
	json_decref(row.root);
	return err->code;
}

/* Each interval goes out at once, as somebody may be reading it. */
static int sf_ticker_tell(const struct sf_vigil *vigil,
			  const struct sf_watcher *watcher,
			  struct sf_error *err)
{
	struct sf_groups groups;

	if (!sf_groups_make(&groups, &watcher->interval, false, err)) {
		if (vigil->json)
			sf_ticker_dump(watcher, &groups, err);
		else
			sf_ticker_print(watcher, &groups);
	}
	sf_groups_free(&groups);
	return err->code;
}

static void sf_ticker_loop(const struct sf_vigil *vigil,
			   struct sf_watcher *watcher, struct sf_error *err)
{
	double due = sf_pause_now();
	u64 count = 0;

	if (sf_watcher_look(watcher, vigil->filter, err))
		return;
	do {
		/* Looks that were missed, as we were stopped, are not made up for. */
		due += vigil->interval_s;
		if (due < sf_pause_now())
			due = sf_pause_now() + vigil->interval_s;
		while (sf_pause_now() < due)
			if (sf_pause_until(due, -1) == SF_PAUSE_SIGNAL)
				return;
		if (sf_watcher_look(watcher, vigil->filter, err) ||
		    sf_ticker_tell(vigil, watcher, err))
			return;
	} while (!fflush(stdout) && ++count != vigil->count);
}

/**
 * sf_ticker_run - watch without a screen
 * @vigil: how
 * @err: says what was wrong; that the output cannot be written is not told here
 *
 * Return: SF_OK, or the code in @err.
 */
int sf_ticker_run(const struct sf_vigil *vigil, struct sf_error *err)
{
	struct sf_watcher *watcher = calloc(1, sizeof(*watcher));

	if (!watcher)
		return sf_fail(err, SF_FAILED, "out of memory");
	sf_pause_begin();
	if (!vigil->json)
		sf_ticker_head();
	if (!fflush(stdout))
		sf_ticker_loop(vigil, watcher, err);
	sf_watcher_free(watcher);
	free(watcher);
	return err->code;
}
