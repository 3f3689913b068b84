/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was seen to change, and when. */
#ifndef SCHEDFLIP_JOURNAL_H
#define SCHEDFLIP_JOURNAL_H

#include "glance.h"

#define SF_JOURNAL_SIZE 64
#define SF_ENTRY_SIZE 192

/**
 * struct sf_journal - the last changes
 * @entries: a ring
 * @count: of those that were ever made
 */
struct sf_journal {
	struct sf_entry_seen {
		time_t wall;
		char text[SF_ENTRY_SIZE];
	} entries[SF_JOURNAL_SIZE];
	size_t count;
};

void sf_journal_say(struct sf_journal *journal, time_t wall, const char *format,
		    ...) __attribute__((format(printf, 3, 4)));
size_t sf_journal_compare(struct sf_journal *journal,
			  const struct sf_glance *before,
			  const struct sf_glance *after);
const struct sf_entry_seen *sf_journal_get(const struct sf_journal *journal,
					   size_t back);
const char *sf_time_of_day(time_t wall, char *buf, size_t size);

#endif
