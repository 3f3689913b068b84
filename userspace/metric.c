// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metric.h"
#include "nearest.h"
#include "text.h"

/* So many lines of output tell why a metric is not found. */
#define SF_SHOWN_LINES 3

/* It becomes part of the names of rates, and heads columns. */
#define SF_MAX_NAME 40

static const struct sf_name sf_directions[] = {
	{ "lower", SF_BETTER_LOWER },
	{ "higher", SF_BETTER_HIGHER },
};

static bool sf_is_name(const char *text)
{
	size_t len = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				  "abcdefghijklmnopqrstuvwxyz0123456789_.");

	return len && len <= SF_MAX_NAME && !text[len];
}

static int sf_parse_direction(const char *word, enum sf_better *better,
			      struct sf_error *err)
{
	size_t i;

	for (i = 0; i < SF_ARRAY_SIZE(sf_directions); i++) {
		if (strcmp(sf_directions[i].name, word))
			continue;
		*better = sf_directions[i].id;
		return SF_OK;
	}
	sf_fail(err, SF_USAGE,
		"no direction \"%.100s\" of a metric; known: lower higher",
		word);
	return sf_nearest_add(err, word, "lower higher");
}

static int sf_metric_fail(const struct sf_metric *metric, const regex_t *regex,
			  int error, struct sf_error *err)
{
	char said[200];

	regerror(error, regex, said, sizeof(said));
	return sf_fail(err, SF_USAGE,
		       "metric \"%s\": bad regular expression \"%.400s\": %s",
		       metric->name, metric->regex, said);
}

static int sf_metric_compile(const struct sf_metric *metric, regex_t *regex,
			     struct sf_error *err)
{
	int error = regcomp(regex, metric->regex, REG_EXTENDED);

	return error ? sf_metric_fail(metric, regex, error, err) : SF_OK;
}

/* @head: NAME or NAME:DIRECTION */
static int sf_parse_head(char *head, struct sf_metric *metric,
			 struct sf_error *err)
{
	char *colon = strchr(head, ':');

	if (colon) {
		*colon++ = '\0';
		if (sf_parse_direction(colon, &metric->better, err))
			return err->code;
	}
	if (!sf_is_name(head))
		return sf_fail(
			err, SF_USAGE,
			"no metric can be called \"%.100s\"; allowed: 1 to %d letters, digits, _ and .",
			head, SF_MAX_NAME);
	if (!strcmp(head, SF_WALL_METRIC))
		return sf_fail(
			err, SF_USAGE,
			"wall_s is measured anyway; call the metric something else");
	return SF_OK;
}

/**
 * sf_metric_parse - read a metric as the user gives it
 * @text: NAME=REGEX, NAME:lower=REGEX or NAME:higher=REGEX
 * @metric: set; to be freed also after an error
 * @err: says what was wrong
 *
 * Return: SF_OK, SF_USAGE, or SF_FAILED if out of memory.
 */
int sf_metric_parse(const char *text, struct sf_metric *metric,
		    struct sf_error *err)
{
	const char *equals = strchr(text, '=');
	regex_t regex;

	memset(metric, 0, sizeof(*metric));
	if (!equals || !equals[1])
		return sf_fail(
			err, SF_USAGE,
			"\"%.400s\" is not NAME=REGEX, such as rps=RPS: ([0-9.]+)",
			text);
	metric->name = strndup(text, equals - text);
	metric->regex = strdup(equals + 1);
	if (!metric->name || !metric->regex)
		return sf_fail(err, SF_FAILED, "out of memory");
	if (sf_parse_head(metric->name, metric, err) ||
	    sf_metric_compile(metric, &regex, err))
		return err->code;
	regfree(&regex);
	return SF_OK;
}

/**
 * sf_metric_free - free what a metric holds
 * @metric: from sf_metric_parse()
 */
void sf_metric_free(struct sf_metric *metric)
{
	free(metric->name);
	free(metric->regex);
	memset(metric, 0, sizeof(*metric));
}

/*
 * The last match in @line; its first group, if @regex has groups. The end is told, as it
 * would be looked for anew from each match on.
 */
