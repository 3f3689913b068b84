// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "text.h"

/* A day: longer than anybody waits, and safe from overflow. */
#define SF_MAX_TIMEOUT_S 86400

/* What the parser of one command line works on. */
struct sf_scan {
	const struct sf_usage *usage;
	struct sf_options *options;
};

static error_t sf_scan_arg(const struct sf_scan *scan, char *arg,
			   struct argp_state *state)
{
	if ((int)state->arg_num >= scan->usage->max_args)
		argp_error(state, "unexpected argument \"%s\"", arg);
	scan->options->arg = arg;
	return 0;
}

static error_t sf_scan_option(int key, char *arg, struct argp_state *state)
{
	struct sf_scan *scan = state->input;
	struct sf_options *options = scan->options;

	switch (key) {
	case 'j':
		options->json = true;
		return 0;
	case 'c':
		options->filter.cpu = arg;
		return 0;
	case 'd':
		options->filter.domain = arg;
		return 0;
	case 't':
		options->timeout = arg;
		return 0;
	case 'k':
		options->hooks = arg;
		return 0;
	case 'p':
		options->policy = arg;
		return 0;
	case ARGP_KEY_ARG:
		return sf_scan_arg(scan, arg, state);
	case ARGP_KEY_END:
		if ((int)state->arg_num < scan->usage->min_args)
			argp_error(state, "%s is missing", scan->usage->args);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/**
 * sf_options_scan - read a command line; ends the program if it can't
 * @usage: of the command
 * @argc: number of @argv
 * @argv: the command and its arguments
 * @options: set to the user's words
 */
void sf_options_scan(const struct sf_usage *usage, int argc, char **argv,
		     struct sf_options *options)
{
	struct sf_scan scan = { .usage = usage, .options = options };
	struct argp argp = {
		.options = usage->options,
		.parser = sf_scan_option,
		.args_doc = usage->args,
		.doc = usage->doc,
	};
	int error = argp_parse(&argp, argc, argv, 0, NULL, &scan);

	if (error)
		exit(SF_FAILED);
}

/**
 * sf_options_check - understand the words of a command line
 * @options: from sf_options_scan()
 * @err: says what was wrong and what is allowed
 *
 * Return: SF_OK or SF_USAGE.
 */
int sf_options_check(struct sf_options *options, struct sf_error *err)
{
	u64 seconds = SF_TIMEOUT_S;

	if (options->timeout && (!sf_parse_number(options->timeout, &seconds) ||
				 seconds > SF_MAX_TIMEOUT_S))
		return sf_fail(err, SF_USAGE,
			       "no timeout \"%s\"; allowed: 0 to %d seconds",
			       options->timeout, SF_MAX_TIMEOUT_S);
	options->timeout_ms = seconds * 1000;
	if (options->hooks && strcmp(options->hooks, "newidle") &&
	    strcmp(options->hooks, "all"))
		return sf_fail(err, SF_USAGE,
			       "no hooks \"%s\"; known: newidle all",
			       options->hooks);
	return sf_filter_parse(&options->filter, err);
}
