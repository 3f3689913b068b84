/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_OPTIONS_H
#define SCHEDFLIP_OPTIONS_H

#include <argp.h>

#include "filter.h"

/* Long enough for a loaded machine, where 47 s were seen. */
#define SF_TIMEOUT_S 60

/* No command takes more arguments: set has so many kinds at most. */
#define SF_MAX_ARGS 16

/* Options that more than one command has. */
#define SF_OPTION_JSON                                           \
	{                                                        \
		"json", 'j', NULL, 0, "Print one JSON object", 0 \
	}
#define SF_OPTION_CPU                                                      \
	{                                                                  \
		"cpu", 'c', "LIST", 0, "Only these CPUs, such as 0-3,6", 0 \
	}
#define SF_OPTION_DOMAIN                                        \
	{                                                       \
		"domain", 'd', "NAME|N", 0,                     \
			"Only domains of this name or index", 0 \
	}
#define SF_OPTION_TIMEOUT                                                                 \
	{                                                                                 \
		"timeout", 't', "SEC", 0,                                                 \
			"Give up and go back after SEC seconds (1 to 86400, default 60)", \
			0                                                                 \
	}
#define SF_OPTION_HOOKS                                                 \
	{                                                               \
		"hooks", 'k', "newidle|all", 0,                         \
			"Which functions to patch (default newidle)", 0 \
	}
#define SF_OPTION_POLICY                                                  \
	{                                                                 \
		"policy", 'p', "SET", 0,                                  \
			"Policy to begin with, as the argument of set", 0 \
	}

/* What every command takes as well, a row with a name of NULL at its end. */
extern const struct argp_option sf_common_options[];

/* Ends the --help of every command. */
#define SF_EXIT_CODES                                                           \
	"Exit codes: 0 done, 1 failed, 2 wrong usage, 3 a value read back is\n" \
	"not the one set, 4 this kernel can't take the module, 5 permission\n"  \
	"or lockdown."

/**
 * struct sf_usage - command line of a command
 * @options: those it knows
 * @args: its arguments, for --help
 * @doc: for --help; after a vertical tab what follows the options
 * @min_args: it needs so many arguments
 * @max_args: and takes so many, SF_MAX_ARGS at most
 * @option: is offered each option first, and returns ARGP_ERR_UNKNOWN for those that
 *	are not this command's own; NULL if it has none of its own
 * @takes_command: from its first argument on, or from what follows --, the line
 *	belongs to a command of the user's
 */
struct sf_usage {
	const struct argp_option *options;
	const char *args;
	const char *doc;
	int min_args;
	int max_args;
	error_t (*option)(int key, char *arg, struct sf_error *err);
	bool takes_command;
};

/* What is printed in place of doing what the command does. */
enum sf_asked {
	SF_ASKED_NOTHING,
	SF_ASKED_HELP,
	SF_ASKED_USAGE,
	SF_ASKED_VERSION,
};

/**
 * struct sf_options - what the user asked for
 * @json: one JSON object
 * @asked: --help and the like
 * @color: the user's --color, or NULL
 * @filter: --cpu and --domain
 * @timeout: the user's word, or NULL
 * @timeout_ms: it
 * @hooks: hook groups to patch, or NULL
 * @policy: policy to load with, or NULL
 * @args: the arguments, and NULL for those not given
 * @arg_count: number of @args
 * @command: the user's command with its arguments, NULL at its end; NULL if none
 *	was given
 */
struct sf_options {
	bool json;
	enum sf_asked asked;
	const char *color;
	struct sf_filter filter;
	const char *timeout;
	u64 timeout_ms;
	const char *hooks;
	const char *policy;
	const char *args[SF_MAX_ARGS];
	int arg_count;
	char **command;
};

int sf_options_scan(const struct sf_usage *usage, int argc, char **argv,
		    struct sf_options *options, struct sf_error *err);
bool sf_options_want_json(int argc, char *const *argv);
void sf_options_help(const struct sf_usage *usage, enum sf_asked asked,
		     char *name);
int sf_options_check(struct sf_options *options, struct sf_error *err);

#endif
