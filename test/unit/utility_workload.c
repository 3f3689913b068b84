// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How a command of the user's is run, and what is found in its output.
 */
#include "utility.h"

#include <signal.h>
#include <sys/wait.h>

#include "capture.h"
#include "metric.h"
#include "progress.h"
#include "workload.h"

static void run(const struct sf_workload *workload, struct sf_outcome *outcome)
{
	struct sf_error err = { .code = SF_OK };

	if (sf_workload_run(workload, outcome, &err))
		fail_msg("%s", err.message);
}

/* Root stays root, unless a test is about that. */
static void run_shell(const char *script, struct sf_outcome *outcome)
{
	char *command[] = { "sh", "-c", (char *)script, NULL };
	const struct sf_workload workload = { .command = command,
					      .as_root = true };

	run(&workload, outcome);
}

static void assert_prints(const char *script, const char *wanted)
{
	struct sf_outcome outcome;

	run_shell(script, &outcome);
	assert_false(sf_outcome_failed(&outcome));
	assert_string_equal(outcome.output, wanted);
	sf_outcome_free(&outcome);
}

static void test_output(void **unused)
{
	(void)unused;
	assert_prints("echo one; echo two >&2", "one\ntwo\n");
	assert_prints(":", "");
	assert_prints("printf 'a\\0b'", "a?b");
	assert_prints("cat", "");
	assert_prints("exec >&- 2>&-; sleep 0.1", "");
}

static void assert_ends(const char *script, const char *how)
{
	struct sf_outcome outcome;
	char said[64];

	run_shell(script, &outcome);
	assert_true(sf_outcome_failed(&outcome));
	sf_outcome_describe(&outcome, said, sizeof(said));
	assert_string_equal(said, how);
	sf_outcome_free(&outcome);
}

static void test_status(void **unused)
{
	(void)unused;
	assert_ends("exit 2", "exit status 2");
	assert_ends("kill -SEGV $$", "signal 11 (Segmentation fault)");
}

static void test_wall_time(void **unused)
{
	struct sf_outcome outcome;

	(void)unused;
	run_shell("sleep 0.3", &outcome);
	assert_true(outcome.wall_s >= 0.3);
	assert_true(outcome.wall_s < 3);
	sf_outcome_free(&outcome);
}

/* The end of a long output is what is kept. */
static void test_big_output(void **unused)
{
	struct sf_outcome outcome;
	size_t len;

	(void)unused;
	run_shell("yes 0123456 | head -c 5000000; echo end", &outcome);
	assert_false(sf_outcome_failed(&outcome));
	len = strlen(outcome.output);
	/* Of the first line the cut has left the second half only. */
	assert_int_equal(len, SF_MAX_OUTPUT - 4);
	assert_memory_equal(outcome.output, "0123456\n", 8);
	assert_string_equal(outcome.output + len - 12, "0123456\nend\n");
	sf_outcome_free(&outcome);
}

/* Of a line that is too long nothing is known. */
static void test_long_line(void **unused)
{
	struct sf_outcome outcome;

	(void)unused;
	run_shell("yes 1 | head -c 3000000 | tr -d '\\n'", &outcome);
	assert_string_equal(outcome.output, "");
	sf_outcome_free(&outcome);
	run_shell("yes 1 | head -c 3000000 | tr -d '\\n'; echo; echo 2",
		  &outcome);
	assert_string_equal(outcome.output, "2\n");
	sf_outcome_free(&outcome);
}

static bool is_alive(pid_t pid)
{
	return !kill(pid, 0);
}

static void test_left_behind(void **unused)
{
	struct sf_outcome outcome;
	pid_t pid;

	(void)unused;
	run_shell("sleep 100 & sleep 100 & echo $!", &outcome);
	assert_false(sf_outcome_failed(&outcome));
	assert_true(outcome.wall_s < 50);
	assert_int_equal(outcome.left, 2);
	assert_false(outcome.strays);
	pid = atoi(outcome.output);
	assert_true(pid > 0);
	assert_false(is_alive(pid));
	sf_outcome_free(&outcome);
	run_shell("true & wait", &outcome);
	assert_int_equal(outcome.left, 0);
	sf_outcome_free(&outcome);
}

/* In a session of its own it lives on, but does not go unnoticed. */
static void test_strays(void **unused)
{
	struct sf_outcome outcome;
	pid_t pid;
	int i;

	(void)unused;
	run_shell("setsid sh -c 'echo $$; exec sleep 100' & sleep 0.5",
		  &outcome);
	assert_true(outcome.strays);
	assert_int_equal(outcome.left, 0);
	pid = atoi(outcome.output);
	assert_true(pid > 1 && is_alive(pid));
	sf_outcome_free(&outcome);
	kill(pid, SIGKILL);
	for (i = 0; i < 500 && waitpid(pid, NULL, WNOHANG) != pid; i++)
		sf_progress_sleep(10);
	run_shell(":", &outcome);
	assert_false(outcome.strays);
	sf_outcome_free(&outcome);
}

