// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parsing of commands. Knows the words, but neither domains nor states.
 */
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "command.h"

/**
 * struct sf_word - a word of a command that sets a field of struct sf_command
 * @key: what stands before the =
 * @about: enum sf_about
 * @offset: of the field
 * @names: values it may have, or NULL if it is a number
 * @count: number of @names
 * @policy: they are policies
 * @min: the smallest number
 * @max: the largest
 * @other: a word that may stand for the number, and means SF_UNPIN; or NULL
 */
struct sf_word {
	const char *key;
	u8 about;
	size_t offset;
	const struct sf_name *names;
	int count;
	bool policy;
	int min;
	int max;
	const char *other;
};

#define SF_POLICY_WORD(key_, field, table)                                  \
	{                                                                   \
		.key = key_,                                                \
		.offset = offsetof(struct sf_command, change.field),        \
		.names = table, .count = ARRAY_SIZE(table), .policy = true, \
	}
#define SF_NAME_WORD(field, table)                                   \
	{                                                            \
		.key = #field,                                       \
		.offset = offsetof(struct sf_command, change.field), \
		.names = table, .count = ARRAY_SIZE(table),          \
	}
#define SF_NUMBER_WORD(field, min_, max_, other_)                    \
	{                                                            \
		.key = #field,                                       \
		.offset = offsetof(struct sf_command, change.field), \
		.min = min_, .max = max_, .other = other_,           \
	}
#define SF_GLOBAL_WORD(key_, about_, field, min_, max_, other_)            \
	{                                                                  \
		.key = key_, .about = about_,                              \
		.offset = offsetof(struct sf_command, field), .min = min_, \
		.max = max_, .other = other_,                              \
	}

static const struct sf_name sf_lease_names[] = {
	{ "confirm", SF_LEASE_CONFIRM },
	{ "return", SF_LEASE_RETURN },
	{ "renew", SF_LEASE_RENEW },
	{ "new", SF_LEASE_NEW },
};

static const struct sf_word sf_words[] = {
	SF_POLICY_WORD("newidle", policy, sf_newidle_names),
	SF_NAME_WORD(start, sf_start_names),
	SF_NUMBER_WORD(ratio, 0, SF_CELL, "learned"),
	SF_NUMBER_WORD(window_pos, 0, SF_CELL - 1, NULL),
	SF_POLICY_WORD("slowpath", slowpath, sf_slowpath_names),
	SF_POLICY_WORD("burst", burst, sf_burst_names),
	SF_NUMBER_WORD(burst_depth, 1, SF_BURST_MAX_DEPTH, NULL),
	SF_NUMBER_WORD(burst_factor, 1, SF_BURST_MAX_FACTOR, NULL),
	SF_NAME_WORD(burst_nohz, sf_switch_names),
	SF_POLICY_WORD("cost", cost, sf_cost_names),
	SF_NAME_WORD(sync, sf_switch_names),
	SF_NAME_WORD(learn, sf_learn_names),
	SF_GLOBAL_WORD("for_ms", SF_ABOUT_LEASE, for_ms, SF_LEASE_MIN_MS,
		       SF_LEASE_MAX_MS, NULL),
	{
		.key = "lease",
		.about = SF_ABOUT_LEASE,
		.offset = offsetof(struct sf_command, lease),
		.names = sf_lease_names,
		.count = ARRAY_SIZE(sf_lease_names),
	},
	SF_GLOBAL_WORD("trip_depth", SF_ABOUT_TRIPS, trips.depth, 1,
		       SF_TRIP_MAX_DEPTH, "off"),
	SF_GLOBAL_WORD("trip_newidle", SF_ABOUT_TRIPS, trips.newidle, 1,
		       SF_TRIP_MAX_NEWIDLE, "off"),
	SF_GLOBAL_WORD("trip_delay_us", SF_ABOUT_TRIPS, trips.delay_us, 1,
		       SF_TRIP_MAX_DELAY_US, "off"),
};

