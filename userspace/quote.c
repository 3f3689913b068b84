// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Commands as one would type them. They are only to be shown, and pasted by a reader.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quote.h"
#include "text.h"

/* Letters that no shell minds. */
#define SF_PLAIN                                                      \
	"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvw" \
	"xyz_-+=@%/.,:"

static bool sf_has_control(const char *word)
{
	for (; *word; word++)
		if (sf_control_size(word))
			return true;
	return false;
}

/* $'...' is the quoting that keeps a line a line. */
static void sf_quote_control(const char *word, FILE *to)
{
	size_t left = 0;

	fputs("$'", to);
	for (; *word; word++) {
		if (!left)
			left = sf_control_size(word);
		if (*word == '\n')
			fputs("\\n", to);
		else if (*word == '\t')
			fputs("\\t", to);
		else if (left)
			fprintf(to, "\\%03o", (unsigned char)*word);
		else if (*word == '\'' || *word == '\\')
			fprintf(to, "\\%c", *word);
		else
			putc(*word, to);
		left -= left > 0;
	}
	putc('\'', to);
}

/**
 * sf_quote_word - print a word as one would type it
 * @word: anything
 * @to: gets it, in one line
 */
void sf_quote_word(const char *word, FILE *to)
{
	if (*word && !word[strspn(word, SF_PLAIN)]) {
		fputs(word, to);
		return;
	}
	if (sf_has_control(word)) {
		sf_quote_control(word, to);
		return;
	}
	putc('\'', to);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", to);
		else
			putc(*word, to);
	}
	putc('\'', to);
}

/**
 * sf_quote_command - a command as one would type it
 * @command: an array of strings
 *
 * Return: one line, to be freed; NULL if it does not fit in memory.
 */
char *sf_quote_command(const json_t *command)
{
	char *text = NULL;
	size_t size, i;
	FILE *to = open_memstream(&text, &size);
	json_t *word;

	if (!to)
		return NULL;
	json_array_foreach(command, i, word) {
		if (i)
			putc(' ', to);
		sf_quote_word(json_string_value(word), to);
	}
	if (!(ferror(to) | fclose(to)))
		return text;
	free(text);
	return NULL;
}
