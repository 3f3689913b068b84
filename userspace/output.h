/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_OUTPUT_H
#define SCHEDFLIP_OUTPUT_H

#include <jansson.h>
#include <libsmartcols/libsmartcols.h>

#include <schedflip/types.h>

#include "error.h"

#define SF_SCHEMA_VERSION 1

/**
 * struct sf_output - what a command prints
 * @json: one JSON object instead of text
 * @color: the text has colours
 * @root: it; filled in either case
 * @incomplete: a value did not fit in memory
 */
struct sf_output {
	bool json;
	bool color;
	json_t *root;
	bool incomplete;
};

/**
 * struct sf_column - one column of a table
 * @name: its head
 * @flags: of libsmartcols
 */
struct sf_column {
	const char *name;
	int flags;
};

void sf_output_init(struct sf_output *out, bool json);
void sf_output_set(struct sf_output *out, const char *key, json_t *value);
void sf_output_say(struct sf_output *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void sf_output_stress(struct sf_output *out, const char *color,
		      const char *format, ...)
	__attribute__((format(printf, 3, 4)));
int sf_output_finish(struct sf_output *out, struct sf_error *err);

json_t *sf_json_number(u64 number);
json_t *sf_json_text(const char *text);
json_t *sf_json_maybe_text(const char *text);
json_t *sf_json_maybe_real(double value);

struct libscols_table *sf_table_new(const struct sf_column *columns,
				    size_t count);
void sf_table_cell(struct libscols_line *line, size_t column,
		   const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void sf_table_color(struct libscols_line *line, size_t column,
		    const char *color);
void sf_table_print(struct sf_output *out, struct libscols_table *table);

#endif
