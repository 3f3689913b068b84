// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"
#include "snapshot.h"
#include "text.h"

/* A command is at most 4095 bytes; a longer list of CPUs goes on in another. */
#define SF_LIST_SIZE 2048
#define SF_RANGE_SIZE 48

/* A message has room for so many domains. */
#define SF_MAX_NAMED 6

/**
 * struct sf_combination - what some domains have been set to
 * @words: as the module takes it
 * @count: of the domains
 */
struct sf_combination {
	char words[SF_POLICY_SIZE];
	size_t count;
};

/**
 * struct sf_grouping - the domains by what they have been set to
 * @combinations: each once
 * @count: number of them
 * @of: by domain, its combination
 * @most: the combination of most domains
 */
struct sf_grouping {
	struct sf_combination *combinations;
	size_t count;
	size_t *of;
	size_t most;
};

static struct sf_value sf_word(const char *word)
{
	return (struct sf_value){ .given = true, .word = word };
}

static struct sf_value sf_count(u64 number)
{
	return (struct sf_value){ .given = true, .number = number };
}

/**
 * sf_snapshot_policy - what a domain has been set to
 * @domain: as it was read; must outlive @policy
 * @policy: set; it keeps what the domain has learned
 */
void sf_snapshot_policy(const struct sf_domain *domain,
			struct sf_policy *policy)
{
	struct sf_value *values;

	memset(policy, 0, sizeof(*policy));
	values = policy->values;
	values[SF_KIND_NEWIDLE] = sf_word(domain->newidle);
	if (strcmp(domain->start, "set"))
		values[SF_KIND_START] = sf_word(domain->start);
	else
		values[SF_KIND_WINDOW_POS] = sf_count(domain->start_pos);
	values[SF_KIND_RATIO] =
		domain->pinned ? sf_count(domain->ratio) : sf_word("learned");
	values[SF_KIND_SLOWPATH] = sf_word(domain->slowpath);
	values[SF_KIND_BURST] = sf_word(domain->burst);
	values[SF_KIND_BURST_DEPTH] = sf_count(domain->burst_depth);
	values[SF_KIND_BURST_FACTOR] = sf_count(domain->burst_factor);
	values[SF_KIND_BURST_NOHZ] = sf_word(domain->burst_nohz ? "on" : "off");
	values[SF_KIND_COST] = sf_word(domain->cost);
	values[SF_KIND_LEARN] = sf_word("keep");
	values[SF_KIND_SYNC] = sf_word(domain->sync ? "on" : "off");
}

static size_t sf_grouping_add(struct sf_grouping *grouping,
			      const struct sf_domain *domain)
{
	struct sf_combination *last = &grouping->combinations[grouping->count],
			      *at;
	struct sf_policy policy;

	sf_snapshot_policy(domain, &policy);
	sf_policy_format(&policy, last->words, sizeof(last->words));
	for (at = grouping->combinations; strcmp(at->words, last->words);)
		at++;
	if (at == last)
		grouping->count++;
	at->count++;
	return at - grouping->combinations;
}

static bool sf_grouping_make(struct sf_grouping *grouping,
			     const struct sf_state *state)
{
	size_t i;

	memset(grouping, 0, sizeof(*grouping));
	grouping->combinations =
		calloc(state->count + 1, sizeof(*grouping->combinations));
	grouping->of = calloc(state->count + 1, sizeof(*grouping->of));
	if (!grouping->combinations || !grouping->of)
		return false;
	for (i = 0; i < state->count; i++)
		grouping->of[i] = sf_grouping_add(grouping, &state->domains[i]);
	for (i = 0; i < grouping->count; i++)
		if (grouping->combinations[i].count >
		    grouping->combinations[grouping->most].count)
			grouping->most = i;
	return true;
}

static void sf_grouping_free(struct sf_grouping *grouping)
{
	free(grouping->combinations);
	free(grouping->of);
}

/**
 * struct sf_lister - commands for some CPUs' domains of one index
 * @to: gets them
 * @words: what they set
 * @index: of the domains
 * @list: CPUs of the command that is not printed yet
 * @first: of the range that is not in @list yet
 * @last: of it
 * @open: there is such a range
 */
