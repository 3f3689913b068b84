// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "kernel.h"
#include "livepatch.h"
#include "text.h"

#define SF_POLL_MS 100
/* A quiet machine is done sooner; /proc is worth a scan only then. */
#define SF_NAME_AFTER_MS 2000
#define SF_NAME_EVERY_MS 1000
/* As many as fit in a line. */
#define SF_NAME_TASKS 3

/**
 * sf_livepatch_exists - does the kernel know a livepatch of ours?
 */
bool sf_livepatch_exists(void)
{
	return sf_kernel_exists(SF_LIVEPATCH);
}

/**
 * sf_livepatch_is_enabled - is it on, or on its way to be?
 */
bool sf_livepatch_is_enabled(void)
{
	char text[16];

	return !sf_kernel_read_word(SF_LIVEPATCH "/enabled", text,
				    sizeof(text)) &&
	       !strcmp(text, "1");
}

/**
 * sf_livepatch_enable - start or reverse a transition
 * @on: patch, or unpatch
 *
 * Return: 0 or a negative errno.
 */
int sf_livepatch_enable(bool on)
{
	return sf_kernel_write(SF_LIVEPATCH "/enabled", on ? "1\n" : "0\n");
}

/* The kernel drops the directory at the end of an unpatching. */
static bool sf_transition_is_over(void)
{
	char text[16];
	int error = sf_kernel_read_word(SF_LIVEPATCH "/transition", text,
					sizeof(text));

	return error == -ENOENT || error == -ENODEV || !strcmp(text, "0");
}

static void sf_transition_report(struct sf_tasks *tasks, int target,
				 struct sf_progress *progress)
{
	char names[256];

	sf_tasks_scan(target, tasks);
	sf_tasks_format(tasks, SF_NAME_TASKS, names, sizeof(names));
	sf_progress_show(progress, "%s; %s", target ? "patching" : "unpatching",
			 names);
}

/**
 * sf_livepatch_wait - wait until the transition is over
 * @target: 1 if tasks are being patched, 0 if unpatched
 * @limit_ms: how long
 * @tasks: after SF_WAIT_LIMIT the tasks that held it up
 * @progress: where to show how it goes
 *
 * Return: how it ended.
 */
enum sf_wait sf_livepatch_wait(int target, u64 limit_ms, struct sf_tasks *tasks,
			       struct sf_progress *progress)
{
	u64 start = sf_progress_now(), named = SF_NAME_AFTER_MS, passed;

	tasks->count = 0;
	sf_progress_show(progress, "%s", target ? "patching" : "unpatching");
	while (!sf_transition_is_over()) {
		passed = sf_progress_now() - start;
		if (passed >= limit_ms || sf_progress_interrupted()) {
			sf_tasks_scan(target, tasks);
			return passed >= limit_ms ? SF_WAIT_LIMIT :
						    SF_WAIT_INTERRUPTED;
		}
		if (passed >= named) {
			sf_transition_report(tasks, target, progress);
			named = passed + SF_NAME_EVERY_MS;
		}
		sf_progress_sleep(SF_POLL_MS);
	}
	return sf_livepatch_is_enabled() == target ? SF_WAIT_DONE :
						     SF_WAIT_REVERSED;
}
