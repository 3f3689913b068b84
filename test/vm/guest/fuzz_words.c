// SPDX-License-Identifier: GPL-2.0-or-later
/* Commands: all words of docs/debugfs.md, with values at, within and beyond the limits. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"

#define SF_MAX_VALUES 12

/* A value is wrong once in so many. */
#define SF_BAD_ONCE_IN 12

/**
 * struct sf_grammar - the values of a word
 * @name: what stands before the =
 * @good: are taken
 * @bad: are refused, wherever they stand
 */
static const struct sf_grammar {
	const char *name;
	const char *good[SF_MAX_VALUES];
	const char *bad[SF_MAX_VALUES];
} sf_grammar[SF_NR_KEYS] = {
	[SF_KEY_NEWIDLE] = { "newidle",
			     { "stock", "dice", "accumulator", "jitter",
			       "always", "never" },
			     { "", "Dice", "dic", "dicey", "0", "mixed" } },
	[SF_KEY_START] = { "start",
			   { "zero", "half", "random", "stagger" },
			   { "", "set", "0", "-", "zero,half" } },
	[SF_KEY_RATIO] = { "ratio",
			   { "0", "1", "31", "1023", "1024", "learned" },
			   { "", "1025", "-1", "0x10", "1e3", "unpin",
			     "18446744073709551616", "4294967296", "3.5",
			     "learned1" } },
	[SF_KEY_WINDOW_POS] = { "window_pos",
				{ "0", "1", "512", "1023", "007" },
				{ "", "1024", "-1", "learned", "4294967295",
				  "99999999999999999999" } },
	[SF_KEY_SLOWPATH] = { "slowpath",
			      { "stock", "random" },
			      { "", "idle", "randomx" } },
	[SF_KEY_BURST] = { "burst",
			   { "stock", "idle", "spread", "nearest" },
			   { "", "random", "on", "spread spread" } },
	[SF_KEY_BURST_DEPTH] = { "burst_depth",
				 { "1", "2", "7", "4095", "4096" },
				 { "", "0", "4097", "-2", "65536", "off" } },
	[SF_KEY_BURST_FACTOR] = { "burst_factor",
				  { "1", "3", "64" },
				  { "", "0", "65", "2.5", "-64" } },
	/* On takes CONFIG_NO_HZ_COMMON. */
	[SF_KEY_BURST_NOHZ] = { "burst_nohz",
				{ "off", "on" },
				{ "", "1", "yes", "ON" } },
	[SF_KEY_COST] = { "cost", { "stock", "bump" }, { "", "half", "bumps" } },
	[SF_KEY_SYNC] = { "sync", { "on", "off" }, { "", "1", "0", "o" } },
	[SF_KEY_LEARN] = { "learn",
			   { "keep", "reset", "restore" },
			   { "", "all", "kept" } },
	[SF_KEY_CPU] = { "cpu",
			 { "0" },
			 { "", "0-", "-", "x", "0,zwei", "100000", "1-0",
			   "4294967296", "0-99999" } },
	[SF_KEY_DOMAIN] = { "domain",
			    { "0" },
			    { "", "LLC", "-1", "99", "0x0" } },
	[SF_KEY_FOR_MS] = { "for_ms",
			    { "100", "250", "1000", "86400000" },
			    { "", "99", "0", "-1", "86400001", "1s",
			      "18446744073709551615" } },
	[SF_KEY_LEASE] = { "lease",
			   { "confirm", "return", "renew", "new" },
			   { "", "keep", "returned", "1" } },
	[SF_KEY_TRIP_DEPTH] = { "trip_depth",
				{ "off", "65535", "64", "1" },
				{ "", "0", "65536", "-1", "on" } },
	[SF_KEY_TRIP_NEWIDLE] = { "trip_newidle",
				  { "off", "1000", "1" },
				  { "", "0", "1001", "10%" } },
	[SF_KEY_TRIP_DELAY_US] = { "trip_delay_us",
				   { "off", "60000000", "1" },
				   { "", "0", "60000001", "1ms" } },
	[SF_KEY_NONE] = { "none",
			  { NULL },
			  { "", "1", "stock", "none=none", "\"" } },
};

uint64_t sf_random_next(struct sf_random *random)
{
	uint64_t number = random->state += 0x9e3779b97f4a7c15;

	number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9;
	number = (number ^ number >> 27) * 0x94d049bb133111eb;
	return number ^ number >> 31;
}

