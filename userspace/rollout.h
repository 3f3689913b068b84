/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets a configuration, whole or not at all. Several commands are guarded by a lease of
 * the module: if one is refused, or this process dies, all returns to what was before.
 */
#ifndef SCHEDFLIP_ROLLOUT_H
#define SCHEDFLIP_ROLLOUT_H

#include "drift.h"
#include "terms.h"

/**
 * struct sf_rollout - one
 * @settings: what to set
 * @terms: for how long; its tripwires become those of @settings
 * @skip: lines for domains that there are not are passed over
 * @before: the domains as they were
 * @guarded: the lease is ours
 * @begun: a command was carried out
 * @by_parameter: lockdown made us take the module parameter
 * @commands: all of them, a line each; a NUL at the end of each
 * @lines: for each command, its line; 0 for the first, which is that of several
 * @count: number of commands
 * @drift: what was read back
 */
struct sf_rollout {
	struct sf_settings *settings;
	struct sf_terms *terms;
	bool skip;
	struct sf_state before;
	bool guarded;
	bool begun;
	bool by_parameter;
	char **commands;
	size_t *lines;
	size_t count;
	struct sf_drift drift;
};

int sf_rollout_check(struct sf_rollout *rollout, struct sf_error *err);
int sf_rollout_run(struct sf_rollout *rollout, struct sf_error *err);
void sf_rollout_free(struct sf_rollout *rollout);

#endif
