// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "keeper.h"
#include "kernel.h"
#include "rollout.h"
#include "text.h"
#include "verbs.h"

enum {
	SF_KEY_SKIP = 0x200,
	SF_KEY_LOAD,
};

static const struct argp_option sf_apply_file_options[] = {
	SF_OPTION_FOR,
	SF_OPTION_LEASE,
	{ "check", 'n', NULL, 0, "Only check FILE, and change nothing", 0 },
	{ "load", SF_KEY_LOAD, NULL, 0,
	  "Load the module if it is not, with the hooks that FILE needs", 0 },
	{ "skip-missing", SF_KEY_SKIP, NULL, 0,
	  "Pass over lines for domains that this machine has not", 0 },
	SF_OPTION_TIMEOUT,
	SF_OPTION_JSON,
	{ 0 }
};

/* Options are scanned before there is anything else to put them. */
static struct sf_applying {
	struct sf_terms terms;
	bool check;
	bool load;
	bool skip;
} sf_applying;

static error_t sf_apply_file_option(int key, char *arg, struct sf_error *err)
{
	switch (key) {
	case 'n':
		sf_applying.check = true;
		return 0;
	case SF_KEY_LOAD:
		sf_applying.load = true;
		return 0;
	case SF_KEY_SKIP:
		sf_applying.skip = true;
		return 0;
	default:
		return sf_terms_option(&sf_applying.terms, key, arg, err);
	}
}

const struct sf_usage sf_apply_file_usage = {
	.options = sf_apply_file_options,
	.args = "[FILE]",
	.doc = "Set what a configuration says, by default that in " SF_SETTINGS_FILE
	       ",\n"
	       "and all else to stock; read it back and compare.\n"
	       "\vAll of FILE is checked first, and it is set whole or not at all: if a line\n"
	       "is refused or differs when it is read back, all is put back as it was before.\n"
	       "A line has the words of `schedflip set`; later ones override earlier ones:\n"
	       "  newidle=jitter start=random\n"
	       "  domain=NUMA burst=nearest burst_depth=2\n"
	       "  cpu=0-3 domain=MC newidle=dice    # a comment\n"
	       "  trip=depth=64,run_delay=20ms\n"
	       "  hooks=all                         # the module must be loaded so\n"
	       "- is the standard input. docs/config.md tells the rest.\n"
	       "\n"
	       "--for and --lease are as of `schedflip set`.\n"
	       "\n"
	       "Examples:\n"
	       "  schedflip apply --check web.conf\n"
	       "  schedflip apply --load --for 10m\n"
	       "  schedflip save | schedflip apply -\n"
	       "\n" SF_EXIT_CODES,
	.max_args = 1,
	.option = sf_apply_file_option,
};

static int sf_load_for(const struct sf_settings *settings, u64 timeout_ms,
		       struct sf_output *out, struct sf_error *err)
{
	bool all = sf_settings_need_all(settings);
	const struct sf_options options = {
		.timeout_ms = timeout_ms,
		.hooks = all ? "all" : NULL,
	};

	if (sf_kernel_has_module())
		return SF_OK;
	if (sf_applying.load)
		return sf_load(&options, out, err);
	return sf_fail(
		err, SF_FAILED,
		"the module is not loaded; run: schedflip load%s, or add --load",
		all ? " --hooks all" : "");
}

static void sf_say_missing(const struct sf_settings *settings,
			   struct sf_output *out)
{
	json_t *lines = json_array();
	size_t i;

	for (i = 0; i < settings->count; i++) {
		if (!settings->lines[i].missing)
			continue;
		json_array_append_new(
			lines, sf_json_number(settings->lines[i].number));
		sf_output_say(out,
			      "%s:%zu: passed over, as no domain here is of it",
			      settings->name, settings->lines[i].number);
	}
	sf_output_set(out, "missing_lines", lines);
}

/* Without the module, or without root, nobody knows the domains. */
static int sf_check_file(struct sf_settings *settings, struct sf_output *out,
			 struct sf_error *err)
{
	struct sf_terms terms = { .for_ms = 0 };
	struct sf_rollout rollout = { .settings = settings,
				      .terms = &terms,
				      .skip = sf_applying.skip };
	bool known = sf_kernel_has_module();

