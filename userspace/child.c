// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "privilege.h"

/* The child says it is ready, and is told to go: one byte. */
#define SF_TOKEN "."

/* Only the child's ends of what joins it to us. */
struct sf_child_ends {
	int talk;
	int output;
};

/* Those that the C library keeps for itself refuse, and may. */
static void sf_reset_signals(const struct sf_child_how *how)
{
	int number;

	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	for (number = 1; how->own_group && number < NSIG; number++)
		signal(number, SIG_DFL);
}

static int sf_redirect(const struct sf_child_how *how, int output)
{
	int null;

	if (!how->capture)
		return how->to_stderr && dup2(STDERR_FILENO, STDOUT_FILENO) < 0;
	null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	return null < 0 || dup2(null, STDIN_FILENO) < 0 ||
	       dup2(output, STDOUT_FILENO) < 0 ||
	       dup2(output, STDERR_FILENO) < 0 ||
	       close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
}

static int sf_get_ready(const struct sf_child_how *how, int output,
			struct sf_error *err)
{
	if (sf_redirect(how, output))
		return sf_fail(err, SF_FAILED,
			       "cannot redirect the command: %s",
			       strerror(errno));
	if (how->own_group && setpgid(0, 0))
		return sf_fail(err, SF_FAILED,
			       "cannot make a process group: %s",
			       strerror(errno));
	sf_reset_signals(how);
	return sf_privilege_drop(how->as_root, err);
}

static bool sf_send_token(int talk)
{
	return send(talk, SF_TOKEN, 1, MSG_NOSIGNAL) == 1;
}

/* What it says goes to the parent, as nobody else would print it. */
static _Noreturn void sf_become(const struct sf_child_how *how,
				const struct sf_child_ends *ends)
{
	struct sf_error err = { .code = SF_OK };
	char token;

	if (!sf_get_ready(how, ends->output, &err)) {
		if (!sf_send_token(ends->talk) ||
		    recv(ends->talk, &token, 1, 0) != 1)
			_exit(SF_FAILED);
		/* Late, as a signal must not end it before it is awaited. */
		sigprocmask(SIG_SETMASK, &how->mask, NULL);
		execvp(how->command[0], how->command);
		sf_fail(&err, SF_FAILED, "cannot run %.400s: %s",
			how->command[0], strerror(errno));
	}
	send(ends->talk, err.message, strlen(err.message), MSG_NOSIGNAL);
	_exit(SF_FAILED);
}

/* Return: true if the child has said no more than the token, or than nothing. */
static bool sf_child_hear(const struct sf_child *child, bool token,
			  struct sf_error *err)
{
	char said[sizeof(err->message)];
	ssize_t len;

	do
		len = recv(child->talk, said, sizeof(said) - 1, 0);
	while (len < 0 && errno == EINTR);
	if (len == token && (!token || *said == *SF_TOKEN))
		return true;
	said[len > 0 ? len : 0] = '\0';
	sf_fail(err, SF_FAILED, "%s",
		len > 0 ? said : "the command could not be started");
	return false;
}

static void sf_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static int sf_child_connect(struct sf_child *child,
			    const struct sf_child_how *how,
			    struct sf_child_ends *ends, struct sf_error *err)
{
	int talk[2], output[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, talk))
		return sf_fail(err, SF_FAILED, "cannot make a socket: %s",
			       strerror(errno));
	child->talk = talk[0];
	ends->talk = talk[1];
	if (!how->capture)
		return SF_OK;
	if (pipe2(output, O_CLOEXEC))
		return sf_fail(err, SF_FAILED, "cannot make a pipe: %s",
			       strerror(errno));
	child->output = output[0];
	ends->output = output[1];
	fcntl(child->output, F_SETFL, O_NONBLOCK);
	return SF_OK;
}

