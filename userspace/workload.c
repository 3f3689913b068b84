// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "capture.h"
#include "child.h"
#include "migrations.h"
#include "progress.h"
#include "signals.h"
#include "workload.h"

/* After so long SIGTERM has not helped. */
#define SF_GRACE_MS 2000

/* What SIGKILL has hit is gone in less, or hangs in the kernel. */
#define SF_REAP_TRIES 1000
#define SF_REAP_NAP_MS 10

/**
 * struct sf_job - a command that runs
 * @child: it
 * @pidfd: readable once it has ended
 * @migrations: of sf_migrations_open()
 * @mask: signals that were blocked before
 * @started: when it was told to go
 * @capture: what it printed
 */
struct sf_job {
	struct sf_child child;
	int pidfd;
	int migrations;
	sigset_t mask;
	struct timespec started;
	struct sf_capture capture;
};

static int sf_job_start(struct sf_job *job, const struct sf_workload *workload,
			struct sf_error *err)
{
	struct sf_child_how how = {
		.command = workload->command,
		.as_root = workload->as_root,
		.own_group = true,
		.capture = true,
	};

	sigemptyset(&how.mask);
	if (sf_child_prepare(&job->child, &how, err))
		return err->code;
	job->pidfd = pidfd_open(job->child.pid, 0);
	if (job->pidfd < 0) {
		sf_fail(err, SF_FAILED, "cannot watch the command: %s",
			strerror(errno));
		sf_child_abort(&job->child);
		return err->code;
	}
	job->migrations = sf_migrations_open(job->child.pid);
	clock_gettime(CLOCK_MONOTONIC, &job->started);
	return sf_child_exec(&job->child, err);
}

static double sf_seconds_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec - start->tv_sec +
	       (now.tv_nsec - start->tv_nsec) / 1e9;
}

/* A poll that finds output at once lets no signal through. */
static void sf_job_hear(const struct sf_job *job)
{
	sigset_t ours;

	sigprocmask(SIG_SETMASK, &job->mask, &ours);
	sigprocmask(SIG_SETMASK, &ours, NULL);
}

/* Until the command ends, prints, or @until; a signal ends it early as well. */
static bool sf_job_poll(struct sf_job *job, u64 until)
{
	struct pollfd fds[] = { { job->pidfd, POLLIN, 0 },
				{ job->child.output, POLLIN, 0 } };
	u64 now = sf_progress_now(), ms = until > now ? until - now : 0;
	struct timespec wait = { .tv_sec = ms / 1000,
				 .tv_nsec = ms % 1000 * 1000000 };

	if (ppoll(fds, 2, until == UINT64_MAX ? NULL : &wait, &job->mask) <= 0)
		return false;
	if (fds[0].revents)
		return true;
	if (fds[1].revents &&
	    !sf_capture_read(&job->capture, job->child.output))
		sf_child_close_output(&job->child);
	return false;
}

/* SIGTERM first; once that has not helped, SIGKILL. Return: when to come again. */
static u64 sf_job_stop(const struct sf_job *job, bool again)
{
	kill(-job->child.pid, again ? SIGKILL : SIGTERM);
	return again ? UINT64_MAX : sf_progress_now() + SF_GRACE_MS;
}

static void sf_job_wait(struct sf_job *job, u64 timeout_ms,
			struct sf_outcome *outcome)
{
	u64 until = timeout_ms ? sf_progress_now() + timeout_ms : UINT64_MAX;
	bool ending = false;

	do {
		sf_job_hear(job);
		if (!ending && sf_progress_interrupted())
			outcome->interrupted = true;
		else if (!ending &&
			 (outcome->stopped = sf_child_stopped(&job->child)))
			kill(-job->child.pid, SIGKILL);
		else if (sf_progress_now() < until)
			continue;
		outcome->timed_out = !outcome->interrupted && !outcome->stopped;
		until = sf_job_stop(job, ending);
		ending = true;
	} while (!sf_job_poll(job, until));
	outcome->wall_s = sf_seconds_since(&job->started);
}

/*
 * Whatever is left of the group would disturb the next run. As we are the reaper of
 * orphans, none of it is left once nothing of it can be waited for.
 */
static void sf_job_reap(struct sf_job *job, struct sf_outcome *outcome)
{
	int status, tries = SF_REAP_TRIES;
	pid_t pid;

	kill(-job->child.pid, SIGKILL);
	sf_child_await(&job->child);
	outcome->status = job->child.status;
	while (tries &&
	       (pid = waitpid(-job->child.pid, &status, WNOHANG)) >= 0) {
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

static void sf_job_finish(struct sf_job *job, struct sf_outcome *outcome)
{
	struct sf_capture *capture = &job->capture;
	int output = job->child.output;
	size_t size;

	sf_job_reap(job, outcome);
	do
		size = capture->size;
	while (output >= 0 && sf_capture_read(capture, output) &&
	       capture->size != size);
	outcome->migrations = sf_migrations_read(job->migrations);
}

static void sf_job_close(struct sf_job *job)
{
	sf_child_close_output(&job->child);
	if (job->pidfd >= 0)
		close(job->pidfd);
	if (job->migrations >= 0)
		close(job->migrations);
}

static void sf_on_child(int number)
{
	(void)number;
}

/*
 * They come only while we wait for the command. SIGCHLD is one of them, as it tells that
 * the command has stopped.
 */
static void sf_block_signals(sigset_t *before, struct sigaction *child)
{
	struct sigaction action = { .sa_handler = sf_on_child };
	sigset_t ours;

	sf_signals_ending(&ours);
	sigaddset(&ours, SIGCHLD);
	sigprocmask(SIG_BLOCK, &ours, before);
	sigdelset(before, SIGCHLD);
	sigaction(SIGCHLD, &action, child);
}

static void sf_unblock_signals(const sigset_t *before,
			       const struct sigaction *child)
{
	sigaction(SIGCHLD, child, NULL);
	sigprocmask(SIG_SETMASK, before, NULL);
}

/**
 * sf_workload_run - run a command to its end
 * @workload: the command
 * @outcome: set; to be freed also after an error
 * @err: says why it could not be run at all
 *
 * It gets a process group of its own, nothing to read on stdin, and what it leaves
 * behind in its group is killed; so is one that stops. If sf_progress_begin() was called,
 * signals that would end us end it: SIGTERM, and after 2 s SIGKILL.
 *
 * Return: SF_OK, whatever became of it, or SF_FAILED.
 */
int sf_workload_run(const struct sf_workload *workload,
		    struct sf_outcome *outcome, struct sf_error *err)
{
	struct sf_job job = { .pidfd = -1, .migrations = -1 };
	struct sigaction child;

	memset(outcome, 0, sizeof(*outcome));
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	sf_block_signals(&job.mask, &child);
	if (!sf_job_start(&job, workload, err)) {
		sf_job_wait(&job, workload->timeout_ms, outcome);
		sf_job_finish(&job, outcome);
	}
	sf_job_close(&job);
	sf_unblock_signals(&job.mask, &child);
	outcome->output = sf_capture_end(&job.capture);
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
	return outcome->timed_out || outcome->interrupted || outcome->stopped ||
	       outcome->status;
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
	else if (outcome->stopped)
		snprintf(buf, size,
			 "stopped by signal %d (%s), and killed for it%s",
			 outcome->stopped, strsignal(outcome->stopped),
			 outcome->stopped == SIGTTOU ||
					 outcome->stopped == SIGTTIN ?
				 "; it must do without a terminal" :
				 "");
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
