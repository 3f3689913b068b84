// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "kernel.h"
#include "livepatch.h"
#include "module.h"
#include "text.h"
#include "transition.h"

/* The module's reference count drops a little after the transition's end. */
#define SF_REMOVE_LIMIT_MS 5000
#define SF_REMOVE_POLL_MS 50

/* Going back is worth more patience than the user may have for going on. */
#define SF_BACK_LIMIT_MS 60000

/* A livepatch that has ended has its directory for some ms. */
#define SF_LAST_MOMENT_MS 2000

/* A message has room for so many; the JSON object has more. */
#define SF_NAMED_TASKS 8

/* Also begins a wait anew: a signal that ended the last one is forgotten. */
static enum sf_wait sf_transition_wait(int target, u64 limit_ms,
				       struct sf_tasks *tasks,
				       struct sf_output *out)
{
	struct sf_progress progress;
	enum sf_wait end;

	sf_progress_begin(&progress, out->json);
	end = sf_livepatch_wait(target, limit_ms, tasks, &progress);
	sf_progress_end(&progress);
	return end;
}

/* @then: what was done about it, or is to be done. */
static int sf_fail_wait(enum sf_wait end, int target, u64 limit_ms,
			const struct sf_tasks *tasks, const char *then,
			struct sf_output *out, struct sf_error *err)
{
	char names[512], how[64] = "interrupted";

	if (end == SF_WAIT_LIMIT) {
		how[0] = '\0';
		sf_append_text(how, sizeof(how), "not done after %llu s",
			       (unsigned long long)limit_ms / 1000);
	}
	sf_tasks_format(tasks, SF_NAMED_TASKS, names, sizeof(names));
	sf_output_set(out, "blockers", sf_tasks_json(tasks));
	return sf_fail(err, SF_FAILED, "%s was %s: %s; %s",
		       target ? "patching" : "unpatching", how, names, then);
}

/* Give a load up: @tasks held it up. */
static int sf_transition_back_out(enum sf_wait end, u64 limit_ms,
				  const struct sf_tasks *tasks,
				  struct sf_output *out, struct sf_error *err)
{
	const char *then = "it was reversed, and the module is out again";
	struct sf_error removal = { .code = SF_OK };
	struct sf_tasks again;

	if (sf_transition_wait(0, SF_BACK_LIMIT_MS, &again, out) !=
	    SF_WAIT_DONE)
		then = "it is being reversed, but that is held up as well; try `schedflip unload` later";
	else if (sf_transition_remove(&removal))
		then = removal.message;
	return sf_fail_wait(end, 1, limit_ms, tasks, then, out, err);
}

/**
 * sf_transition_patch - wait until a loaded module is in force, or take it out
 * @limit_ms: how long to wait
 * @out: gets the tasks that held it up
 * @err: says how it ended
 *
 * Return: SF_OK, or SF_FAILED and the module is out again, if that is possible.
 */
int sf_transition_patch(u64 limit_ms, struct sf_output *out,
			struct sf_error *err)
{
	struct sf_tasks tasks;
	enum sf_wait end;

	if (!sf_livepatch_exists())
		return sf_fail(
			err, SF_FAILED,
			"the module is loaded, but the kernel has no livepatch of it; see dmesg");
	end = sf_transition_wait(1, limit_ms, &tasks, out);
	if (end == SF_WAIT_DONE)
		return SF_OK;
	if (end == SF_WAIT_REVERSED)
		return sf_fail(
			err, SF_FAILED,
			"somebody else has disabled the livepatch meanwhile, so the module decides nothing; take it out with `schedflip unload`");
	if (sf_livepatch_enable(false))
		return sf_fail_wait(
			end, 1, limit_ms, &tasks,
			"it could not be reversed; try `schedflip unload`", out,
			err);
	return sf_transition_back_out(end, limit_ms, &tasks, out, err);
}

static int sf_fail_disable(int error, struct sf_error *err)
{
	return sf_fail(
		err,
		error == -EPERM || error == -EACCES ? SF_DENIED : SF_FAILED,
		"cannot disable the livepatch: writing 0 to " SF_LIVEPATCH
		"/enabled: %s",
		strerror(-error));
}

