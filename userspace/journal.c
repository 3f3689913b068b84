// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interval.h"
#include "journal.h"
#include "text.h"

/* More different changes at once than a line could tell are not told apart. */
#define SF_MAX_CHANGES 16

static const struct sf_changing {
	const char *name;
	size_t offset;
} sf_changing[] = {
	{ "newidle", offsetof(struct sf_domain, newidle) },
	{ "slowpath", offsetof(struct sf_domain, slowpath) },
	{ "burst", offsetof(struct sf_domain, burst) },
	{ "cost", offsetof(struct sf_domain, cost) },
};

/**
 * struct sf_change - domains whose policy went from one to another
 * @kind: of the policy
 * @from: what it was
 * @to: what it is
 * @names: of the domains, such as " SMT MC"
 * @domains: number of them
 */
struct sf_change {
	const struct sf_changing *kind;
	const char *from;
	const char *to;
	char names[64];
	size_t domains;
};

/**
 * struct sf_changes - all that changed between two looks
 * @list: they
 * @count: number of @list
 */
struct sf_changes {
	struct sf_change list[SF_MAX_CHANGES];
	size_t count;
};

static struct sf_change *sf_change_find(struct sf_changes *changes,
					const struct sf_changing *kind,
					const char *from, const char *to)
{
	struct sf_change *change = changes->list;
	size_t i;

	for (i = 0; i < changes->count; i++, change++)
		if (change->kind == kind && !strcmp(change->from, from) &&
		    !strcmp(change->to, to))
			return change;
	if (changes->count == SF_MAX_CHANGES)
		return NULL;
	changes->count++;
	*change = (struct sf_change){ .kind = kind, .from = from, .to = to };
	return change;
}

static bool sf_has_word(const char *list, const char *word)
{
	size_t len = strlen(word);
	const char *found = list;

	while ((found = strstr(found, word))) {
		if (found > list && found[-1] == ' ' &&
		    (found[len] == ' ' || !found[len]))
			return true;
		found++;
	}
	return false;
}

static void sf_change_add(struct sf_changes *changes,
			  const struct sf_changing *kind,
			  const struct sf_domain *before,
			  const struct sf_domain *after)
{
	const char *from =
		*(const char *const *)((const char *)before + kind->offset);
	const char *to =
		*(const char *const *)((const char *)after + kind->offset);
	struct sf_change *change;

	if (!strcmp(from, to))
		return;
	change = sf_change_find(changes, kind, from, to);
	if (!change)
		return;
	change->domains++;
	if (!sf_has_word(change->names, after->name))
		sf_append_text(change->names, sizeof(change->names), " %s",
			       after->name);
}

/**
 * sf_journal_say - note something
 * @journal: it
 * @wall: time of day
 * @format: of the text
 */
void sf_journal_say(struct sf_journal *journal, time_t wall, const char *format,
		    ...)
{
	struct sf_entry_seen *entry =
		&journal->entries[journal->count++ % SF_JOURNAL_SIZE];
	va_list args;

	entry->wall = wall;
	va_start(args, format);
	vsnprintf(entry->text, sizeof(entry->text), format, args);
	va_end(args);
}

static void sf_journal_hooks(struct sf_journal *journal,
			     const struct sf_glance *before,
			     const struct sf_glance *after)
{
	if (strcmp(before->status.hooks, after->status.hooks))
		sf_journal_say(journal, after->wall, "hooks %s -> %s",
			       before->status.hooks, after->status.hooks);
}

/**
 * sf_journal_compare - note how policies and hooks changed between two looks
 * @journal: gets a line for each kind, former and new policy
 * @before: the first look
 * @after: the second
 *
 * Return: number of lines about policies.
 */
size_t sf_journal_compare(struct sf_journal *journal,
			  const struct sf_glance *before,
			  const struct sf_glance *after)
{
	const struct sf_domain **sorted = sf_state_by_level(&before->state);
	struct sf_changes changes = { .count = 0 };
	size_t i, j;

	if (!sorted)
		return 0;
	for (i = 0; i < after->state.count; i++) {
		const struct sf_domain *now = &after->state.domains[i];
		const struct sf_domain *then =
			sf_state_find(sorted, before->state.count, now);

		for (j = 0; then && j < SF_ARRAY_SIZE(sf_changing); j++)
			sf_change_add(&changes, &sf_changing[j], then, now);
	}
	free(sorted);
	sf_journal_hooks(journal, before, after);
	for (i = 0; i < changes.count; i++)
		sf_journal_say(journal, after->wall,
			       "%s %s -> %s on%s (%zu domain%s)",
			       changes.list[i].kind->name, changes.list[i].from,
			       changes.list[i].to, changes.list[i].names,
			       changes.list[i].domains,
			       sf_plural(changes.list[i].domains));
	return changes.count;
}

/**
 * sf_journal_get - read a line
 * @journal: it
 * @back: 0 is the last line, 1 the one before
 *
 * Return: NULL if there is none, or none any more.
 */
const struct sf_entry_seen *sf_journal_get(const struct sf_journal *journal,
					   size_t back)
{
	if (back >= journal->count || back >= SF_JOURNAL_SIZE)
		return NULL;
	return &journal->entries[(journal->count - 1 - back) % SF_JOURNAL_SIZE];
}

/**
 * sf_time_of_day - print a time as 12:03:07
 * @wall: it
 * @buf: for the text
 * @size: of @buf
 *
 * Return: @buf.
 */
const char *sf_time_of_day(time_t wall, char *buf, size_t size)
{
	struct tm tm;

	if (!localtime_r(&wall, &tm) || !strftime(buf, size, "%H:%M:%S", &tm))
		snprintf(buf, size, "-");
	return buf;
}
