// SPDX-License-Identifier: GPL-2.0-or-later
#include "drift.h"
#include "kernel.h"
#include "notice.h"
#include "text.h"
#include "verbs.h"

enum {
	SF_KEY_SKIP = 0x200,
};

static const struct argp_option sf_verify_file_options[] = {
	{ "skip-missing", SF_KEY_SKIP, NULL, 0,
	  "Pass over lines for domains that this machine has not", 0 },
	SF_OPTION_JSON,
	{ 0 }
};

/* Options are scanned before there is anything else to put them. */
static bool sf_verify_skip;

static error_t sf_verify_file_option(int key, char *arg, struct sf_error *err)
{
	(void)arg;
	(void)err;
	if (key != SF_KEY_SKIP)
		return ARGP_ERR_UNKNOWN;
	sf_verify_skip = true;
	return 0;
}

const struct sf_usage sf_verify_file_usage = {
	.options = sf_verify_file_options,
	.args = "[FILE]",
	.doc = "Compare what is in force with a configuration, by default that in\n" SF_SETTINGS_FILE
	       ", and print each difference. Nothing is changed.\n"
	       "\vIt ends with 0 if all is as FILE says, 3 if anything differs, 1 if the\n"
	       "module is not loaded. What FILE does not name is at stock. - is the\n"
	       "standard input.\n"
	       "\n"
	       "Examples:\n"
	       "  schedflip verify\n"
	       "  schedflip verify -j web.conf | jq '.differences[].cpu'\n"
	       "\n" SF_EXIT_CODES,
	.max_args = 1,
	.option = sf_verify_file_option,
};

static int sf_report_drift(const struct sf_settings *settings,
			   const struct sf_drift *drift,
			   const struct sf_status *status,
			   struct sf_output *out, struct sf_error *err)
{
	sf_output_set(out, "file", sf_json_text(settings->name));
	sf_output_set(out, "domains", sf_json_number(drift->domains));
	sf_output_set(out, "cpus", json_integer(drift->cpus));
	sf_output_set(out, "status", sf_notice_json(status));
	sf_output_set(out, "differences", json_incref(drift->all));
	sf_drift_print(drift, out);
	if (drift->count)
		return sf_fail(
			err, SF_MISMATCH,
			"%zu difference%s from %s; to set what it says, run: schedflip apply %s",
			drift->count, sf_plural(drift->count), settings->name,
			settings->name);
	sf_output_say(out, "as %s says: %zu domain%s on %u CPU%s",
		      settings->name, drift->domains, sf_plural(drift->domains),
		      drift->cpus, sf_plural(drift->cpus));
	if (sf_status_has_lease(status))
		sf_output_say(out, "but a lease is pending, and returns it");
	return SF_OK;
}

static int sf_verify_settings(struct sf_settings *settings,
			      struct sf_output *out, struct sf_error *err)
{
	struct sf_state state = { .count = 0 };
	struct sf_status status;
	struct sf_drift drift;
	struct sf_info info;

	if (sf_kernel_check_module(err) || sf_info_read(&info, err) ||
	    sf_status_read(&status, err))
		return err->code;
	if (!sf_state_read(&state, err) &&
	    !sf_settings_check(settings, &state, sf_verify_skip, err)) {
		sf_drift_find(settings, &state, &status, &info, &drift);
		sf_report_drift(settings, &drift, &status, out, err);
		json_decref(drift.all);
	}
	sf_state_free(&state);
	return err->code;
}

/**
 * sf_verify_file - compare what is in force with a configuration
 * @options: the user's
 * @out: gets the differences
 * @err: says that there are some, or what was wrong
 *
 * Return: SF_OK, SF_MISMATCH, or the code in @err.
 */
int sf_verify_file(const struct sf_options *options, struct sf_output *out,
		   struct sf_error *err)
{
	struct sf_settings settings;
	json_t *errors = json_array();

	if (!sf_settings_read(options->args[0], &settings, errors, err))
		sf_verify_settings(&settings, out, err);
	sf_output_set(out, "errors", errors);
	sf_settings_free(&settings);
	return err->code;
}
