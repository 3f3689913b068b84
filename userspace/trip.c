// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "duration.h"
#include "nearest.h"
#include "text.h"
#include "trip.h"

#define SF_MAX_TRIP_DEPTH 65535
#define SF_PERMILLE 1000

/* What the user typed may be long, and has to leave room for what is allowed. */
#define SF_TYPED "\"%.400s\""

static const struct sf_duration sf_trip_delay = {
	.what = "run_delay",
	.finest_us = 1,
	.min_us = 1,
	.max_us = 60 * 1000000ull,
	.allowed = "1us to 60s, in us, ms, s or m, such as 20ms; or off",
};

static int sf_parse_depth(const char *text, u64 *limit, struct sf_error *err)
{
	if (sf_parse_number(text, limit) && *limit >= 1 &&
	    *limit <= SF_MAX_TRIP_DEPTH)
		return SF_OK;
	return sf_fail(err, SF_USAGE,
		       "no depth " SF_TYPED "; allowed: 1 to %d tasks, or off",
		       text, SF_MAX_TRIP_DEPTH);
}

/* Of "12.5%": 125. One digit behind the point is all that the module can tell. */
static bool sf_read_permille(const char *text, u64 *permille)
{
	size_t whole = strspn(text, "0123456789");
	const char *rest = text + whole;

	if (!whole || whole > 3)
		return false;
	*permille = strtoul(text, NULL, 10) * 10;
	if (rest[0] == '.' && rest[1] >= '0' && rest[1] <= '9') {
		*permille += rest[1] - '0';
		rest += 2;
	}
	return !strcmp(rest, "%");
}

static int sf_parse_share(const char *text, u64 *limit, struct sf_error *err)
{
	if (sf_read_permille(text, limit) && *limit >= 1 &&
	    *limit <= SF_PERMILLE)
		return SF_OK;
	return sf_fail(
		err, SF_USAGE,
		"no newidle_share " SF_TYPED
		"; allowed: 0.1%% to 100%% of the CPUs' time, in steps of 0.1%%; or off",
		text);
}

static int sf_parse_delay(const char *text, u64 *limit, struct sf_error *err)
{
	return sf_duration_parse(&sf_trip_delay, text, limit, err);
}

static void sf_describe_depth(u64 limit, char *buf, size_t size)
{
	sf_append_text(buf, size, "%llu task%s", (unsigned long long)limit,
		       sf_plural(limit));
}

static void sf_describe_share(u64 limit, char *buf, size_t size)
{
	sf_append_text(buf, size, "%llu.%llu %%",
		       (unsigned long long)limit / 10,
		       (unsigned long long)limit % 10);
}

static void sf_describe_delay(u64 limit, char *buf, size_t size)
{
	char words[SF_DURATION_SIZE];

	sf_append_text(buf, size, "%s",
		       sf_duration_format(limit, words, sizeof(words)));
}

/*
 * Names are the user's and words the module's, as the user gives units and the module
 * has them in its words.
 */
static const struct sf_trip_rule {
	const char *name;
	const char *word;
	int (*parse)(const char *text, u64 *limit, struct sf_error *err);
	void (*describe)(u64 limit, char *buf, size_t size);
} sf_trip_rules[SF_NR_TRIPS] = {
	[SF_TRIP_DEPTH] = { "depth", "trip_depth", sf_parse_depth,
			    sf_describe_depth },
	[SF_TRIP_NEWIDLE] = { "newidle_share", "trip_newidle", sf_parse_share,
			      sf_describe_share },
	[SF_TRIP_DELAY] = { "run_delay", "trip_delay_us", sf_parse_delay,
			    sf_describe_delay },
};

/**
 * sf_trip_name - what the user calls a tripwire
 * @id: it
 */
const char *sf_trip_name(enum sf_trip_id id)
{
	return sf_trip_rules[id].name;
}

static int sf_trip_unknown(const char *name, struct sf_error *err)
{
	sf_fail(err, SF_USAGE,
		"no tripwire " SF_TYPED
		"; known: depth newidle_share run_delay; or off for all",
		name);
	return sf_nearest_add(err, name, "depth newidle_share run_delay off");
}

static int sf_trip_parse(char *word, struct sf_trips *trips,
			 struct sf_error *err)
{
	char *value = strchr(word, '=');
	struct sf_trip *trip = trips->trips;
	size_t i;