	if (known && sf_rollout_check(&rollout, err) == SF_DENIED) {
		known = false;
		err->code = SF_OK;
	}
	sf_rollout_free(&rollout);
	if (err->code)
		return err->code;
	sf_say_missing(settings, out);
	sf_output_set(out, "domains_checked", json_boolean(known));
	sf_output_say(
		out, "%s is right: %zu line%s%s", settings->name,
		settings->count, sf_plural(settings->count),
		known ? "" :
			"; its domains could not be looked for: that takes root, and the module loaded");
	return SF_OK;
}

static void sf_report_commands(const struct sf_rollout *rollout,
			       struct sf_output *out)
{
	json_t *commands = json_array();
	size_t i;

	for (i = 0; i < rollout->count; i++)
		json_array_append_new(
			commands,
			json_pack("s%", rollout->commands[i],
				  strcspn(rollout->commands[i], "\n")));
	sf_output_set(out, "commands", commands);
	sf_output_set(out, "through",
		      json_string(rollout->by_parameter ? "parameter" :
							  "debugfs"));
}

static int sf_report_applied(const struct sf_rollout *rollout,
			     struct sf_output *out, struct sf_error *err)
{
	const struct sf_drift *drift = &rollout->drift;
	char tail[SF_TAIL_SIZE], words[SF_TRIPS_SIZE];

	if (sf_terms_verify(rollout->terms, tail, sizeof(tail), out, err))
		return err->code;
	sf_say_missing(rollout->settings, out);
	sf_output_say(out, "applied %s: %zu domain%s on %u CPU%s%s",
		      rollout->settings->name, drift->domains,
		      sf_plural(drift->domains), drift->cpus,
		      sf_plural(drift->cpus), tail);
	sf_trips_describe(&rollout->settings->trips, words, sizeof(words));
	if (sf_trips_armed(&rollout->settings->trips))
		sf_output_say(out, "tripwires: %s", words);
	return SF_OK;
}

static int sf_roll_out(struct sf_rollout *rollout, struct sf_output *out,
		       struct sf_error *err)
{
	if (sf_kernel_check_module(err) ||
	    sf_terms_begin(rollout->terms, err) ||
	    sf_rollout_check(rollout, err))
		return err->code;
	sf_rollout_run(rollout, err);
	sf_report_commands(rollout, out);
	if (rollout->drift.all)
		sf_output_set(out, "differences",
			      json_incref(rollout->drift.all));
	if (err->code)
		return err->code;
	return sf_report_applied(rollout, out, err);
}

static int sf_apply_settings(struct sf_settings *settings, u64 timeout_ms,
			     struct sf_output *out, struct sf_error *err)
{
	struct sf_terms *terms = &sf_applying.terms;
	struct sf_rollout rollout = { .settings = settings,
				      .terms = terms,
				      .skip = sf_applying.skip };
	struct sf_keeper keeper;

	sf_terms_complete(terms);
	if (sf_load_for(settings, timeout_ms, out, err))
		return err->code;
	if (!terms->keep) {
		sf_roll_out(&rollout, out, err);
	} else {
		sf_keeper_begin(&keeper, terms);
		if (sf_roll_out(&rollout, out, err))
			sf_keeper_drop(&keeper);
		else
			sf_keeper_run(&keeper, out, err);
		sf_keeper_end(&keeper);
	}
	sf_rollout_free(&rollout);
	return err->code;
}

/**
 * sf_apply_file - set what a configuration says
 * @options: the user's
 * @out: gets what was set
 * @err: says what was wrong
 *
 * Return: SF_OK, or the code in @err.
 */
int sf_apply_file(const struct sf_options *options, struct sf_output *out,
		  struct sf_error *err)
{
	struct sf_settings settings;
	json_t *errors = json_array();

	sf_output_set(out, "differences", json_array());
	if (!sf_settings_read(options->args[0], &settings, errors, err)) {
		sf_output_set(out, "file", sf_json_text(settings.name));
		if (sf_applying.check)
			sf_check_file(&settings, out, err);
		else
			sf_apply_settings(&settings, options->timeout_ms, out,
					  err);
	}
	sf_output_set(out, "errors", errors);
	sf_settings_free(&settings);
	return err->code;
}
