/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A command of the user's in a process of its own: beside us on our terminal, or apart
 * from it with its output captured.
 */
#ifndef SCHEDFLIP_CHILD_H
#define SCHEDFLIP_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "error.h"

/**
 * struct sf_child - the command
 * @pid: of it, and of its process group if it has one of its own; 0 if there is none
 * @running: it has not ended yet
 * @status: how it ended, as waitpid() tells it
 * @talk: a socket to the process, until it is the command; then -1
 * @output: what the command prints, if that is captured; does not block; else -1
 */
struct sf_child {
	pid_t pid;
	bool running;
	int status;
	int talk;
	int output;
};

/**
 * struct sf_child_how - how to run it
 * @command: with its arguments and a NULL
 * @as_root: not as the user who called sudo
 * @own_group: in a process group of its own, where no signal is ignored; else in ours,
 *	where what we were told to ignore stays ignored
 * @capture: it reads /dev/null, what it prints is for @output of struct sf_child, and it
 *	has no other descriptor; else it has ours
 * @to_stderr: what it writes to stdout goes to stderr, if it is not captured
 * @mask: signals that it is to have blocked
 */
struct sf_child_how {
	char **command;
	bool as_root;
	bool own_group;
	bool capture;
	bool to_stderr;
	sigset_t mask;
};

int sf_child_prepare(struct sf_child *child, const struct sf_child_how *how,
		     struct sf_error *err);
int sf_child_exec(struct sf_child *child, struct sf_error *err);
void sf_child_abort(struct sf_child *child);
bool sf_child_ended(struct sf_child *child);
int sf_child_stopped(const struct sf_child *child);
void sf_child_await(struct sf_child *child);
void sf_child_signal(const struct sf_child *child, int number);
void sf_child_close_output(struct sf_child *child);
int sf_child_verdict(const struct sf_child *child, struct sf_error *err);

#endif
