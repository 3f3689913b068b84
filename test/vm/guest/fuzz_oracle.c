// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One command after the other, while nobody else sets anything. `state` before and after
 * it tells whether it did what it says.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"

#define SF_MAX_DOMAINS 1024

/* Of `state` only what a command sets. */
static const char *const sf_fields[] = {
	[SF_KEY_NEWIDLE] = "newidle",
	[SF_KEY_START] = "start",
	[SF_KEY_RATIO] = "ratio",
	[SF_KEY_WINDOW_POS] = "start_pos",
	[SF_KEY_SLOWPATH] = "slowpath",
	[SF_KEY_BURST] = "burst",
	[SF_KEY_BURST_DEPTH] = "burst_depth",
	[SF_KEY_BURST_FACTOR] = "burst_factor",
	[SF_KEY_BURST_NOHZ] = "burst_nohz",
	[SF_KEY_COST] = "cost",
	[SF_KEY_SYNC] = "sync",
	[SF_KEY_LEARN] = "pinned",
};

/**
 * struct sf_row - a domain
 * @cpu: as the module prints it
 * @domain: its index
 * @name: its name
 * @changes: commands that named it
 * @values: of sf_fields
 */
struct sf_row {
	unsigned long cpu;
	char domain[8];
	char name[16];
	unsigned long changes;
	char values[SF_NR_DOMAIN_KEYS][16];
};

/**
 * struct sf_rows - `state`
 * @rows: its lines
 * @count: number of @rows
 * @text: of them
 */
struct sf_rows {
	struct sf_row rows[SF_MAX_DOMAINS];
	size_t count;
	char text[1 << 20];
};

static struct sf_rows sf_before, sf_after, sf_leased;

/* What a failure is told with. */
static const char *sf_path;
static const struct sf_command *sf_command;
static unsigned long sf_taken, sf_refused;

static ssize_t sf_read_file(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len, used = 0;

	if (fd < 0)
		return -1;
	while ((len = read(fd, buf + used, size - used - 1)) > 0)
		used += len;
	close(fd);
	buf[used] = '\0';
	return len < 0 ? -1 : used;
}

static void sf_find_word(const char *line, const char *key, char *buf,
			 size_t size)
{
	char pattern[32];
	const char *at;

	snprintf(pattern, sizeof(pattern), " %s=", key);
	at = strstr(line, pattern);
	at = at ? at + strlen(pattern) : "?";
	snprintf(buf, size, "%.*s", (int)strcspn(at, " \n"), at);
}

static void sf_read_row(const char *line, struct sf_row *row)
{
	char text[32];
	size_t i;

	row->cpu = strtoul(line + strlen("cpu="), NULL, 10);
	sf_find_word(line, "domain", row->domain, sizeof(row->domain));
	sf_find_word(line, "name", row->name, sizeof(row->name));
	sf_find_word(line, "changes", text, sizeof(text));
	row->changes = strtoul(text, NULL, 10);
	for (i = 0; i < SF_NR_DOMAIN_KEYS; i++)
		sf_find_word(line, sf_fields[i], row->values[i],
			     sizeof(row->values[i]));
	/* A ratio that goes on learning is nobody's. */
	if (strcmp(row->values[SF_KEY_LEARN], "1"))
		strcpy(row->values[SF_KEY_RATIO], "learned");
}

static bool sf_read_rows(struct sf_rows *rows)
{
	char *rest = rows->text, *line;

	rows->count = 0;
	if (sf_read_file(SF_DEBUGFS "/state", rows->text, sizeof(rows->text)) <=
	    0)
		return false;
	while ((line = strsep(&rest, "\n")) && *line &&
	       rows->count < SF_MAX_DOMAINS)
		sf_read_row(line, &rows->rows[rows->count++]);
	return true;
}

/* Return: 1, for exit. */
static int sf_complain(const char *what, const struct sf_row *was,
		       const struct sf_row *is, enum sf_key key)
{
	printf("%s: %s <- \"%s\"\n", what, sf_path, sf_command->text);
	if (is)
		printf("cpu=%lu domain=%s: %s was %s and is %s, changes %lu %lu\n",
		       is->cpu, is->domain, sf_fields[key], was->values[key],
		       is->values[key], was->changes, is->changes);
	return 1;
}

/* As strings, but for numbers: those of `state` have no zeroes in front. */
static bool sf_is_value(const char *value, const char *wanted)
{
	char *end;
	unsigned long number = strtoul(wanted, &end, 10);

	if (*wanted && !*end)
		return strtoul(value, NULL, 10) == number;
	return !strcmp(value, wanted);
}

