// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include <schedflip/burst.h>
#include <schedflip/cost.h>
#include <schedflip/learn.h>
#include <schedflip/newidle.h>
#include <schedflip/slowpath.h>

#include "kind.h"
#include "nearest.h"
#include "text.h"

/* What the user typed may be long, and has to leave room for what is known. */
#define SF_TYPED "\"%.400s\""

static int sf_parse_name(const struct sf_kind *kind, const char *text,
			 struct sf_value *value, struct sf_error *err)
{
	char known[256];

	value->word = sf_find_name(kind->names, kind->name_count, text);
	if (value->word)
		return SF_OK;
	sf_list_names(kind->names, kind->name_count, known, sizeof(known));
	sf_fail(err, SF_USAGE, "no %s " SF_TYPED "; known: %s", kind->name,
		text, known);
	return sf_nearest_add(err, text, known);
}

static int sf_parse_policy(const struct sf_kind *kind, const char *text,
			   struct sf_value *value, struct sf_error *err)
{
	char known[256];

	value->word = sf_find_name(kind->names, kind->name_count, text);
	if (value->word)
		return SF_OK;
	sf_list_names(kind->names, kind->name_count, known, sizeof(known));
	sf_fail(err, SF_USAGE, "no policy " SF_TYPED " for %s; known: %s", text,
		kind->name, known);
	return sf_nearest_add(err, text, known);
}

static int sf_parse_limited(const struct sf_kind *kind, const char *text,
			    const char *more, struct sf_value *value,
			    struct sf_error *err)
{
	if (sf_parse_number(text, &value->number) &&
	    value->number >= kind->min && value->number <= kind->max)
		return SF_OK;
	return sf_fail(err, SF_USAGE,
		       "no %s " SF_TYPED "; allowed: %llu to %llu%s",
		       kind->name, text, (unsigned long long)kind->min,
		       (unsigned long long)kind->max, more);
}

static int sf_parse_count(const struct sf_kind *kind, const char *text,
			  struct sf_value *value, struct sf_error *err)
{
	return sf_parse_limited(kind, text, "", value, err);
}

static int sf_parse_ratio(const struct sf_kind *kind, const char *text,
			  struct sf_value *value, struct sf_error *err)
{
	value->word = sf_find_name(kind->names, kind->name_count, text);
	if (value->word)
		return SF_OK;
	if (!sf_parse_limited(kind, text, ", or learned", value, err))
		return SF_OK;
	return sf_nearest_add(err, text, kind->names->name);
}

static int sf_parse_switch(const struct sf_kind *kind, const char *text,
			   struct sf_value *value, struct sf_error *err)
{
	value->word = sf_find_name(kind->names, kind->name_count, text);
	if (value->word)
		return SF_OK;
	sf_fail(err, SF_USAGE, "no %s " SF_TYPED "; allowed: on, off",
		kind->name, text);
	return sf_nearest_add(err, text, "off on");
}

static u64 sf_number_of(const struct sf_kind *kind,
			const struct sf_domain *domain)
{
	return *(const u64 *)((const char *)domain + kind->offset);
}

static bool sf_word_differs(const struct sf_kind *kind,
			    const struct sf_value *value,
			    const struct sf_domain *domain, char *found,
			    size_t size)
{
	const char *word =
		*(const char *const *)((const char *)domain + kind->offset);

	sf_append_text(found, size, "%s", word);
	return strcmp(word, value->word);
}

static bool sf_number_differs(const struct sf_kind *kind,
			      const struct sf_value *value,
			      const struct sf_domain *domain, char *found,
			      size_t size)
{
	u64 number = sf_number_of(kind, domain);

	sf_append_text(found, size, "%llu", (unsigned long long)number);
	return number != value->number;
}

/* The state has 0 and 1 for them. */
static bool sf_switch_differs(const struct sf_kind *kind,
			      const struct sf_value *value,
			      const struct sf_domain *domain, char *found,
			      size_t size)
{
	const char *word = sf_number_of(kind, domain) ? "on" : "off";

	sf_append_text(found, size, "%s", word);
	return strcmp(word, value->word);
}

