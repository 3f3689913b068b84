// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "kernel.h"
#include "notice.h"
#include "status.h"
#include "verbs.h"

#define SF_OFF_PARAMETER SF_MODULE "/parameters/off"

static const struct argp_option sf_off_options[] = { SF_OPTION_JSON, { 0 } };

const struct sf_usage sf_off_usage = {
	.options = sf_off_options,
	.doc = "Switch schedflip off: every hook passes through at once, on every CPU, and all\n"
	       "domains return to stock. Nothing is waited for, and policies are refused until\n"
	       "`schedflip on`. The SysRq key x does the same, also where no program runs.\n"
	       "\vExample:\n"
	       "  schedflip off\n"
	       "\n" SF_EXIT_CODES,
};

const struct sf_usage sf_on_usage = {
	.options = sf_off_options,
	.doc = "Take `schedflip off` back. All domains are at stock.\n"
	       "\vExample:\n"
	       "  schedflip on\n"
	       "\n" SF_EXIT_CODES,
};

static bool sf_is_closed(int error)
{
	return error == -EPERM || error == -EACCES || error == -ENOENT;
}

/*
 * Lockdown closes debugfs, and it may not be mounted. To switch off everything is tried
 * whatever was wrong; to switch on a refusal is obeyed, as somebody else may want it off.
 */
static int sf_throw(bool off, struct sf_output *out, struct sf_error *err)
{
	int first = sf_kernel_write(SF_DEBUGFS "/off", off ? "1\n" : "0\n");
	bool again = first && (off || sf_is_closed(first));
	int error = first;

	if (again)
		error = sf_kernel_write(SF_OFF_PARAMETER, off ? "Y\n" : "N\n");
	sf_output_set(out, "through",
		      json_string(again ? "parameter" : "debugfs"));
	if (!error)
		return SF_OK;
	if (first == -EBUSY && !off)
		return sf_fail(
			err, SF_FAILED,
			"somebody else has switched schedflip off again; see `schedflip show`");
	return sf_fail(err,
		       error == -EPERM || error == -EACCES ? SF_DENIED :
							     SF_FAILED,
		       "cannot write " SF_DEBUGFS "/off: %s%s%s",
		       strerror(-first), again ? "; nor its parameter: " : "",
		       again ? strerror(-error) : "");
}

static int sf_throw_and_read(bool off, struct sf_status *status,
			     struct sf_output *out, struct sf_error *err)
{
	struct sf_error unread = { .code = SF_OK };

	if (!sf_kernel_has_module())
		return sf_fail(err, SF_FAILED, "the module is not loaded");
	if (sf_kernel_check_root(err) || sf_throw(off, out, err))
		return err->code;
	if (sf_status_need(status, &unread))
		return sf_fail(
			err, unread.code,
			"the switch was taken, but cannot be read back: %s",
			unread.message);
	sf_output_set(out, "status", sf_notice_json(status));
	return SF_OK;
}

/**
 * sf_off - switch schedflip off
 * @options: the user's
 * @out: gets that it is off
 * @err: says what was wrong
 *
 * Nothing is asked before that does not have to be.
 *
 * Return: SF_OK, or the code in @err.
 */
int sf_off(const struct sf_options *options, struct sf_output *out,
	   struct sf_error *err)
{
	struct sf_status status;

	(void)options;
	if (sf_throw_and_read(true, &status, out, err))
		return err->code;
	if (!sf_status_is_off(&status))
		return sf_fail(
			err, SF_MISMATCH,
			"the switch was taken, but hooks are %s, and not off; see `schedflip show`",
			status.hooks);
	sf_output_say(
		out,
		"off: every hook passes through, and all domains go to stock");
	return SF_OK;
}

/**
 * sf_on - take sf_off() back
 * @options: the user's
 * @out: gets that it is on
 * @err: says what was wrong
 *
 * Return: SF_OK, or the code in @err.
 */
int sf_on(const struct sf_options *options, struct sf_output *out,
	  struct sf_error *err)
{
	struct sf_status status;

	(void)options;
	if (sf_throw_and_read(false, &status, out, err))
		return err->code;
	if (sf_status_is_off(&status) || !strcmp(status.hooks, "off"))
		return sf_fail(
			err, SF_MISMATCH,
			"the switch was taken, but schedflip is off (%s); has somebody else switched it off again?",
			status.off_reason);
	sf_output_say(out, "on: hooks are %s", status.hooks);
	return SF_OK;
}
