// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How a recording begins and ends. Tracing is the kernel's, so a tracer of our own is
 * linked here in its place, which has no events.
 */
#include "utility.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "header.h"
#include "session.h"
#include "tracer.h"

/* What a session has done to the tracer, and the signal that comes meanwhile. */
struct sf_tracer {
	bool started;
	bool stopped;
	bool closed;
	int signal;
};

static struct sf_tracer tracer;

json_t *sf_header_new(unsigned int events, char **command, struct sf_error *err)
{
	(void)events;
	(void)command;
	(void)err;
	return json_object();
}

struct sf_tracer *sf_tracer_open(unsigned int events, u64 buffer_kib,
				 struct sf_error *err)
{
	(void)events;
	(void)buffer_kib;
	(void)err;
	return &tracer;
}

int sf_tracer_start(struct sf_tracer *of, u64 start_ns, struct sf_error *err)
{
	(void)start_ns;
	of->started = true;
	return err->code;
}

int sf_tracer_drain(struct sf_tracer *of, sf_event_fn take, void *data,
		    struct sf_error *err)
{
	(void)take;
	(void)data;
	if (of->signal)
		kill(getpid(), of->signal);
	of->signal = 0;
	return err->code;
}

int sf_tracer_stop(struct sf_tracer *of, struct sf_error *err)
{
	of->stopped = true;
	return err->code;
}

int sf_tracer_verify(struct sf_tracer *of, struct sf_error *err)
{
	(void)of;
	return err->code;
}

int sf_tracer_lost(struct sf_tracer *of, u64 *lost, struct sf_error *err)
{
	(void)of;
	*lost = 0;
	return err->code;
}

int sf_tracer_close(struct sf_tracer *of, struct sf_error *err)
{
	of->closed = true;
	return err->code;
}

/* Record for 20 s at most, while @number comes, if it is not 0. */
static int record(struct sf_session *session, char **command, int number,
		  struct sf_error *err)
{
	const struct sf_session wanted = { .path = tree_path("/run.sfr"),
					   .limit_ns = 20000000000,
					   .command = command,
					   .as_root = true };

	err->code = SF_OK;
	memset(&tracer, 0, sizeof(tracer));
	tracer.signal = number;
	*session = wanted;
	if (sf_session_run(session, err))
		print_message("# %s\n", err->message);
	return err->code;
}

static void assert_recorded(const struct sf_session *session)
{
	assert_true(tracer.started && tracer.stopped && tracer.closed);
	assert_true(session->duration_ns < 10000000000);
	assert_int_equal(remove(tree_path("/run.sfr")), 0);
}

static const int numbers[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };

static void test_signals(void **unused)
{
	struct sf_session session;
	struct sf_error err;
	size_t i;

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		assert_int_equal(record(&session, NULL, numbers[i], &err),
				 SF_OK);
		assert_recorded(&session);
	}
}

/* A signal that does not come from the terminal is passed on. */
static void test_signals_of_command(void **unused)
{
	char *command[] = { "sleep", "100", NULL };
	const struct rlimit no_core = { 0, 0 };
	struct sf_session session;
	struct sf_error err;
	size_t i;

	(void)unused;
	setrlimit(RLIMIT_CORE, &no_core);
	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		assert_int_equal(record(&session, command, numbers[i], &err),
				 SF_OK);
		assert_recorded(&session);
		assert_true(WIFSIGNALED(session.child.status));
		assert_int_equal(WTERMSIG(session.child.status), numbers[i]);
	}
}

/* It ends with its command, and what that ends with is known. */
static void test_command(void **unused)
{
	char *command[] = { "sh", "-c", "exit 7", NULL };
	struct sf_session session;
	struct sf_error err;

	(void)unused;
	signal(SIGCHLD, SIG_IGN);
	assert_int_equal(record(&session, command, 0, &err), SF_OK);
	assert_recorded(&session);
	assert_true(WIFEXITED(session.child.status));
	assert_int_equal(WEXITSTATUS(session.child.status), 7);
}

static void test_no_command(void **unused)
{
	char *command[] = { "/no/such", NULL };
	struct sf_session session;
	struct sf_error err;

	(void)unused;
	assert_int_equal(record(&session, command, 0, &err), SF_FAILED);
	assert_string_equal(err.message,
			    "cannot run /no/such: No such file or directory");
	assert_true(tracer.closed);
	assert_int_equal(rmdir(tree), 0);
	assert_int_equal(mkdir(tree, 0700), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		tree_test(test_signals),
		tree_test(test_signals_of_command),
		tree_test(test_command),
		tree_test(test_no_command),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