/* The only word is learned, and then any ratio will do. */
static bool sf_ratio_differs(const struct sf_kind *kind,
			     const struct sf_value *value,
			     const struct sf_domain *domain, char *found,
			     size_t size)
{
	u64 ratio = sf_number_of(kind, domain);
	const char *how = "";

	if (value->word && domain->pinned)
		how = " pinned";
	else if (!value->word && !domain->pinned)
		how = " learned";
	sf_append_text(found, size, "%llu%s", (unsigned long long)ratio, how);
	return *how || (!value->word && ratio != value->number);
}

static const struct sf_name sf_ratio_names[] = { { "learned", 0 } };

#define SF_NAMES(table) .names = table, .name_count = SF_ARRAY_SIZE(table)
#define SF_WORD(text)         \
	{                     \
		true, text, 0 \
	}
#define SF_COUNT(number)           \
	{                          \
		true, NULL, number \
	}
#define SF_FIELD(member) \
	.field = #member, .offset = offsetof(struct sf_domain, member)
#define SF_POLICY(kind)                                                        \
	.name = #kind, SF_NAMES(sf_##kind##_names), .stock = SF_WORD("stock"), \
	.parse = sf_parse_policy, SF_FIELD(kind), .differs = sf_word_differs
#define SF_LIMITS(kind, from, to, usual)                                 \
	.name = #kind, .min = from, .max = to, .stock = SF_COUNT(usual), \
	.parse = sf_parse_count, SF_FIELD(kind), .differs = sf_number_differs
#define SF_SWITCH(kind)                                                    \
	.name = #kind, SF_NAMES(sf_switch_names), .stock = SF_WORD("off"), \
	.parse = sf_parse_switch, SF_FIELD(kind), .differs = sf_switch_differs

/*
 * In the order in which the module is told. A new kind adds a row here and its id
 * to enum sf_kind_id; its field is in include/schedflip/abi.h.
 */
const struct sf_kind sf_kinds[SF_NR_KINDS] = {
	[SF_KIND_NEWIDLE] = { SF_POLICY(newidle) },
	[SF_KIND_START] = {
		.name = "start", SF_NAMES(sf_start_names),
		.stock = SF_WORD("zero"), .parse = sf_parse_name,
		SF_FIELD(start), .differs = sf_word_differs,
	},
	[SF_KIND_RATIO] = {
		.name = "ratio", SF_NAMES(sf_ratio_names), .max = SF_CELL,
		.stock = SF_WORD("learned"), .parse = sf_parse_ratio,
		SF_FIELD(ratio), .differs = sf_ratio_differs,
	},
	[SF_KIND_WINDOW_POS] = {
		.name = "window_pos", .max = SF_CELL - 1,
		.parse = sf_parse_count,
		SF_FIELD(start_pos), .differs = sf_number_differs,
	},
	[SF_KIND_SLOWPATH] = { SF_POLICY(slowpath), .hook = "select" },
	[SF_KIND_BURST] = { SF_POLICY(burst), .hook = "select" },
	[SF_KIND_BURST_DEPTH] = {
		SF_LIMITS(burst_depth, 1, SF_BURST_MAX_DEPTH, SF_BURST_DEPTH),
	},
	[SF_KIND_BURST_FACTOR] = {
		SF_LIMITS(burst_factor, 1, SF_BURST_MAX_FACTOR, SF_BURST_FACTOR),
	},
	[SF_KIND_BURST_NOHZ] = { SF_SWITCH(burst_nohz) },
	[SF_KIND_COST] = { SF_POLICY(cost) },
	[SF_KIND_LEARN] = {
		.name = "learn", SF_NAMES(sf_learn_names),
		.parse = sf_parse_name,
	},
	[SF_KIND_SYNC] = { SF_SWITCH(sync) },
};
