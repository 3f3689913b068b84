/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_PROGRESS_H
#define SCHEDFLIP_PROGRESS_H

#include <schedflip/types.h>

/**
 * struct sf_progress - the line on stderr that says how a wait goes
 * @tty: it is a terminal, so one line is written over and over
 * @quiet: show nothing
 * @start: when the wait began, ms
 * @due: when the next plain line may come, ms
 * @dirty: the terminal's line is to be wiped
 */
struct sf_progress {
	bool tty;
	bool quiet;
	u64 start;
	u64 due;
	bool dirty;
};

u64 sf_progress_now(void);
void sf_progress_sleep(unsigned int ms);
void sf_progress_begin(struct sf_progress *progress, bool quiet);
void sf_progress_show(struct sf_progress *progress, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void sf_progress_end(struct sf_progress *progress);
bool sf_progress_interrupted(void);

#endif
