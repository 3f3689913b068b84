// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include <schedflip/abi.h>

#include "help.h"
#include "kernel.h"
#include "text.h"

/**
 * sf_verbs_find - look a command up
 * @verbs: all
 * @name: of the command
 *
 * Return: it, or NULL if there is none of this name.
 */
const struct sf_verb *sf_verbs_find(const struct sf_verbs *verbs,
				    const char *name)
{
	size_t i;

	for (i = 0; i < verbs->count; i++)
		if (!strcmp(verbs->verbs[i].name, name))
			return &verbs->verbs[i];
	return NULL;
}

static json_t *sf_letter_json(int key)
{
	char letter[2] = { key, '\0' };

	return key < 256 && isprint(key) ? json_string(letter) : json_null();
}

static void sf_add_options(const struct argp_option *option, json_t *array,
			   struct sf_output *out)
{
	for (; option->name; option++) {
		struct sf_output row = { .root = json_object() };

		sf_output_set(&row, "name", json_string(option->name));
		sf_output_set(&row, "letter", sf_letter_json(option->key));
		sf_output_set(&row, "argument",
			      sf_json_maybe_text(option->arg));
		sf_output_set(&row, "help", json_string(option->doc));
		if (json_array_append_new(array, row.root) || row.incomplete)
			out->incomplete = true;
	}
}

static json_t *sf_verb_json(const struct sf_verb *verb, struct sf_output *out)
{
	struct sf_output row = { .root = json_object() };
	json_t *array = json_array();

	sf_add_options(verb->usage->options, array, out);
	sf_add_options(sf_common_options, array, out);
	sf_output_set(&row, "command", json_string(verb->name));
	sf_output_set(&row, "help", json_string(verb->help));
	sf_output_set(&row, "arguments", sf_json_maybe_text(verb->usage->args));
	sf_output_set(&row, "options", array);
	out->incomplete |= row.incomplete;
	return row.root;
}

static void sf_add_commands(const struct sf_verb *verbs, size_t count,
			    struct sf_output *out)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < count; i++)
		if (json_array_append_new(array, sf_verb_json(&verbs[i], out)))
			out->incomplete = true;
	sf_output_set(out, "commands", array);
}

/**
 * sf_help_all - list the commands
 * @verbs: all
 * @out: gets them
 */
void sf_help_all(const struct sf_verbs *verbs, struct sf_output *out)
{
	size_t i;

	sf_add_commands(verbs->verbs, verbs->count, out);
	sf_output_say(out,
		      "Usage: schedflip [COMMAND] [OPTION...]\n"
		      "Flip load-balancer policies of the running kernel.\n");
	for (i = 0; i < verbs->count; i++)
		sf_output_say(out, "  %-8s %s", verbs->verbs[i].name,
			      verbs->verbs[i].help);
	sf_output_say(
		out,
		"  %-8s describe a command: schedflip help set\n\n"
		"Each command takes -j (--json), --color, and --help, which has examples;\n"
		"schedflip --version prints the versions of utility and module.\n" SF_EXIT_CODES,
		"help");
}

/**
 * sf_help_one - describe a command
 * @verb: it
 * @asked: --help or --usage
 * @out: gets it
 */
void sf_help_one(const struct sf_verb *verb, enum sf_asked asked,
		 struct sf_output *out)
{
	char name[32];

	sf_add_commands(verb, 1, out);
	snprintf(name, sizeof(name), "schedflip %s", verb->name);
	if (!out->json)
		sf_options_help(verb->usage, asked, name);
}

/* Only root may read it in debugfs; another module of this name may have none. */
static bool sf_read_version(char *buf, size_t size)
{
	if (sf_kernel_read_word(SF_MODULE "/version", buf, size) &&
	    sf_kernel_read_word(SF_DEBUGFS "/version", buf, size))
		return false;
	sf_clean_text(buf);
	return true;
}

static void sf_module_version(struct sf_output *out)
{
	char version[64];
	bool loaded = sf_kernel_has_module();
	bool known = loaded && sf_read_version(version, sizeof(version));

	sf_output_set(out, "module_loaded", json_boolean(loaded));
	sf_output_set(out, "module_version",
		      sf_json_maybe_text(known ? version : NULL));
	if (!loaded)
		sf_output_say(out, "module: not loaded");
	else
		sf_output_say(out, "module: %s", known ? version : "unknown");
}

/**
 * sf_help_version - print the versions of utility and module
 * @out: gets them
 */
void sf_help_version(struct sf_output *out)
{
	sf_output_set(out, "version", json_string(SF_VERSION));
	sf_output_set(out, "abi", json_integer(SF_ABI));
	sf_output_say(out, "schedflip %s, ABI %d", SF_VERSION, SF_ABI);
	sf_module_version(out);
}
