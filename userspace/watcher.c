// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "watcher.h"

/* Told once as it goes and once as it comes. */
static void sf_watcher_trouble(struct sf_watcher *watcher,
			       const struct sf_error *why)
{
	bool was = *watcher->trouble, is = why->code;

	if (is && !was)
		sf_journal_say(&watcher->journal, watcher->now.wall,
			       "the module is gone");
	if (was && !is)
		sf_journal_say(&watcher->journal, watcher->now.wall,
			       "the module is back");
	snprintf(watcher->trouble, sizeof(watcher->trouble), "%s",
		 is ? why->message : "");
}

static size_t sf_watcher_compare(struct sf_watcher *watcher)
{
	if (!watcher->before.present || !watcher->now.present)
		return 0;
	if (watcher->before.load == watcher->now.load)
		return sf_journal_compare(&watcher->journal, &watcher->before,
					  &watcher->now);
	sf_journal_say(&watcher->journal, watcher->now.wall,
		       "the module was loaded anew");
	return 0;
}

static int sf_watcher_remember(struct sf_watcher *watcher, size_t changes,
			       struct sf_error *err)
{
	static const struct sf_filter all = { .cpu = NULL };
	struct sf_interval interval;

	if (!sf_interval_take(&interval, &watcher->before, &watcher->now, &all,
			      err))
		sf_history_add(&watcher->history, &interval, watcher->now.wall,
			       changes);
	sf_interval_free(&interval);
	return err->code;
}

/**
 * sf_watcher_refilter - the same interval, of other domains
 * @watcher: it
 * @filter: the domains
 * @err: says if it does not fit in memory
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_watcher_refilter(struct sf_watcher *watcher,
			const struct sf_filter *filter, struct sf_error *err)
{
	sf_interval_free(&watcher->interval);
	return sf_interval_take(&watcher->interval, &watcher->before,
				&watcher->now, filter, err);
}

/**
 * sf_watcher_look - look once more
 * @watcher: it; all zeroes at first
 * @filter: the domains of interest
 * @err: says if it does not fit in memory
 *
 * That there is no module is no error, but @trouble.
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_watcher_look(struct sf_watcher *watcher, const struct sf_filter *filter,
		    struct sf_error *err)
{
	struct sf_error why = { .code = SF_OK };
	size_t count = watcher->journal.count, changes;
	bool first = !watcher->now.wall;

	sf_interval_free(&watcher->interval);
	sf_glance_free(&watcher->before);
	watcher->before = watcher->now;
	sf_glance_take(&watcher->now, &why);
	sf_watcher_trouble(watcher, &why);
	changes = sf_watcher_compare(watcher);
	watcher->new_changes = watcher->journal.count - count;
	if (!first && sf_watcher_remember(watcher, changes, err))
		return err->code;
	return sf_watcher_refilter(watcher, filter, err);
}

/**
 * sf_watcher_free - forget all
 * @watcher: it
 */
void sf_watcher_free(struct sf_watcher *watcher)
{
	sf_interval_free(&watcher->interval);
	sf_glance_free(&watcher->before);
	sf_glance_free(&watcher->now);
	sf_history_free(&watcher->history);
}