	if (!value)
		return sf_trip_unknown(word, err);
	*value++ = '\0';
	for (i = 0; i < SF_NR_TRIPS; i++, trip++) {
		if (strcmp(sf_trip_rules[i].name, word))
			continue;
		if (trip->given)
			return sf_fail(err, SF_USAGE,
				       "tripwire %s is given twice", word);
		trip->given = true;
		trip->limit = SF_TRIP_OFF;
		if (!strcmp(value, "off"))
			return SF_OK;
		return sf_trip_rules[i].parse(value, &trip->limit, err);
	}
	return sf_trip_unknown(word, err);
}

static int sf_trips_all_off(struct sf_trips *trips, struct sf_error *err)
{
	size_t i;

	if (sf_trips_given(trips))
		return sf_fail(
			err, SF_USAGE,
			"--trip off is for all tripwires; switch one off by its name, such as depth=off");
	for (i = 0; i < SF_NR_TRIPS; i++)
		trips->trips[i] = (struct sf_trip){ true, SF_TRIP_OFF };
	return SF_OK;
}

/**
 * sf_trips_parse - read the argument of --trip
 * @text: such as "depth=64,newidle_share=10%,run_delay=20ms", or "off"
 * @trips: gets what it asks for; what was given before stays, so it begins as all zeroes
 * @err: says what was wrong and what is allowed
 *
 * Return: SF_OK, SF_USAGE, or SF_FAILED if out of memory.
 */
int sf_trips_parse(const char *text, struct sf_trips *trips,
		   struct sf_error *err)
{
	char *copy, *rest, *word;
	int code = SF_OK;

	if (!strcmp(text, "off"))
		return sf_trips_all_off(trips, err);
	copy = strdup(text);
	rest = copy;
	if (!copy)
		return sf_fail(err, SF_FAILED, "out of memory");
	while (!code && (word = strsep(&rest, ",")))
		code = sf_trip_parse(word, trips, err);
	free(copy);
	return code;
}

/**
 * sf_trips_given - is any to be set?
 * @trips: any
 */
bool sf_trips_given(const struct sf_trips *trips)
{
	size_t i;

	for (i = 0; i < SF_NR_TRIPS; i++)
		if (trips->trips[i].given)
			return true;
	return false;
}

/**
 * sf_trips_armed - has any a limit?
 * @trips: any
 */
bool sf_trips_armed(const struct sf_trips *trips)
{
	size_t i;

	for (i = 0; i < SF_NR_TRIPS; i++)
		if (trips->trips[i].limit != SF_TRIP_OFF)
			return true;
	return false;
}

/**
 * sf_trips_format - append those that are given, as the module takes them
 * @trips: any
 * @buf: a command
 * @size: of @buf
 */
void sf_trips_format(const struct sf_trips *trips, char *buf, size_t size)
{
	size_t i;

	for (i = 0; i < SF_NR_TRIPS; i++) {
		const struct sf_trip *trip = &trips->trips[i];

		if (!trip->given)
			continue;
		sf_append_text(buf, size, "%s%s=", *buf ? " " : "",
			       sf_trip_rules[i].word);
		if (trip->limit == SF_TRIP_OFF)
			sf_append_text(buf, size, "off");
		else
			sf_append_text(buf, size, "%llu",
				       (unsigned long long)trip->limit);
	}
}

static void sf_trip_describe(enum sf_trip_id id, u64 figure, char *buf,
			     size_t size)
{
	sf_append_text(buf, size, "%s%s ", *buf ? ", " : "",
		       sf_trip_rules[id].name);
	if (figure == SF_TRIP_UNKNOWN)
		sf_append_text(buf, size, "unknown");
	else
		sf_trip_rules[id].describe(figure, buf, size);
}

/**
 * sf_trips_describe - those that have a limit, for the user
 * @trips: any
 * @buf: for the words, such as "depth 64 tasks, newidle_share 10.0 %"; "off" if none has
 * @size: of @buf; SF_TRIPS_SIZE is enough
 */
void sf_trips_describe(const struct sf_trips *trips, char *buf, size_t size)
{
	size_t i;

	buf[0] = '\0';
	for (i = 0; i < SF_NR_TRIPS; i++)
		if (trips->trips[i].limit != SF_TRIP_OFF)
			sf_trip_describe(i, trips->trips[i].limit, buf, size);
	if (!*buf)
		sf_append_text(buf, size, "off");
}

