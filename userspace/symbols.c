// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "symbols.h"

/**
 * sf_symbols_count - how many symbols of the kernel itself have a name?
 * @text: of /proc/kallsyms, where a module's symbol has "\t[module]" behind it
 * @name: of the symbol
 */
unsigned int sf_symbols_count(const char *text, const char *name)
{
	char pattern[128];
	unsigned int count = 0;

	snprintf(pattern, sizeof(pattern), " %s\n", name);
	for (; (text = strstr(text, pattern)); text++)
		count++;
	return count;
}

/**
 * sf_symbols_variant - find what the compiler made of a function
 * @text: of /proc/kallsyms
 * @name: of the function
 * @buf: for a name such as sched_balance_rq.isra.0; empty if there is none
 * @size: of @buf
 */
void sf_symbols_variant(const char *text, const char *name, char *buf,
			size_t size)
{
	char pattern[128];
	const char *found;

	snprintf(pattern, sizeof(pattern), " %s.", name);
	found = strstr(text, pattern);
	buf[0] = '\0';
	if (found)
		snprintf(buf, size, "%.*s", (int)strcspn(found + 1, "\t\n"),
			 found + 1);
}