/* What @row is to have, or NULL for what nobody knows. */
static const char *sf_wanted(const struct sf_command *command,
			     const struct sf_row *was, enum sf_key key)
{
	const struct sf_word *word = sf_command_word(command, key);
	bool restarts = sf_command_word(command, SF_KEY_NEWIDLE);
	bool placed = sf_command_word(command, SF_KEY_WINDOW_POS);
	const struct sf_word *start = sf_command_word(command, SF_KEY_START);

	switch (key) {
	case SF_KEY_START:
		if (placed)
			return "set";
		return word	? word->value :
		       restarts ? "zero" :
				  was->values[key];
	case SF_KEY_WINDOW_POS:
		if (word)
			return word->value;
		if (!start)
			return restarts ? "0" : was->values[key];
		if (!strcmp(start->value, "zero"))
			return "0";
		return strcmp(start->value, "half") ? NULL : "512";
	case SF_KEY_BURST_NOHZ:
	case SF_KEY_SYNC:
		if (word)
			return strcmp(word->value, "on") ? "0" : "1";
		return was->values[key];
	case SF_KEY_LEARN:
		word = sf_command_word(command, SF_KEY_RATIO);
		if (word)
			return strcmp(word->value, "learned") ? "1" : "0";
		return was->values[key];
	default:
		return word ? word->value : was->values[key];
	}
}

static bool sf_is_for(const struct sf_command *command,
		      const struct sf_row *row)
{
	const struct sf_word *cpu = sf_command_word(command, SF_KEY_CPU);
	const struct sf_word *domain = sf_command_word(command, SF_KEY_DOMAIN);
	unsigned long first, last;
	char *end;

	if (domain && strcmp(domain->value, row->domain) &&
	    strcmp(domain->value, row->name))
		return false;
	if (!cpu)
		return true;
	first = last = strtoul(cpu->value, &end, 10);
	if (*end == '-')
		last = strtoul(end + 1, NULL, 10);
	return first <= row->cpu && row->cpu <= last;
}

/* Without CPUs and domains it is for those to come as well. */
static bool sf_is_for_any(const struct sf_command *command)
{
	size_t i;

	if (!sf_command_word(command, SF_KEY_CPU) &&
	    !sf_command_word(command, SF_KEY_DOMAIN))
		return true;
	for (i = 0; i < sf_before.count; i++)
		if (sf_is_for(command, &sf_before.rows[i]))
			return true;
	return false;
}

/* Return: 0 if it has what it is to have, else 1. */
static int sf_check_row(const struct sf_command *command, bool named,
			const struct sf_row *was, const struct sf_row *is)
{
	const char *wanted;
	enum sf_key key;

	if (is->changes != was->changes + named)
		return sf_complain("the wrong domains were named", was, is, 0);
	for (key = 0; key < SF_NR_DOMAIN_KEYS; key++) {
		wanted =
			named ? sf_wanted(command, was, key) : was->values[key];
		if (wanted && !sf_is_value(is->values[key], wanted))
			return sf_complain("not what was asked for", was, is,
					   key);
	}
	return 0;
}

static int sf_check_rows(const struct sf_command *command, bool taken)
{
	size_t i;

	if (!sf_read_rows(&sf_after) || sf_after.count != sf_before.count)
		return sf_complain("the domains changed", NULL, NULL, 0);
	for (i = 0; i < sf_after.count; i++)
		if (sf_check_row(command,
				 taken &&
					 sf_is_for(command, &sf_before.rows[i]),
				 &sf_before.rows[i], &sf_after.rows[i]))
			return 1;
	return 0;
}

/* Return: 0 or errno. */
static int sf_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), error = 0;
	ssize_t len = strlen(text);

	if (fd < 0)
		return errno;
	if (write(fd, text, len) != len)
		error = errno ? errno : EIO;
	close(fd);
	return error;
}

static int sf_check_refusal(int error)
{
	static const int known[] = { EINVAL, ERANGE, ENOENT,
				     EAGAIN, ENODEV, EOPNOTSUPP };
	char why[1024];
	size_t i;

	for (i = 0; i < SF_ARRAY_SIZE(known); i++)
		if (error == known[i])
			break;
	if (i == SF_ARRAY_SIZE(known)) {
		printf("%s\n", strerror(error));
		return sf_complain("an error that is not documented", NULL,
				   NULL, 0);
	}
	if (sf_read_file(SF_DEBUGFS "/last_error", why, sizeof(why)) <= 0)
		return sf_complain("refused without a reason", NULL, NULL, 0);
	return 0;
}

/* Write it, and look whether what happens is right. */
static int sf_try(const char *path, const struct sf_command *command)
{
	enum sf_verdict verdict = command->verdict;
	int error;

	sf_path = path;
	sf_command = command;
	if (!sf_read_rows(&sf_before))
		return sf_complain("cannot read state", NULL, NULL, 0);
	if (verdict != SF_BAD && !sf_is_for_any(command))
		verdict = SF_BAD;
	errno = 0;
	error = sf_write(path, command->text);
	if (!error && verdict == SF_BAD)
		return sf_complain("taken, and should not be", NULL, NULL, 0);
	if (error && verdict == SF_GOOD) {
		printf("%s\n", strerror(error));
		return sf_complain("refused, and should not be", NULL, NULL, 0);
	}
	error ? sf_refused++ : sf_taken++;
	if (error && sf_check_refusal(error))
		return 1;
	return sf_check_rows(command, !error);
}