struct sf_lister {
	FILE *to;
	const char *words;
	u64 index;
	char list[SF_LIST_SIZE];
	u64 first;
	u64 last;
	bool open;
};

static void sf_lister_close(struct sf_lister *lister)
{
	if (!lister->open)
		return;
	sf_append_text(lister->list, sizeof(lister->list), "%s%llu",
		       *lister->list ? "," : "",
		       (unsigned long long)lister->first);
	if (lister->last > lister->first)
		sf_append_text(lister->list, sizeof(lister->list), "-%llu",
			       (unsigned long long)lister->last);
	lister->open = false;
}

static void sf_lister_print(struct sf_lister *lister)
{
	sf_lister_close(lister);
	if (*lister->list)
		fprintf(lister->to, "%s cpu=%s domain=%llu\n", lister->words,
			lister->list, (unsigned long long)lister->index);
	lister->list[0] = '\0';
}

static void sf_lister_add(struct sf_lister *lister, u64 cpu)
{
	if (lister->open && cpu == lister->last + 1) {
		lister->last = cpu;
		return;
	}
	sf_lister_close(lister);
	if (strlen(lister->list) + SF_RANGE_SIZE > sizeof(lister->list))
		sf_lister_print(lister);
	lister->first = cpu;
	lister->last = cpu;
	lister->open = true;
}

static void sf_print_combination(const struct sf_state *state,
				 const struct sf_grouping *grouping,
				 size_t which, u64 index, FILE *to)
{
	struct sf_lister lister = {
		.to = to,
		.words = grouping->combinations[which].words,
		.index = index,
	};
	size_t i;

	for (i = 0; i < state->count; i++)
		if (grouping->of[i] == which &&
		    state->domains[i].domain == index)
			sf_lister_add(&lister, state->domains[i].cpu);
	sf_lister_print(&lister);
}

/* Is there a domain of this index, or a higher one? Then @index is set to it. */
static bool sf_next_index(const struct sf_state *state, u64 *index)
{
	u64 least = 0;
	bool found = false;
	size_t i;

	for (i = 0; i < state->count; i++) {
		u64 domain = state->domains[i].domain;

		if (domain < *index || (found && domain >= least))
			continue;
		least = domain;
		found = true;
	}
	*index = least;
	return found;
}

static void sf_print_combinations(const struct sf_state *state,
				  const struct sf_grouping *grouping,
				  size_t which, FILE *to)
{
	u64 index = 0;

	/* Behind the highest there can be comes 0. */
	while (sf_next_index(state, &index)) {
		sf_print_combination(state, grouping, which, index, to);
		if (!++index)
			return;
	}
}

static void sf_print_commands(const struct sf_state *state,
			      const struct sf_grouping *grouping, FILE *to)
{
	size_t i;

	fprintf(to, "%s\n", grouping->combinations[grouping->most].words);
	for (i = 0; i < grouping->count; i++)
		if (i != grouping->most)
			sf_print_combinations(state, grouping, i, to);
}

/**
 * sf_snapshot_commands - the way back to what was in force
 * @before: what was
 *
 * What most domains had is set for all, as that holds for CPUs that come online
 * later, too; then follow those domains that had something else.
 *
 * Return: commands for the module, one a line; to be freed. NULL if they do not fit in
 * memory. None if there are no domains.
 */
char *sf_snapshot_commands(const struct sf_state *before)
{
	struct sf_grouping grouping;
	char *text = NULL;
	FILE *to = NULL;
	size_t size;

	if (sf_grouping_make(&grouping, before))
		to = open_memstream(&text, &size);
	if (to) {
		if (before->count)
			sf_print_commands(before, &grouping, to);
		if (fclose(to)) {
			free(text);
			text = NULL;
		}
	}
	sf_grouping_free(&grouping);
	return text;
}

