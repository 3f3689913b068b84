// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "info.h"
#include "kernel.h"
#include "text.h"

/**
 * struct sf_key - where the value of a key goes
 * @name: of the key
 * @text: for a word, or NULL
 * @size: of @text
 * @number: for a number, or NULL
 */
struct sf_key {
	const char *name;
	char *text;
	size_t size;
	u64 *number;
};

static bool sf_key_store(const struct sf_key *key, char *value)
{
	if (key->number)
		return sf_parse_number(value, key->number);
	sf_clean_text(value);
	return (size_t)snprintf(key->text, key->size, "%s", value) < key->size;
}

/* Keys we do not know are skipped, as a later module may add some. */
static int sf_parse_keys(const char *file, char *line,
			 const struct sf_key *keys, size_t count,
			 struct sf_error *err)
{
	unsigned int seen = 0;
	char *word, *value;
	size_t i;

	while ((word = strsep(&line, " "))) {
		value = strchr(word, '=');
		if (value)
			*value++ = '\0';
		for (i = 0; value && i < count; i++) {
			if (strcmp(keys[i].name, word))
				continue;
			if (!sf_key_store(&keys[i], value))
				return sf_fail(
					err, SF_FAILED,
					"the module's %s are not of ABI 1: bad %s",
					file, word);
			seen |= 1u << i;
		}
	}
	for (i = 0; i < count; i++)
		if (!(seen & 1u << i))
			return sf_fail(
				err, SF_FAILED,
				"the module's %s are not of ABI 1: %s is missing",
				file, keys[i].name);
	return SF_OK;
}

/**
 * sf_info_parse_features - read the text of the features file
 * @text: is cut up
 * @info: @ni_random and @held are set
 * @err: says what was wrong
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_info_parse_features(char *text, struct sf_info *info,
			   struct sf_error *err)
{
	const struct sf_key keys[] = {
		{ "NI_RANDOM", info->ni_random, sizeof(info->ni_random), NULL },
		{ "held", NULL, 0, &info->held },
	};

	text[strcspn(text, "\n")] = '\0';
	return sf_parse_keys("features", text, keys, SF_ARRAY_SIZE(keys), err);
}

static int sf_info_parse_hook(char *line, struct sf_hook *hook,
			      struct sf_error *err)
{
	const struct sf_key keys[] = {
		{ "hook", hook->hook, sizeof(hook->hook), NULL },
		{ "group", hook->group, sizeof(hook->group), NULL },
		{ "symbol", hook->symbol, sizeof(hook->symbol), NULL },
		{ "state", hook->state, sizeof(hook->state), NULL },
		{ "calls", NULL, 0, &hook->calls },
		{ "ns", NULL, 0, &hook->ns },
	};

	return sf_parse_keys("hooks", line, keys, SF_ARRAY_SIZE(keys), err);
}

/**
 * sf_info_parse_hooks - read the text of the hooks file
 * @text: is cut up
 * @info: @hooks and @hook_count are set
 * @err: says what was wrong
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_info_parse_hooks(char *text, struct sf_info *info, struct sf_error *err)
{
	char *line;

	info->hook_count = 0;
	while ((line = sf_next_line(&text))) {
		if (info->hook_count == SF_MAX_HOOKS)
			return sf_fail(err, SF_FAILED,
				       "the module has more than %d hooks",
				       SF_MAX_HOOKS);
		if (sf_info_parse_hook(line, &info->hooks[info->hook_count++],
				       err))
			return err->code;
	}
	return SF_OK;
}

/**
 * sf_info_find_hook - look a hook up
 * @info: @hooks and @hook_count are set
 * @name: of the hook
 *
 * Return: the hook, or NULL if the module has none of this name.
 */
const struct sf_hook *sf_info_find_hook(const struct sf_info *info,
					const char *name)
{
	size_t i;

	for (i = 0; i < info->hook_count; i++)
		if (!strcmp(info->hooks[i].hook, name))
			return &info->hooks[i];
	return NULL;
}

static int sf_info_read_file(const char *name,
			     int (*parse)(char *text, struct sf_info *info,
					  struct sf_error *err),
			     struct sf_info *info, struct sf_error *err)
{
	char *text;
	int code = sf_kernel_read_debugfs(name, &text, err);

	if (code)
		return code;
	code = parse(text, info, err);
	free(text);
	return code;
}

static int sf_info_parse_version(char *text, struct sf_info *info,
				 struct sf_error *err)
{
	(void)err;
	text[strcspn(text, "\n")] = '\0';
	sf_clean_text(text);
	snprintf(info->version, sizeof(info->version), "%s", text);
	return SF_OK;
}

/**
 * sf_info_read_hooks - read what is patched
 * @info: @hooks and @hook_count are set
 * @err: says what was wrong
 *
 * Return: SF_OK or why not.
 */
int sf_info_read_hooks(struct sf_info *info, struct sf_error *err)
{
	return sf_info_read_file("hooks", sf_info_parse_hooks, info, err);
}

/**
 * sf_info_read_features - read who holds NI_RANDOM
 * @info: @ni_random and @held are set
 * @err: says what was wrong
 *
 * Return: SF_OK or why not.
 */
int sf_info_read_features(struct sf_info *info, struct sf_error *err)
{
	return sf_info_read_file("features", sf_info_parse_features, info, err);
}

/**
 * sf_info_read - read all that the module says about itself
 * @info: set to it
 * @err: says what was wrong
 *
 * Return: SF_OK or why not.
 */
int sf_info_read(struct sf_info *info, struct sf_error *err)
{
	memset(info, 0, sizeof(*info));
	if (sf_info_read_file("version", sf_info_parse_version, info, err) ||
	    sf_info_read_hooks(info, err))
		return err->code;
	return sf_info_read_features(info, err);
}
