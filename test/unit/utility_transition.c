// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The livepatch transition: who holds it up, when it is given up, and how it
 * goes back.
 */
#include "utility.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>

#include "livepatch.h"
#include "module.h"
#include "transition.h"

static int removals;
static int removal_error;

/* In the place of the system calls, which are left out of the link. */
int sf_module_insert(int fd, const char *parameters)
{
	(void)fd;
	(void)parameters;
	return -ECANCELED;
}

int sf_module_remove(void)
{
	removals++;
	return removal_error;
}

static void write_task(int pid, int tid, const char *comm, char state,
		       const char *patched)
{
	char path[128], text[128];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", pid, tid);
	snprintf(text, sizeof(text), "%s\n", comm);
	tree_write(path, text);
	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", pid, tid);
	snprintf(text, sizeof(text), "%d (%s) %c 1 2 3\n", tid, comm, state);
	tree_write(path, text);
	snprintf(path, sizeof(path), "/proc/%d/task/%d/patch_state", pid, tid);
	tree_write(path, patched);
}

static void write_livepatch(const char *enabled, const char *transition)
{
	tree_write("/sys/kernel/livepatch/schedflip/enabled", enabled);
	tree_write("/sys/kernel/livepatch/schedflip/transition", transition);
}

static void test_scan(void **unused)
{
	struct sf_tasks tasks;
	char text[256];

	(void)unused;
	write_task(1, 1, "init", 'S', "1\n");
	write_task(2, 2, "kworker/0:1", 'D', "0\n");
	write_task(3, 3, "idle", 'R', "-1\n");
	write_task(4, 5, "a ) R (b", 'T', "0\n");
	tree_write("/proc/self/task/9/patch_state", "0\n");
	tree_write("/proc/6/task/6/comm", "no patch state\n");
	sf_tasks_scan(1, &tasks);
	assert_int_equal(tasks.count, 2);
	sf_tasks_format(&tasks, 8, text, sizeof(text));
	if (strcmp(text, "held up by kworker/0:1 2 (D), a ) R (b 5 (T)"))
		assert_string_equal(
			text, "held up by a ) R (b 5 (T), kworker/0:1 2 (D)");
	sf_tasks_format(&tasks, 1, text, sizeof(text));
	assert_non_null(strstr(text, " and 1 more"));
	sf_tasks_scan(0, &tasks);
	assert_int_equal(tasks.count, 1);
	sf_tasks_format(&tasks, 8, text, sizeof(text));
	assert_string_equal(text, "held up by init 1 (S)");
}

static void test_scan_without_proc(void **unused)
{
	struct sf_tasks tasks;
	char text[64];

	(void)unused;
	sf_tasks_scan(1, &tasks);
	assert_int_equal(tasks.count, 0);
	sf_tasks_format(&tasks, 8, text, sizeof(text));
	assert_string_equal(text, "all tasks are done, the kernel finishes");
}

static void test_scan_foreign_bytes(void **unused)
{
	struct sf_tasks tasks;

	(void)unused;
	write_task(7, 7, "\033[31m\377", 'R', "0\n");
	tree_write("/proc/7/task/7/stat", "cut off");
	sf_tasks_scan(1, &tasks);
	assert_int_equal(tasks.count, 1);
	assert_string_equal(tasks.tasks[0].name, "?[31m?");
	assert_int_equal(tasks.tasks[0].state, '?');
}

static void test_scan_many(void **unused)
{
	struct sf_tasks tasks;
	char text[4096];
	json_t *json;
	int tid;

	(void)unused;
	for (tid = 100; tid < 100 + SF_MAX_TASKS + 10; tid++)
		write_task(100, tid, "storm", 'R', "0\n");
	sf_tasks_scan(1, &tasks);
	assert_int_equal(tasks.count, SF_MAX_TASKS + 10);
	sf_tasks_format(&tasks, 1000, text, sizeof(text));
	assert_non_null(strstr(text, " and 10 more"));
	json = sf_tasks_json(&tasks);
	assert_int_equal(json_array_size(json), SF_MAX_TASKS);
	json_decref(json);
}