static void run_for(const char *script, u64 timeout_ms,
		    struct sf_outcome *outcome)
{
	char *command[] = { "sh", "-c", (char *)script, NULL };
	const struct sf_workload workload = { .command = command,
					      .as_root = true,
					      .timeout_ms = timeout_ms };

	run(&workload, outcome);
}

static void test_timeout(void **unused)
{
	struct sf_outcome outcome;
	char said[64];

	(void)unused;
	run_for("echo begun; sleep 100", 300, &outcome);
	assert_true(outcome.timed_out);
	assert_true(outcome.wall_s >= 0.3 && outcome.wall_s < 50);
	assert_string_equal(outcome.output, "begun\n");
	sf_outcome_describe(&outcome, said, sizeof(said));
	assert_memory_equal(said, "killed after ", 13);
	sf_outcome_free(&outcome);
	run_for("exit 0", 60000, &outcome);
	assert_false(sf_outcome_failed(&outcome));
	sf_outcome_free(&outcome);
}

/* One that will not hear SIGTERM, nor its children. */
static void test_stubborn(void **unused)
{
	struct sf_outcome outcome;

	(void)unused;
	run_for("trap '' TERM; while :; do sleep 0.1; done", 100, &outcome);
	assert_true(outcome.timed_out);
	assert_true(WIFSIGNALED(outcome.status));
	assert_int_equal(WTERMSIG(outcome.status), SIGKILL);
	assert_true(outcome.wall_s >= 2);
	sf_outcome_free(&outcome);
}

/* One that stops would never end, and SIGTERM would not reach it. */
static void test_stopped(void **unused)
{
	struct sf_outcome outcome;
	char said[128];

	(void)unused;
	run_shell("echo begun; kill -TSTP $$; sleep 100", &outcome);
	assert_true(sf_outcome_failed(&outcome));
	assert_int_equal(outcome.stopped, SIGTSTP);
	assert_true(outcome.wall_s < 2);
	assert_false(outcome.timed_out);
	assert_string_equal(outcome.output, "begun\n");
	sf_outcome_describe(&outcome, said, sizeof(said));
	assert_string_equal(
		said, "stopped by signal 20 (Stopped), and killed for it");
	sf_outcome_free(&outcome);
	run_for("kill -TTOU $$", 60000, &outcome);
	assert_int_equal(outcome.stopped, SIGTTOU);
	sf_outcome_describe(&outcome, said, sizeof(said));
	assert_non_null(strstr(said, "it must do without a terminal"));
	sf_outcome_free(&outcome);
	run_shell("sleep 100 & kill -STOP $!; kill -KILL $!", &outcome);
	assert_int_equal(outcome.stopped, 0);
	assert_false(sf_outcome_failed(&outcome));
	sf_outcome_free(&outcome);
}

/* There is always something to read. */
static void test_interrupted_flood(void **unused)
{
	struct sf_progress progress;
	struct sf_outcome outcome;
	char script[80];

	(void)unused;
	sf_progress_begin(&progress, true);
	snprintf(script, sizeof(script), "(sleep 0.3; kill -INT %d) & exec yes",
		 getpid());
	run_for(script, 20000, &outcome);
	assert_true(outcome.interrupted);
	assert_true(outcome.wall_s < 10);
	sf_outcome_free(&outcome);
	sf_progress_begin(&progress, true);
}

/* Whether the signal comes while the command runs, or came before. */
static void test_interrupted(void **unused)
{
	const int numbers[] = { SIGINT,	 SIGQUIT, SIGTERM, SIGHUP,
				SIGUSR1, SIGALRM, SIGXCPU, SIGRTMIN };
	struct sf_progress progress;
	struct sf_outcome outcome;
	char script[64];
	size_t i;

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		sf_progress_begin(&progress, true);
		snprintf(script, sizeof(script), "kill -%d %d; sleep 100",
			 numbers[i], getpid());
		run_shell(script, &outcome);
		assert_true(outcome.interrupted);
		assert_true(sf_outcome_failed(&outcome));
		sf_outcome_free(&outcome);
		run_shell("sleep 100", &outcome);
		assert_true(outcome.interrupted);
		sf_outcome_free(&outcome);
		signal(numbers[i], SIG_DFL);
	}
	sf_progress_begin(&progress, true);
}

static void test_not_run(void **unused)
{
	char *command[] = { "/dev/null", NULL };
	const struct sf_workload workload = { .command = command,
					      .as_root = true };
	struct sf_error err = { .code = SF_OK };
	struct sf_outcome outcome;

	(void)unused;
	assert_int_equal(sf_workload_run(&workload, &outcome, &err), SF_FAILED);
	assert_string_equal(err.message,
			    "cannot run /dev/null: Permission denied");
	sf_outcome_free(&outcome);
}

