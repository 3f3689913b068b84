// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "policy.h"
#include "text.h"

static int sf_parse_name(const char *kind, const char *value,
			 const struct sf_name *names, size_t count,
			 const char **name, struct sf_error *err)
{
	char known[256];

	*name = sf_find_name(names, count, value);
	if (*name)
		return SF_OK;
	sf_list_names(names, count, known, sizeof(known));
	return sf_fail(err, SF_USAGE, "no %s; known: %s", kind, known);
}

static int sf_parse_newidle(const char *value, struct sf_policy *policy,
			    struct sf_error *err)
{
	char kind[512] = "";

	sf_append_text(kind, sizeof(kind), "policy \"%s\" for newidle", value);
	return sf_parse_name(kind, value, sf_newidle_names, SF_NR_NEWIDLE,
			     &policy->newidle, err);
}

static int sf_parse_start(const char *value, struct sf_policy *policy,
			  struct sf_error *err)
{
	char kind[512] = "";

	sf_append_text(kind, sizeof(kind), "start \"%s\"", value);
	return sf_parse_name(kind, value, sf_start_names, SF_NR_START,
			     &policy->start, err);
}

static int sf_parse_ratio(const char *value, struct sf_policy *policy,
			  struct sf_error *err)
{
	u64 ratio = 0;

	if (!strcmp(value, "learned")) {
		policy->ratio_change = SF_RATIO_LEARN;
		return SF_OK;
	}
	if (!sf_parse_number(value, &ratio) || ratio > SF_CELL)
		return sf_fail(err, SF_USAGE,
			       "no ratio \"%s\"; allowed: 0 to %u, or learned",
			       value, SF_CELL);
	policy->ratio_change = SF_RATIO_PIN;
	policy->ratio = ratio;
	return SF_OK;
}

static int sf_parse_window_pos(const char *value, struct sf_policy *policy,
			       struct sf_error *err)
{
	u64 pos = 0;

	if (!sf_parse_number(value, &pos) || pos >= SF_CELL)
		return sf_fail(err, SF_USAGE,
			       "no window_pos \"%s\"; allowed: 0 to %u", value,
			       SF_CELL - 1);
	policy->has_window_pos = true;
	policy->window_pos = pos;
	return SF_OK;
}

static const struct sf_kind {
	const char *name;
	int (*parse)(const char *value, struct sf_policy *policy,
		     struct sf_error *err);
} sf_kinds[] = {
	{ "newidle", sf_parse_newidle },
	{ "start", sf_parse_start },
	{ "ratio", sf_parse_ratio },
	{ "window_pos", sf_parse_window_pos },
};

static int sf_unknown_kind(const char *name, struct sf_error *err)
{
	char known[256] = "";
	size_t i;

	for (i = 0; i < SF_ARRAY_SIZE(sf_kinds); i++)
		sf_append_text(known, sizeof(known), " %s", sf_kinds[i].name);
	return sf_fail(err, SF_USAGE, "no kind \"%s\"; known:%s", name, known);
}

/* @given: bit i is set once a word of sf_kinds[i] was read. */
static int sf_parse_word(char *word, struct sf_policy *policy,
			 unsigned int *given, struct sf_error *err)
{
	char *value = strchr(word, '=');
	size_t i;

	if (!value)
		return sf_fail(
			err, SF_USAGE,
			"\"%s\" is not KIND=POLICY, such as newidle=jitter",
			word);
	*value++ = '\0';
	for (i = 0; i < SF_ARRAY_SIZE(sf_kinds); i++) {
		if (strcmp(sf_kinds[i].name, word))
			continue;
		if (*given & 1u << i)
			return sf_fail(err, SF_USAGE, "%s is given twice",
				       word);
		*given |= 1u << i;
		return sf_kinds[i].parse(value, policy, err);
	}
	return sf_unknown_kind(word, err);
}

/**
 * sf_policy_parse - read the argument of set
 * @text: such as "newidle=jitter,start=stagger"
 * @policy: set to what it asks for
 * @err: says what was wrong and what is allowed
 *
 * Return: SF_OK or SF_USAGE.
 */
int sf_policy_parse(const char *text, struct sf_policy *policy,
		    struct sf_error *err)
{
	char *copy = strdup(text), *rest = copy, *word;
	unsigned int given = 0;
	int code = SF_OK;

	memset(policy, 0, sizeof(*policy));
	if (!copy)
		return sf_fail(err, SF_FAILED, "out of memory");
	while (!code && (word = strsep(&rest, ",")))
		code = sf_parse_word(word, policy, &given, err);
	free(copy);
	if (!code && policy->start && policy->has_window_pos)
		return sf_fail(
			err, SF_USAGE,
			"start and window_pos exclude each other; give one of them");
	return code;
}

/**
 * sf_policy_format - print a policy as the module takes it
 * @policy: from sf_policy_parse()
 * @buf: for the words, separated by blanks; 128 bytes are enough
 * @size: of @buf
 */
void sf_policy_format(const struct sf_policy *policy, char *buf, size_t size)
{
	buf[0] = '\0';
	if (policy->newidle)
		sf_append_text(buf, size, " newidle=%s", policy->newidle);
	if (policy->start)
		sf_append_text(buf, size, " start=%s", policy->start);
	if (policy->ratio_change == SF_RATIO_PIN)
		sf_append_text(buf, size, " ratio=%u", policy->ratio);
	if (policy->ratio_change == SF_RATIO_LEARN)
		sf_append_text(buf, size, " ratio=learned");
	if (policy->has_window_pos)
		sf_append_text(buf, size, " window_pos=%u", policy->window_pos);
	memmove(buf, buf + 1, strlen(buf));
}
