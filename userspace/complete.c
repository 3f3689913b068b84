// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The hidden command complete, which completion/ calls. It goes by the tables that the
 * parser goes by.
 */
#include <stdio.h>
#include <string.h>

#include "candidates.h"
#include "complete.h"

/* Where in a command line the last word is. */
struct sf_place {
	const struct sf_verb *verb;
	const struct argp_option *option;
	int arg_count;
	bool only_args;
	bool in_command;
};

static const struct argp_option *sf_find_long(const struct argp_option *option,
					      const char *name, size_t len)
{
	for (; option->name; option++)
		if (strlen(option->name) == len &&
		    !strncmp(option->name, name, len))
			return option;
	return NULL;
}

static const struct argp_option *sf_find_letter(
	const struct argp_option *option, int letter)
{
	for (; option->name; option++)
		if (option->key == letter)
			return option;
	return NULL;
}

static const struct argp_option *sf_long_option(const struct sf_verb *verb,
						const char *name, size_t len)
{
	const struct argp_option *option =
		sf_find_long(verb->usage->options, name, len);

	return option ? option : sf_find_long(sf_common_options, name, len);
}

/* Return: the option whose argument is the next word, or NULL. */
static const struct argp_option *sf_waiting_option(const struct sf_verb *verb,
						   const char *word)
{
	const struct argp_option *option;

	if (!strncmp(word, "--", 2)) {
		option = sf_long_option(verb, word + 2, strlen(word + 2));
		return option && option->arg ? option : NULL;
	}
	while (*++word) {
		option = sf_find_letter(verb->usage->options,
					(unsigned char)*word);
		if (option && option->arg)
			return word[1] ? NULL : option;
	}
	return NULL;
}

/* One word further, which is not the last. */
static void sf_place_pass(struct sf_place *place, const char *word)
{
	bool option = word[0] == '-' && word[1] && !place->only_args;

	if (place->option) {
		place->option = NULL;
	} else if (option && !strcmp(word, "--")) {
		place->only_args = true;
		place->in_command = place->verb->usage->takes_command;
	} else if (option) {
		place->option = sf_waiting_option(place->verb, word);
	} else {
		place->arg_count++;
		place->in_command = place->verb->usage->takes_command;
	}
}

static void sf_offer_options(const struct sf_verb *verb, const char *word)
{
	struct sf_typed typed = sf_typed_word(word);
	const struct argp_option *option;

	for (option = verb->usage->options; option->name; option++)
		sf_offer(&typed, "--%s", option->name);
	for (option = sf_common_options; option->name; option++)
		sf_offer(&typed, "--%s", option->name);
}

/* Of "windows|trap [FILE]" or "FILE..." the word at @number, of which the last repeats. */
static void sf_offer_arg(const struct sf_usage *usage, int number,
			 const struct sf_typed *typed)
{
	char args[128] = "", *rest = args, *word = NULL, *next;

	if (!usage->args || number >= usage->max_args)
		return;
	snprintf(args, sizeof(args), "%s", usage->args);
	while (number-- >= 0 && (next = strsep(&rest, " ")))
		word = next;
	if (strstr(word, "KIND="))
		sf_offer_kinds(typed);
	else if (strstr(word, "FILE"))
		puts(SF_OFFER_FILES);
	else if (strchr(word, '|'))
		sf_offer_list(typed, word);
}

static void sf_offer_last(const struct sf_place *place, const char *word)
{
	struct sf_typed typed = sf_typed_word(word);
	const struct argp_option *option = place->option;
	const char *equals = strchr(word, '=');

	if (option) {
		sf_offer_argument(option, &typed);
		return;
	}
	if (!place->only_args && !strncmp(word, "--", 2) && equals) {
		option = sf_long_option(place->verb, word + 2,
					equals - word - 2);
		typed.rest = equals + 1;
		typed.head_len = typed.rest - word;
		if (option && option->arg)
			sf_offer_argument(option, &typed);
		return;
	}
	if (!place->only_args && word[0] == '-')
		sf_offer_options(place->verb, word);
	else if (place->verb->usage->takes_command)
		puts(SF_OFFER_COMMAND);
	else
		sf_offer_arg(place->verb->usage, place->arg_count, &typed);
}

static void sf_offer_verbs(const struct sf_verbs *verbs, const char *word,
			   bool help)
{
	struct sf_typed typed = sf_typed_word(word);
	size_t i;

	for (i = 0; i < verbs->count; i++)
		sf_offer(&typed, "%s", verbs->verbs[i].name);
	if (!help)
		sf_offer(&typed, "help");
}

/* Options before the command are show's, which is the command if there is none. */
static int sf_find_command(int count, char **words, struct sf_place *place)
{
	int i;

	for (i = 0; i < count - 1; i++) {
		if (!place->option && words[i][0] != '-')
			return i;
		sf_place_pass(place, words[i]);
	}
	return -1;
}

static void sf_complete_command(const struct sf_verbs *verbs, int count,
				char **words)
{
	struct sf_place place = { .verb = sf_verbs_find(verbs, words[0]) };
	int i;

	if (!place.verb) {
		if (!strcmp(words[0], "help") && count == 2)
			sf_offer_verbs(verbs, words[1], true);
		return;
	}
	for (i = 1; i < count - 1 && !place.in_command; i++)
		sf_place_pass(&place, words[i]);
	if (place.in_command)
		puts(SF_OFFER_COMMAND);
	else
		sf_offer_last(&place, words[count - 1]);
}

/**
 * sf_complete - print what may stand in place of the last word, one a line
 * @verbs: all commands
 * @count: number of @words
 * @words: the command line without the program's name; the last may be empty
 *
 * Return: exit code of the utility.
 */
int sf_complete(const struct sf_verbs *verbs, int count, char **words)
{
	struct sf_place place = { .verb = sf_verbs_find(verbs, "show") };
	int at = sf_find_command(count, words, &place);

	if (count && at >= 0)
		sf_complete_command(verbs, count - at, words + at);
	else if (count && (place.option || words[count - 1][0] == '-'))
		sf_offer_last(&place, words[count - 1]);
	else if (count)
		sf_offer_verbs(verbs, words[count - 1], false);
	return fflush(stdout) ? SF_FAILED : SF_OK;
}
