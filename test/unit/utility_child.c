// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How the process of a user's command is made: what it has of ours, and what it has not.
 */
#include "utility.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>

#include "child.h"

/* Group, descriptors, and of the signals 1 to 28 those blocked and those ignored. */
#define SURROUNDINGS                                                   \
	"cut -d' ' -f5 /proc/$$/stat; ls /proc/$$/fd | tr '\\n' ' '; " \
	"exec sed -n 's/^Sig\\(Blk\\|Ign\\):.*\\(.......\\)$/\\2/p' "  \
	"/proc/self/status"

static void shell(const char *script, char *command[4])
{
	/* Not sh, which may unblock all signals. */
	command[0] = "bash";
	command[1] = "-c";
	command[2] = (char *)script;
	command[3] = NULL;
}

static void start(struct sf_child *child, const struct sf_child_how *how)
{
	struct sf_error err = { .code = SF_OK };

	if (sf_child_prepare(child, how, &err) || sf_child_exec(child, &err))
		fail_msg("%s", err.message);
}

/* Return: what was read of @fd until its end, in a buffer of its own. */
static const char *read_all(int fd)
{
	static char said[1024];
	size_t used = 0;
	ssize_t len = 1;

	while (len) {
		len = read(fd, said + used, sizeof(said) - 1 - used);
		if (len > 0)
			used += len;
		else if (len < 0 && errno != EINTR)
			fail_msg("%s", strerror(errno));
	}
	said[used] = '\0';
	return said;
}

/* What a captured command prints. */
static const char *capture(const char *script)
{
	char *command[4];
	struct sf_child_how how = { .command = command,
				    .as_root = true,
				    .own_group = true,
				    .capture = true };
	struct sf_child child;
	const char *said;

	shell(script, command);
	sigemptyset(&how.mask);
	start(&child, &how);
	fcntl(child.output, F_SETFL, 0);
	said = read_all(child.output);
	sf_child_await(&child);
	assert_int_equal(child.status, 0);
	sf_child_close_output(&child);
	return said;
}

/* What one prints that has our stdout or, @to_stderr, our stderr. */
static const char *inherit(const char *script, bool to_stderr)
{
	int fd = to_stderr ? STDERR_FILENO : STDOUT_FILENO;
	int before = fcntl(fd, F_DUPFD_CLOEXEC, 10), fds[2];
	char *command[4];
	struct sf_child_how how = { .command = command,
				    .as_root = true,
				    .to_stderr = to_stderr };
	struct sf_child child;
	const char *said;

	shell(script, command);
	sigemptyset(&how.mask);
	sigaddset(&how.mask, SIGUSR1);
	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	fflush(stdout);
	dup2(fds[1], fd);
	start(&child, &how);
	dup2(before, fd);
	close(before);
	close(fds[1]);
	said = read_all(fds[0]);
	close(fds[0]);
	sf_child_await(&child);
	assert_int_equal(child.status, 0);
	assert_int_equal(child.output, -1);
	return said;
}

/* A descriptor that commands would inherit. Return: it. */
static int open_leak(void)
{
	close_range(3, ~0U, 0);
	return open("/dev/null", O_RDONLY);
}

/* Its own group, no signal blocked, caught or ignored, and no descriptor of ours. */
static void test_apart(void **unused)
{
	const char *said;
	char *end;
	int leak = open_leak();
	long pid;

	(void)unused;
	signal(SIGPIPE, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	said = capture("echo $$; " SURROUNDINGS);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	close(leak);
	pid = strtol(said, &end, 10);
	assert_int_equal(strtol(end, &end, 10), pid);
	assert_string_equal(end, "\n0 1 2 0000000\n0000000\n");
}

/* Ours are its own, but for SIGPIPE, which we alone ignore. */
static void test_beside(void **unused)
{
	const char *said;
	char *end;
	int leak = open_leak();

	(void)unused;
	signal(SIGPIPE, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	said = inherit(SURROUNDINGS, false);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	close(leak);
	assert_int_equal(strtol(said, &end, 10), getpgrp());
	assert_string_equal(end, "\n0 1 2 3 0000200\n0000001\n");
	assert_string_equal(inherit("echo out", true), "out\n");
}

/* It waits to be told to go. */
static void test_waits(void **unused)
{
	char *command[4];
	const struct sf_child_how how = { .command = command, .as_root = true };
	struct sf_error err = { .code = SF_OK };
	struct sf_child child;

	(void)unused;
	shell("echo >$SCHEDFLIP_SYSROOT/run", command);
	assert_int_equal(sf_child_prepare(&child, &how, &err), SF_OK);
	usleep(100000);
	assert_false(sf_child_ended(&child));
	assert_int_equal(access(tree_path("/run"), F_OK), -1);
	sf_child_abort(&child);
	assert_true(sf_child_ended(&child));
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(access(tree_path("/run"), F_OK), -1);
	start(&child, &how);
	sf_child_await(&child);
	assert_int_equal(access(tree_path("/run"), F_OK), 0);
}

static void assert_not_run(const struct sf_child_how *how, const char *message)
{
	struct sf_error err = { .code = SF_OK };
	struct sf_child child;

	if (!sf_child_prepare(&child, how, &err))
		sf_child_exec(&child, &err);
	assert_int_equal(err.code, SF_FAILED);
	assert_string_equal(err.message, message);
	assert_true(sf_child_ended(&child));
	assert_int_equal(child.talk, -1);
	assert_int_equal(child.output, -1);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void test_not_run(void **unused)
{
	char *command[] = { "/dev/null", NULL };
	struct sf_child_how how = { .command = command, .as_root = true };

	(void)unused;
	assert_not_run(&how, "cannot run /dev/null: Permission denied");
	how.capture = true;
	how.own_group = true;
	command[0] = "no-such-program";
	assert_not_run(&how,
		       "cannot run no-such-program: No such file or directory");
	if (geteuid())
		skip();
	how.as_root = false;
	setenv("SUDO_UID", "x", 1);
	assert_not_run(
		&how,
		"SUDO_UID is \"x\", which sudo would not set; run it by sudo, or unset SUDO_UID to run as root");
	unsetenv("SUDO_UID");
}

static void assert_verdict(const char *script, const char *message)
{
	char *command[4];
	const struct sf_child_how how = { .command = command, .as_root = true };
	struct sf_error err = { .code = SF_OK };
	struct sf_child child;

	shell(script, command);
	start(&child, &how);
	sf_child_await(&child);
	assert_int_equal(sf_child_verdict(&child, &err),
			 *message ? SF_FAILED : SF_OK);
	if (*message)
		assert_string_equal(err.message, message);
}

/* Also when we were started with SIGCHLD ignored, and no child would be waited for. */
static void test_verdict(void **unused)
{
	struct sf_child none = { .pid = 0 };
	struct sf_error err = { .code = SF_OK };

	(void)unused;
	assert_true(sf_child_ended(&none));
	assert_int_equal(sf_child_verdict(&none, &err), SF_OK);
	assert_verdict("exit 0", "");
	signal(SIGCHLD, SIG_IGN);
	assert_verdict("exit 7", "the command failed with exit status 7");
	assert_verdict("kill -KILL $$",
		       "the command was ended by signal 9 (Killed)");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_apart),	cmocka_unit_test(test_beside),
		tree_test(test_waits),		cmocka_unit_test(test_not_run),
		cmocka_unit_test(test_verdict),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
