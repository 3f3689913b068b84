// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "candidates.h"
#include "formats.h"
#include "kernel.h"
#include "kind.h"
#include "text.h"
#include "trip.h"

/**
 * sf_typed_word - all of a word is to be completed
 * @word: as far as it was typed
 */
struct sf_typed sf_typed_word(const char *word)
{
	return (struct sf_typed){ .head = word, .rest = word };
}

/**
 * sf_typed_behind - only what follows a separator is to be completed
 * @typed: what there is
 * @separators: letters; the last one of them in the rest counts
 */
struct sf_typed sf_typed_behind(const struct sf_typed *typed,
				const char *separators)
{
	struct sf_typed behind = *typed;
	const char *at;

	for (at = typed->rest; *at; at++)
		if (strchr(separators, *at))
			behind.rest = at + 1;
	behind.head_len = behind.rest - behind.head;
	return behind;
}

/**
 * sf_offer - print a candidate, if it begins as what was typed
 * @typed: what there is
 * @format: of the candidate, without its head
 */
void sf_offer(const struct sf_typed *typed, const char *format, ...)
{
	char candidate[256];
	va_list args;

	va_start(args, format);
	vsnprintf(candidate, sizeof(candidate), format, args);
	va_end(args);
	if (!strncmp(candidate, typed->rest, strlen(typed->rest)))
		printf("%.*s%s\n", (int)typed->head_len, typed->head,
		       candidate);
}

/**
 * sf_offer_list - print candidates
 * @typed: what there is
 * @list: such as "newidle|all"
 */
void sf_offer_list(const struct sf_typed *typed, const char *list)
{
	size_t len;

	for (;; list += len + 1) {
		len = strcspn(list, "|");
		sf_offer(typed, "%.*s", (int)len, list);
		if (!list[len])
			return;
	}
}

static void sf_offer_values(const struct sf_kind *kind,
			    const struct sf_typed *typed)
{
	size_t i;

	for (i = 0; i < kind->name_count; i++)
		sf_offer(typed, "%s", kind->names[i].name);
}

/* What was given before, in the same word, is not offered again. */
static bool sf_is_given(const struct sf_typed *typed, const char *name)
{
	size_t len = strlen(name);
	const char *at;

	for (at = typed->head; at < typed->rest; at += strcspn(at, ",") + 1)
		if (!strncmp(at, name, len) && at[len] == '=')
			return true;
	return false;
}

/**
 * sf_offer_kinds - print candidates for an argument of set
 * @typed: what there is
 */
void sf_offer_kinds(const struct sf_typed *typed)
{
	struct sf_typed setting = sf_typed_behind(typed, ",");
	struct sf_typed value = sf_typed_behind(&setting, "=");
	size_t i, len = value.rest - setting.rest;

	for (i = 0; i < SF_NR_KINDS; i++) {
		const struct sf_kind *kind = &sf_kinds[i];

		if (!len && !sf_is_given(&setting, kind->name))
			sf_offer(&setting, "%s=", kind->name);
		else if (len == strlen(kind->name) + 1 &&
			 !strncmp(kind->name, setting.rest, len - 1))
			sf_offer_values(kind, &value);
	}
}

/* load takes no plain stock, which is what it begins with anyway. */
static void sf_offer_policies(const struct sf_typed *typed)
{
	sf_offer(typed, "stock");
	sf_offer_kinds(typed);
}

static void sf_offer_trips(const struct sf_typed *typed)
{
	struct sf_typed trip = sf_typed_behind(typed, ",");
	struct sf_typed limit = sf_typed_behind(&trip, "=");
	size_t i;

	if (limit.rest > trip.rest) {
		sf_offer(&limit, "off");
		return;
	}
	sf_offer(typed, "off");
	for (i = 0; i < SF_NR_TRIPS; i++)
		sf_offer(&trip, "%s=", sf_trip_name(i));
}