/* All are tried, as each domain that is back is one less to mend by hand. */
static void sf_give_commands(char *commands, struct sf_error *err)
{
	struct sf_error failed = { .code = SF_OK };
	char command[SF_POLICY_SIZE + SF_LIST_SIZE + 64], *line;
	bool by_parameter = false;

	while ((line = sf_next_line(&commands))) {
		snprintf(command, sizeof(command), "%s\n", line);
		if (sf_kernel_command(command, &by_parameter, &failed) &&
		    !err->code)
			*err = failed;
	}
}

static bool sf_is_same(const struct sf_domain *one,
		       const struct sf_domain *other)
{
	return one->cpu == other->cpu && one->level == other->level;
}

/* @guess: its index, unless the domains were rebuilt. */
static const struct sf_domain *sf_find_domain(const struct sf_state *state,
					      const struct sf_domain *like,
					      size_t guess)
{
	size_t i;

	if (guess < state->count && sf_is_same(&state->domains[guess], like))
		return &state->domains[guess];
	for (i = 0; i < state->count; i++)
		if (sf_is_same(&state->domains[i], like))
			return &state->domains[i];
	return NULL;
}

/* A domain that is new, or gone by now, has nothing to go back to. */
static int sf_compare_states(const struct sf_state *before,
			     const struct sf_state *after, struct sf_error *err)
{
	const struct sf_domain *domain;
	char found[64], list[512] = "";
	struct sf_policy policy;
	const struct sf_kind *kind;
	size_t i, bad = 0;

	for (i = 0; i < after->count; i++) {
		domain = sf_find_domain(before, &after->domains[i], i);
		if (!domain)
			continue;
		sf_snapshot_policy(domain, &policy);
		kind = sf_policy_differs(&policy, &after->domains[i], found,
					 sizeof(found));
		if (kind && bad++ < SF_MAX_NAMED)
			sf_append_text(list, sizeof(list),
				       "%s cpu%llu/domain%llu has %s=%s",
				       bad > 1 ? "," : "",
				       (unsigned long long)domain->cpu,
				       (unsigned long long)domain->domain,
				       kind->field, found);
	}
	if (!bad)
		return SF_OK;
	return sf_fail(
		err, SF_MISMATCH,
		"%zu domain%s did not take it:%s%s; is somebody else setting policies?",
		bad, sf_plural(bad), list,
		bad > SF_MAX_NAMED ? " and others" : "");
}

/*
 * A CPU that went has taken domains with it, and the indexes of others, so @target
 * has what was in force at today's indexes.
 */
static bool sf_map_state(const struct sf_state *before,
			 const struct sf_state *now, struct sf_state *target)
{
	const struct sf_domain *domain;
	size_t i;

	target->domains = calloc(now->count + 1, sizeof(*target->domains));
	if (!target->domains)
		return false;
	for (i = 0; i < now->count; i++) {
		domain = sf_find_domain(before, &now->domains[i], i);
		if (!domain)
			continue;
		target->domains[target->count] = *domain;
		target->domains[target->count++].domain =
			now->domains[i].domain;
	}
	return true;
}

static int sf_set_back(const struct sf_state *before, struct sf_error *err)
{
	struct sf_state now, target = { .count = 0 };
	char *commands = NULL;

	if (!sf_state_read(&now, err) && sf_map_state(before, &now, &target))
		commands = sf_snapshot_commands(&target);
	if (commands)
		sf_give_commands(commands, err);
	else if (!err->code)
		sf_fail(err, SF_FAILED, "out of memory");
	free(commands);
	free(target.domains);
	sf_state_free(&now);
	return err->code;
}

/**
 * sf_snapshot_restore - go back to what was in force, and make sure of it
 * @before: what was
 * @err: says what is not as it was
 *
 * What a CPU had that is offline by now is lost; once it comes, it has what most domains
 * have.
 *
 * Return: SF_OK, SF_MISMATCH, or why a command was refused.
 */
int sf_snapshot_restore(const struct sf_state *before, struct sf_error *err)
{
	struct sf_state after;

	if (sf_set_back(before, err))
		return err->code;
	if (!sf_state_read(&after, err))
		sf_compare_states(before, &after, err);
	sf_state_free(&after);
	return err->code;
}