static void test_privileges(void **unused)
{
	char *command[] = { "sh", "-c", "id -u; id -g", NULL };
	struct sf_workload workload = { .command = command };
	struct sf_outcome outcome;

	(void)unused;
	if (geteuid())
		skip();
	setenv("SUDO_UID", "65534", 1);
	setenv("SUDO_GID", "65533", 1);
	run(&workload, &outcome);
	assert_string_equal(outcome.output, "65534\n65533\n");
	sf_outcome_free(&outcome);
	workload.as_root = true;
	run(&workload, &outcome);
	assert_string_equal(outcome.output, "0\n0\n");
	sf_outcome_free(&outcome);
	unsetenv("SUDO_UID");
	unsetenv("SUDO_GID");
}

static double find(const char *text, const char *output, struct sf_error *err)
{
	struct sf_metric metric;
	double value = NAN;

	err->code = SF_OK;
	assert_int_equal(sf_metric_parse(text, &metric, err), SF_OK);
	sf_metric_find(&metric, output, &value, err);
	sf_metric_free(&metric);
	return value;
}

static void assert_finds(const char *text, const char *output, double wanted)
{
	struct sf_error err;
	double value = find(text, output, &err);

	assert_int_equal(err.code, SF_OK);
	assert_true(value == wanted);
}

static void assert_finds_none(const char *text, const char *output,
			      const char *message)
{
	struct sf_error err;

	assert_true(isnan(find(text, output, &err)));
	assert_int_equal(err.code, SF_FAILED);
	assert_string_equal(err.message, message);
}

static void test_metric(void **unused)
{
	(void)unused;
	assert_finds("x=RPS: ([0-9.]+)", "RPS: 1.5\nRPS: 2.5\nend\n", 2.5);
	assert_finds("x=[0-9]+", "a 1 b 2 c\n", 2);
	assert_finds("x=[0-9]+", "42", 42);
	assert_finds("x=^([0-9]+)", "7 8\nx 9\n", 7);
	assert_finds("x=^([0-9]+)", "77 8\n", 77);
	assert_finds("x=([^ ]+)$", "1 -2.5e3\n", -2500);
	assert_finds("x=a*b*([0-9]*)$", "ab12\n\nab13\n", 13);
}

static void test_no_metric(void **unused)
{
	(void)unused;
	assert_finds_none(
		"rps=RPS: ([0-9]+)", "none\none\n\ntwo\001\n\n",
		"metric \"rps\": nothing matches \"RPS: ([0-9]+)\" in the command's output; its last lines: one||two?");
	assert_finds_none(
		"rps=x", "",
		"metric \"rps\": nothing matches \"x\": the command's last line is empty or too long, or it printed nothing");
	assert_finds_none(
		"t=time: (.*)", "time: 1,5\n",
		"metric \"t\": \"1,5\" is what \"time: (.*)\" matches, and no number");
	assert_finds_none(
		"t=.+", "inf\n",
		"metric \"t\": \"inf\" is what \".+\" matches, and no number");
	assert_finds_none(
		"t=.+", "1e999\n",
		"metric \"t\": \"1e999\" is what \".+\" matches, and no number");
}

/* Long output of short lines, none of which matches, takes no time. */
static void test_metric_in_long_output(void **unused)
{
	char *output = malloc(SF_MAX_OUTPUT + 1);
	u64 start = sf_progress_now();
	struct sf_error err;
	size_t i;

	(void)unused;
	assert_non_null(output);
	for (i = 0; i < SF_MAX_OUTPUT; i++)
		output[i] = i % 2 ? '\n' : 'x';
	output[SF_MAX_OUTPUT] = '\0';
	assert_true(isnan(find("n=[0-9]+", output, &err)));
	assert_true(sf_progress_now() - start < 10000);
	free(output);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_output),
		cmocka_unit_test(test_status),
		cmocka_unit_test(test_wall_time),
		cmocka_unit_test(test_big_output),
		cmocka_unit_test(test_long_line),
		cmocka_unit_test(test_left_behind),
		cmocka_unit_test(test_strays),
		cmocka_unit_test(test_timeout),
		cmocka_unit_test(test_stubborn),
		cmocka_unit_test(test_interrupted),
		cmocka_unit_test(test_stopped),
		cmocka_unit_test(test_interrupted_flood),
		cmocka_unit_test(test_not_run),
		cmocka_unit_test(test_privileges),
		cmocka_unit_test(test_metric),
		cmocka_unit_test(test_no_metric),
		cmocka_unit_test(test_metric_in_long_output),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