static int sf_child_fork(struct sf_child *child, const struct sf_child_how *how,
			 const struct sf_child_ends *ends, struct sf_error *err)
{
	struct sigaction action;
	pid_t pid;

	/* If it is ignored, nobody learns how a child has ended. */
	if (!sigaction(SIGCHLD, NULL, &action) && action.sa_handler == SIG_IGN)
		signal(SIGCHLD, SIG_DFL);
	pid = fork();
	if (!pid)
		sf_become(how, ends);
	if (pid < 0)
		return sf_fail(err, SF_FAILED, "cannot make a process: %s",
			       strerror(errno));
	child->pid = pid;
	child->running = true;
	return SF_OK;
}

/**
 * sf_child_prepare - make the process that will be the command
 * @child: to set
 * @how: what to run, and how
 * @err: says why it cannot be run
 *
 * All that takes time is done when this returns. The caller should have those signals
 * blocked that must not end the process before it is the command.
 *
 * Return: SF_OK, then sf_child_exec() or sf_child_abort() must follow; or SF_FAILED.
 */
int sf_child_prepare(struct sf_child *child, const struct sf_child_how *how,
		     struct sf_error *err)
{
	struct sf_child_ends ends = { .talk = -1, .output = -1 };

	memset(child, 0, sizeof(*child));
	child->talk = -1;
	child->output = -1;
	if (!sf_child_connect(child, how, &ends, err))
		sf_child_fork(child, how, &ends, err);
	sf_close(&ends.talk);
	sf_close(&ends.output);
	if (err->code || !sf_child_hear(child, true, err))
		sf_child_abort(child);
	return err->code;
}

/**
 * sf_child_exec - let a process become the command
 * @child: from sf_child_prepare()
 * @err: says why it does not
 *
 * Return: SF_OK once the command runs, or SF_FAILED; then the process is gone.
 */
int sf_child_exec(struct sf_child *child, struct sf_error *err)
{
	if (!sf_send_token(child->talk))
		sf_fail(err, SF_FAILED, "the command could not be started");
	/* The exec closes the child's end. */
	else if (sf_child_hear(child, false, err))
		sf_close(&child->talk);
	if (err->code)
		sf_child_abort(child);
	return err->code;
}

/**
 * sf_child_abort - end a process that is not the command yet
 * @child: from sf_child_prepare(); it has ended then
 */
void sf_child_abort(struct sf_child *child)
{
	sf_child_signal(child, SIGKILL);
	sf_child_await(child);
	sf_close(&child->talk);
	sf_child_close_output(child);
}

/**
 * sf_child_ended - has it ended? Does not wait
 * @child: from sf_child_prepare(); one of zeroes was never started, and counts as ended
 */
bool sf_child_ended(struct sf_child *child)
{
	if (child->running &&
	    waitpid(child->pid, &child->status, WNOHANG) == child->pid)
		child->running = false;
	return !child->running;
}

/**
 * sf_child_stopped - has a signal stopped it? Does not wait
 * @child: as for sf_child_ended()
 *
 * Return: the signal, if it has stopped since this was asked last; else 0.
 */
int sf_child_stopped(const struct sf_child *child)
{
	siginfo_t info = { .si_pid = 0 };

	if (!child->running ||
	    waitid(P_PID, child->pid, &info, WSTOPPED | WNOHANG) ||
	    info.si_pid != child->pid)
		return 0;
	return info.si_status;
}

/**
 * sf_child_await - wait until it has ended
 * @child: as for sf_child_ended()
 */
void sf_child_await(struct sf_child *child)
{
	while (child->running && waitpid(child->pid, &child->status, 0) < 0 &&
	       errno == EINTR)
		;
	child->running = false;
}

/**
 * sf_child_signal - send it a signal, if it still runs
 * @child: as for sf_child_ended()
 * @number: of the signal
 */
void sf_child_signal(const struct sf_child *child, int number)
{
	if (child->running)
		kill(child->pid, number);
}

/**
 * sf_child_close_output - read no more of what it prints
 * @child: from sf_child_prepare()
 */
void sf_child_close_output(struct sf_child *child)
{
	sf_close(&child->output);
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
