// SPDX-License-Identifier: GPL-2.0-or-later
/* What is typed on the last line of watch. */
#include <stdio.h>
#include <string.h>

#include "console.h"
#include "kind.h"
#include "text.h"

/* "NUMA", "0-3", or both in any order; nothing is all. */
static int sf_prompt_read_filter(const struct sf_console *console,
				 struct sf_filter *filter, char *cpu,
				 char *domain, struct sf_error *err)
{
	char copy[sizeof(console->typed)], *rest = copy, *word;

	memset(filter, 0, sizeof(*filter));
	snprintf(copy, sizeof(copy), "%s", console->typed);
	while ((word = strsep(&rest, " "))) {
		bool is_cpu = *word >= '0' && *word <= '9';

		if (!*word)
			continue;
		if (is_cpu ? filter->cpu : filter->domain)
			return sf_fail(
				err, SF_USAGE,
				"one list of CPUs and one domain at most, such as 0-3 NUMA");
		strcpy(is_cpu ? cpu : domain, word);
		*(is_cpu ? &filter->cpu : &filter->domain) =
			is_cpu ? cpu : domain;
	}
	return sf_filter_parse(filter, err);
}

static enum sf_act sf_prompt_filter(struct sf_console *console)
{
	char cpu[sizeof(console->typed)], domain[sizeof(console->typed)];
	struct sf_error err = { .code = SF_OK };
	struct sf_filter filter;

	if (sf_prompt_read_filter(console, &filter, cpu, domain, &err)) {
		sf_console_tell(console, SF_LOOK_BAD, "%s", err.message);
		return SF_ACT_NONE;
	}
	console->prompt = SF_PROMPT_NONE;
	console->filter = filter;
	if (filter.cpu)
		console->filter.cpu = strcpy(console->filter_cpu, cpu);
	if (filter.domain)
		console->filter.domain = strcpy(console->filter_domain, domain);
	return SF_ACT_FILTER;
}

static void sf_prompt_policy(struct sf_console *console)
{
	struct sf_error err = { .code = SF_OK };

	if (!*console->typed)
		console->prompt = SF_PROMPT_NONE;
	else if (sf_request_word(&console->request, console->typed, &err))
		sf_console_tell(console, SF_LOOK_BAD, "%s", err.message);
	else
		console->prompt = SF_PROMPT_CONFIRM;
}

/* The next name that begins with what was typed, or the next one of all. */
static void sf_prompt_complete(struct sf_console *console)
{
	const struct sf_kind *kind = &sf_kinds[SF_KIND_NEWIDLE];
	size_t len = strlen(console->typed), i;

	for (i = 0; i < kind->name_count; i++)
		if (!strcmp(kind->names[i].name, console->typed))
			break;
	if (i < kind->name_count)
		i = (i + 1) % kind->name_count;
	else
		for (i = 0; i < kind->name_count; i++)
			if (!strncmp(kind->names[i].name, console->typed, len))
				break;
	if (i < kind->name_count)
		snprintf(console->typed, sizeof(console->typed), "%s",
			 kind->names[i].name);
}

static void sf_prompt_type(struct sf_console *console, int key)
{
	size_t len = strlen(console->typed);

	if (key == SF_KEY_BACKSPACE && len)
		console->typed[len - 1] = '\0';
	if (key < ' ' || key > '~' || len + 1 >= sizeof(console->typed))
		return;
	console->typed[len] = key;
	console->typed[len + 1] = '\0';
}

/* Anything but y is no. */
static enum sf_act sf_prompt_confirm(struct sf_console *console, int key)
{
	console->prompt = SF_PROMPT_NONE;
	if (key == 'y')
		return SF_ACT_FLIP;
	sf_console_tell(console, SF_LOOK_PLAIN, "nothing was changed");
	return SF_ACT_NONE;
}

/**
 * sf_prompt_key - a key was pressed while something is being typed
 * @console: with a prompt
 * @key: a character, or enum sf_key
 *
 * Return: what is to be done.
 */
enum sf_act sf_prompt_key(struct sf_console *console, int key)
{
	if (console->prompt == SF_PROMPT_CONFIRM)
		return sf_prompt_confirm(console, key);
	if (key == SF_KEY_ESCAPE) {
		console->prompt = SF_PROMPT_NONE;
	} else if (key == SF_KEY_TAB && console->prompt == SF_PROMPT_POLICY) {
		sf_prompt_complete(console);
	} else if (key != SF_KEY_ENTER) {
		sf_prompt_type(console, key);
	} else if (console->prompt == SF_PROMPT_FILTER) {
		return sf_prompt_filter(console);
	} else {
		sf_prompt_policy(console);
	}
	return SF_ACT_NONE;
}

/**
 * sf_prompt_format - what is asked, and what was typed so far
 * @console: with a prompt
 * @buf: for the text
 * @size: of @buf
 */
void sf_prompt_format(const struct sf_console *console, char *buf, size_t size)
{
	const struct sf_kind *kind = &sf_kinds[SF_KIND_NEWIDLE];
	char text[sizeof(console->request) + 64];

	switch (console->prompt) {
	case SF_PROMPT_FILTER:
		snprintf(buf, size,
			 "Domain, CPUs or both, such as NUMA 0-3: %s_",
			 console->typed);
		break;
	case SF_PROMPT_POLICY:
		sf_list_names(kind->names, kind->name_count, text,
			      sizeof(text));
		snprintf(
			buf, size,
			"Policy of %s%s%s (%s, or words of set such as burst=idle): %s_",
			*console->request.domain ? console->request.domain :
						   "all domains",
			*console->request.cpu ? " on CPUs " : "",
			console->request.cpu, text, console->typed);
		break;
	default:
		sf_request_format(&console->request, text, sizeof(text));
		snprintf(buf, size, "%s - carry it out? y/n", text);
	}
}
