// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "privilege.h"

/* In the child. What it says goes to the parent, as nobody else would print it. */
static void sf_child_run(const struct sf_child_how *how, int complaints)
{
	struct sf_error err = { .code = SF_OK };
	ssize_t said;

	if (how->to_stderr)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, &how->mask, NULL);
	if (!sf_privilege_drop(how->as_root, &err)) {
		execvp(how->command[0], how->command);
		sf_fail(&err, SF_FAILED, "cannot run %.200s: %s",
			how->command[0], strerror(errno));
	}
	said = write(complaints, &err, sizeof(err));
	_exit(said == sizeof(err) ? SF_FAILED : SF_USAGE);
}

/* Until the command runs, or has said why it does not. */
static int sf_child_await(struct sf_child *child, int complaints,
			  struct sf_error *err)
{
	struct sf_error said;
	size_t used = 0;
	ssize_t len;

	do {
		len = read(complaints, (char *)&said + used,
			   sizeof(said) - used);
		if (len > 0)
			used += len;
	} while (len > 0 || (len < 0 && errno == EINTR));
	if (!used)
		return SF_OK;
	waitpid(child->pid, &child->status, 0);
	child->running = false;
	if (used == sizeof(said))
		*err = said;
	else
		sf_fail(err, SF_FAILED, "cannot run the command");
	return err->code;
}

/**
 * sf_child_start - run a command
 * @child: to set
 * @how: what, and how
 * @err: says why it does not run
 *
 * Return: SF_OK once it runs, or SF_FAILED.
 */
int sf_child_start(struct sf_child *child, const struct sf_child_how *how,
		   struct sf_error *err)
{
	int complaints[2];
	pid_t pid;

	if (pipe2(complaints, O_CLOEXEC))
		return sf_fail(err, SF_FAILED, "cannot run %.200s: %s",
			       how->command[0], strerror(errno));
	pid = fork();
	if (!pid)
		sf_child_run(how, complaints[1]);
	close(complaints[1]);
	if (pid < 0) {
		sf_fail(err, SF_FAILED, "cannot run %.200s: %s",
			how->command[0], strerror(errno));
	} else {
		child->pid = pid;
		child->running = true;
		sf_child_await(child, complaints[0], err);
	}
	close(complaints[0]);
	return err->code;
}

/**
 * sf_child_ended - has it ended? Does not wait
 * @child: from sf_child_start(); one that was never started counts as ended
 */
bool sf_child_ended(struct sf_child *child)
{
	if (child->running &&
	    waitpid(child->pid, &child->status, WNOHANG) == child->pid)
		child->running = false;
	return !child->running;
}

/**
 * sf_child_signal - send it a signal, if it still runs
 * @child: from sf_child_start()
 * @number: of the signal
 */
void sf_child_signal(const struct sf_child *child, int number)
{
	if (child->running)
		kill(child->pid, number);
}

/**
 * sf_child_verdict - did it succeed?
 * @child: it has ended
 * @err: says how it failed
 *
 * Return: SF_OK, also if there was none, or SF_FAILED.
 */
int sf_child_verdict(const struct sf_child *child, struct sf_error *err)
{
	if (!child->pid || !child->status)
		return SF_OK;
	if (WIFSIGNALED(child->status))
		return sf_fail(err, SF_FAILED,
			       "the command was ended by signal %d (%s)",
			       WTERMSIG(child->status),
			       strsignal(WTERMSIG(child->status)));
	return sf_fail(err, SF_FAILED, "the command failed with exit status %d",
		       WEXITSTATUS(child->status));
}
