/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_LIVEPATCH_H
#define SCHEDFLIP_LIVEPATCH_H

#include "progress.h"
#include "tasks.h"

#define SF_LIVEPATCHES "/sys/kernel/livepatch"
#define SF_LIVEPATCH SF_LIVEPATCHES "/schedflip"

enum sf_wait {
	SF_WAIT_DONE,
	SF_WAIT_LIMIT,
	SF_WAIT_INTERRUPTED,
	/* Somebody else turned it round, and it is over. */
	SF_WAIT_REVERSED,
};

bool sf_livepatch_exists(void);
bool sf_livepatch_is_enabled(void);
int sf_livepatch_enable(bool on);
enum sf_wait sf_livepatch_wait(int target, u64 limit_ms, struct sf_tasks *tasks,
			       struct sf_progress *progress);

#endif
