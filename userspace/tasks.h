/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_TASKS_H
#define SCHEDFLIP_TASKS_H

#include <jansson.h>
#include <stddef.h>

/* So many are kept; more are only counted. */
#define SF_MAX_TASKS 64

/**
 * struct sf_task - a task that holds up a livepatch transition
 * @tid: its id
 * @state: R, S, D ... of ps(1), or ? if it was gone before we asked
 * @name: its comm
 */
struct sf_task {
	int tid;
	char state;
	char name[64];
};

/**
 * struct sf_tasks - tasks that hold up a livepatch transition
 * @count: number of them, which may be more than we keep
 * @tasks: the first of them
 */
struct sf_tasks {
	size_t count;
	struct sf_task tasks[SF_MAX_TASKS];
};

void sf_tasks_scan(int target, struct sf_tasks *tasks);
void sf_tasks_format(const struct sf_tasks *tasks, size_t max, char *buf,
		     size_t size);
json_t *sf_tasks_json(const struct sf_tasks *tasks);

#endif
