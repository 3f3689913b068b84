/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A command of the user's, run to its end and timed.
 */
#ifndef SCHEDFLIP_WORKLOAD_H
#define SCHEDFLIP_WORKLOAD_H

#include <schedflip/types.h>

#include "error.h"

/**
 * struct sf_workload - how a command is run
 * @command: it and its arguments, and NULL
 * @as_root: not as the user who called sudo
 * @timeout_ms: it is killed after so long; 0 for never
 */
struct sf_workload {
	char **command;
	bool as_root;
	u64 timeout_ms;
};

/**
 * struct sf_outcome - how a run of it ended
 * @wall_s: seconds from its exec to its exit
 * @migrations: of it and its children, between CPUs; NAN if the kernel does not tell
 * @status: as wait(2) has it
 * @timed_out: it took too long, and was killed
 * @interrupted: the user interrupted us, and it was killed
 * @stopped: the signal that stopped it, and so it was killed; 0 if none did
 * @left: processes of its group that it left behind, and that were killed
 * @strays: it left processes in other groups, which still run
 * @output: what it printed on stdout and stderr; the end of it, if it is long
 */
struct sf_outcome {
	double wall_s;
	double migrations;
	int status;
	bool timed_out;
	bool interrupted;
	int stopped;
	size_t left;
	bool strays;
	char *output;
};

int sf_workload_run(const struct sf_workload *workload,
		    struct sf_outcome *outcome, struct sf_error *err);
bool sf_outcome_failed(const struct sf_outcome *outcome);
void sf_outcome_describe(const struct sf_outcome *outcome, char *buf,
			 size_t size);
void sf_outcome_free(struct sf_outcome *outcome);

#endif
