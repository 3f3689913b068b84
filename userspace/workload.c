// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "capture.h"
#include "migrations.h"
#include "privilege.h"
#include "progress.h"
#include "workload.h"

/* After so long SIGTERM has not helped. */
#define SF_GRACE_MS 2000

/* What SIGKILL has hit is gone in less, or hangs in the kernel. */
#define SF_REAP_TRIES 1000
#define SF_REAP_NAP_MS 10

/* The child says it is ready, and is told to go: one byte. */
#define SF_TOKEN "."

/**
 * struct sf_child - a command that runs
 * @pid: of it, and of its process group
 * @pidfd: readable once it has ended
 * @talk: a socket to the child, until it is the command
 * @output: what the command prints
 * @migrations: of sf_migrations_open()
 * @mask: signals that were blocked before
 * @started: when it was told to go
 */
struct sf_child {
	pid_t pid;
	int pidfd;
	int talk;
	int output;
	int migrations;
	sigset_t mask;
	struct timespec started;
};

static void sf_reset_signals(void)
{
	sigset_t none;
	int number;

	for (number = 1; number < NSIG; number++)
		signal(number, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static int sf_prepare(const struct sf_workload *workload, int output,
		      struct sf_error *err)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (null < 0 || dup2(null, STDIN_FILENO) < 0 ||
	    dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0)
		return sf_fail(err, SF_FAILED,
			       "cannot redirect the command: %s",
			       strerror(errno));
	setpgid(0, 0);
	sf_reset_signals();
	return sf_privilege_drop(workload->as_root, err);
}

/* The child: all that takes time is done before it is told to go. */
static _Noreturn void sf_become(const struct sf_workload *workload, int talk,
				int output)
{
	struct sf_error err = { .code = SF_OK };
	char token;

	if (!sf_prepare(workload, output, &err)) {
		if (send(talk, SF_TOKEN, 1, MSG_NOSIGNAL) != 1 ||
		    recv(talk, &token, 1, 0) != 1)
			_exit(SF_FAILED);
		execvp(workload->command[0], workload->command);
		sf_fail(&err, SF_FAILED, "cannot run %.400s: %s",
			workload->command[0], strerror(errno));
	}
	send(talk, err.message, strlen(err.message), MSG_NOSIGNAL);
	_exit(SF_FAILED);
}

/* Return: true if the child has not said anything but the token, or nothing. */
static bool sf_child_hear(const struct sf_child *child, bool token,
			  struct sf_error *err)
{
	char said[sizeof(err->message)];
	ssize_t len = recv(child->talk, said, sizeof(said) - 1, 0);

	if (len == token && (!token || *said == *SF_TOKEN))
		return true;
	said[len > 0 ? len : 0] = '\0';
	sf_fail(err, SF_FAILED, "%s",
		len > 0 ? said : "the command could not be started");
	return false;
}

static int sf_child_go(struct sf_child *child, struct sf_error *err)
{
	if (!sf_child_hear(child, true, err))
		return err->code;
	child->migrations = sf_migrations_open(child->pid);
	clock_gettime(CLOCK_MONOTONIC, &child->started);
	if (send(child->talk, SF_TOKEN, 1, MSG_NOSIGNAL) != 1)
		return sf_fail(err, SF_FAILED,
			       "the command could not be started");
	/* The exec closes the child's end. */
	sf_child_hear(child, false, err);
	return err->code;
}

static int sf_child_fork(struct sf_child *child,
			 const struct sf_workload *workload, int talk,
			 int output, struct sf_error *err)
{
	child->pid = fork();
	if (!child->pid)
		sf_become(workload, talk, output);
	close(talk);
	close(output);
	if (child->pid > 0)
		child->pidfd = pidfd_open(child->pid, 0);
	if (child->pid > 0 && child->pidfd >= 0)
		return SF_OK;
	return sf_fail(err, SF_FAILED, "cannot make a process: %s",
		       strerror(errno));
}

static int sf_child_start(struct sf_child *child,
			  const struct sf_workload *workload,
			  struct sf_error *err)
{
	int talk[2], output[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, talk))
		return sf_fail(err, SF_FAILED, "cannot make a socket: %s",
			       strerror(errno));
	child->talk = talk[0];
	if (pipe2(output, O_CLOEXEC)) {
		close(talk[1]);
		return sf_fail(err, SF_FAILED, "cannot make a pipe: %s",
			       strerror(errno));
	}
	child->output = output[0];
	fcntl(child->output, F_SETFL, O_NONBLOCK);
	if (sf_child_fork(child, workload, talk[1], output[1], err))
		return err->code;
	return sf_child_go(child, err);
}

static double sf_seconds_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec - start->tv_sec +
	       (now.tv_nsec - start->tv_nsec) / 1e9;
}

/* Until the child ends, prints, or @until; a signal ends it early as well. */
static bool sf_child_poll(struct sf_child *child, struct sf_capture *capture,
			  u64 until)
{
	struct pollfd fds[] = { { child->pidfd, POLLIN, 0 },
				{ child->output, POLLIN, 0 } };
	u64 now = sf_progress_now(), ms = until > now ? until - now : 0;
	struct timespec wait = { .tv_sec = ms / 1000,
				 .tv_nsec = ms % 1000 * 1000000 };

	if (ppoll(fds, 2, until == UINT64_MAX ? NULL : &wait, &child->mask) <=
	    0)
		return false;
	if (fds[0].revents)
		return true;
	if (fds[1].revents && !sf_capture_read(capture, child->output)) {
		close(child->output);
		child->output = -1;
	}
	return false;
}

