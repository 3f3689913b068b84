// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "color.h"
#include "output.h"
#include "text.h"

/**
 * sf_output_init - begin a command's output
 * @out: to set
 * @json: the user asked for JSON
 */
void sf_output_init(struct sf_output *out, bool json)
{
	out->json = json;
	out->color = false;
	out->root = json_object();
	out->incomplete = !out->root;
	sf_output_set(out, "schema_version", json_integer(SF_SCHEMA_VERSION));
}

/**
 * sf_output_set - put a value into the JSON object
 * @out: the output
 * @key: with the unit at its end, if it has one
 * @value: handed over; NULL is a value that did not fit in memory
 */
void sf_output_set(struct sf_output *out, const char *key, json_t *value)
{
	if (json_object_set_new(out->root, key, value))
		out->incomplete = true;
}

/**
 * sf_output_say - print a line, unless the user asked for JSON
 * @out: the output
 * @format: without the newline
 */
void sf_output_say(struct sf_output *out, const char *format, ...)
{
	va_list args;

	if (out->json)
		return;
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

/**
 * sf_output_stress - print a line that begins with a word to be seen, unless the user
 *	asked for JSON
 * @out: the output
 * @color: of its first word
 * @format: without the newline
 */
void sf_output_stress(struct sf_output *out, const char *color,
		      const char *format, ...)
{
	char line[2048];
	va_list args;
	int len;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	len = strcspn(line, " :");
	if (out->color)
		sf_output_say(out, "%s%.*s" SF_COLOR_END "%s", color, len, line,
			      line + len);
	else
		sf_output_say(out, "%s", line);
}

/**
 * sf_json_number - a counter as JSON
 * @number: one too large for JSON's integers becomes a real
 */
json_t *sf_json_number(u64 number)
{
	return number > LLONG_MAX ? json_real(number) : json_integer(number);
}

/**
 * sf_json_text - a string as JSON
 * @text: what is not UTF-8 is replaced
 */
json_t *sf_json_text(const char *text)
{
	json_t *value = json_string(text);
	char *copy;

	if (value)
		return value;
	copy = strdup(text);
	if (!copy)
		return NULL;
	sf_clean_text(copy);
	value = json_string(copy);
	free(copy);
	return value;
}

/**
 * sf_json_maybe_text - a string as JSON, or null
 * @text: what is not UTF-8 is replaced; NULL becomes null
 */
json_t *sf_json_maybe_text(const char *text)
{
	return text ? sf_json_text(text) : json_null();
}

/**
 * sf_json_maybe_real - a number as JSON, or null
 * @value: becomes null if it is not finite
 */
json_t *sf_json_maybe_real(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static void sf_output_error(struct sf_output *out, const struct sf_error *err)
{
	json_t *error = json_object();

	fflush(stdout);
	fprintf(stderr, "schedflip: %s\n", err->message);
	if (json_object_set_new(error, "message", sf_json_text(err->message)) ||
	    json_object_set_new(error, "exit_code", json_integer(err->code)))
		out->incomplete = true;
	sf_output_set(out, "error", error);
}

/**
 * sf_output_finish - print what is left, and make sure that it was written
 * @out: the output
 * @err: the command's error, if it failed
 *
 * Return: exit code of the utility.
 */
int sf_output_finish(struct sf_output *out, struct sf_error *err)
{
	int error;

	if (err->code)
		sf_output_error(out, err);
	errno = 0;
	if (out->json && !out->incomplete &&
	    !json_dumpf(out->root, stdout, JSON_INDENT(2)))
		putchar('\n');
	/* What is larger than stdio's buffer has failed here already. */
	error = errno;
	json_decref(out->root);
	out->root = NULL;
	if (out->incomplete) {
		fputs("schedflip: out of memory\n", stderr);
		return SF_FAILED;
	}
	errno = error;
	if (!ferror(stdout) && !fflush(stdout) && !fclose(stdout))
		return err->code;
	fprintf(stderr, "schedflip: cannot write the output: %s\n",
		errno ? strerror(errno) : "write error");
	return SF_FAILED;
}

/**
 * sf_table_new - begin a table
 * @columns: heads of its columns
 * @count: number of them
 *
 * Return: the table, or NULL if it does not fit in memory.
 */
struct libscols_table *sf_table_new(const struct sf_column *columns,
				    size_t count)
{
	struct libscols_table *table = scols_new_table();
	size_t i;

	for (i = 0; table && i < count; i++) {
		if (scols_table_new_column(table, columns[i].name, 0,
					   columns[i].flags))
			continue;
		scols_unref_table(table);
		table = NULL;
	}
	return table;
}

/**
 * sf_table_cell - fill a cell
 * @line: of the table; NULL is one that did not fit in memory
 * @column: number of the column
 * @format: of the text
 */
void sf_table_cell(struct libscols_line *line, size_t column,
		   const char *format, ...)
{
	char *text = NULL;
	va_list args;

	if (!line)
		return;
	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	if (text && scols_line_refer_data(line, column, text))
		free(text);
}

/**
 * sf_table_color - colour a cell, if the output has colours
 * @line: of the table; NULL is one that did not fit in memory
 * @column: number of the column
 * @color: of color.h
 */
void sf_table_color(struct libscols_line *line, size_t column,
		    const char *color)
{
	if (line)
		scols_cell_set_color(scols_line_get_cell(line, column), color);
}

static void sf_table_color_heads(struct libscols_table *table)
{
	size_t i;

	for (i = 0; i < scols_table_get_ncols(table); i++)
		scols_cell_set_color(scols_column_get_header(
					     scols_table_get_column(table, i)),
				     SF_COLOR_HEAD);
}

/**
 * sf_table_print - print a table and free it
 * @out: the output
 * @table: from sf_table_new(); NULL is one that did not fit in memory
 */
void sf_table_print(struct sf_output *out, struct libscols_table *table)
{
	if (table && out->color) {
		scols_table_enable_colors(table, 1);
		sf_table_color_heads(table);
	}
	if (!table || scols_print_table(table))
		out->incomplete = true;
	scols_unref_table(table);
}