/**
 * sf_command_alloc - a command that changes nothing, on all CPUs
 *
 * Return: the command, or NULL.
 */
struct sf_command *sf_command_alloc(void)
{
	struct sf_command *command = kzalloc(sizeof(*command), GFP_KERNEL);

	if (!command)
		return NULL;
	if (!zalloc_cpumask_var(&command->cpus, GFP_KERNEL)) {
		kfree(command);
		return NULL;
	}
	cpumask_copy(command->cpus, cpu_possible_mask);
	command->change = SF_NO_CHANGE;
	command->for_ms = SF_KEEP;
	command->lease = SF_KEEP;
	command->trips = (struct sf_trips){ SF_KEEP, SF_KEEP, SF_KEEP };
	return command;
}

/**
 * sf_command_free
 * @command: or NULL
 */
void sf_command_free(struct sf_command *command)
{
	if (!command)
		return;
	free_cpumask_var(command->cpus);
	kfree(command);
}

/**
 * sf_command_refuse - say why
 * @command: its error is set
 * @err: to return
 * @fmt: one line without a newline
 */
int sf_command_refuse(struct sf_command *command, int err, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vscnprintf(command->error, sizeof(command->error), fmt, args);
	va_end(args);
	return err;
}

static int sf_parse_name(struct sf_command *command, const char *word,
			 const struct sf_word *rule, int *value)
{
	char known[96] = "";
	size_t len = 0;
	int i;

	for (i = 0; i < rule->count; i++) {
		if (!strcmp(word, rule->names[i].name)) {
			*value = rule->names[i].id;
			return 0;
		}
		len += scnprintf(known + len, sizeof(known) - len, " %s",
				 rule->names[i].name);
	}
	return sf_command_refuse(command, -EINVAL,
				 "no %s \"%.32s\"%s%s; known:%s",
				 rule->policy ? "policy" : rule->key, word,
				 rule->policy ? " for " : "",
				 rule->policy ? rule->key : "", known);
}

static int sf_parse_number(struct sf_command *command, const char *word,
			   const struct sf_word *rule, int *value)
{
	const char *conjunction = rule->other ? " or " : "";
	const char *other = rule->other ?: "";
	unsigned long number;
	int err = kstrtoul(word, 10, &number);

	if (rule->other && !strcmp(word, rule->other)) {
		*value = SF_UNPIN;
		return 0;
	}
	if (err && err != -ERANGE)
		return sf_command_refuse(
			command, -EINVAL,
			"%s=%.32s is not a number; allowed: %d..%d%s%s",
			rule->key, word, rule->min, rule->max, conjunction,
			other);
	if (err || number < rule->min || number > rule->max)
		return sf_command_refuse(
			command, -ERANGE,
			"%s=%.32s is out of range; allowed: %d..%d", rule->key,
			word, rule->min, rule->max);
	*value = number;
	return 0;
}

static int sf_parse_cpus(struct sf_command *command, const char *word)
{
	int err = cpulist_parse(word, command->cpus);

	if (err || cpumask_empty(command->cpus))
		return sf_command_refuse(
			command, err == -ERANGE ? err : -EINVAL,
			"cpu=%.32s is not a list of CPUs; allowed: numbers and ranges of 0..%u",
			word, nr_cpu_ids - 1);
	if (!cpumask_subset(command->cpus, cpu_possible_mask))
		return sf_command_refuse(
			command, -ERANGE,
			"cpu=%.32s is out of range; possible: %*pbl", word,
			cpumask_pr_args(cpu_possible_mask));
	command->cpus_given = true;
	return 0;
}

static int sf_unknown_word(struct sf_command *command, const char *key)
{
	char known[256] = "";
	size_t len = 0;
	int i;

	for (i = 0; i < ARRAY_SIZE(sf_words); i++)
		len += scnprintf(known + len, sizeof(known) - len, " %s",
				 sf_words[i].key);
	return sf_command_refuse(command, -EINVAL,
				 "unknown word \"%.32s\"; known:%s cpu domain",
				 key, known);
}

