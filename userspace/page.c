// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "color.h"
#include "page.h"
#include "text.h"

/* Where lines end. */
#define SF_TERMINAL_WIDTH 80
#define SF_MAIL_WIDTH 72

/* Facts stand behind their names. */
#define SF_FACT_INDENT 12

/*
 * In a mail every line but a heading begins so: at its very beginning, "diff", "---" or
 * "From" would end the message for git.
 */
#define SF_MAIL_INDENT 2

static size_t sf_page_width(const struct sf_page *page)
{
	return page->layout == SF_LAYOUT_MAIL ? SF_MAIL_WIDTH :
						SF_TERMINAL_WIDTH;
}

static size_t sf_page_indent(const struct sf_page *page)
{
	return page->layout == SF_LAYOUT_MAIL ? SF_MAIL_INDENT : 0;
}

/* Facts and items stand together, all else apart. */
static void sf_page_begin(struct sf_page *page, enum sf_page_part part)
{
	bool together = part == page->last &&
			(part == SF_PART_FACT || part == SF_PART_ITEM);
	bool headed = page->last == SF_PART_HEADING &&
		      page->layout != SF_LAYOUT_MARKDOWN;

	if (page->last != SF_PART_NONE && !together && !headed)
		putc('\n', page->to);
	page->last = part;
}

/* Return: length of the word at @text; "1.2 %" and "p < 0.1" are one each. */
static size_t sf_word_length(const char *text)
{
	const char *at = text;

	while (*at && (*at != ' ' || strchr("%=<", at[1]) ||
		       (at > text && strchr("=<", at[-1]))))
		at++;
	return at - text;
}

/* Return: length of the shell's word at @text; a blank that is quoted ends none. */
static size_t sf_argument_length(const char *text)
{
	bool escapes = true;
	char quote = '\0';
	const char *at;

	for (at = text; *at && (quote || *at != ' '); at++) {
		if (*at == '\\' && escapes && at[1]) {
			at++;
		} else if (*at == quote) {
			quote = '\0';
			escapes = true;
		} else if (!quote && (*at == '\'' || *at == '"')) {
			quote = *at;
			/* Of single quotes only $'...' has escapes. */
			escapes = quote == '"' || (at > text && at[-1] == '$');
		}
	}
	return at - text;
}

/**
 * struct sf_wrap - how a text is broken into lines
 * @length: of the word at a text
 * @first: column where it begins
 * @indent: of its further lines
 * @width: where lines end; 0 for never
 * @tie: goes at the end of each line but the last
 */
struct sf_wrap {
	size_t (*length)(const char *text);
	size_t first;
	size_t indent;
	size_t width;
	const char *tie;
};

static void sf_print_wrapped(const char *text, const struct sf_wrap *wrap,
			     FILE *to)
{
	size_t column = wrap->first, len, tie;
	bool begun = false;

	for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
		len = wrap->length(text);
		tie = text[len] ? strlen(wrap->tie) : 0;
		if (begun && wrap->width &&
		    column + 1 + len + tie > wrap->width) {
			fprintf(to, "%s\n%*s", wrap->tie, (int)wrap->indent,
				"");
			column = wrap->indent;
		} else if (begun) {
			putc(' ', to);
			column++;
		}
		fwrite(text, 1, len, to);
		text += len;
		column += len;
		begun = true;
	}
	putc('\n', to);
}

/**
 * sf_page_flow - print a text and free it
 * @page: the page
 * @text: from sf_page_format()
 * @indent: where it begins, and its further lines
 * @wraps: it has further lines
 */
static void sf_page_flow(struct sf_page *page, char *text, size_t indent,
			 bool wraps)
{
	struct sf_wrap wrap = { .length = sf_word_length,
				.first = indent,
				.indent = indent,
				.width = wraps ? sf_page_width(page) : 0,
				.tie = "" };

	if (page->layout == SF_LAYOUT_MARKDOWN) {
		sf_print_markdown(text, page->to);
		putc('\n', page->to);
	} else {
		sf_print_wrapped(text, &wrap, page->to);
	}
	free(text);
}

static char *sf_page_format(struct sf_page *page, const char *format,
			    va_list args)
{
	char *text = NULL;

	if (vasprintf(&text, format, args) < 0) {
		page->incomplete = true;
		return NULL;
	}
	return text;
}

static void sf_page_head(struct sf_page *page, const char *mark, char *text)
{
	if (!text)
		return;
	sf_page_begin(page, SF_PART_HEADING);
	if (page->layout == SF_LAYOUT_MARKDOWN) {
		fprintf(page->to, "%s ", mark);
		sf_print_markdown(text, page->to);
		putc('\n', page->to);
	} else if (page->color) {
		fprintf(page->to, SF_COLOR_HEAD "%s" SF_COLOR_END "\n", text);
	} else {
		fprintf(page->to, "%s\n", text);
	}
	free(text);
}