/**
 * sf_trip_write - append one as sf_trips_parse() takes it
 * @id: which
 * @limit: in the module's unit
 * @buf: for the words
 * @size: of @buf
 */
void sf_trip_write(enum sf_trip_id id, u64 limit, char *buf, size_t size)
{
	unsigned long long number = limit;

	sf_append_text(buf, size, "%s%s=", *buf ? "," : "",
		       sf_trip_rules[id].name);
	if (limit == SF_TRIP_OFF)
		sf_append_text(buf, size, "off");
	else if (id == SF_TRIP_NEWIDLE)
		sf_append_text(buf, size, "%llu.%llu%%", number / 10,
			       number % 10);
	else if (id == SF_TRIP_DELAY && number % 1000 == 0)
		sf_append_text(buf, size, "%llums", number / 1000);
	else
		sf_append_text(buf, size, "%llu%s", number,
			       id == SF_TRIP_DELAY ? "us" : "");
}

/**
 * sf_trips_write - those that have a limit, as sf_trips_parse() takes them
 * @trips: any
 * @buf: for the words, such as "depth=64,newidle_share=10.0%"; empty if none has
 * @size: of @buf; SF_TRIPS_SIZE is enough
 */
void sf_trips_write(const struct sf_trips *trips, char *buf, size_t size)
{
	size_t i;

	buf[0] = '\0';
	for (i = 0; i < SF_NR_TRIPS; i++)
		if (trips->trips[i].limit != SF_TRIP_OFF)
			sf_trip_write(i, trips->trips[i].limit, buf, size);
}

/**
 * sf_trips_merge - change some tripwires
 * @trips: to change
 * @over: those given replace those of @trips
 */
void sf_trips_merge(struct sf_trips *trips, const struct sf_trips *over)
{
	size_t i;

	for (i = 0; i < SF_NR_TRIPS; i++)
		if (over->trips[i].given)
			trips->trips[i] = over->trips[i];
}

/**
 * sf_trips_measure - what was measured of those that have a limit, for the user
 * @trips: any
 * @figures: by enum sf_trip_id, in the module's units, or SF_TRIP_UNKNOWN
 * @buf: for the words; empty if none has a limit
 * @size: of @buf; SF_TRIPS_SIZE is enough
 */
void sf_trips_measure(const struct sf_trips *trips, const u64 *figures,
		      char *buf, size_t size)
{
	size_t i;

	buf[0] = '\0';
	for (i = 0; i < SF_NR_TRIPS; i++)
		if (trips->trips[i].limit != SF_TRIP_OFF)
			sf_trip_describe(i, figures[i], buf, size);
}

/* Which tripwire do the module's words name, and what limit? */
static bool sf_trip_read(const char *words, enum sf_trip_id *id, u64 *limit)
{
	size_t length = strcspn(words, "=");

	for (*id = 0; *id < SF_NR_TRIPS; ++*id)
		if (strlen(sf_trip_rules[*id].word) == length &&
		    !strncmp(sf_trip_rules[*id].word, words, length))
			return words[length] &&
			       sf_parse_number(words + length + 1, limit);
	return false;
}

/**
 * sf_trips_translate - why a tripwire was crossed, with the name that the user gave it
 * @reason: in the module's words, which end in "reached WORD=LIMIT"; others stay as they are
 * @buf: for the words
 * @size: of @buf
 */
void sf_trips_translate(const char *reason, char *buf, size_t size)
{
	static const char reached[] = " reached ";
	const char *at = strstr(reason, reached);
	char limit_words[SF_TRIPS_SIZE] = "";
	enum sf_trip_id id;
	u64 limit;

	buf[0] = '\0';
	if (!at || !sf_trip_read(at + strlen(reached), &id, &limit)) {
		sf_append_text(buf, size, "%s", reason);
		return;
	}
	sf_trip_describe(id, limit, limit_words, sizeof(limit_words));
	sf_append_text(buf, size, "%.*s%s%s", (int)(at - reason), reason,
		       reached, limit_words);
}

/**
 * sf_trips_differ - did the module take the tripwires?
 * @wanted: those given are compared
 * @found: as read back
 */
bool sf_trips_differ(const struct sf_trips *wanted,
		     const struct sf_trips *found)
{
	size_t i;

	for (i = 0; i < SF_NR_TRIPS; i++)
		if (wanted->trips[i].given &&
		    wanted->trips[i].limit != found->trips[i].limit)
			return true;
	return false;
}
