// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "condense.h"
#include "cpulist.h"
#include "snapshot.h"
#include "text.h"

/* A command is at most 4095 bytes; a longer list of CPUs goes on in another line. */
#define SF_LIST_SIZE 2048

/* Room for newidle with its start or position, and for any other kind. */
#define SF_SETTING_SIZE 64

/**
 * struct sf_key - how a line names the domains of one kind
 * @name: of the domains, or NULL if their name does not tell them apart
 * @index: of the domains that have no such name
 * @base: combination that most of them have
 */
struct sf_key {
	const char *name;
	u64 index;
	size_t base;
};

/**
 * struct sf_combination - what some domains have been set to
 * @policy: in words of the state
 * @words: the same, to be compared
 */
struct sf_combination {
	struct sf_policy policy;
	char words[SF_POLICY_SIZE];
};

/**
 * struct sf_leaf - CPUs whose domains of one key differ in one setting from most of that key
 * @key: of the domains
 * @words: the setting
 * @cpus: theirs
 * @done: it is printed
 */
struct sf_leaf {
	size_t key;
	char words[SF_SETTING_SIZE];
	struct sf_cpulist cpus;
	bool done;
};

/**
 * struct sf_condenser - the work
 * @state: the domains
 * @keys: each once
 * @key_count: number of @keys
 * @combinations: each once
 * @combination_count: number of @combinations
 * @key_of: by domain
 * @combination_of: by domain
 * @leaves: what differs
 * @leaf_count: number of @leaves
 * @base: combination that most domains have
 */
struct sf_condenser {
	const struct sf_state *state;
	struct sf_key *keys;
	size_t key_count;
	struct sf_combination *combinations;
	size_t combination_count;
	size_t *key_of;
	size_t *combination_of;
	struct sf_leaf *leaves;
	size_t leaf_count;
	size_t base;
};

static bool sf_is_same(const struct sf_value *one, const struct sf_value *other)
{
	if (one->given != other->given || !one->word != !other->word)
		return false;
	if (!one->given)
		return true;
	return one->word ? !strcmp(one->word, other->word) :
			   one->number == other->number;
}

/* What a line has to say where @base is in force already; newidle alone starts at zero. */
static void sf_step(const struct sf_policy *base,
		    const struct sf_policy *target, struct sf_policy *step)
{
	const struct sf_value *start = &target->values[SF_KIND_START];
	size_t i;

	memset(step, 0, sizeof(*step));
	for (i = 0; i < SF_NR_KINDS; i++)
		if (target->values[i].given &&
		    !sf_is_same(&base->values[i], &target->values[i]))
			step->values[i] = target->values[i];
	if (!step->values[SF_KIND_NEWIDLE].given)
		return;
	step->values[SF_KIND_WINDOW_POS] = target->values[SF_KIND_WINDOW_POS];
	step->values[SF_KIND_START] = *start;
	if (start->given && sf_is_same(start, &sf_kinds[SF_KIND_START].stock))
		step->values[SF_KIND_START].given = false;
}

static size_t sf_find_combination(struct sf_condenser *work,
				  const struct sf_domain *domain)
{
	struct sf_combination *last =
		&work->combinations[work->combination_count];
	struct sf_combination *at = work->combinations;

	sf_snapshot_policy(domain, &last->policy);
	last->policy.values[SF_KIND_LEARN].given = false;
	sf_policy_format(&last->policy, last->words, sizeof(last->words));
	while (strcmp(at->words, last->words))
		at++;
	if (at == last)
		work->combination_count++;
	return at - work->combinations;
}

/* Has some CPU two of that name? Those of one CPU follow each other. */
static bool sf_is_ambiguous(const struct sf_state *state, const char *name)
{
	const struct sf_domain *before = NULL;
	u64 number;
	size_t i;

	if (!strcmp(name, "-") || sf_parse_number(name, &number))
		return true;
	for (i = 0; i < state->count; i++) {
		if (strcmp(state->domains[i].name, name))
			continue;
		if (before && before->cpu == state->domains[i].cpu)
			return true;
		before = &state->domains[i];
	}
	return false;
}

static size_t sf_find_key(struct sf_condenser *work,
			  const struct sf_domain *domain)
{
	struct sf_key *keys = work->keys;
	size_t i;

	for (i = 0; i < work->key_count; i++)
		if (keys[i].name && !strcmp(keys[i].name, domain->name))
			return i;
	if (!sf_is_ambiguous(work->state, domain->name)) {
		keys[i].name = domain->name;
		return work->key_count++;
	}
	for (i = 0; i < work->key_count; i++)
		if (!keys[i].name && keys[i].index == domain->domain)
			return i;
	keys[i].index = domain->domain;
	return work->key_count++;
}

