// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

/**
 * sf_parse_number - read an unsigned decimal
 * @text: digits and nothing else
 * @number: set to the value
 *
 * Return: false if @text is anything else, or too large for 64 bits.
 */
bool sf_parse_number(const char *text, u64 *number)
{
	u64 value = 0;

	if (!*text)
		return false;
	for (; *text; text++) {
		if (*text < '0' || *text > '9')
			return false;
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (u64)(*text - '0'), &value))
			return false;
	}
	*number = value;
	return true;
}

/**
 * sf_parse_real - read an unsigned decimal with a fraction
 * @text: digits, of which a point may follow one
 * @number: set to the value
 *
 * Return: false if @text is anything else.
 */
bool sf_parse_real(const char *text, double *number)
{
	size_t whole = strspn(text, "0123456789");
	const char *rest = text + whole;

	if (!whole)
		return false;
	if (*rest == '.' && strspn(rest + 1, "0123456789"))
		rest += 1 + strspn(rest + 1, "0123456789");
	if (*rest)
		return false;
	/* The program does not set LC_NUMERIC, so the point is a point. */
	*number = strtod(text, NULL);
	return true;
}

/**
 * sf_append_text - print behind what a buffer holds, cut to fit
 * @buf: a string
 * @size: of @buf
 * @format: as for printf
 */
void sf_append_text(char *buf, size_t size, const char *format, ...)
{
	size_t len = strlen(buf);
	va_list args;

	va_start(args, format);
	vsnprintf(buf + len, size - len, format, args);
	va_end(args);
}

/**
 * sf_clean_text - make a foreign string safe for a terminal and for JSON
 * @text: whatever is not printable ASCII becomes a question mark
 */
void sf_clean_text(char *text)
{
	for (; *text; text++)
		if (*text < ' ' || *text > '~')
			*text = '?';
}

/**
 * sf_control_size - is there a control character, on which a terminal acts?
 * @text: UTF-8
 *
 * Those of C1, U+0080 to U+009F, are two bytes in UTF-8.
 *
 * Return: how many bytes the one at the beginning of @text has, 0 if there is none.
 */
size_t sf_control_size(const char *text)
{
	unsigned char first = *text, second = first ? text[1] : 0;

	if (first == 0xc2 && second >= 0x80 && second < 0xa0)
		return 2;
	return first && (first < ' ' || first == 127);
}

/**
 * sf_plural - ending of a noun behind a number
 * @count: the number
 */
const char *sf_plural(u64 count)
{
	return count == 1 ? "" : "s";
}

/**
 * sf_next_line - cut the first line off a text
 * @text: moved behind the line
 *
 * Return: the line without its end; NULL if no complete line is left.
 */
char *sf_next_line(char **text)
{
	char *line = *text;
	char *end = strchr(line, '\n');

	if (!end)
		return NULL;
	*end = '\0';
	*text = end + 1;
	return line;
}

/**
 * sf_find_name - look a word up in a table of names
 * @names: the table
 * @count: number of its rows
 * @name: the word
 *
 * Return: the table's own string, or NULL.
 */
const char *sf_find_name(const struct sf_name *names, size_t count,
			 const char *name)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!strcmp(names[i].name, name))
			return names[i].name;
	return NULL;
}

/**
 * sf_list_names - print the names of a table, separated by blanks
 * @names: the table
 * @count: number of its rows
 * @buf: for the text
 * @size: of @buf
 */
void sf_list_names(const struct sf_name *names, size_t count, char *buf,
		   size_t size)
{
	size_t i;

	buf[0] = '\0';
	for (i = 0; i < count; i++)
		sf_append_text(buf, size, "%s%s", i ? " " : "", names[i].name);
}