static void sf_name_domain(struct sf_random *random, struct sf_command *command)
{
	size_t i;

	for (i = 0; i < command->count && sf_before.count; i++)
		if (command->words[i].key == SF_KEY_DOMAIN &&
		    !strcmp(command->words[i].value, "0") &&
		    sf_random_once_in(random, 2))
			strcpy(command->words[i].value,
			       sf_before
				       .rows[sf_random_below(random,
							     sf_before.count)]
				       .name);
}

static int sf_try_command(struct sf_random *random)
{
	static const char *const paths[] = { SF_DEBUGFS "/policy",
					     SF_PARAMETERS "/policy" };
	struct sf_command command;

	sf_command_draw(random, SF_KEY_DOMAIN, &command);
	sf_name_domain(random, &command);
	sf_command_print(random, &command);
	return sf_try(paths[sf_random_once_in(random, 4)], &command);
}

/* A domain's own file: a value, and behind a policy a start. */
static int sf_try_domain(struct sf_random *random)
{
	static const enum sf_key keys[] = {
		SF_KEY_NEWIDLE,	    SF_KEY_RATIO,	SF_KEY_WINDOW_POS,
		SF_KEY_SLOWPATH,    SF_KEY_BURST,	SF_KEY_COST,
		SF_KEY_BURST_DEPTH, SF_KEY_BURST_FACTOR
	};
	struct sf_command command = { .count = 3 };
	const struct sf_row *row;
	char path[128];

	if (!sf_before.count)
		return 0;
	row = &sf_before.rows[sf_random_below(random, sf_before.count)];
	command.verdict =
		sf_word_draw(random,
			     keys[sf_random_below(random, SF_ARRAY_SIZE(keys))],
			     &command.words[0]);
	snprintf(path, sizeof(path), SF_DEBUGFS "/cpu%lu/domain%s/%s", row->cpu,
		 row->domain, sf_key_name(command.words[0].key));
	snprintf(command.text, sizeof(command.text), "%s\n",
		 command.words[0].value);
	command.words[1].key = SF_KEY_CPU;
	snprintf(command.words[1].value, sizeof(command.words[1].value), "%lu",
		 row->cpu);
	command.words[2].key = SF_KEY_DOMAIN;
	strcpy(command.words[2].value, row->domain);
	return sf_try(path, &command);
}

/* What is different is the count of commands, and where a random window starts. */
static int sf_check_return(const struct sf_command *back)
{
	struct sf_row *was, *is;
	size_t i;

	for (i = 0; i < sf_after.count; i++) {
		was = &sf_leased.rows[i];
		is = &sf_after.rows[i];
		was->changes = is->changes;
		if (!strcmp(was->values[SF_KEY_START], "random"))
			strcpy(was->values[SF_KEY_WINDOW_POS],
			       is->values[SF_KEY_WINDOW_POS]);
		if (sf_check_row(back, false, was, is))
			return 1;
	}
	return 0;
}

/* A lease brings back what was there, whatever is taken and refused under it. */
static int sf_try_lease(struct sf_random *random)
{
	static const struct sf_command back = { .text = "lease=return" };
	size_t i;

	if (!sf_read_rows(&sf_leased))
		return 1;
	if (sf_write(SF_DEBUGFS "/policy", "sync=on for_ms=600000"))
		return 0;
	for (i = sf_random_below(random, 5); i; i--)
		if (sf_try_command(random))
			return 1;
	sf_path = SF_DEBUGFS "/policy";
	sf_command = &back;
	if (sf_write(sf_path, back.text))
		return sf_complain("the lease is gone", NULL, NULL, 0);
	if (!sf_read_rows(&sf_after) || sf_after.count != sf_leased.count)
		return sf_complain("the domains changed", NULL, NULL, 0);
	return sf_check_return(&back);
}

int sf_oracle(double seconds, uint64_t seed)
{
	struct sf_random random = { seed };
	double end = sf_now() + seconds;
	int failed = 0;

	if (!sf_read_rows(&sf_before)) {
		printf("cannot read " SF_DEBUGFS "/state\n");
		return 1;
	}
	while (!failed && sf_now() < end) {
		if (sf_random_once_in(&random, 10))
			failed = sf_try_lease(&random);
		else if (sf_random_once_in(&random, 3))
			failed = sf_try_domain(&random);
		else
			failed = sf_try_command(&random);
	}
	printf("seed %llu: %lu commands taken, %lu refused\n",
	       (unsigned long long)seed, sf_taken, sf_refused);
	return failed || !sf_taken || !sf_refused;
}