/* Give an unload up: @tasks held it up. */
static int sf_transition_reverse(enum sf_wait end, u64 limit_ms,
				 const struct sf_tasks *tasks,
				 struct sf_output *out, struct sf_error *err)
{
	const char *then = "it was reversed, and the module works as before";
	struct sf_tasks again;

	if (!sf_livepatch_enable(true)) {
		if (sf_transition_wait(1, SF_BACK_LIMIT_MS, &again, out) !=
		    SF_WAIT_DONE)
			then = "it is being reversed, but that is held up as well; the module decides nothing until it is done, see `schedflip show`";
	} else {
		/* It came to its end in the last moment, and its directory goes. */
		if (sf_transition_wait(0, SF_LAST_MOMENT_MS, &again, out) ==
		    SF_WAIT_DONE)
			return SF_OK;
		then = "it could not be reversed, and goes on; try `schedflip unload` later";
	}
	return sf_fail_wait(end, 0, limit_ms, tasks, then, out, err);
}

/**
 * sf_transition_unpatch - get all tasks out of the module
 * @limit_ms: how long to wait
 * @out: gets the tasks that held it up
 * @err: says how it ended
 *
 * Return: SF_OK, or why not; at the limit all is patched again.
 */
int sf_transition_unpatch(u64 limit_ms, struct sf_output *out,
			  struct sf_error *err)
{
	struct sf_tasks tasks;
	enum sf_wait end;
	int error = 0;

	if (sf_livepatch_is_enabled())
		error = sf_livepatch_enable(false);
	if (error)
		return sf_fail_disable(error, err);
	end = sf_transition_wait(0, limit_ms, &tasks, out);
	if (end == SF_WAIT_DONE)
		return SF_OK;
	if (end == SF_WAIT_REVERSED)
		return sf_fail(
			err, SF_FAILED,
			"somebody else has enabled the livepatch again meanwhile; the module works as before");
	return sf_transition_reverse(end, limit_ms, &tasks, out, err);
}

/**
 * sf_transition_check_users - does nobody use the module?
 * @err: says that somebody does
 *
 * Unpatching lets the domains go to stock, which would be for nothing if the module must
 * stay. The livepatch itself is one of the users that the kernel counts.
 *
 * Return: SF_OK, also if the kernel does not tell, or SF_FAILED.
 */
int sf_transition_check_users(struct sf_error *err)
{
	u64 count, own = sf_livepatch_exists();
	char text[16];

	if (sf_kernel_read_word(SF_MODULE "/refcnt", text, sizeof(text)) ||
	    !sf_parse_number(text, &count) || count <= own)
		return SF_OK;
	return sf_fail(
		err, SF_FAILED,
		"the module is in use (by %llu): an event of schedflip's is open (perf, trace-cmd, bpftrace), or a file in " SF_DEBUGFS
		"; end that, and unload again; nothing has changed",
		(unsigned long long)(count - own));
}

static int sf_fail_remove(int error, struct sf_error *err)
{
	char count[16];

	if (error == -EPERM)
		return sf_fail(err, SF_DENIED,
			       "the kernel does not let you unload modules: %s",
			       strerror(-error));
	if (error != -EAGAIN && error != -EBUSY)
		return sf_fail(err, SF_FAILED, "cannot unload the module: %s",
			       strerror(-error));
	sf_kernel_read_word(SF_MODULE "/refcnt", count, sizeof(count));
	return sf_fail(
		err, SF_FAILED,
		"the livepatch is off, but the module is in use (by %.15s); %s",
		count, "close its files and unload again");
}

/**
 * sf_transition_remove - unload the module, once no task is in it
 * @err: says why it can't be
 *
 * Return: SF_OK, or the code in @err.
 */
int sf_transition_remove(struct sf_error *err)
{
	u64 start = sf_progress_now();
	int error;

	while ((error = sf_module_remove())) {
		if (error != -EAGAIN && error != -EBUSY)
			break;
		if (sf_progress_now() - start >= SF_REMOVE_LIMIT_MS)
			break;
		sf_progress_sleep(SF_REMOVE_POLL_MS);
	}
	return error ? sf_fail_remove(error, err) : SF_OK;
}
