// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "nearest.h"
#include "output.h"
#include "settings.h"
#include "text.h"

#define SF_BLANKS " \t\r"

/**
 * struct sf_entry - a line as it is read
 * @setting: what it sets
 * @trips: and these
 * @hooks: the word behind hooks=, or NULL
 * @words: number of its words
 */
struct sf_entry {
	struct sf_setting setting;
	struct sf_trips trips;
	const char *hooks;
	size_t words;
};

static int sf_entry_once(const char **place, const char *name, char *value,
			 struct sf_error *err)
{
	if (*place)
		return sf_fail(err, SF_USAGE, "%s is given twice", name);
	*place = value;
	return SF_OK;
}

static int sf_entry_cpu(struct sf_entry *entry, char *value,
			struct sf_error *err)
{
	return sf_entry_once(&entry->setting.filter.cpu, "cpu", value, err);
}

static int sf_entry_domain(struct sf_entry *entry, char *value,
			   struct sf_error *err)
{
	return sf_entry_once(&entry->setting.filter.domain, "domain", value,
			     err);
}

static int sf_entry_trip(struct sf_entry *entry, char *value,
			 struct sf_error *err)
{
	return sf_trips_parse(value, &entry->trips, err);
}

static int sf_entry_hooks(struct sf_entry *entry, char *value,
			  struct sf_error *err)
{
	if (strcmp(value, "all") && strcmp(value, "newidle")) {
		sf_fail(err, SF_USAGE,
			"no hooks \"%.400s\"; known: newidle all", value);
		return sf_nearest_add(err, value, "newidle all");
	}
	return sf_entry_once(&entry->hooks, "hooks", value, err);
}

/* Words that are not of a policy; their values may have commas. */
static const struct sf_entry_word {
	const char *name;
	int (*take)(struct sf_entry *entry, char *value, struct sf_error *err);
} sf_entry_words[] = {
	{ "cpu", sf_entry_cpu },
	{ "domain", sf_entry_domain },
	{ "trip", sf_entry_trip },
	{ "hooks", sf_entry_hooks },
};

static void sf_list_entry_words(const char *ending, char *known, size_t size)
{
	size_t i;

	for (i = 0; i < SF_ARRAY_SIZE(sf_entry_words); i++)
		sf_append_text(known, size, " %s%s", sf_entry_words[i].name,
			       ending);
}

static bool sf_is_entry_word(const char *name)
{
	size_t i;

	for (i = 0; i < SF_ARRAY_SIZE(sf_entry_words); i++)
		if (!strcmp(sf_entry_words[i].name, name))
			return true;
	return false;
}

static bool sf_is_kind(const char *name)
{
	size_t i;

	for (i = 0; i < SF_NR_KINDS; i++)
		if (!strcmp(sf_kinds[i].name, name))
			return true;
	return false;
}

/* @name: is no kind, and near none. */
static void sf_add_entry_words(const char *name, struct sf_error *err)
{
	char known[64] = "", shown[64] = "";

	if (sf_is_entry_word(name)) {
		sf_append_text(err->message, sizeof(err->message),
			       "; %s= is a word of its own, between blanks",
			       name);
		return;
	}
	sf_list_entry_words("=", shown, sizeof(shown));
	sf_append_text(err->message, sizeof(err->message), "; and%s", shown);
	sf_list_entry_words("", known, sizeof(known));
	sf_nearest_add(err, name, known);
}

/* @words: KIND=VALUE,... that was refused; the first that is no kind is what was. */
static void sf_add_hint(const char *words, struct sf_error *err)
{
	char *copy, *rest, *word;

	if (strncmp(err->message, "no kind ", strlen("no kind ")) ||
	    strstr(err->message, "; did you mean "))
		return;
	copy = strdup(words);
	rest = copy;
	while ((word = strsep(&rest, ","))) {
		word[strcspn(word, "=")] = '\0';
		if (sf_is_kind(word))
			continue;
		sf_add_entry_words(word, err);
		break;
	}
	free(copy);
}

static int sf_parse_entry_word(struct sf_entry *entry, char *word,
			       struct sf_error *err)
{
	size_t i, len = strcspn(word, "=");

	entry->words++;
	for (i = 0; word[len] && i < SF_ARRAY_SIZE(sf_entry_words); i++)
		if (strlen(sf_entry_words[i].name) == len &&
		    !strncmp(sf_entry_words[i].name, word, len))
			return sf_entry_words[i].take(entry, word + len + 1,
						      err);
	if (sf_policy_parse(word, &entry->setting.policy, err) == SF_USAGE)
		sf_add_hint(word, err);
	return err->code;
}