/* Of the domains of @key, or of all; of two that are as many, @favourite. */
static size_t sf_most_common(const struct sf_condenser *work, const size_t *key,
			     size_t favourite)
{
	size_t best = favourite, most = 0, i, j, count;

	for (i = 0; i < work->combination_count; i++) {
		for (count = 0, j = 0; j < work->state->count; j++)
			count += work->combination_of[j] == i &&
				 (!key || work->key_of[j] == *key);
		if (count > most || (count == most && i == favourite)) {
			best = i;
			most = count;
		}
	}
	return best;
}

static bool sf_condenser_begin(struct sf_condenser *work,
			       const struct sf_state *state)
{
	size_t room = state->count + 1, i;

	work->state = state;
	work->keys = calloc(room, sizeof(*work->keys));
	work->combinations = calloc(room, sizeof(*work->combinations));
	work->key_of = calloc(room, sizeof(*work->key_of));
	work->combination_of = calloc(room, sizeof(*work->combination_of));
	if (!work->keys || !work->combinations || !work->key_of ||
	    !work->combination_of)
		return false;
	for (i = 0; i < state->count; i++) {
		work->key_of[i] = sf_find_key(work, &state->domains[i]);
		work->combination_of[i] =
			sf_find_combination(work, &state->domains[i]);
	}
	work->base = sf_most_common(work, NULL, 0);
	/* A line for domains of an index would be for others of that index, too. */
	for (i = 0; i < work->key_count; i++)
		work->keys[i].base =
			work->keys[i].name ?
				sf_most_common(work, &i, work->base) :
				work->base;
	return true;
}

static void sf_condenser_end(struct sf_condenser *work)
{
	free(work->keys);
	free(work->combinations);
	free(work->key_of);
	free(work->combination_of);
	free(work->leaves);
}

static struct sf_leaf *sf_find_leaf(struct sf_condenser *work, size_t key,
				    const char *words)
{
	struct sf_leaf *leaves = work->leaves;
	size_t count = work->leaf_count, i;

	for (i = 0; i < count; i++)
		if (leaves[i].key == key && !strcmp(leaves[i].words, words))
			return &leaves[i];
	/* Double at each power of two. */
	if (!(count & (count - 1))) {
		leaves = reallocarray(leaves, count ? 2 * count : 1,
				      sizeof(*leaves));
		if (!leaves)
			return NULL;
		work->leaves = leaves;
	}
	memset(&leaves[count], 0, sizeof(*leaves));
	leaves[count].key = key;
	sf_append_text(leaves[count].words, sizeof(leaves[count].words), "%s",
		       words);
	work->leaf_count++;
	return &leaves[count];
}

/* newidle, start and window_pos are one setting, as each goes by the others. */
static bool sf_is_of_newidle(size_t kind)
{
	return kind == SF_KIND_NEWIDLE || kind == SF_KIND_START ||
	       kind == SF_KIND_WINDOW_POS;
}

/* Take the first setting out of a step; return: false if none is left. */
static bool sf_next_setting(struct sf_policy *step, char *words, size_t size)
{
	struct sf_policy setting = { .values = { { false } } };
	size_t first = 0, i;

	while (first < SF_NR_KINDS && !step->values[first].given)
		first++;
	for (i = first; i < SF_NR_KINDS; i++) {
		if (i != first &&
		    !(sf_is_of_newidle(first) && sf_is_of_newidle(i)))
			continue;
		setting.values[i] = step->values[i];
		step->values[i].given = false;
	}
	sf_policy_format(&setting, words, size);
	return *words;
}

static bool sf_grow_leaves_of(struct sf_condenser *work, size_t domain)
{
	size_t key = work->key_of[domain], base = work->keys[key].base;
	char words[SF_SETTING_SIZE];
	struct sf_policy step;
	struct sf_leaf *leaf;

	sf_step(&work->combinations[base].policy,
		&work->combinations[work->combination_of[domain]].policy,
		&step);
	while (sf_next_setting(&step, words, sizeof(words))) {
		leaf = sf_find_leaf(work, key, words);
		if (!leaf)
			return false;
		sf_cpulist_add(&leaf->cpus, work->state->domains[domain].cpu);
	}
	return true;
}

static bool sf_grow_leaves(struct sf_condenser *work)
{
	size_t i;

	for (i = 0; i < work->state->count; i++)
		if (!sf_grow_leaves_of(work, i))
			return false;
	return true;
}

