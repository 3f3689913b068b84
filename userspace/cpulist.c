// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "cpulist.h"
#include "text.h"

/* Two numbers and what separates them. */
#define SF_RANGE_SIZE 16

/**
 * sf_cpulist_has - is a CPU in a set?
 * @list: the set
 * @cpu: any number
 */
bool sf_cpulist_has(const struct sf_cpulist *list, u64 cpu)
{
	return cpu < SF_MAX_CPUS && list->bits[cpu / 64] >> (cpu % 64) & 1;
}

/**
 * sf_cpulist_add - put a CPU into a set
 * @list: the set
 * @cpu: one beyond those we can hold is left out
 */
void sf_cpulist_add(struct sf_cpulist *list, u64 cpu)
{
	if (cpu < SF_MAX_CPUS)
		list->bits[cpu / 64] |= 1ULL << (cpu % 64);
}

/**
 * sf_cpulist_count - number of CPUs in a set
 * @list: the set
 */
unsigned int sf_cpulist_count(const struct sf_cpulist *list)
{
	unsigned int i, count = 0;

	for (i = 0; i < SF_ARRAY_SIZE(list->bits); i++)
		count += __builtin_popcountll(list->bits[i]);
	return count;
}

static int sf_cpulist_parse_range(char *word, struct sf_cpulist *list,
				  struct sf_error *err)
{
	char *dash = strchr(word, '-');
	u64 first, last;

	if (dash)
		*dash++ = '\0';
	if (!sf_parse_number(word, &first) ||
	    !sf_parse_number(dash ? dash : word, &last))
		return sf_fail(
			err, SF_USAGE,
			"\"%s%s%s\" is no CPU; give a list such as 0-3,6", word,
			dash ? "-" : "", dash ? dash : "");
	if (last >= SF_MAX_CPUS || first >= SF_MAX_CPUS)
		return sf_fail(err, SF_USAGE,
			       "CPU %s is out of range; allowed: 0 to %d",
			       first >= SF_MAX_CPUS || !dash ? word : dash,
			       SF_MAX_CPUS - 1);
	if (first > last)
		return sf_fail(err, SF_USAGE,
			       "CPU range %s-%s runs backwards; write %s-%s",
			       word, dash, dash, word);
	for (; first <= last; first++)
		sf_cpulist_add(list, first);
	return SF_OK;
}

/**
 * sf_cpulist_parse - read a list such as 0-3,6
 * @text: the list
 * @list: set to it
 * @err: says what was wrong
 *
 * Return: SF_OK or SF_USAGE.
 */
int sf_cpulist_parse(const char *text, struct sf_cpulist *list,
		     struct sf_error *err)
{
	char *copy = strdup(text), *rest = copy, *word;
	int code = SF_OK;

	memset(list, 0, sizeof(*list));
	if (!copy)
		return sf_fail(err, SF_FAILED, "out of memory");
	while (!code && (word = strsep(&rest, ",")))
		code = sf_cpulist_parse_range(word, list, err);
	free(copy);
	return code;
}

static void sf_cpulist_append(u64 first, u64 last, char *buf, size_t size)
{
	sf_append_text(buf, size, "%s%llu", *buf ? "," : "",
		       (unsigned long long)first);
	if (last > first)
		sf_append_text(buf, size, "-%llu", (unsigned long long)last);
}

/**
 * sf_cpulist_format - print as many CPUs of a set as have room
 * @list: the set; those that were printed are taken out
 * @buf: for a list such as 0-3,6; empty if none is left
 * @size: of @buf
 */
void sf_cpulist_format(struct sf_cpulist *list, char *buf, size_t size)
{
	u64 cpu, first;

	buf[0] = '\0';
	for (cpu = 0; cpu < SF_MAX_CPUS; cpu++) {
		if (!sf_cpulist_has(list, cpu))
			continue;
		if (strlen(buf) + SF_RANGE_SIZE > size)
			return;
		for (first = cpu; sf_cpulist_has(list, cpu); cpu++)
			list->bits[cpu / 64] &= ~(1ULL << (cpu % 64));
		sf_cpulist_append(first, cpu - 1, buf, size);
	}
}
