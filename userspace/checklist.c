// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checklist.h"
#include "color.h"
#include "text.h"

static const char *const sf_status_names[SF_NR_STATUS] = {
	[SF_STATUS_OK] = "ok",
	[SF_STATUS_WARNING] = "warning",
	[SF_STATUS_UNKNOWN] = "unknown",
	[SF_STATUS_MISSING] = "missing",
};

/**
 * sf_checklist_init - begin a list
 * @list: to set
 */
void sf_checklist_init(struct sf_checklist *list)
{
	*list = (struct sf_checklist){ .rows = json_array() };
}

/**
 * sf_checklist_free - forget a list
 * @list: from sf_checklist_init()
 */
void sf_checklist_free(struct sf_checklist *list)
{
	json_decref(list->rows);
}

/* A kernel that can't is worse than a user who may not, and so on. */
static int sf_rank(enum sf_exit code)
{
	switch (code) {
	case SF_UNSUPPORTED:
		return 3;
	case SF_DENIED:
		return 2;
	case SF_FAILED:
		return 1;
	default:
		return 0;
	}
}

static void sf_checklist_miss(struct sf_checklist *list, enum sf_exit code,
			      const char *requirement)
{
	if (sf_rank(code) > sf_rank(list->code)) {
		list->code = code;
		list->missing[0] = '\0';
	}
	if (code == list->code)
		sf_append_text(list->missing, sizeof(list->missing), "%s%s",
			       *list->missing ? ", " : "", requirement);
}

/**
 * sf_checklist_add - add a row
 * @list: the list
 * @status: whether the requirement is met
 * @code: exit code if it is missing
 * @requirement: what is required
 * @remedy: what to do if it is not met; NULL for nothing
 * @format: what was found
 */
void sf_checklist_add(struct sf_checklist *list, enum sf_status status,
		      enum sf_exit code, const char *requirement,
		      const char *remedy, const char *format, ...)
{
	size_t place = status == SF_STATUS_MISSING ?
			       list->count[SF_STATUS_MISSING] :
			       json_array_size(list->rows);
	json_t *row = json_object();
	char found[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(found, sizeof(found), format, args);
	va_end(args);
	if (status == SF_STATUS_OK)
		remedy = NULL;
	if (json_object_set_new(row, "requirement",
				sf_json_text(requirement)) ||
	    json_object_set_new(row, "status",
				json_string(sf_status_names[status])) ||
	    json_object_set_new(row, "found", sf_json_text(found)) ||
	    json_object_set_new(row, "remedy",
				remedy ? sf_json_text(remedy) : json_null()) ||
	    json_array_insert_new(list->rows, place, row))
		list->incomplete = true;
	list->count[status]++;
	if (status == SF_STATUS_MISSING)
		sf_checklist_miss(list, code, requirement);
}

/* Of what a user may see, nothing but root is missing. */
static bool sf_checklist_wants_root(const struct sf_checklist *list)
{
	return list->count[SF_STATUS_MISSING] == 1 &&
	       !strcmp(list->missing, SF_REQUIRED_ROOT);
}

static const char *sf_row_text(const json_t *row, const char *key)
{
	const char *text = json_string_value(json_object_get(row, key));

	return text ? text : "";
}

static void sf_checklist_color(struct libscols_line *line, const char *status)
{
	if (!strcmp(status, sf_status_names[SF_STATUS_MISSING]))
		sf_table_color(line, 1, SF_COLOR_ALERT);
	else if (!strcmp(status, sf_status_names[SF_STATUS_WARNING]))
		sf_table_color(line, 1, SF_COLOR_NOTICE);
}

/**
 * sf_checklist_print - print the rows
 * @list: the list
 * @out: gets them, as a table or as JSON
 */
void sf_checklist_print(const struct sf_checklist *list, struct sf_output *out)
{
	static const struct sf_column columns[] = {
		{ "REQUIREMENT", 0 },
		{ "STATUS", 0 },
		{ "FOUND", SCOLS_FL_WRAP },
		{ "REMEDY", SCOLS_FL_WRAP },
	};
	static const char *const keys[] = {
		"requirement",
		"status",
		"found",
		"remedy",
	};
	struct libscols_table *table = NULL;
	struct libscols_line *line;
	const json_t *row;
	size_t i, j;

	out->incomplete |= list->incomplete;
	sf_output_set(out, "requirements", json_incref(list->rows));
	if (out->json)
		return;
	table = sf_table_new(columns, SF_ARRAY_SIZE(columns));
	for (i = 0; table && i < json_array_size(list->rows); i++) {
		row = json_array_get(list->rows, i);
		line = scols_table_new_line(table, NULL);
		for (j = 0; j < SF_ARRAY_SIZE(keys); j++)
			sf_table_cell(line, j, "%s", sf_row_text(row, keys[j]));
		sf_checklist_color(line, sf_row_text(row, "status"));
	}
	sf_table_print(out, table);
}

static int sf_checklist_fail(const struct sf_checklist *list,
			     struct sf_error *err)
{
	const char *answer = "the module can't be loaded now";

	if (sf_checklist_wants_root(list))
		return sf_fail(
			err, list->code,
			"only root is missing, all else will do; run it with sudo");
	if (list->code == SF_UNSUPPORTED)
		answer = "this kernel can't take the module";
	else if (list->code == SF_DENIED)
		answer = "you may not load the module";
	return sf_fail(err, list->code, "%s; missing: %s", answer,
		       list->missing);
}

/**
 * sf_checklist_verdict - will the module load?
 * @list: the list
 * @out: gets the answer
 * @err: names what is missing
 *
 * Return: SF_OK, or what a load would come to.
 */
int sf_checklist_verdict(const struct sf_checklist *list, struct sf_output *out,
			 struct sf_error *err)
{
	sf_output_set(out, "will_load", json_boolean(!list->code));
	sf_output_say(out, "\n%u ok, %u warning, %u unknown, %u missing",
		      list->count[SF_STATUS_OK], list->count[SF_STATUS_WARNING],
		      list->count[SF_STATUS_UNKNOWN],
		      list->count[SF_STATUS_MISSING]);
	if (list->code)
		return sf_checklist_fail(list, err);
	sf_output_say(
		out,
		list->count[SF_STATUS_UNKNOWN] ?
			"This kernel takes the module, as far as can be seen." :
			"This kernel takes the module.");
	return SF_OK;
}
