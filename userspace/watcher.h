/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Somebody who looks at the module again and again. */
#ifndef SCHEDFLIP_WATCHER_H
#define SCHEDFLIP_WATCHER_H

#include "history.h"
#include "journal.h"

/**
 * struct sf_watcher - what was seen
 * @before: the look before the last; not present if there was none
 * @now: the last look; not present while the module is not there
 * @trouble: why it is not; empty if it is
 * @interval: between the two, of the domains that match a filter
 * @history: of all domains
 * @journal: what changed
 * @new_changes: lines that the last look added to @journal
 */
struct sf_watcher {
	struct sf_glance before;
	struct sf_glance now;
	char trouble[sizeof(((struct sf_error *)0)->message)];
	struct sf_interval interval;
	struct sf_history history;
	struct sf_journal journal;
	size_t new_changes;
};

int sf_watcher_look(struct sf_watcher *watcher, const struct sf_filter *filter,
		    struct sf_error *err);
int sf_watcher_refilter(struct sf_watcher *watcher,
			const struct sf_filter *filter, struct sf_error *err);
void sf_watcher_free(struct sf_watcher *watcher);

#endif
