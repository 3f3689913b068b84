/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A command of the user's that runs beside us, on our terminal.
 */
#ifndef SCHEDFLIP_CHILD_H
#define SCHEDFLIP_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "error.h"

/**
 * struct sf_child - the command
 * @pid: of it; 0 if there is none
 * @running: it has not ended yet
 * @status: how it ended, as waitpid() tells it
 */
struct sf_child {
	pid_t pid;
	bool running;
	int status;
};

/**
 * struct sf_child_how - how to run it
 * @command: with its arguments and a NULL
 * @as_root: not as the user who called sudo
 * @to_stderr: what it writes to stdout goes to stderr
 * @mask: signals that it is to have blocked
 */
struct sf_child_how {
	char **command;
	bool as_root;
	bool to_stderr;
	sigset_t mask;
};

int sf_child_start(struct sf_child *child, const struct sf_child_how *how,
		   struct sf_error *err);
bool sf_child_ended(struct sf_child *child);
void sf_child_signal(const struct sf_child *child, int number);
int sf_child_verdict(const struct sf_child *child, struct sf_error *err);

#endif