uint32_t sf_random_below(struct sf_random *random, uint32_t below)
{
	return (sf_random_next(random) >> 32) * below >> 32;
}

bool sf_random_once_in(struct sf_random *random, uint32_t times)
{
	return !sf_random_below(random, times);
}

const char *sf_key_name(enum sf_key key)
{
	return sf_grammar[key].name;
}

static const char *sf_draw_value(struct sf_random *random,
				 const char *const *values)
{
	uint32_t count = 0;

	while (count < SF_MAX_VALUES && values[count])
		count++;
	return values[sf_random_below(random, count)];
}

/* Of CPUs that there are, a single one or a range. */
static void sf_draw_cpus(struct sf_random *random, char *buf, size_t size)
{
	uint32_t cpus = sysconf(_SC_NPROCESSORS_CONF);
	uint32_t first = sf_random_below(random, cpus);
	uint32_t last = first + sf_random_below(random, cpus - first);

	if (sf_random_once_in(random, 2))
		snprintf(buf, size, "%u", first);
	else
		snprintf(buf, size, "%u-%u", first, last);
}

/* Return: is it to be taken? */
enum sf_verdict sf_word_draw(struct sf_random *random, enum sf_key key,
			     struct sf_word *word)
{
	const struct sf_grammar *grammar = &sf_grammar[key];
	bool bad =
		key == SF_KEY_NONE || sf_random_once_in(random, SF_BAD_ONCE_IN);

	word->key = key;
	snprintf(word->value, sizeof(word->value), "%s",
		 sf_draw_value(random, bad ? grammar->bad : grammar->good));
	if (key == SF_KEY_CPU && !bad)
		sf_draw_cpus(random, word->value, sizeof(word->value));
	if (key == SF_KEY_BURST_NOHZ && !strcmp(word->value, "on"))
		return SF_UNKNOWN;
	return bad ? SF_BAD : SF_GOOD;
}

const struct sf_word *sf_command_word(const struct sf_command *command,
				      enum sf_key key)
{
	size_t i;

	for (i = 0; i < command->count; i++)
		if (command->words[i].key == key)
			return &command->words[i];
	return NULL;
}

/* What makes words bad that are good by themselves. */
static bool sf_command_is_bad(const struct sf_command *command)
{
	bool sets = false;
	size_t i, j;

	for (i = 0; i < command->count; i++) {
		sets |= command->words[i].key != SF_KEY_CPU &&
			command->words[i].key != SF_KEY_DOMAIN;
		for (j = 0; j < i; j++)
			if (command->words[i].key == command->words[j].key)
				return true;
	}
	return !sets || (sf_command_word(command, SF_KEY_START) &&
			 sf_command_word(command, SF_KEY_WINDOW_POS));
}

/**
 * sf_command_draw - draw a command
 * @random: from here
 * @last: of its keys it is the last there may be
 * @command: set, but for its text
 */
void sf_command_draw(struct sf_random *random, enum sf_key last,
		     struct sf_command *command)
{
	enum sf_verdict verdict;
	enum sf_key key;
	size_t i;

	command->count = 1 + sf_random_below(random, SF_MAX_WORDS - 1);
	command->verdict = SF_GOOD;
	for (i = 0; i < command->count; i++) {
		key = sf_random_below(random, last + 1);
		if (sf_random_once_in(random, 100))
			key = SF_KEY_NONE;
		verdict = sf_word_draw(random, key, &command->words[i]);
		if (verdict == SF_BAD || command->verdict != SF_BAD)
			command->verdict =
				verdict == SF_GOOD ? command->verdict : verdict;
	}
	if (sf_command_is_bad(command))
		command->verdict = SF_BAD;
}

/* Print the words, with any blanks between, before and behind them. */
void sf_command_print(struct sf_random *random, struct sf_command *command)
{
	static const char *const blanks[] = { " ", "  ", "\t", "\n", " \n\t " };
	size_t i, len = 0, size = sizeof(command->text);
	const char *blank;

	for (i = 0; i < command->count; i++) {
		blank = i || sf_random_once_in(random, 8) ?
				blanks[sf_random_below(random,
						       SF_ARRAY_SIZE(blanks))] :
				"";
		len += snprintf(command->text + len, size - len, "%s%s=%s",
				blank, sf_key_name(command->words[i].key),
				command->words[i].value);
	}
	if (sf_random_once_in(random, 2))
		snprintf(command->text + len, size - len, "\n");
}