/**
 * sf_page_title - print the title of what follows
 * @page: the page
 * @format: begins with a word of ours
 */
void sf_page_title(struct sf_page *page, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	sf_page_head(page, "#", sf_page_format(page, format, args));
	va_end(args);
}

/**
 * sf_page_heading - print the heading of a part
 * @page: the page
 * @format: begins with a word of ours
 */
void sf_page_heading(struct sf_page *page, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	sf_page_head(page, "##", sf_page_format(page, format, args));
	va_end(args);
}

/* Return: column where the fact begins. */
static size_t sf_page_name(struct sf_page *page, const char *name)
{
	int indent = sf_page_indent(page), pad = SF_FACT_INDENT - strlen(name);

	sf_page_begin(page, SF_PART_FACT);
	if (page->layout == SF_LAYOUT_MARKDOWN) {
		fprintf(page->to, "- %s: ", name);
		return 0;
	}
	fprintf(page->to, "%*s%s:%*s", indent, "", name, pad > 1 ? pad - 1 : 1,
		"");
	return indent + SF_FACT_INDENT;
}

/**
 * sf_page_fact - print something that has a name
 * @page: the page
 * @name: shorter than a dozen letters
 * @format: of the fact, cut at blanks where a line ends
 */
void sf_page_fact(struct sf_page *page, const char *name, const char *format,
		  ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = sf_page_format(page, format, args);
	va_end(args);
	if (text)
		sf_page_flow(page, text, sf_page_name(page, name), true);
}

/* A code span begins and ends with more backticks than there are in it. */
static void sf_print_code(const char *text, FILE *to)
{
	size_t i, run = 0, longest = 0;

	for (i = 0; text[i]; i++) {
		run = text[i] == '`' ? run + 1 : 0;
		if (run > longest)
			longest = run;
	}
	for (i = 0; i <= longest; i++)
		putc('`', to);
	fprintf(to, longest ? " %s " : "%s", text);
	for (i = 0; i <= longest; i++)
		putc('`', to);
	putc('\n', to);
}

/**
 * sf_page_command - print a command
 * @page: the page
 * @name: of the fact
 * @command: as a shell reads it; in a mail cut between words, each line but the last with
 *	a backslash at its end
 */
void sf_page_command(struct sf_page *page, const char *name,
		     const char *command)
{
	struct sf_wrap wrap = { .length = sf_argument_length, .tie = " \\" };

	wrap.first = sf_page_name(page, name);
	wrap.indent = wrap.first + 2;
	if (page->layout == SF_LAYOUT_MAIL)
		wrap.width = sf_page_width(page);
	if (page->layout == SF_LAYOUT_MARKDOWN)
		sf_print_code(command, page->to);
	else
		sf_print_wrapped(command, &wrap, page->to);
}

/* @text is freed. */
static void sf_page_put(struct sf_page *page, enum sf_page_part part,
			const char *bullet, char *text, bool cut)
{
	size_t indent = sf_page_indent(page);

	if (!text)
		return;
	sf_page_begin(page, part);
	fprintf(page->to, "%*s%s", (int)indent, "", bullet);
	sf_page_flow(page, text, indent + strlen(bullet), cut);
}

/**
 * sf_page_say - print a paragraph
 * @page: the page
 * @format: of it, without a newline
 */
void sf_page_say(struct sf_page *page, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	sf_page_put(page, SF_PART_TEXT, "", sf_page_format(page, format, args),
		    true);
	va_end(args);
}

/**
 * sf_page_item - print a line of a list
 * @page: the page
 * @format: of it, without a newline; cut in a mail only, so that it can be searched for
 */
void sf_page_item(struct sf_page *page, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	sf_page_put(page, SF_PART_ITEM, "- ",
		    sf_page_format(page, format, args),
		    page->layout == SF_LAYOUT_MAIL);
	va_end(args);
}

/**
 * sf_page_fits - can a table stay in one piece? In a mail it may be cut
 * @page: the page
 * @grid: the table
 */
bool sf_page_fits(const struct sf_page *page, const struct sf_grid *grid)
{
	return page->layout != SF_LAYOUT_MAIL ||
	       sf_grid_fits(grid, sf_page_width(page) - sf_page_indent(page));
}

/**
 * sf_page_table - print a table, and free it
 * @page: the page
 * @grid: the table
 */
void sf_page_table(struct sf_page *page, struct sf_grid *grid)
{
	sf_page_begin(page, SF_PART_TABLE);
	if (page->layout == SF_LAYOUT_TERMINAL)
		sf_grid_print_terminal(grid, page->color, page->to);
	else if (page->layout == SF_LAYOUT_MARKDOWN)
		sf_grid_print_markdown(grid, page->to);
	else
		sf_grid_print_plain(grid, sf_page_indent(page),
				    sf_page_width(page), page->to);
	page->incomplete |= grid->incomplete;
	sf_grid_free(grid);
}