/*
 * Be the kernel, in a child: once @enabled is written, end the transition as
 * the kernel does. @gone: the directory goes with it.
 */
static pid_t kernel_begin(const char *enabled, bool gone)
{
	char text[8];
	pid_t child = fork();
	int i, fd;

	if (child)
		return child;
	for (i = 0; i < 500; i++, usleep(10000)) {
		fd = open(tree_path("/sys/kernel/livepatch/schedflip/enabled"),
			  O_RDONLY);
		memset(text, 0, sizeof(text));
		if (fd < 0 || read(fd, text, 1) < 0)
			_exit(1);
		close(fd);
		if (!strcmp(text, enabled))
			break;
	}
	usleep(50000);
	if (gone)
		tree_remove("/sys/kernel/livepatch/schedflip");
	else
		tree_write("/sys/kernel/livepatch/schedflip/transition", "0\n");
	_exit(i == 500);
}

/* Be a user who has no patience, in a child. */
static pid_t user_begin(void)
{
	pid_t child;

	signal(SIGINT, SIG_IGN);
	child = fork();
	while (!child) {
		usleep(50000);
		kill(getppid(), SIGINT);
	}
	return child;
}

static void user_end(pid_t child)
{
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
	signal(SIGINT, SIG_DFL);
}

static void kernel_end(pid_t child)
{
	int status;

	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static void run(int (*act)(u64 limit_ms, struct sf_output *out,
			   struct sf_error *err),
		u64 limit_ms, struct sf_error *err)
{
	struct sf_output out;

	removals = 0;
	removal_error = 0;
	err->code = SF_OK;
	err->message[0] = '\0';
	sf_output_init(&out, true);
	act(limit_ms, &out, err);
	json_decref(out.root);
}

static void test_patch(void **unused)
{
	struct sf_error err;
	pid_t child;

	(void)unused;
	write_livepatch("1\n", "1\n");
	child = kernel_begin("1", false);
	run(sf_transition_patch, 5000, &err);
	kernel_end(child);
	assert_int_equal(err.code, SF_OK);
	assert_int_equal(removals, 0);
}

static void test_patch_reversed(void **unused)
{
	struct sf_error err;
	pid_t child;

	(void)unused;
	write_livepatch("1\n", "1\n");
	write_task(815, 815, "spinner", 'R', "0\n");
	child = kernel_begin("0", true);
	run(sf_transition_patch, 1000, &err);
	kernel_end(child);
	assert_int_equal(err.code, SF_FAILED);
	assert_non_null(strstr(
		err.message,
		"patching was not done after 1 s: held up by spinner 815 (R); "));
	assert_non_null(strstr(
		err.message, "; it was reversed, and the module is out again"));
	assert_int_equal(removals, 1);
}

static void test_patch_stuck(void **unused)
{
	struct sf_error err;
	pid_t child;

	(void)unused;
	write_livepatch("1\n", "1\n");
	child = user_begin();
	run(sf_transition_patch, 60000, &err);
	user_end(child);
	assert_int_equal(err.code, SF_FAILED);
	assert_non_null(strstr(
		err.message,
		"patching was interrupted: all tasks are done, the kernel finishes; "));
	assert_non_null(strstr(err.message, "that is held up as well; "));
	assert_int_equal(removals, 0);
}

static void test_patch_vanished(void **unused)
{
	struct sf_error err;

	(void)unused;
	run(sf_transition_patch, 1000, &err);
	assert_int_equal(err.code, SF_FAILED);
	assert_int_equal(removals, 0);
}

static void test_unpatch(void **unused)
{
	struct sf_error err;
	pid_t child;

	(void)unused;
	write_livepatch("1\n", "1\n");
	child = kernel_begin("0", true);
	run(sf_transition_unpatch, 5000, &err);
	kernel_end(child);
	assert_int_equal(err.code, SF_OK);
}

static void assert_enabled(void)
{
	char enabled[8] = "";
	FILE *file = fopen(tree_path("/sys/kernel/livepatch/schedflip/enabled"),
			   "r");

	assert_non_null(file);
	assert_non_null(fgets(enabled, sizeof(enabled), file));
	fclose(file);
	assert_string_equal(enabled, "1\n");
}

/* Somebody has disabled it, so that the kernel knows the reversal from what was before. */
static void test_unpatch_reversed(void **unused)
{
	struct sf_error err;
	pid_t child;

	(void)unused;
	write_livepatch("0\n", "1\n");
	write_task(815, 815, "spinner", 'R', "1\n");
	child = kernel_begin("1", false);
	run(sf_transition_unpatch, 0, &err);
	kernel_end(child);
	assert_int_equal(err.code, SF_FAILED);
	assert_non_null(strstr(
		err.message,
		"unpatching was not done after 0 s: held up by spinner 815 (R); "));
	assert_non_null(
		strstr(err.message,
		       "; it was reversed, and the module works as before"));
	assert_enabled();
}

static void test_unpatch_stuck(void **unused)
{
	struct sf_error err;
	pid_t child;

	(void)unused;
	write_livepatch("1\n", "1\n");
	write_task(815, 815, "spinner", 'R', "1\n");
	child = user_begin();
	run(sf_transition_unpatch, 60000, &err);
	user_end(child);
	assert_int_equal(err.code, SF_FAILED);
	assert_non_null(strstr(err.message, "unpatching was interrupted: "));
	assert_non_null(strstr(err.message,
			       "; it is being reversed, but that is held "
			       "up as well; the module decides nothing "));
	assert_enabled();
}

/* Another livepatch replaced ours: nothing is left to disable. */
static void test_unpatch_nothing(void **unused)
{
	struct sf_error err;

	(void)unused;
	run(sf_transition_unpatch, 0, &err);
	assert_int_equal(err.code, SF_OK);
}

static void test_remove(void **unused)
{
	struct sf_error err = { .code = SF_OK };

	(void)unused;
	removal_error = -EPERM;
	assert_int_equal(sf_transition_remove(&err), SF_DENIED);
	tree_write("/sys/module/schedflip/refcnt", "2\n");
	removal_error = -EAGAIN;
	removals = 0;
	assert_int_equal(sf_transition_remove(&err), SF_FAILED);
	assert_true(removals > 10);
	assert_non_null(strstr(err.message, "the module is in use (by 2); "));
}

static void test_users(void **unused)
{
	struct sf_error err = { .code = SF_OK };

	(void)unused;
	assert_int_equal(sf_transition_check_users(&err), SF_OK);
	tree_write("/sys/module/schedflip/refcnt", "1\n");
	tree_write("/sys/kernel/livepatch/schedflip/enabled", "1\n");
	assert_int_equal(sf_transition_check_users(&err), SF_OK);
	tree_write("/sys/module/schedflip/refcnt", "3\n");
	assert_int_equal(sf_transition_check_users(&err), SF_FAILED);
	assert_non_null(strstr(err.message, "in use (by 2): an event of "));
	tree_remove("/sys/kernel/livepatch/schedflip");
	tree_write("/sys/module/schedflip/refcnt", "1\n");
	assert_int_equal(sf_transition_check_users(&err), SF_FAILED);
	assert_non_null(strstr(err.message, "in use (by 1): an event of "));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		tree_test(test_scan),
		tree_test(test_scan_without_proc),
		tree_test(test_scan_foreign_bytes),
		tree_test(test_scan_many),
		tree_test(test_patch),
		tree_test(test_patch_reversed),
		tree_test(test_patch_stuck),
		tree_test(test_patch_vanished),
		tree_test(test_unpatch),
		tree_test(test_unpatch_reversed),
		tree_test(test_unpatch_stuck),
		tree_test(test_unpatch_nothing),
		tree_test(test_remove),
		tree_test(test_users),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