static int sf_check_entry(struct sf_entry *entry, struct sf_error *err)
{
	struct sf_setting *setting = &entry->setting;
	bool filtered = setting->filter.cpu || setting->filter.domain;

	if (entry->hooks && entry->words > 1)
		return sf_fail(err, SF_USAGE,
			       "hooks=%s needs a line of its own",
			       entry->hooks);
	if (filtered && !sf_policy_given(&setting->policy))
		return sf_fail(
			err, SF_USAGE,
			"cpu and domain say where, but not what; add KIND=VALUE, such as newidle=jitter%s",
			sf_trips_given(&entry->trips) ?
				" (tripwires are the machine's)" :
				"");
	sf_policy_complete(&setting->policy);
	return sf_filter_parse(&setting->filter, err);
}

static int sf_settings_append(struct sf_settings *settings,
			      const struct sf_setting *setting,
			      struct sf_error *err)
{
	size_t count = settings->count;
	struct sf_setting *lines = settings->lines;

	/* Double at each power of two. */
	if (!(count & (count - 1))) {
		lines = reallocarray(lines, count ? 2 * count : 1,
				     sizeof(*lines));
		if (!lines)
			return sf_fail(err, SF_FAILED, "out of memory");
		settings->lines = lines;
	}
	lines[settings->count++] = *setting;
	return SF_OK;
}

/* A comment begins a line, or stands behind a blank. */
static void sf_cut_comment(char *line)
{
	char *at = line;

	while ((at = strchr(at, '#'))) {
		if (at == line || strchr(SF_BLANKS, at[-1])) {
			*at = '\0';
			return;
		}
		at++;
	}
}

static int sf_parse_entry(struct sf_settings *settings, char *line,
			  size_t number, struct sf_error *err)
{
	struct sf_entry entry = { .setting.number = number };
	char *word, *rest;

	sf_cut_comment(line);
	for (word = strtok_r(line, SF_BLANKS, &rest); word;
	     word = strtok_r(NULL, SF_BLANKS, &rest))
		if (sf_parse_entry_word(&entry, word, err))
			return err->code;
	if (!entry.words || sf_check_entry(&entry, err))
		return err->code;
	sf_trips_merge(&settings->trips, &entry.trips);
	if (entry.hooks)
		settings->hooks_all = !strcmp(entry.hooks, "all");
	if (!sf_policy_given(&entry.setting.policy))
		return SF_OK;
	return sf_settings_append(settings, &entry.setting, err);
}

/**
 * struct sf_complaint - what is wrong with a file
 * @first: of it
 * @more: lines of the others
 * @count: number of lines that are wrong
 * @all: each of them
 */
struct sf_complaint {
	struct sf_error first;
	char more[128];
	size_t count;
	json_t *all;
};

static void sf_complain(struct sf_complaint *complaint,
			const struct sf_settings *settings, size_t number,
			struct sf_error *err)
{
	sf_clean_text(err->message);
	json_array_append_new(complaint->all,
			      json_pack("{s:s, s:I, s:o}", "file",
					settings->name, "line",
					(json_int_t)number, "message",
					sf_json_text(err->message)));
	if (complaint->count++)
		sf_append_text(complaint->more, sizeof(complaint->more), " %zu",
			       number);
	else
		sf_settings_blame(settings, number, err);
	if (complaint->count == 1)
		complaint->first = *err;
	err->code = SF_OK;
}

static int sf_report_complaint(const struct sf_complaint *complaint,
			       struct sf_error *err)
{
	if (!complaint->count)
		return SF_OK;
	*err = complaint->first;
	if (complaint->count > 1)
		sf_append_text(err->message, sizeof(err->message),
			       "; wrong lines besides:%s", complaint->more);
	return err->code;
}

/**
 * sf_settings_parse - read the text of a configuration
 * @name: of its file, for the user; must outlive @settings
 * @text: becomes @settings', and is cut up; with a NUL behind it
 * @size: of @text, without that
 * @settings: set to it; to be freed also after an error
 * @errors: gets each line that is wrong
 * @err: says the first of them, and the numbers of the others
 *
 * Return: SF_OK, SF_USAGE, or SF_FAILED if out of memory.
 */
int sf_settings_parse(const char *name, char *text, size_t size,
		      struct sf_settings *settings, json_t *errors,
		      struct sf_error *err)
{
	struct sf_complaint complaint = { .all = errors };
	size_t number = 1;
	char *line, *rest = text;

	memset(settings, 0, sizeof(*settings));
	settings->name = name;
	settings->text = text;
	if (strlen(text) != size)
		return sf_fail(err, SF_USAGE,
			       "%.400s has a byte of 0, so it is no text",
			       name);
	for (; (line = strsep(&rest, "\n")); number++)
		if (sf_parse_entry(settings, line, number, err))
			sf_complain(&complaint, settings, number, err);
	return sf_report_complaint(&complaint, err);
}
