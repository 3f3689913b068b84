// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * All runs as comma-separated values, quoted as RFC 4180 does.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report_parts.h"
#include "text.h"

/* Up to here a double holds any whole number. */
#define SF_MAX_WHOLE 9007199254740992.0

/* Return: the bytes of what is printed as one character. */
static size_t sf_csv_character(const char *text, FILE *to)
{
	size_t control = sf_control_size(text);

	if (*text == '"')
		putc('"', to);
	putc(control ? ' ' : *text, to);
	return control ? control : 1;
}

/* A spreadsheet would compute what begins like a formula, and not show it. */
static void sf_csv_text(const char *text, FILE *to)
{
	bool formula = *text && strchr("=+-@", *text);
	bool quoted = strpbrk(text, ",\"\r\n");

	if (quoted)
		putc('"', to);
	if (formula)
		putc('\'', to);
	while (*text)
		text += sf_csv_character(text, to);
	if (quoted)
		putc('"', to);
}

/* Counts in full, all else in six digits; an unknown one is empty. */
static void sf_csv_number(double value, FILE *to)
{
	putc(',', to);
	if (!isfinite(value))
		return;
	if (value == floor(value) && fabs(value) < SF_MAX_WHOLE)
		fprintf(to, "%.0f", value);
	else
		fprintf(to, "%.6g", value);
}

static void sf_csv_head(const struct sf_experiment *experiment, bool file,
			FILE *to)
{
	size_t i;

	fprintf(to,
		"%sorder,block,policy,warmup,began_s,valid,invalid_reason,exit_status",
		file ? "file," : "");
	for (i = 0; i < experiment->metric_count; i++) {
		putc(',', to);
		sf_csv_text(experiment->metrics[i].name, to);
	}
	for (i = 0; i < SF_NR_COUNTERS; i++)
		fprintf(to, ",%s", sf_counter_name(i));
	putc('\n', to);
}

static void sf_csv_run(const struct sf_experiment *experiment, size_t index,
		       FILE *to)
{
	const struct sf_run *run = &experiment->runs[index];
	size_t i;

	fprintf(to, "%zu,%zu,", index + 1, run->block + 1);
	sf_csv_text(sf_policy_label(experiment, run->policy).text, to);
	fprintf(to, ",%d", run->warmup);
	sf_csv_number(run->began_s, to);
	fprintf(to, ",%d,", !run->invalid);
	sf_csv_text(run->invalid ? run->invalid : "", to);
	fprintf(to, ",%d", run->exit_status);
	for (i = 0; i < experiment->metric_count; i++)
		sf_csv_number(run->values[i], to);
	for (i = 0; i < SF_NR_COUNTERS; i++)
		sf_csv_number(run->counters.value[i], to);
	putc('\n', to);
}

/**
 * sf_report_csv - print all runs, a line each
 * @experiment: that has them
 * @file: its name, for a column of its own; NULL for none
 * @head: print the line of names first
 * @to: gets them
 */
void sf_report_csv(const struct sf_experiment *experiment, const char *file,
		   bool head, FILE *to)
{
	size_t i;

	if (head)
		sf_csv_head(experiment, file, to);
	for (i = 0; i < experiment->run_count; i++) {
		if (file) {
			sf_csv_text(file, to);
			putc(',', to);
		}
		sf_csv_run(experiment, i, to);
	}
}