static bool sf_has_cpus_of(const struct sf_leaf *one,
			   const struct sf_leaf *other)
{
	return !memcmp(&one->cpus, &other->cpus, sizeof(one->cpus));
}

static bool sf_is_like(const struct sf_leaf *one, const struct sf_leaf *other)
{
	return !strcmp(one->words, other->words) && sf_has_cpus_of(one, other);
}

static bool sf_has_like(const struct sf_condenser *work,
			const struct sf_leaf *leaf, size_t key)
{
	size_t i;

	for (i = 0; i < work->leaf_count; i++)
		if (work->leaves[i].key == key &&
		    sf_is_like(&work->leaves[i], leaf))
			return true;
	return false;
}

/* Have all domains of its CPUs the same to say? */
static bool sf_is_whole(const struct sf_condenser *work,
			const struct sf_leaf *leaf)
{
	size_t i;

	for (i = 0; i < work->state->count; i++)
		if (sf_cpulist_has(&leaf->cpus, work->state->domains[i].cpu) &&
		    !sf_has_like(work, leaf, work->key_of[i]))
			return false;
	return true;
}

/* All that a line for these domains can say; a setting of all keys is each key's. */
static void sf_gather(struct sf_condenser *work, const struct sf_leaf *leaf,
		      char *words, size_t size)
{
	bool whole = sf_is_whole(work, leaf);
	struct sf_leaf *other;
	size_t i;

	words[0] = '\0';
	for (i = 0; i < work->leaf_count; i++) {
		other = &work->leaves[i];
		if (!sf_has_cpus_of(leaf, other) ||
		    sf_is_whole(work, other) != whole ||
		    (!whole && other->key != leaf->key))
			continue;
		if (other->key == leaf->key)
			sf_append_text(words, size, " %s", other->words);
		other->done = true;
	}
}

static void sf_print_leaf(struct sf_condenser *work, const struct sf_leaf *leaf,
			  FILE *to)
{
	const struct sf_key *key = &work->keys[leaf->key];
	char domain[160] = "", list[SF_LIST_SIZE], words[SF_POLICY_SIZE];
	struct sf_cpulist cpus = leaf->cpus;

	if (!sf_is_whole(work, leaf) && key->name)
		sf_append_text(domain, sizeof(domain), " domain=%s", key->name);
	else if (!sf_is_whole(work, leaf))
		sf_append_text(domain, sizeof(domain), " domain=%llu",
			       (unsigned long long)key->index);
	sf_gather(work, leaf, words, sizeof(words));
	for (;;) {
		sf_cpulist_format(&cpus, list, sizeof(list));
		if (!*list)
			return;
		fprintf(to, "cpu=%s%s%s\n", list, domain, words);
	}
}

static void sf_step_words(const struct sf_condenser *work, size_t from,
			  size_t to, char *words, size_t size)
{
	struct sf_policy step;

	sf_step(&work->combinations[from].policy,
		&work->combinations[to].policy, &step);
	sf_policy_format(&step, words, size);
}

static void sf_print_base(const struct sf_condenser *work, FILE *to)
{
	struct sf_policy stock, step;
	char words[SF_POLICY_SIZE];

	sf_policy_stock(&stock);
	sf_step(&stock, &work->combinations[work->base].policy, &step);
	sf_policy_format(&step, words, sizeof(words));
	if (*words)
		fprintf(to, "%s\n", words);
}

static void sf_print_keys(const struct sf_condenser *work, FILE *to)
{
	char words[SF_POLICY_SIZE];
	size_t i;

	for (i = 0; i < work->key_count; i++) {
		if (work->keys[i].base == work->base)
			continue;
		sf_step_words(work, work->base, work->keys[i].base, words,
			      sizeof(words));
		fprintf(to, "domain=%s %s\n", work->keys[i].name, words);
	}
}

/**
 * sf_condense - print what all domains have been set to, as lines of a configuration
 * @state: the domains
 * @to: gets the lines; none if all is at stock
 *
 * First what most domains have, then what most of a name have, then the CPUs that differ.
 *
 * Return: false if it does not fit in memory.
 */
bool sf_condense(const struct sf_state *state, FILE *to)
{
	struct sf_condenser work = { .state = NULL };
	bool done = !state->count;
	size_t i;

	if (!done && sf_condenser_begin(&work, state) &&
	    sf_grow_leaves(&work)) {
		sf_print_base(&work, to);
		sf_print_keys(&work, to);
		for (i = 0; i < work.leaf_count; i++)
			if (!work.leaves[i].done)
				sf_print_leaf(&work, &work.leaves[i], to);
		done = true;
	}
	sf_condenser_end(&work);
	return done;
}
