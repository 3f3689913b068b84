// SPDX-License-Identifier: GPL-2.0-or-later
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"
#include "output.h"
#include "tasks.h"
#include "text.h"

/* The name in stat may hold blanks and brackets, so the state is behind the last. */
static char sf_task_state(const char *stat)
{
	const char *end = strrchr(stat, ')');

	if (!end || end[1] != ' ' || end[2] < 'A' || end[2] > 'z')
		return '?';
	return end[2];
}

static void sf_task_describe(const char *dir, struct sf_task *task)
{
	char path[128], stat[512];

	snprintf(path, sizeof(path), "%s/comm", dir);
	sf_kernel_read_word(path, task->name, sizeof(task->name));
	sf_clean_text(task->name);
	snprintf(path, sizeof(path), "%s/stat", dir);
	sf_kernel_read_word(path, stat, sizeof(stat));
	task->state = sf_task_state(stat);
}

static void sf_task_check(const char *dir, int tid, const char *wanted,
			  struct sf_tasks *tasks)
{
	char path[128], patched[16];

	snprintf(path, sizeof(path), "%s/patch_state", dir);
	if (sf_kernel_read_word(path, patched, sizeof(patched)))
		return;
	/* -1 is a task that is in no transition. */
	if (!strcmp(patched, wanted) || !strcmp(patched, "-1"))
		return;
	if (tasks->count < SF_MAX_TASKS) {
		tasks->tasks[tasks->count].tid = tid;
		sf_task_describe(dir, &tasks->tasks[tasks->count]);
	}
	tasks->count++;
}

static void sf_process_scan(u64 pid, const char *wanted, struct sf_tasks *tasks)
{
	char path[64], dir[64];
	struct dirent *entry;
	DIR *threads;
	u64 tid;

	snprintf(path, sizeof(path), "/proc/%llu/task",
		 (unsigned long long)pid);
	threads = sf_kernel_opendir(path);
	if (!threads)
		return;
	while ((entry = readdir(threads))) {
		if (!sf_parse_number(entry->d_name, &tid) || tid > INT_MAX)
			continue;
		snprintf(dir, sizeof(dir), "/proc/%llu/task/%d",
			 (unsigned long long)pid, (int)tid);
		sf_task_check(dir, tid, wanted, tasks);
	}
	closedir(threads);
}

/**
 * sf_tasks_scan - find the tasks that hold up a transition
 * @target: patch state they are to reach: 1 patched, 0 not
 * @tasks: set to them
 */
void sf_tasks_scan(int target, struct sf_tasks *tasks)
{
	DIR *proc = sf_kernel_opendir("/proc");
	struct dirent *entry;
	u64 pid;

	tasks->count = 0;
	if (!proc)
		return;
	while ((entry = readdir(proc)))
		if (sf_parse_number(entry->d_name, &pid))
			sf_process_scan(pid, target ? "1" : "0", tasks);
	closedir(proc);
}

/**
 * sf_tasks_format - say what holds a transition up
 * @tasks: from sf_tasks_scan()
 * @max: name so many of them
 * @buf: for the text, such as "held up by hackbench 815 (R), kworker/0:1 7 (D)"
 * @size: of @buf
 *
 * When the last task is through, the kernel takes a moment to see it.
 */
void sf_tasks_format(const struct sf_tasks *tasks, size_t max, char *buf,
		     size_t size)
{
	size_t i, named = tasks->count;

	if (max > SF_MAX_TASKS)
		max = SF_MAX_TASKS;
	if (named > max)
		named = max;
	snprintf(buf, size, "%s",
		 tasks->count ? "held up by " :
				"all tasks are done, the kernel finishes");
	for (i = 0; i < named; i++)
		sf_append_text(buf, size, "%s%s %d (%c)", i ? ", " : "",
			       tasks->tasks[i].name, tasks->tasks[i].tid,
			       tasks->tasks[i].state);
	if (tasks->count > named)
		sf_append_text(buf, size, " and %zu more",
			       tasks->count - named);
}

/**
 * sf_tasks_json - the tasks as a JSON array
 * @tasks: from sf_tasks_scan()
 */
json_t *sf_tasks_json(const struct sf_tasks *tasks)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < tasks->count && i < SF_MAX_TASKS; i++) {
		const struct sf_task *task = &tasks->tasks[i];
		char state[] = { task->state, '\0' };

		json_array_append_new(
			array, json_pack("{s:i, s:s, s:s}", "tid", task->tid,
					 "name", task->name, "state", state));
	}
	return array;
}