static void sf_offer_events(const struct sf_typed *typed)
{
	int type;

	for (type = SF_EVENT_NEWIDLE; type < SF_NR_EVENT_TYPES; type++)
		sf_offer(typed, "%s", sf_event_name(type));
}

/* Of a state that cannot be read nothing is said: this is no place for errors. */
static void sf_read_state_quietly(struct sf_state *state)
{
	struct sf_error ignored = { .code = SF_OK };

	memset(state, 0, sizeof(*state));
	if (sf_kernel_exists(SF_DEBUGFS "/state"))
		sf_state_read(state, &ignored);
}

static void sf_find_cpus(struct sf_cpulist *cpus)
{
	struct sf_error ignored = { .code = SF_OK };
	struct sf_state state;
	char text[256];
	size_t i;

	memset(cpus, 0, sizeof(*cpus));
	sf_read_state_quietly(&state);
	for (i = 0; i < state.count; i++)
		if (state.domains[i].cpu < SF_MAX_CPUS)
			sf_cpulist_add(cpus, state.domains[i].cpu);
	if (!state.count &&
	    !sf_kernel_read_word("/sys/devices/system/cpu/online", text,
				 sizeof(text)))
		sf_cpulist_parse(text, cpus, &ignored);
	sf_state_free(&state);
}

static void sf_offer_cpus(const struct sf_typed *typed)
{
	struct sf_typed last = sf_typed_behind(typed, ",-");
	struct sf_cpulist cpus;
	u64 cpu;

	sf_find_cpus(&cpus);
	for (cpu = 0; cpu < SF_MAX_CPUS; cpu++)
		if (sf_cpulist_has(&cpus, cpu))
			sf_offer(&last, "%llu", (unsigned long long)cpu);
}

static bool sf_is_first(const struct sf_state *state, size_t at)
{
	size_t i;

	for (i = 0; i < at; i++)
		if (!strcmp(state->domains[i].name, state->domains[at].name))
			return false;
	return true;
}

/* A kernel without names has - for them. */
static void sf_offer_domains(const struct sf_typed *typed)
{
	struct sf_state state;
	size_t i, indices = 0;

	sf_read_state_quietly(&state);
	for (i = 0; i < state.count; i++) {
		const struct sf_domain *domain = &state.domains[i];

		if (sf_is_first(&state, i) && strcmp(domain->name, "-"))
			sf_offer(typed, "%s", domain->name);
		if (domain->domain >= indices)
			indices = domain->domain + 1;
	}
	for (i = 0; i < indices; i++)
		sf_offer(typed, "%zu", i);
	sf_state_free(&state);
}

/* Options whose arguments are words, but not so few that --help lists them as a|b. */
static const struct sf_offer_rule {
	const char *option;
	const char *argument;
	void (*offer)(const struct sf_typed *typed);
} sf_offer_rules[] = {
	{ "cpu", "LIST", sf_offer_cpus },
	{ "domain", "NAME|N", sf_offer_domains },
	{ "trip", "LIST", sf_offer_trips },
	{ "event", "NAME", sf_offer_events },
	{ "policy", "SET", sf_offer_policies },
};

static bool sf_is_list(const char *argument)
{
	return strchr(argument, '|') &&
	       !argument[strspn(argument, "abcdefghijklmnopqrstuvwxyz|")];
}

/**
 * sf_offer_argument - print candidates for an option's argument
 * @option: it
 * @typed: what there is of the argument
 */
void sf_offer_argument(const struct argp_option *option,
		       const struct sf_typed *typed)
{
	size_t i;

	for (i = 0; i < SF_ARRAY_SIZE(sf_offer_rules); i++)
		if (!strcmp(sf_offer_rules[i].option, option->name) &&
		    !strcmp(sf_offer_rules[i].argument, option->arg))
			sf_offer_rules[i].offer(typed);
	if (sf_is_list(option->arg))
		sf_offer_list(typed, option->arg);
	else if (!strcmp(option->arg, "FILE") || !strcmp(option->arg, "OUT"))
		puts(SF_OFFER_FILES);
}
