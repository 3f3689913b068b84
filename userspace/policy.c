// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "nearest.h"
#include "policy.h"
#include "text.h"

static int sf_unknown_kind(const char *name, struct sf_error *err)
{
	char known[256] = "";
	size_t i;

	for (i = 0; i < SF_NR_KINDS; i++)
		sf_append_text(known, sizeof(known), " %s", sf_kinds[i].name);
	sf_fail(err, SF_USAGE, "no kind \"%.400s\"; known:%s", name, known);
	return sf_nearest_add(err, name, known);
}

static int sf_parse_word(char *word, struct sf_policy *policy,
			 struct sf_error *err)
{
	char *value = strchr(word, '=');
	size_t i;

	if (!value)
		return sf_fail(
			err, SF_USAGE,
			"\"%s\" is not KIND=VALUE, such as newidle=jitter",
			word);
	*value++ = '\0';
	for (i = 0; i < SF_NR_KINDS; i++) {
		if (strcmp(sf_kinds[i].name, word))
			continue;
		if (policy->values[i].given)
			return sf_fail(err, SF_USAGE, "%s is given twice",
				       word);
		policy->values[i].given = true;
		return sf_kinds[i].parse(&sf_kinds[i], value,
					 &policy->values[i], err);
	}
	return sf_unknown_kind(word, err);
}

/**
 * sf_policy_parse - read an argument of set
 * @text: such as "newidle=jitter,start=stagger"
 * @policy: gets what it asks for; what earlier arguments asked for stays, so it
 *	begins as all zeroes
 * @err: says what was wrong and what is allowed
 *
 * Return: SF_OK, SF_USAGE, or SF_FAILED if out of memory.
 */
int sf_policy_parse(const char *text, struct sf_policy *policy,
		    struct sf_error *err)
{
	char *copy = strdup(text), *rest = copy, *word;
	int code = SF_OK;

	if (!copy)
		return sf_fail(err, SF_FAILED, "out of memory");
	while (!code && (word = strsep(&rest, ",")))
		code = sf_parse_word(word, policy, err);
	free(copy);
	if (!code && policy->values[SF_KIND_START].given &&
	    policy->values[SF_KIND_WINDOW_POS].given)
		return sf_fail(
			err, SF_USAGE,
			"start and window_pos exclude each other; give one of them");
	return code;
}

/**
 * sf_policy_given - does it ask for anything?
 * @policy: from sf_policy_parse()
 */
bool sf_policy_given(const struct sf_policy *policy)
{
	size_t i;

	for (i = 0; i < SF_NR_KINDS; i++)
		if (policy->values[i].given)
			return true;
	return false;
}

/**
 * sf_policy_complete - say what the module would add by itself
 * @policy: from sf_policy_parse(), of all arguments
 *
 * A newidle policy starts its window at zero, unless it is told where to.
 */
void sf_policy_complete(struct sf_policy *policy)
{
	struct sf_value *start = &policy->values[SF_KIND_START];

	if (policy->values[SF_KIND_NEWIDLE].given && !start->given &&
	    !policy->values[SF_KIND_WINDOW_POS].given)
		*start = sf_kinds[SF_KIND_START].stock;
}

/**
 * sf_policy_stock - ask for stock in every kind
 * @policy: set to it
 */
void sf_policy_stock(struct sf_policy *policy)
{
	size_t i;

	for (i = 0; i < SF_NR_KINDS; i++)
		policy->values[i] = sf_kinds[i].stock;
}

/**
 * sf_policy_overlay - change what another policy asks for, and nothing else
 * @policy: to change
 * @over: from sf_policy_complete(); the kinds it gives replace those of @policy
 *
 * A position that is given takes the place of a start, and a start that of a position.
 */
void sf_policy_overlay(struct sf_policy *policy, const struct sf_policy *over)
{
	size_t i;

	for (i = 0; i < SF_NR_KINDS; i++)
		if (over->values[i].given)
			policy->values[i] = over->values[i];
	if (over->values[SF_KIND_WINDOW_POS].given)
		policy->values[SF_KIND_START].given = false;
	else if (over->values[SF_KIND_START].given)
		policy->values[SF_KIND_WINDOW_POS].given = false;
}

/**
 * sf_value_format - append a value as the module takes it
 * @value: that is given
 * @buf: for its word or number
 * @size: of @buf
 */
void sf_value_format(const struct sf_value *value, char *buf, size_t size)
{
	if (value->word)
		sf_append_text(buf, size, "%s", value->word);
	else
		sf_append_text(buf, size, "%llu",
			       (unsigned long long)value->number);
}

/**
 * sf_policy_format - print a policy as the module takes it
 * @policy: from sf_policy_parse()
 * @buf: for the words, separated by blanks; SF_POLICY_SIZE bytes are enough
 * @size: of @buf
 */
void sf_policy_format(const struct sf_policy *policy, char *buf, size_t size)
{
	const char *blank = "";
	size_t i;

	buf[0] = '\0';
	for (i = 0; i < SF_NR_KINDS; i++) {
		const struct sf_value *value = &policy->values[i];

		if (!value->given)
			continue;
		sf_append_text(buf, size, "%s%s=", blank, sf_kinds[i].name);
		sf_value_format(value, buf, size);
		blank = " ";
	}
}

/**
 * sf_policy_hooked - does a policy need a hook that may not be patched?
 * @policy: from sf_policy_parse()
 *
 * Return: the first kind that does; its value is a word. NULL if none does.
 */
const struct sf_kind *sf_policy_hooked(const struct sf_policy *policy)
{
	size_t i;

	for (i = 0; i < SF_NR_KINDS; i++)
		if (sf_kinds[i].hook && policy->values[i].given &&
		    strcmp(policy->values[i].word, sf_kinds[i].stock.word))
			return &sf_kinds[i];
	return NULL;
}

/* A position shows in start too. */
static struct sf_value sf_expected_start(const struct sf_policy *policy)
{
	static const struct sf_value by_position = { true, "set", 0 };

	if (policy->values[SF_KIND_WINDOW_POS].given)
		return by_position;
	return policy->values[SF_KIND_START];
}

/**
 * sf_policy_next_difference - what else of a policy is not in force in a domain?
 * @policy: after sf_policy_complete()
 * @domain: as read back
 * @after: the difference that was found last, or NULL
 * @wanted: set to what the domain should have
 * @found: set to what the domain has instead
 * @size: of @found
 *
 * Return: the next kind that differs, or NULL.
 */
const struct sf_kind *sf_policy_next_difference(const struct sf_policy *policy,
						const struct sf_domain *domain,
						const struct sf_kind *after,
						struct sf_value *wanted,
						char *found, size_t size)
{
	size_t i;

	for (i = after ? after - sf_kinds + 1 : 0; i < SF_NR_KINDS; i++) {
		const struct sf_kind *kind = &sf_kinds[i];

		found[0] = '\0';
		*wanted = i == SF_KIND_START ? sf_expected_start(policy) :
					       policy->values[i];
		if (kind->differs && wanted->given &&
		    kind->differs(kind, wanted, domain, found, size))
			return kind;
	}
	return NULL;
}

/**
 * sf_policy_differs - is a policy in force in a domain?
 * @policy: after sf_policy_complete()
 * @domain: as read back
 * @found: set to what the domain has instead
 * @size: of @found
 *
 * Return: the first kind that differs, or NULL.
 */
const struct sf_kind *sf_policy_differs(const struct sf_policy *policy,
					const struct sf_domain *domain,
					char *found, size_t size)
{
	struct sf_value wanted;

	return sf_policy_next_difference(policy, domain, NULL, &wanted, found,
					 size);
}
