// SPDX-License-Identifier: GPL-2.0-or-later
/* A task that holds up a transition: its name, NUL, its stat, NUL, its patch state. */
#include "fuzz.h"

#include "tasks.h"

#define TASK "/proc/815/task/4711/"

static void write_next(const char *path, const u8 **data, size_t *size)
{
	char *text = fuzz_next(data, size);

	fuzz_tree_write(path, text, strlen(text));
	free(text);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static struct sf_tasks tasks;
	char line[64];
	json_t *json;

	write_next(TASK "comm", &data, &size);
	write_next(TASK "stat", &data, &size);
	write_next(TASK "patch_state", &data, &size);
	sf_tasks_scan(1, &tasks);
	fuzz_check(tasks.count <= 1, "there is one task");
	sf_tasks_format(&tasks, 3, line, sizeof(line));
	fuzz_check(*line && !strpbrk(line, "\n\033"), "it is one line");
	json = sf_tasks_json(&tasks);
	fuzz_check(json_array_size(json) == tasks.count, "each is told");
	json_decref(json);
	return 0;
}