static char *sf_match_line(const regex_t *regex, const char *line)
{
	regoff_t at = 0, end = strlen(line), found = -1, len = 0;
	int flags = REG_STARTEND;

	while (at <= end) {
		regmatch_t match[2] = { { at, end } };
		const regmatch_t *part = &match[regex->re_nsub > 0];
		bool empty;

		if (regexec(regex, line, 2, match, flags))
			break;
		empty = match[0].rm_eo == match[0].rm_so;
		/* As for grep, to match nothing is no match. */
		if (part->rm_so >= 0 && !empty) {
			found = part->rm_so;
			len = part->rm_eo - part->rm_so;
		}
		flags = REG_STARTEND | REG_NOTBOL;
		at = match[0].rm_eo + empty;
	}
	return found < 0 ? NULL : strndup(line + found, len);
}

/* The last line that matches, from the end of @text, which is cut up. */
static char *sf_match_text(const regex_t *regex, char *text)
{
	char *newline, *found;
	size_t len = strlen(text);

	do {
		newline = memrchr(text, '\n', len);
		found = sf_match_line(regex, newline ? newline + 1 : text);
		if (newline) {
			*newline = '\0';
			len = newline - text;
		}
	} while (!found && newline);
	return found;
}

/* A float as programs print it, and nothing else that strtod() takes. */
static bool sf_parse_float(const char *text, double *value)
{
	char *end;
	double number = strtod(text, &end);

	if (text[strspn(text, "0123456789+-.eE")] || end == text || *end ||
	    !isfinite(number))
		return false;
	*value = number;
	return true;
}

/**
 * sf_metric_unit - unit of a metric
 * @metric: it
 *
 * Return: the unit; of the user's metrics only the name is known.
 */
const char *sf_metric_unit(const struct sf_metric *metric)
{
	return metric->regex ? metric->name : "s";
}

/* The last lines, so many; they are one, with bars between them. */
static void sf_last_lines(const char *output, char *buf, size_t size)
{
	size_t len = strlen(output), lines = 0, start;
	char *at;

	while (len && output[len - 1] == '\n')
		len--;
	for (start = len; start; start--)
		if (output[start - 1] == '\n' && ++lines == SF_SHOWN_LINES)
			break;
	if (len - start >= size)
		start = len - size + 1;
	snprintf(buf, size, "%.*s", (int)(len - start), output + start);
	for (at = buf; *at; at++)
		if (*at == '\n')
			*at = '|';
	sf_clean_text(buf);
}

static int sf_no_match(const struct sf_metric *metric, const char *output,
		       struct sf_error *err)
{
	char last[600];

	sf_last_lines(output, last, sizeof(last));
	if (!*last)
		return sf_fail(
			err, SF_FAILED,
			"metric \"%s\": nothing matches \"%.400s\": the command's last line is empty or too long, or it printed nothing",
			metric->name, metric->regex);
	return sf_fail(
		err, SF_FAILED,
		"metric \"%s\": nothing matches \"%.400s\" in the command's output; its last lines: %s",
		metric->name, metric->regex, last);
}

/**
 * sf_metric_find - look a metric up in what a command printed
 * @metric: from sf_metric_parse()
 * @output: of the command; the last line that matches counts, and in it the last match
 * @value: set
 * @err: says that nothing matches, or what matches and is no number
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_metric_find(const struct sf_metric *metric, const char *output,
		   double *value, struct sf_error *err)
{
	char *copy = strdup(output), *found = NULL;
	regex_t regex;

	*value = NAN;
	if (!copy || sf_metric_compile(metric, &regex, err)) {
		free(copy);
		return err->code ? err->code :
				   sf_fail(err, SF_FAILED, "out of memory");
	}
	found = sf_match_text(&regex, copy);
	regfree(&regex);
	if (!found) {
		sf_no_match(metric, output, err);
	} else if (!sf_parse_float(found, value)) {
		sf_clean_text(found);
		sf_fail(err, SF_FAILED,
			"metric \"%s\": \"%.200s\" is what \"%.400s\" matches, and no number",
			metric->name, found, metric->regex);
	}
	free(found);
	free(copy);
	return err->code;
}
