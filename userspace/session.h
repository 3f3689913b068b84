/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One recording, from its start to its end: for a time, while a command runs, or until
 * a signal comes.
 */
#ifndef SCHEDFLIP_SESSION_H
#define SCHEDFLIP_SESSION_H

#include "child.h"
#include "recording.h"

/**
 * struct sf_session - what to record, and what came of it
 * @path: where to
 * @events: a bit for each enum sf_event_type
 * @buffer_kib: of each CPU
 * @limit_ns: no longer than this; 0 is no limit
 * @command: to run meanwhile, or NULL
 * @as_root: not as the user who called sudo
 * @to_stderr: where its stdout goes
 * @counts: set to the number of events by type
 * @lost: set to the number of events that the kernel had no room for
 * @duration_ns: set to the time it took
 * @child: set to how the command ended
 */
struct sf_session {
	const char *path;
	unsigned int events;
	u64 buffer_kib;
	u64 limit_ns;
	char **command;
	bool as_root;
	bool to_stderr;
	u64 counts[SF_NR_EVENT_TYPES];
	u64 lost;
	u64 duration_ns;
	struct sf_child child;
};

int sf_session_run(struct sf_session *session, struct sf_error *err);

#endif
