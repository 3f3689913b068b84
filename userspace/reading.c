// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "info.h"
#include "machine.h"
#include "reading.h"
#include "text.h"

static const char *const sf_fact_names[SF_NR_FACTS] = {
	[SF_FACT_LAYOUT] = "sched domains",
	[SF_FACT_HOOKS] = "hooks",
	[SF_FACT_FEATURES] = "sched features",
};

/* Each of them makes one fact: words, each with a blank behind it. */
static void sf_print_layout(const struct sf_state *state, FILE *to)
{
	size_t i;

	for (i = 0; i < state->count; i++)
		fprintf(to, "cpu%llu/domain%llu:%s(level%llu):%s ",
			(unsigned long long)state->domains[i].cpu,
			(unsigned long long)state->domains[i].domain,
			state->domains[i].name,
			(unsigned long long)state->domains[i].level,
			state->domains[i].span);
}

static void sf_print_hooks(const struct sf_info *info, FILE *to)
{
	size_t i;

	for (i = 0; i < info->hook_count; i++)
		fprintf(to, "%s:%s ", info->hooks[i].hook,
			info->hooks[i].state);
}

static bool sf_is_word(const char *text, size_t len, const char *word)
{
	return strlen(word) == len && !strncmp(text, word, len);
}

/*
 * The policies themselves hold NI_RANDOM off, so what counts is the user's own,
 * which the module knows.
 */
static void sf_print_features(const char *features, const struct sf_info *info,
			      FILE *to)
{
	size_t len;

	fprintf(to, "NI_RANDOM:%s ", info->ni_random);
	for (; features && *features; features += strspn(features, " ")) {
		len = strcspn(features, " ");
		if (!sf_is_word(features, len, "NI_RANDOM") &&
		    !sf_is_word(features, len, "NO_NI_RANDOM"))
			fprintf(to, "%.*s ", (int)len, features);
		features += len;
	}
}

static FILE *sf_fact_open(struct sf_reading *reading, enum sf_fact fact)
{
	static size_t size;

	return open_memstream(&reading->facts[fact], &size);
}

static int sf_reading_print(struct sf_reading *reading,
			    const struct sf_info *info, struct sf_error *err)
{
	FILE *to[SF_NR_FACTS];
	bool failed = false;
	size_t i;

	for (i = 0; i < SF_NR_FACTS; i++) {
		to[i] = sf_fact_open(reading, i);
		failed |= !to[i];
	}
	if (!failed) {
		sf_print_layout(&reading->state, to[SF_FACT_LAYOUT]);
		sf_print_hooks(info, to[SF_FACT_HOOKS]);
		sf_print_features(reading->features, info,
				  to[SF_FACT_FEATURES]);
	}
	for (i = 0; i < SF_NR_FACTS; i++)
		failed |= to[i] && fclose(to[i]);
	return failed ? sf_fail(err, SF_FAILED, "out of memory") : SF_OK;
}

/**
 * sf_reading_take - read it all
 * @reading: set; to be freed also after an error
 * @err: says what was wrong
 *
 * Return: SF_OK or why not.
 */
int sf_reading_take(struct sf_reading *reading, struct sf_error *err)
{
	struct sf_info info;

	memset(reading, 0, sizeof(*reading));
	if (sf_state_read(&reading->state, err))
		return err->code;
	sf_counters_take(&reading->state, &reading->counters);
	reading->features = sf_machine_features();
	if (sf_info_read(&info, err))
		return err->code;
	return sf_reading_print(reading, &info, err);
}

/**
 * sf_reading_free - free what a reading holds
 * @reading: from sf_reading_take(), or all zeroes; is empty then
 */
void sf_reading_free(struct sf_reading *reading)
{
	size_t i;

	sf_state_free(&reading->state);
	free(reading->features);
	for (i = 0; i < SF_NR_FACTS; i++)
		free(reading->facts[i]);
	memset(reading, 0, sizeof(*reading));
}

/* What all domains have, or "mixed". */
static const char *sf_common_word(const struct sf_state *state, size_t offset)
{
	const char *word = "none", *other;
	size_t i;

	for (i = 0; i < state->count; i++) {
		other = *(
			const char *const *)((const char *)&state->domains[i] +
					     offset);
		if (i && strcmp(word, other))
			return "mixed";
		word = other;
	}
	return word;
}

/**
 * sf_reading_words - the policies in force, in words
 * @reading: from sf_reading_take()
 *
 * Return: as the module's policy file has them; to be freed. NULL if they do not fit in
 * memory.
 */
char *sf_reading_words(const struct sf_reading *reading)
{
	static const enum sf_kind_id ids[] = { SF_KIND_NEWIDLE, SF_KIND_START,
					       SF_KIND_SLOWPATH, SF_KIND_BURST,
					       SF_KIND_COST };
	char words[SF_POLICY_SIZE] = "";
	size_t i;

	for (i = 0; i < SF_ARRAY_SIZE(ids); i++)
		sf_append_text(words, sizeof(words), "%s%s=%s", i ? " " : "",
			       sf_kinds[ids[i]].field,
			       sf_common_word(&reading->state,
					      sf_kinds[ids[i]].offset));
	return strdup(words);
}

/**
 * sf_reading_has - is a policy in force in all domains?
 * @reading: from sf_reading_take()
 * @policy: all kinds of it
 * @found: if not, set to what the first that differs has instead
 * @size: of @found
 */
bool sf_reading_has(const struct sf_reading *reading,
		    const struct sf_policy *policy, char *found, size_t size)
{
	const struct sf_domain *domain = reading->state.domains;
	const struct sf_kind *kind;
	char value[64];
	size_t i;

	for (i = 0; i < reading->state.count; i++, domain++) {
		kind = sf_policy_differs(policy, domain, value, sizeof(value));
		if (!kind)
			continue;
		snprintf(found, size, "cpu%llu/domain%llu has %s=%s",
			 (unsigned long long)domain->cpu,
			 (unsigned long long)domain->domain, kind->field,
			 value);
		return false;
	}
	return true;
}

/* Cut the words off that two facts have in common. */
static void sf_skip_common(const char **one, const char **other)
{
	size_t len;

	for (;;) {
		len = strcspn(*one, " ");
		if (!**one || strcspn(*other, " ") != len ||
		    strncmp(*one, *other, len))
			return;
		*one += len + 1;
		*other += len + 1;
	}
}

/**
 * sf_reading_changed - has anything changed that must not?
 * @before: read first
 * @after: read later
 * @what: if so, set to what it is
 * @size: of @what
 */
bool sf_reading_changed(const struct sf_reading *before,
			const struct sf_reading *after, char *what, size_t size)
{
	const char *was, *is;
	size_t i;

	for (i = 0; i < SF_NR_FACTS; i++) {
		was = before->facts[i];
		is = after->facts[i];
		if (!strcmp(was, is))
			continue;
		sf_skip_common(&was, &is);
		snprintf(what, size, "%s changed: \"%.*s\" became \"%.*s\"",
			 sf_fact_names[i], (int)strcspn(was, " "), was,
			 (int)strcspn(is, " "), is);
		return true;
	}
	return false;
}
