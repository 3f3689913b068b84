// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parsing of commands. Knows the words, but neither domains nor states.
 */
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "command.h"

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
	command->change =
		(struct sf_change){ SF_KEEP, SF_KEEP, SF_KEEP, SF_KEEP };
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

static int sf_parse_name(struct sf_command *command, const char *what,
			 const char *of, const char *word,
			 const struct sf_name *names, int count, int *value)
{
	char known[96] = "";
	size_t len = 0;
	int i;

	for (i = 0; i < count; i++) {
		if (!strcmp(word, names[i].name)) {
			*value = names[i].id;
			return 0;
		}
		len += scnprintf(known + len, sizeof(known) - len, " %s",
				 names[i].name);
	}
	return sf_command_refuse(command, -EINVAL,
				 "no %s \"%.32s\"%s; known:%s", what, word, of,
				 known);
}

static int sf_parse_number(struct sf_command *command, const char *key,
			   const char *word, int max, int *value)
{
	unsigned long number;
	int err = kstrtoul(word, 10, &number);

	if (err && err != -ERANGE)
		return sf_command_refuse(
			command, -EINVAL,
			"%s=%.32s is not a number; allowed: 0..%d%s", key, word,
			max, max == SF_CELL ? " or learned" : "");
	if (err || number > max)
		return sf_command_refuse(
			command, -ERANGE,
			"%s=%.32s is out of range; allowed: 0..%d", key, word,
			max);
	*value = number;
	return 0;
}

static int sf_parse_ratio(struct sf_command *command, const char *word)
{
	if (!strcmp(word, "learned")) {
		command->change.ratio = SF_UNPIN;
		return 0;
	}
	return sf_parse_number(command, "ratio", word, SF_CELL,
			       &command->change.ratio);
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

static int sf_parse_word(struct sf_command *command, char *key, char *word)
{
	struct sf_change *change = &command->change;

	if (!strcmp(key, "newidle"))
		return sf_parse_name(command, "policy", " for newidle", word,
				     sf_newidle_names, SF_NR_NEWIDLE,
				     &change->policy);
	if (!strcmp(key, "start"))
		return sf_parse_name(command, "start", "", word, sf_start_names,
				     SF_NR_START, &change->start);
	if (!strcmp(key, "window_pos"))
		return sf_parse_number(command, key, word, SF_CELL - 1,
				       &change->window_pos);
	if (!strcmp(key, "ratio"))
		return sf_parse_ratio(command, word);
	if (!strcmp(key, "cpu"))
		return sf_parse_cpus(command, word);
	if (!strcmp(key, "domain")) {
		command->domain = word;
		return 0;
	}
	return sf_command_refuse(
		command, -EINVAL,
		"unknown word \"%.32s\"; known: newidle start ratio window_pos cpu domain",
		key);
}

static int sf_check_words(struct sf_command *command)
{
	struct sf_change *change = &command->change;

	if (change->start != SF_KEEP && change->window_pos != SF_KEEP)
		return sf_command_refuse(
			command, -EINVAL,
			"start and window_pos exclude each other");
	if (change->policy == SF_KEEP && change->start == SF_KEEP &&
	    change->ratio == SF_KEEP && change->window_pos == SF_KEEP)
		return sf_command_refuse(
			command, -EINVAL,
			"nothing to set; say one of newidle= start= ratio= window_pos=");
	if (change->policy != SF_KEEP && change->start == SF_KEEP &&
	    change->window_pos == SF_KEEP)
		change->start = SF_START_ZERO;
	return 0;
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
	static const char *const keys[] = {
		"newidle", "start", "ratio", "window_pos", "cpu", "domain",
	};
	unsigned long seen = 0;
	char *word;
	int i, err;

	while ((word = strsep(&text, " \t\n"))) {
		char *value = strchr(word, '=');

		if (!*word)
			continue;
		if (!value)
			return sf_command_refuse(command, -EINVAL,
						 "\"%.32s\" is not KEY=VALUE",
						 word);
		*value++ = '\0';
		for (i = 0; i < ARRAY_SIZE(keys) && strcmp(word, keys[i]); i++)
			;
		if (seen & BIT(i))
			return sf_command_refuse(command, -EINVAL,
						 "%.32s= is given twice", word);
		seen |= BIT(i);
		err = sf_parse_word(command, word, value);
		if (err)
			return err;
	}
	return sf_check_words(command);
}
