// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The program on a terminal, above a tree of files that is changed beneath it.
 */
#include "pty.h"

#include "glances.h"

#define DEBUGFS "/sys/kernel/debug/schedflip"

static struct sf_domain domains[DOMAINS];

/* In one step, as the kernel tells it. */
static void write_state(size_t count)
{
	char text[DOMAINS * 1200] = "", from[PATH_MAX];
	size_t used = 0, i;

#define NUM(field)                                       \
	used += sprintf(text + used, "%s=%llu ", #field, \
			(unsigned long long)domains[i].field);
#define STR(field) \
	used += sprintf(text + used, "%s=%s ", #field, domains[i].field);
	for (i = 0; i < count; i++) {
		SF_STATE_FIELDS(STR, NUM)
		text[used - 1] = '\n';
	}
	tree_write("/new", text);
	snprintf(from, sizeof(from), "%s", tree_path("/new"));
	assert_int_equal(rename(from, tree_path(DEBUGFS "/state")), 0);
}

static void write_module(void)
{
	tree_write("/sys/module/schedflip/refcnt", "1\n");
	tree_write(DEBUGFS "/abi", "1\n");
	tree_write(DEBUGFS "/version", "0.1\n");
	tree_write(DEBUGFS "/policy", "");
	tree_write(DEBUGFS "/features", "NI_RANDOM=on held=0\n");
	tree_write(DEBUGFS "/hooks",
		   "hook=select group=select symbol=select_task_rq_fair "
		   "state=patched calls=0 ns=0\n");
}

static int setup(void **state)
{
	struct sf_glance glance;

	if (tree_setup(state))
		return -1;
	tree_write("/proc/sys/kernel/osrelease", "7.3.4-test\n");
	glance_at(&glance, 0, domains);
	write_module();
	write_state(DOMAINS);
	pty_terminfo();
	return 0;
}

/* Many times a second, so that there is a rate in every interval. */
static void grow(struct pty *pty, const char *until)
{
	time_t end = time(NULL) + PTY_PATIENCE_S;
	size_t i;

	do {
		for (i = 0; i < DOMAINS; i++)
			work(&domains[i], 1000);
		write_state(DOMAINS);
		pty_read(pty);
		if (pty_shows(pty, until))
			return;
	} while (time(NULL) < end);
	pty_wait(pty, until, true);
}

static void test_quit(void **unused)
{
	struct pty pty;

	(void)unused;
	pty_start(&pty, 24, 80, NULL);
	pty_wait(&pty, "Linux 7.3.4-test", true);
	pty_wait(&pty, "+ NUMA    0-7  stock ", true);
	assert_true(pty.second);
	pty_press(&pty, "q");
	pty_assert_end(&pty);
	assert_int_equal(pty.seconds, 1);
}

static void test_count(void **unused)
{
	struct pty pty;

	(void)unused;
	pty_start(&pty, 24, 80, "-n2");
	pty_assert_end(&pty);
	assert_int_equal(pty.seconds, 1);
}

/* A quarter of the attempts pulled, whatever the machine's speed. */
static void test_counters(void **unused)
{
	struct pty pty;

	(void)unused;
	pty_start(&pty, 24, 80, NULL);
	pty_wait(&pty, "    0.0     0.0     -     -   512", true);
	grow(&pty, " 50.0  25.0   512");
	/* Counters that went back. */
	memset(&domains[0].calls, 0, sizeof(u64));
	domains[0].attempts = domains[0].skipped = domains[0].pulled = 0;
	write_state(DOMAINS);
	pty_wait(&pty, "      -       -     -     -   512", true);
	/* A CPU goes, and comes back. */
	write_state(DOMAINS - 2 * LEVELS);
	pty_wait(&pty, "SMT 6-7", false);
	pty_wait(&pty, "SMT 4-5", true);
	write_state(DOMAINS);
	pty_wait(&pty, "SMT 6-7", true);
	pty_press(&pty, "q");
	pty_assert_end(&pty);
}

static void test_unload(void **unused)
{
	struct pty pty;

	(void)unused;
	pty_start(&pty, 24, 80, NULL);
	pty_wait(&pty, "+ NUMA", true);
	tree_remove("/sys/module");
	tree_remove(DEBUGFS);
	pty_wait(&pty, "the module is not loaded; load it: schedflip load",
		 true);
	pty_wait(&pty, "waiting for the module", true);
	pty_wait(&pty, "+ NUMA", false);
	/* Keys are obeyed meanwhile. */
	pty_press(&pty, " jh?");
	pty_wait(&pty, "this help, and back", true);
	pty_press(&pty, "?");
	write_module();
	write_state(DOMAINS);
	pty_wait(&pty, "the module is back", true);
	pty_wait(&pty, "+ NUMA", true);
	pty_press(&pty, "q");
	pty_assert_end(&pty);
}

static void test_resize(void **unused)
{
	struct pty pty;

	(void)unused;
	pty_start(&pty, 24, 80, NULL);
	pty_wait(&pty, "CALLS/s", true);
	pty_resize(&pty, 10, 40);
	pty_wait(&pty, "CALLS/s", false);
	pty_wait(&pty, "ATT/s  HIT%", true);
	pty_wait(&pty, "q quit", true);
	pty_resize(&pty, 50, 200);
	pty_wait(&pty, "MOVED/s", true);
	pty_resize(&pty, 1, 1);
	pty_read(&pty);
	pty_resize(&pty, 24, 80);
	pty_wait(&pty, "metric +- pace", true);
	pty_press(&pty, "q");
	pty_assert_end(&pty);
}

static void test_keys(void **unused)
{
	struct pty pty;

	(void)unused;
	pty_start(&pty, 24, 80, NULL);
	pty_wait(&pty, "+ NUMA", true);
	pty_press(&pty, "\033[B ");
	pty_wait(&pty, "- MC    0-3", true);
	pty_wait(&pty, "cpu3", true);
	pty_press(&pty, "\r");
	pty_wait(&pty, "cpu3", false);
	pty_press(&pty, "ss");
	pty_wait(&pty, ", by hit rate", true);
	pty_press(&pty, "/MC 0\177-1\r");
	pty_wait(&pty, ", only CPUs", false);
	pty_wait(&pty, "one list of CPUs and one domain at most", true);
	pty_press(&pty, "\033");
	pty_wait(&pty, "q quit", true);
	pty_press(&pty, "/MC 2-3\r");
	pty_wait(&pty, ", only CPUs 2-3, only", true);
	pty_wait(&pty, "NUMA", false);
	pty_press(&pty, "h");
	pty_wait(&pty, "newidle attempts/s: 0 .:-=", true);
	pty_press(&pty, "m");
	pty_wait(&pty, "burst moves/s", true);
	pty_press(&pty, "+");
	pty_wait(&pty, "every 0.5 s", true);
	pty_press(&pty, "\001\377\033[Zq");
	pty_assert_end(&pty);
}

static void assert_policy(const char *wanted)
{
	char text[256] = "";
	FILE *file = fopen(tree_path(DEBUGFS "/policy"), "r");

	assert_non_null(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	assert_string_equal(text, wanted);
}

/* The tree takes what is written, and does nothing. */
static void test_flip(void **unused)
{
	struct pty pty;

	(void)unused;
	pty_start(&pty, 24, 80, NULL);
	pty_wait(&pty, "+ NUMA", true);
	pty_press(&pty, "pjitter\r");
	pty_wait(&pty,
		 "schedflip set newidle=jitter --cpu 0-7 --domain NUMA - carry",
		 true);
	pty_press(&pty, "n");
	pty_wait(&pty, "nothing was changed", true);
	assert_policy("");
	pty_press(&pty, "Pstock\ry");
	pty_wait(&pty, "newidle=stock start=zero: read back from 24 domains",
		 true);
	assert_policy("newidle=stock start=zero\n");
	pty_press(&pty, "jpjitter\ry");
	pty_wait(&pty, "4 of 4 domains did not take newidle=jitter", true);
	assert_policy("newidle=jitter start=zero cpu=0-3 domain=MC\n");
	pty_press(&pty, "pnone\r");
	pty_wait(&pty, "\"none\"", true);
	pty_press(&pty, "\033");
	pty_wait(&pty, "q quit", true);
	/* Somebody else's flip is told. */
	domains[0].newidle = "dice";
	write_state(DOMAINS);
	pty_wait(&pty, "newidle stock -> dice on SMT (1 domain)", true);
	pty_press(&pty, "q");
	pty_assert_end(&pty);
}

static void test_signals(void **unused)
{
	static const int numbers[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT };
	struct pty pty;
	size_t i;

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		pty_start(&pty, 24, 80, NULL);
		pty_wait(&pty, "+ NUMA", true);
		kill(pty.program, numbers[i]);
		pty_assert_end(&pty);
	}
	/* As it is typed. */
	pty_start(&pty, 24, 80, NULL);
	pty_wait(&pty, "+ NUMA", true);
	pty_press(&pty, "\003");
	pty_assert_end(&pty);
}

static void test_stop(void **unused)
{
	struct pty pty;
	int status;

	(void)unused;
	pty_start(&pty, 24, 80, NULL);
	pty_wait(&pty, "+ NUMA", true);
	pty_press(&pty, "\032");
	status = pty_status(&pty);
	assert_true(WIFSTOPPED(status));
	pty_assert_restored(&pty);
	/* What has happened meanwhile is drawn, in the size that the terminal has now. */
	pty_resize(&pty, 12, 60);
	domains[2].newidle = "jitter";
	write_state(DOMAINS);
	kill(pty.program, SIGCONT);
	pty_wait(&pty, "newidle stock -> jitter on NUMA", true);
	assert_true(pty.second);
	pty_press(&pty, "q");
	pty_assert_end(&pty);
	assert_int_equal(pty.seconds, 2);
}

/* Between two looks none of the module's files is open. */
static void test_files(void **unused)
{
	char path[PATH_MAX], target[PATH_MAX];
	struct pty pty;
	ssize_t len;
	int fd, i;

	(void)unused;
	pty_start(&pty, 24, 80, NULL);
	pty_wait(&pty, "+ NUMA", true);
	pty_press(&pty, "++++++");
	pty_wait(&pty, "every 20 s", true);
	for (i = 0; i < 3; i++, usleep(50000))
		for (fd = 0; fd < 64; fd++) {
			snprintf(path, sizeof(path), "/proc/%d/fd/%d",
				 pty.program, fd);
			len = readlink(path, target, sizeof(target) - 1);
			target[len > 0 ? len : 0] = '\0';
			assert_null(strstr(target, "schedflip-unit"));
		}
	/* Long intervals do not keep it from ending. */
	pty_press(&pty, "q");
	pty_assert_end(&pty);
}

/* The terminal goes away, and nobody sends a signal. */
static void test_hangup(void **unused)
{
	struct pty pty;
	int status;

	(void)unused;
	pty_start(&pty, 24, 80, NULL);
	pty_wait(&pty, "+ NUMA", true);
	close(pty.master);
	pty.master = -1;
	status = pty_status(&pty);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	waitpid(pty.shell, &status, 0);
	close(pty.reports);
}

#define watch_test(test) \
	cmocka_unit_test_setup_teardown(test, setup, tree_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		watch_test(test_quit),	   watch_test(test_count),
		watch_test(test_counters), watch_test(test_unload),
		watch_test(test_resize),   watch_test(test_keys),
		watch_test(test_flip),	   watch_test(test_signals),
		watch_test(test_stop),	   watch_test(test_files),
		watch_test(test_hangup),
	};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
