// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <schedflip/abi.h>

#include "options.h"
#include "text.h"

/* A day: longer than anybody waits, and safe from overflow. */
#define SF_MAX_TIMEOUT_S 86400

/* Options without a letter. */
enum {
	SF_KEY_USAGE = 0x100,
};

static const struct argp_option sf_common_options[] = {
	{ "help", '?', NULL, 0, "Print this help", -1 },
	{ "usage", SF_KEY_USAGE, NULL, 0, "Print a short usage message", -1 },
	{ "version", 'V', NULL, 0, "Print the version", -1 },
	{ 0 },
};

/* What the parser of one command line works on. */
struct sf_scan {
	const struct sf_usage *usage;
	struct sf_options *options;
	struct sf_error *err;
};

static error_t sf_scan_arg(const struct sf_scan *scan, const char *arg,
			   struct argp_state *state)
{
	struct sf_options *options = scan->options;

	if (scan->usage->takes_command) {
		options->command = &state->argv[state->next - 1];
		state->next = state->argc;
		return 0;
	}
	if (options->arg_count >= scan->usage->max_args)
		return sf_fail(scan->err, SF_USAGE,
			       "unexpected argument \"%s\"", arg);
	options->args[options->arg_count++] = arg;
	return 0;
}

/* Long options may be cut short. */
static bool sf_is_help(const char *word)
{
	size_t len = word ? strlen(word) : 0;

	if (len < 2 || word[0] != '-')
		return false;
	return strchr(word, '?') || (len > 2 && !strncmp("--help", word, len));
}

/*
 * For argp a letter of byte 255 is -?, as both end up as getopt's '?'. The word that is
 * read is the one before the next, or, if it has more letters, the next.
 */
static bool sf_scan_is_help(const struct argp_state *state)
{
	return sf_is_help(state->argv[state->next - 1]) ||
	       sf_is_help(state->argv[state->next]);
}

/* These do all there is to do. */
static error_t sf_scan_common(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	switch (key) {
	case '?':
		if (!sf_scan_is_help(state)) {
			argp_error(state, "invalid option");
			return EINVAL;
		}
		argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
		break;
	case SF_KEY_USAGE:
		argp_state_help(state, stdout, ARGP_HELP_USAGE);
		break;
	case 'V':
		puts("schedflip " SF_VERSION);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	exit(fflush(stdout) ? SF_FAILED : SF_OK);
}

static error_t sf_scan_option(int key, char *arg, struct argp_state *state)
{
	struct sf_scan *scan = state->input;
	struct sf_options *options = scan->options;
	error_t error = ARGP_ERR_UNKNOWN;

	if (scan->usage->option)
		error = scan->usage->option(key, arg, scan->err);
	if (error != ARGP_ERR_UNKNOWN)
		return error;
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
		if (options->arg_count < scan->usage->min_args)
			return sf_fail(scan->err, SF_USAGE, "%s is missing",
				       scan->usage->args);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* Of "schedflip set: unrecognized option '--foo'" and more lines: what is wrong. */
static const char *sf_scan_complaint(char *said)
{
	char *colon;

	said[strcspn(said, "\n")] = '\0';
	colon = strstr(said, ": ");
	return colon ? colon + 2 : said;
}

/*
 * An unknown option is getopt's to complain of, which it does on stderr only; an
 * option behind it may have asked for JSON.
 */
static void sf_scan_failed(struct sf_options *options, char *said, int argc,
			   char **argv, struct sf_error *err)
{
	int i;

	for (i = 1; i < argc && strcmp(argv[i], "--"); i++)
		options->json |=
			!strcmp(argv[i], "-j") || !strcmp(argv[i], "--json");
	if (!err->code)
		sf_fail(err, SF_USAGE, "%s; see `%s --help`",
			said ? sf_scan_complaint(said) : "out of memory",
			argv[0]);
}

/**
 * sf_options_scan - read a command line; --help and the like end the program
 * @usage: of the command
 * @argc: number of @argv
 * @argv: the command and its arguments
 * @options: set to the user's words
 * @err: says what was wrong
 *
 * Return: SF_OK or SF_USAGE.
 */
int sf_options_scan(const struct sf_usage *usage, int argc, char **argv,
		    struct sf_options *options, struct sf_error *err)
{
	static const struct argp common = { .options = sf_common_options,
					    .parser = sf_scan_common };
	const struct argp_child children[] = { { .argp = &common }, { 0 } };
	struct sf_scan scan = { usage, options, err };
	struct argp argp = {
		.options = usage->options,
		.parser = sf_scan_option,
		.args_doc = usage->args,
		.doc = usage->doc,
		.children = children,
	};
	unsigned int flags = ARGP_NO_HELP | ARGP_NO_EXIT;
	FILE *real = stderr;
	char *said = NULL;
	size_t size;
	int error;

	stderr = open_memstream(&said, &size);
	/* Options behind a command of the user's are that command's. */
	if (usage->takes_command)
		flags |= ARGP_IN_ORDER;
	error = argp_parse(&argp, argc, argv, flags, NULL, &scan);
	if (stderr)
		fclose(stderr);
	stderr = real;
	if (error)
		sf_scan_failed(options, said, argc, argv, err);
	free(said);
	return err->code;
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
				 !seconds || seconds > SF_MAX_TIMEOUT_S))
		return sf_fail(err, SF_USAGE,
			       "no timeout \"%s\"; allowed: 1 to %d seconds",
			       options->timeout, SF_MAX_TIMEOUT_S);
	options->timeout_ms = seconds * 1000;
	if (options->hooks && strcmp(options->hooks, "newidle") &&
	    strcmp(options->hooks, "all"))
		return sf_fail(err, SF_USAGE,
			       "no hooks \"%s\"; known: newidle all",
			       options->hooks);
	return sf_filter_parse(&options->filter, err);
}