/* Of the words given; bit i is that of sf_words[i]. */
#define SF_GIVEN_CPU BIT(30)
#define SF_GIVEN_DOMAIN BIT(31)

static int sf_mark_given(struct sf_command *command, const char *key,
			 unsigned long bit, unsigned long *given)
{
	if (*given & bit)
		return sf_command_refuse(command, -EINVAL,
					 "%.32s= is given twice", key);
	*given |= bit;
	return 0;
}

static int sf_parse_word(struct sf_command *command, const char *key,
			 const char *word, unsigned long *given)
{
	const struct sf_word *rule;
	int i, err, *value;

	if (!strcmp(key, "cpu"))
		return sf_mark_given(command, key, SF_GIVEN_CPU, given) ?:
			       sf_parse_cpus(command, word);
	if (!strcmp(key, "domain")) {
		command->domain = word;
		return sf_mark_given(command, key, SF_GIVEN_DOMAIN, given);
	}
	for (i = 0; i < ARRAY_SIZE(sf_words); i++)
		if (!strcmp(key, sf_words[i].key))
			break;
	if (i == ARRAY_SIZE(sf_words))
		return sf_unknown_word(command, key);
	err = sf_mark_given(command, key, BIT(i), given);
	if (err)
		return err;
	rule = &sf_words[i];
	command->about |= BIT(rule->about);
	value = (void *)command + rule->offset;
	return rule->names ? sf_parse_name(command, word, rule, value) :
			     sf_parse_number(command, word, rule, value);
}

static int sf_check_lease(struct sf_command *command)
{
	bool others = command->about & ~BIT(SF_ABOUT_LEASE);
	bool timed = command->for_ms != SF_KEEP;

	if (command->lease == SF_LEASE_RENEW && !timed)
		return sf_command_refuse(command, -EINVAL,
					 "lease=renew takes for_ms as well");
	if (command->lease == SF_LEASE_NEW && !timed)
		return sf_command_refuse(command, -EINVAL,
					 "lease=new takes for_ms as well");
	if (command->lease == SF_LEASE_CONFIRM && timed)
		return sf_command_refuse(
			command, -EINVAL,
			"lease=confirm and for_ms exclude each other");
	if (command->lease == SF_LEASE_RETURN && (timed || others))
		return sf_command_refuse(command, -EINVAL,
					 "lease=return takes no other words");
	if ((command->lease == SF_KEEP || command->lease == SF_LEASE_NEW) &&
	    timed && !others)
		return sf_command_refuse(
			command, -EINVAL,
			"for_ms without anything to set; a pending lease takes lease=renew as well");
	return 0;
}

static int sf_check_words(struct sf_command *command)
{
	struct sf_change *change = &command->change;

	if (change->start != SF_KEEP && change->window_pos != SF_KEEP)
		return sf_command_refuse(
			command, -EINVAL,
			"start and window_pos exclude each other");
	if (!command->about)
		return sf_command_refuse(
			command, -EINVAL,
			"nothing to set; say what, such as newidle=jitter");
	if (change->policy != SF_KEEP && change->start == SF_KEEP &&
	    change->window_pos == SF_KEEP)
		change->start = SF_START_ZERO;
	return sf_check_lease(command);
}

/**
 * sf_command_parse - read the words of a command
 * @command: fresh; keeps pointers into @text
 * @text: changed
 *
 * Return: 0, -EINVAL or -ERANGE with the command's error set.
 */
int sf_command_parse(struct sf_command *command, char *text)
{
	unsigned long given = 0;
	char *word;
	int err;

	while ((word = strsep(&text, " \t\n"))) {
		char *value = strchr(word, '=');

		if (!*word)
			continue;
		if (!value)
			return sf_command_refuse(command, -EINVAL,
						 "\"%.32s\" is not KEY=VALUE",
						 word);
		*value++ = '\0';
		err = sf_parse_word(command, word, value, &given);
		if (err)
			return err;
	}
	return sf_check_words(command);
}
