// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "output.h"
#include "reading.h"
#include "snapshot.h"
#include "text.h"

/* Its calls are writes to sched/features. */
#define SF_HOOK_FEATURES "features"

static const struct {
	const char *name;
	const char *remedy;
} sf_fact_words[SF_NR_FACTS] = {
	[SF_FACT_LAYOUT] = {
		"sched domains",
		"leave CPUs online and cpusets alone, and run again",
	},
	[SF_FACT_HOOKS] = {
		"hooks",
		"load the module again, leave it alone, and run again",
	},
	[SF_FACT_FEATURES] = {
		"sched features",
		"set it back, and run again",
	},
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

static int sf_reading_print(struct sf_reading *reading, struct sf_error *err)
{
	const struct sf_info *info = &reading->info;
	size_t sizes[SF_NR_FACTS];
	FILE *to[SF_NR_FACTS];
	bool failed = false;
	size_t i;

	for (i = 0; i < SF_NR_FACTS; i++) {
		to[i] = open_memstream(&reading->facts[i], &sizes[i]);
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
	memset(reading, 0, sizeof(*reading));
	if (sf_state_read(&reading->state, err))
		return err->code;
	sf_counters_take(&reading->state, &reading->counters);
	reading->features = sf_machine_features();
	if (sf_info_read(&reading->info, err))
		return err->code;
	return sf_reading_print(reading, err);
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

static bool sf_is_same_value(const struct sf_value *one,
			     const struct sf_value *other)
{
	if (one->given != other->given || !one->word != !other->word)
		return false;
	return one->word ? !strcmp(one->word, other->word) :
			   one->number == other->number;
}

/* What all domains have been set to, or "mixed". */
static void sf_find_common(const struct sf_state *state,
			   struct sf_policy *common)
{
	static const struct sf_value mixed = { true, "mixed", 0 };
	struct sf_policy policy;
	size_t i, kind;

	memset(common, 0, sizeof(*common));
	for (i = 0; i < state->count; i++) {
		sf_snapshot_policy(&state->domains[i], &policy);
		if (!i)
			*common = policy;
		for (kind = 0; kind < SF_NR_KINDS; kind++)
			if (!sf_is_same_value(&common->values[kind],
					      &policy.values[kind]))
				common->values[kind] = mixed;
	}
}

/**
 * sf_reading_words - the policies in force, in words
 * @reading: from sf_reading_take()
 *
 * Return: each kind that can be read back, as the module takes it, or "mixed" where
 * domains differ; to be freed. NULL if it does not fit in memory.
 */
char *sf_reading_words(const struct sf_reading *reading)
{
	char words[SF_POLICY_SIZE];
	struct sf_policy common;

	sf_find_common(&reading->state, &common);
	common.values[SF_KIND_LEARN].given = false;
	sf_policy_format(&common, words, sizeof(words));
	return strdup(words);
}

/**
 * sf_reading_hook_calls - how often the hooks were called
 * @before: read first
 * @after: read later
 *
 * Return: an object of numbers by hook, null for one that was loaded anew; to be freed.
 * NULL if it does not fit in memory.
 */
json_t *sf_reading_hook_calls(const struct sf_reading *before,
			      const struct sf_reading *after)
{
	json_t *object = json_object(), *calls;
	const struct sf_hook *is, *was;
	size_t i;

	for (i = 0; i < after->info.hook_count; i++) {
		is = &after->info.hooks[i];
		was = sf_info_find_hook(&before->info, is->hook);
		calls = was && was->calls <= is->calls ?
				sf_json_number(is->calls - was->calls) :
				json_null();
		if (json_object_set_new(object, is->hook, calls))
			goto out_free;
	}
	return object;
out_free:
	json_decref(object);
	return NULL;
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
 * @what: if so, set to what it is, and what to do
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
		snprintf(what, size, "%s changed: \"%.*s\" became \"%.*s\"; %s",
			 sf_fact_words[i].name, (int)strcspn(was, " "), was,
			 (int)strcspn(is, " "), is, sf_fact_words[i].remedy);
		return true;
	}
	return false;
}

/**
 * sf_reading_meddled - has somebody set what may be as before by now?
 * @before: read first
 * @after: read later, of the same domains and hooks
 * @what: if so, set to what somebody did
 * @size: of @what
 *
 * What is set and set back leaves its trace in what the module counts.
 */
bool sf_reading_meddled(const struct sf_reading *before,
			const struct sf_reading *after, char *what, size_t size)
{
	const struct sf_hook *was =
		sf_info_find_hook(&before->info, SF_HOOK_FEATURES);
	const struct sf_hook *is =
		sf_info_find_hook(&after->info, SF_HOOK_FEATURES);
	const struct sf_domain *domain = after->state.domains;
	size_t i;

	for (i = 0; i < after->state.count; i++, domain++) {
		if (domain->changes == before->state.domains[i].changes)
			continue;
		snprintf(
			what, size,
			"somebody set policies: of cpu%llu/domain%llu, and maybe others; leave them alone, and run again",
			(unsigned long long)domain->cpu,
			(unsigned long long)domain->domain);
		return true;
	}
	if (!was || !is || was->calls == is->calls)
		return false;
	snprintf(
		what, size,
		"somebody wrote to sched/features; leave it alone, and run again");
	return true;
}
