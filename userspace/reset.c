// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "apply.h"
#include "info.h"
#include "status.h"
#include "verbs.h"

static const struct argp_option sf_reset_options[] = { SF_OPTION_JSON, { 0 } };

const struct sf_usage sf_reset_usage = {
	.options = sf_reset_options,
	.doc = "Set all kinds of all domains to stock, let the ratios go, read it back\n"
	       "and compare. The kernel's NI_RANDOM goes back to what it was; what the\n"
	       "kernel has learned stays. A lease that is pending is confirmed, and tripwires are\n"
	       "switched off, so that nothing returns. After `schedflip off` all is at stock\n"
	       "already.\n"
	       "\vExample:\n"
	       "  schedflip reset\n"
	       "\n" SF_EXIT_CODES,
};

static int sf_report_features(struct sf_output *out, struct sf_error *err)
{
	struct sf_info info = { .held = 0 };

	if (sf_info_read_features(&info, err))
		return err->code;
	sf_output_set(out, "ni_random", json_string(info.ni_random));
	sf_output_set(out, "ni_random_held", json_boolean(info.held));
	if (info.held)
		return sf_fail(
			err, SF_MISMATCH,
			"all domains are at stock, but schedflip still holds NI_RANDOM off; "
			"is somebody else setting policies?");
	if (strcmp(info.ni_random, "absent"))
		sf_output_say(out, "NI_RANDOM is given back: it is %s",
			      info.ni_random);
	return SF_OK;
}

/* Then the module has set all to stock, and takes no policy, not even that. */
static bool sf_is_reset(struct sf_output *out)
{
	struct sf_error ignored = { .code = SF_OK };
	struct sf_status status;

	if (sf_status_read(&status, &ignored) || !sf_status_is_off(&status))
		return false;
	sf_output_say(
		out,
		"all domains are at stock already, as schedflip is off (%s)",
		status.off_reason);
	return true;
}

/**
 * sf_reset - set all domains to stock
 * @options: the user's
 * @out: gets what was set
 * @err: says what was wrong
 *
 * Return: SF_OK, or the code in @err.
 */
int sf_reset(const struct sf_options *options, struct sf_output *out,
	     struct sf_error *err)
{
	struct sf_terms terms = { .settle = true };
	struct sf_policy stock;

	sf_policy_stock(&stock);
	if (!sf_is_reset(out) &&
	    sf_apply(&stock, &options->filter, &terms, out, err))
		return err->code;
	return sf_report_features(out, err);
}
