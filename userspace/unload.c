// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "kernel.h"
#include "lock.h"
#include "status.h"
#include "transition.h"
#include "verbs.h"

static const struct argp_option sf_unload_options[] = { SF_OPTION_TIMEOUT,
							SF_OPTION_JSON,
							{ 0 } };

const struct sf_usage sf_unload_usage = {
	.options = sf_unload_options,
	.doc = "Take the module out. Every task has to leave the patched functions\n"
	       "first, which takes seconds; the tasks that hold it up are named,\n"
	       "and at the limit all is as before.\n"
	       "\vExamples:\n"
	       "  schedflip unload\n"
	       "  schedflip unload --timeout 300\n"
	       "\n" SF_EXIT_CODES,
};

/* A status that cannot be read is no reason to stay. */
static void sf_read_status(struct sf_status *status)
{
	struct sf_error ignored = { .code = SF_OK };

	if (sf_status_read(status, &ignored))
		status->present = false;
}

static int sf_check_alive(const struct sf_status *status, struct sf_error *err)
{
	if (!sf_status_is_dead(status))
		return SF_OK;
	return sf_fail(
		err, SF_FAILED,
		"the kernel has switched ftrace off, after a fault that dmesg tells of, and functions may go on calling schedflip; it stays until the next boot, at stock");
}

/**
 * sf_unload - take the module out
 * @options: the user's
 * @out: gets that it is out
 * @err: says what was wrong
 *
 * Return: SF_OK, or the code in @err.
 */
int sf_unload(const struct sf_options *options, struct sf_output *out,
	      struct sf_error *err)
{
	u64 start = sf_progress_now(), taken;
	struct sf_status status;
	bool leased;

	sf_read_status(&status);
	leased = sf_status_has_lease(&status);
	if (!sf_kernel_has_module())
		return sf_fail(err, SF_FAILED, "the module is not loaded");
	if (sf_kernel_check_root(err) || sf_lock(err) ||
	    sf_lock_check_ab(err) || sf_check_alive(&status, err) ||
	    sf_transition_check_users(err) ||
	    sf_transition_unpatch(options->timeout_ms, out, err) ||
	    sf_transition_remove(err))
		return err->code;
	taken = sf_progress_now() - start;
	sf_output_set(out, "loaded", json_false());
	sf_output_set(out, "took_ms", sf_json_number(taken));
	sf_output_set(out, "lease_dropped", json_boolean(leased));
	sf_output_say(
		out, "unloaded in %.1f s%s", taken / 1000.0,
		leased ?
			"; the lease that was pending is gone, as all policies are" :
			"");
	return SF_OK;
}
