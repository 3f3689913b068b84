// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <schedflip/abi.h>

#include "color.h"
#include "nearest.h"
#include "options.h"
#include "text.h"

/* A day: longer than anybody waits, and safe from overflow. */
#define SF_MAX_TIMEOUT_S 86400

/* Options without a letter. */
enum {
	SF_KEY_USAGE = 0x100,
	SF_KEY_COLOR,
};

const struct argp_option sf_common_options[] = {
	{ "color", SF_KEY_COLOR, "auto|always|never", 0,
	  "Colour the text (default auto: on a terminal, unless NO_COLOR is set)",
	  -1 },
	{ "help", '?', NULL, 0, "Print this help", -1 },
	{ "usage", SF_KEY_USAGE, NULL, 0, "Print a short usage message", -1 },
	{ "version", 'V', NULL, 0, "Print the versions of utility and module",
	  -1 },
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

static void sf_scan_ask(struct sf_options *options, enum sf_asked asked)
{
	if (!options->asked)
		options->asked = asked;
}

static error_t sf_scan_common(int key, char *arg, struct argp_state *state)
{
	struct sf_options *options =
		((const struct sf_scan *)state->input)->options;

	switch (key) {
	case ARGP_KEY_INIT:
		return 0;
	case '?':
		if (!sf_scan_is_help(state)) {
			argp_error(state, "invalid option");
			return EINVAL;
		}
		sf_scan_ask(options, SF_ASKED_HELP);
		return 0;
	case SF_KEY_USAGE:
		sf_scan_ask(options, SF_ASKED_USAGE);
		return 0;
	case 'V':
		sf_scan_ask(options, SF_ASKED_VERSION);
		return 0;
	case SF_KEY_COLOR:
		options->color = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
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
	case ARGP_KEY_INIT:
		state->child_inputs[0] = scan;
		return 0;
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
		if (options->arg_count < scan->usage->min_args &&
		    !options->asked)
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

static void sf_scan_list(const struct argp_option *option, char *known,
			 size_t size)
{
	for (; option->name; option++)
		sf_append_text(known, size, " --%s", option->name);
}

/* Of "unrecognized option '--jsn=3'" the name, if that is what getopt says. */
static void sf_scan_suggest(const struct sf_usage *usage, const char *said,
			    struct sf_error *err)
{
	const char *name = said ? strstr(said, " '--") : NULL;
	char known[512] = "", word[64];

	if (!name || !strstr(said, "unrecognized"))
		return;
	name += 2;
	snprintf(word, sizeof(word), "%.*s", (int)strcspn(name, "='"), name);
	sf_scan_list(usage->options, known, sizeof(known));
	sf_scan_list(sf_common_options, known, sizeof(known));
	sf_nearest_add(err, word, known);
}

/**
 * sf_options_want_json - is there an option for JSON?
 * @argc: number of @argv
 * @argv: the words of a command line; the first is not looked at
 */
bool sf_options_want_json(int argc, char *const *argv)
{
	int i;

	for (i = 1; i < argc && strcmp(argv[i], "--"); i++)
		if (!strcmp(argv[i], "-j") || !strcmp(argv[i], "--json"))
			return true;
	return false;
}

/*
 * An unknown option is getopt's to complain of, which it does on stderr only; an
 * option behind it may have asked for JSON.
 */
static void sf_scan_failed(const struct sf_scan *scan, char *said, int argc,
			   char **argv)
{
	struct sf_error *err = scan->err;

	if (sf_options_want_json(argc, argv))
		scan->options->json = true;
	/* Whoever asks for help may have got the rest wrong. */
	if (scan->options->asked)
		err->code = SF_OK;
	if (err->code || scan->options->asked)
		return;
	sf_fail(err, SF_USAGE, "%s; see `%s --help`",
		said ? sf_scan_complaint(said) : "out of memory", argv[0]);
	sf_scan_suggest(scan->usage, said, err);
}

static const struct argp sf_common_argp = { .options = sf_common_options,
					    .parser = sf_scan_common };
static const struct argp_child sf_common_child[] = {
	{ .argp = &sf_common_argp }, { 0 }
};

static struct argp sf_argp_of(const struct sf_usage *usage)
{
	return (struct argp){
		.options = usage->options,
		.parser = sf_scan_option,
		.args_doc = usage->args,
		.doc = usage->doc,
		.children = sf_common_child,
	};
}

/**
 * sf_options_help - print --help or --usage
 * @usage: of the command
 * @asked: which
 * @name: of the command, with the program's
 */
void sf_options_help(const struct sf_usage *usage, enum sf_asked asked,
		     char *name)
{
	struct argp argp = sf_argp_of(usage);

	argp_help(&argp, stdout,
		  asked == SF_ASKED_HELP ? ARGP_HELP_STD_HELP : ARGP_HELP_USAGE,
		  name);
}

/**
 * sf_options_scan - read a command line
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
	struct sf_scan scan = { usage, options, err };
	struct argp argp = sf_argp_of(usage);
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
		sf_scan_failed(&scan, said, argc, argv);
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

	if (sf_color_check(options->color, err))
		return err->code;
	if (options->timeout && (!sf_parse_number(options->timeout, &seconds) ||
				 !seconds || seconds > SF_MAX_TIMEOUT_S))
		return sf_fail(err, SF_USAGE,
			       "no timeout \"%s\"; allowed: 1 to %d seconds",
			       options->timeout, SF_MAX_TIMEOUT_S);
	options->timeout_ms = seconds * 1000;
	if (options->hooks && strcmp(options->hooks, "newidle") &&
	    strcmp(options->hooks, "all")) {
		sf_fail(err, SF_USAGE, "no hooks \"%s\"; known: newidle all",
			options->hooks);
		return sf_nearest_add(err, options->hooks, "newidle all");
	}
	return sf_filter_parse(&options->filter, err);
}