/* SIGTERM first; once that has not helped, SIGKILL. Return: when to come again. */
static u64 sf_child_stop(const struct sf_child *child, bool again)
{
	kill(-child->pid, again ? SIGKILL : SIGTERM);
	return again ? UINT64_MAX : sf_progress_now() + SF_GRACE_MS;
}

static void sf_child_wait(struct sf_child *child, u64 timeout_ms,
			  struct sf_capture *capture,
			  struct sf_outcome *outcome)
{
	u64 until = timeout_ms ? sf_progress_now() + timeout_ms : UINT64_MAX;
	bool stopped = false;

	do {
		if (!stopped && sf_progress_interrupted())
			outcome->interrupted = true;
		else if (sf_progress_now() < until)
			continue;
		outcome->timed_out = !outcome->interrupted;
		until = sf_child_stop(child, stopped);
		stopped = true;
	} while (!sf_child_poll(child, capture, until));
	outcome->wall_s = sf_seconds_since(&child->started);
}

/*
 * Whatever is left of the group would disturb the next run. As we are the reaper of
 * orphans, none of it is left once nothing of it can be waited for.
 */
static void sf_child_reap(const struct sf_child *child,
			  struct sf_outcome *outcome)
{
	int status, tries = SF_REAP_TRIES;
	pid_t pid;

	kill(-child->pid, SIGKILL);
	/* One that never got as far as to be ours to wait for has no group yet. */
	kill(child->pid, SIGKILL);
	while (waitpid(child->pid, &outcome->status, 0) < 0 && errno == EINTR)
		;
	while (tries && (pid = waitpid(-child->pid, &status, WNOHANG)) >= 0) {
		if (pid && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
			outcome->left++;
		if (!pid && tries--)
			sf_progress_sleep(SF_REAP_NAP_MS);
	}
	do
		pid = waitpid(-1, &status, WNOHANG);
	while (pid > 0);
	outcome->strays = !pid;
}

static void sf_child_close(const struct sf_child *child)
{
	const int fds[] = { child->pidfd, child->talk, child->output,
			    child->migrations };
	size_t i;

	for (i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

static void sf_block_signals(sigset_t *before)
{
	sigset_t ours;

	sigemptyset(&ours);
	sigaddset(&ours, SIGINT);
	sigaddset(&ours, SIGTERM);
	sigaddset(&ours, SIGHUP);
	sigprocmask(SIG_BLOCK, &ours, before);
}

static void sf_child_finish(struct sf_child *child, struct sf_capture *capture,
			    struct sf_outcome *outcome)
{
	size_t size;

	sf_child_reap(child, outcome);
	do
		size = capture->size;
	while (child->output >= 0 && sf_capture_read(capture, child->output) &&
	       capture->size != size);
	outcome->migrations = sf_migrations_read(child->migrations);
}

/**
 * sf_workload_run - run a command to its end
 * @workload: the command
 * @outcome: set; to be freed also after an error
 * @err: says why it could not be run at all
 *
 * It gets a process group of its own, nothing to read on stdin, and what it leaves
 * behind in its group is killed. If sf_progress_begin() was called, SIGINT, SIGTERM and
 * SIGHUP kill it: SIGTERM, and after 2 s SIGKILL.
 *
 * Return: SF_OK, whatever became of it, or SF_FAILED.
 */
int sf_workload_run(const struct sf_workload *workload,
		    struct sf_outcome *outcome, struct sf_error *err)
{
	struct sf_child child = {
		.pidfd = -1, .talk = -1, .output = -1, .migrations = -1
	};
	struct sf_capture capture = { .size = 0 };

	memset(outcome, 0, sizeof(*outcome));
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	sf_block_signals(&child.mask);
	if (!sf_child_start(&child, workload, err))
		sf_child_wait(&child, workload->timeout_ms, &capture, outcome);
	if (child.pid > 0)
		sf_child_finish(&child, &capture, outcome);
	sf_child_close(&child);
	sigprocmask(SIG_SETMASK, &child.mask, NULL);
	outcome->output = sf_capture_end(&capture);
	if (!outcome->output && !err->code)
		sf_fail(err, SF_FAILED, "out of memory");
	return err->code;
}

/**
 * sf_outcome_failed - is it anything but exit status 0?
 * @outcome: from sf_workload_run()
 */
bool sf_outcome_failed(const struct sf_outcome *outcome)
{
	return outcome->timed_out || outcome->interrupted || outcome->status;
}

/**
 * sf_outcome_describe - say how a command ended
 * @outcome: from sf_workload_run()
 * @buf: for the words, such as "exit status 2"
 * @size: of @buf
 */
void sf_outcome_describe(const struct sf_outcome *outcome, char *buf,
			 size_t size)
{
	int status = outcome->status;

	if (outcome->interrupted)
		snprintf(buf, size, "interrupted");
	else if (outcome->timed_out)
		snprintf(buf, size, "killed after %.1f s", outcome->wall_s);
	else if (WIFSIGNALED(status))
		snprintf(buf, size, "signal %d (%s)", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else
		snprintf(buf, size, "exit status %d", WEXITSTATUS(status));
}

/**
 * sf_outcome_free - free what an outcome holds
 * @outcome: from sf_workload_run()
 */
void sf_outcome_free(struct sf_outcome *outcome)
{
	free(outcome->output);
	outcome->output = NULL;
}
