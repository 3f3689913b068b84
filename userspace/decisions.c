// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <schedflip/newidle.h>

#include "decisions.h"
#include "label.h"
#include "text.h"

/* Policies that decide by the ratio. */
static const char *const sf_ratio_policies[] = { "dice", "accumulator",
						 "jitter" };

/**
 * sf_decisions_policy - what the words of a policy stand for
 * @experiment: that has it
 * @index: of the policy
 * @policy: set; what the words do not name is at stock
 *
 * Return: whether they are words that this schedflip takes.
 */
bool sf_decisions_policy(const struct sf_experiment *experiment, size_t index,
			 struct sf_policy *policy)
{
	const char *words = experiment->policies[index];
	struct sf_policy given = { .values = { { false } } };
	struct sf_error ignored = { .code = SF_OK };

	sf_policy_stock(policy);
	if (!words)
		return false;
	if (!strcmp(words, "stock"))
		return true;
	if (sf_policy_parse(words, &given, &ignored))
		return false;
	sf_policy_overlay(policy, &given);
	return true;
}

/* A feature that is off has NO_ before its name. */
static bool sf_has_feature(const char *features, const char *name)
{
	size_t len = strlen(name);

	for (; *features; features += strcspn(features, " \n")) {
		features += strspn(features, " \n");
		if (!strncmp(features, name, len) &&
		    strchr(" \n", features[len]))
			return true;
	}
	return false;
}

/* Runs of a policy that count, or would in a whole block. */
static bool sf_is_run_of(const struct sf_run *run, size_t policy)
{
	return run->policy == policy && !run->invalid && !run->warmup;
}

/**
 * sf_decisions_unseen - did the kernel skip newidle calls that nobody counted?
 * @experiment: it
 * @policy: index of the policy
 */
bool sf_decisions_unseen(const struct sf_experiment *experiment, size_t policy)
{
	const struct sf_run *run;
	struct sf_policy words;
	size_t i;

	if (!sf_decisions_policy(experiment, policy, &words) ||
	    strcmp(words.values[SF_KIND_NEWIDLE].word, "stock"))
		return false;
	for (i = 0; i < experiment->run_count; i++) {
		run = &experiment->runs[i];
		if (sf_is_run_of(run, policy) && run->before.features &&
		    sf_has_feature(run->before.features, "NI_RANDOM"))
			return true;
	}
	return false;
}

/* The kernel's own dice go by it, too, but only its NI_RANDOM throws them. */
static bool sf_goes_by_ratio(const struct sf_experiment *experiment,
			     size_t policy)
{
	struct sf_policy words;
	size_t i;

	if (!sf_decisions_policy(experiment, policy, &words) ||
	    !words.values[SF_KIND_RATIO].word)
		return false;
	for (i = 0; i < SF_ARRAY_SIZE(sf_ratio_policies); i++)
		if (!strcmp(words.values[SF_KIND_NEWIDLE].word,
			    sf_ratio_policies[i]))
			return true;
	return sf_decisions_unseen(experiment, policy);
}

/**
 * sf_decisions_unlearned - does a policy go by what domains learn, though none learned?
 * @experiment: it
 * @policy: index of the policy
 *
 * Return: the policy decides by the learned ratio, and in none of its runs that are
 * valid has that of any domain changed; false if the runs do not tell.
 */
bool sf_decisions_unlearned(const struct sf_experiment *experiment,
			    size_t policy)
{
	const struct sf_run *run;
	double learned;
	bool told = false;
	size_t i;

	if (!sf_goes_by_ratio(experiment, policy))
		return false;
	for (i = 0; i < experiment->run_count; i++) {
		run = &experiment->runs[i];
		learned = run->counters.value[SF_COUNTER_learned_domains];
		if (!sf_is_run_of(run, policy) || isnan(learned))
			continue;
		if (learned > 0)
			return false;
		told = true;
	}
	return told;
}

static struct sf_label sf_label_of(const struct sf_experiment *experiment,
				   size_t policy)
{
	return sf_label_make((const char *const *)experiment->policies,
			     experiment->policy_count, policy);
}

/**
 * sf_decisions_note - what is to be said if policies had nothing learned to go by
 * @experiment: it
 *
 * Return: a sentence or two, to be freed; NULL if there is nothing to say, or if it does
 * not fit in memory.
 */
char *sf_decisions_note(const struct sf_experiment *experiment)
{
	bool resets = !strcmp(experiment->learn, "reset");
	bool keeps = !strcmp(experiment->learn, "keep");
	size_t policy, listed = 0, size;
	char *note = NULL;
	FILE *to = open_memstream(&note, &size);

	if (!to)
		return NULL;
	fputs("No domain made enough newidle calls in a run to learn: ", to);
	for (policy = 0; policy < experiment->policy_count; policy++)
		if (sf_decisions_unlearned(experiment, policy))
			fprintf(to, "%s%s", listed++ ? " and " : "",
				sf_label_of(experiment, policy).text);
	fprintf(to,
		" %s compared at the %s ratio. It changes after each %u calls of a domain; run longer%s.",
		listed == 1 ? "was" : "were", resets ? "starting" : "same old",
		SF_CELL / 2, keeps ? "" : ", or take --learn keep");
	if (fclose(to) || !listed) {
		free(note);
		return NULL;
	}
	return note;
}
