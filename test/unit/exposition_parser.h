/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A strict parser of what a test prints in the text format of Prometheus: the grammar of each
 * line, each family once and in one piece, with its head before it, and no series twice.
 */
#ifndef SCHEDFLIP_UNIT_EXPOSITION_PARSER_H
#define SCHEDFLIP_UNIT_EXPOSITION_PARSER_H

#include <regex.h>

#define MAX_FAMILIES 128
#define MAX_SERIES 1024

/* What was read of an exposition. */
static struct {
	char *families[MAX_FAMILIES];
	char *types[MAX_FAMILIES];
	size_t family_count;
	char *series[MAX_SERIES];
	char *values[MAX_SERIES];
	size_t series_count;
	char why[256];
} seen;

static inline void forget(void)
{
	size_t i;

	for (i = 0; i < seen.family_count; i++) {
		free(seen.families[i]);
		free(seen.types[i]);
	}
	for (i = 0; i < seen.series_count; i++) {
		free(seen.series[i]);
		free(seen.values[i]);
	}
	memset(&seen, 0, sizeof(seen));
}

static inline bool matches(const char *text, const char *pattern)
{
	regex_t regex;
	bool found;

	assert_int_equal(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB), 0);
	found = !regexec(&regex, text, 0, NULL, 0);
	regfree(&regex);
	return found;
}

static inline bool bad(const char *why, const char *line)
{
	snprintf(seen.why, sizeof(seen.why), "%s: %.200s", why, line);
	return false;
}

#define METRIC_NAME "[a-zA-Z_:][a-zA-Z0-9_:]*"
#define LABEL "[a-zA-Z_][a-zA-Z0-9_]*=\"([^\"\\\n]|\\\\[\\\\\"n])*\""

static inline bool read_help(const char *line)
{
	char *name = strndup(line + 7, strcspn(line + 7, " "));
	size_t i;

	if (!matches(line, "^# HELP " METRIC_NAME " [^\\\\]+$"))
		return bad("bad HELP", line);
	for (i = 0; i < seen.family_count; i++)
		if (!strcmp(seen.families[i], name))
			return bad("a family twice", line);
	seen.families[seen.family_count++] = name;
	return true;
}

static inline const char *family(void)
{
	return seen.family_count ? seen.families[seen.family_count - 1] : "";
}

static inline bool read_type(const char *line)
{
	char wanted[256];
	bool total;

	if (!seen.family_count || seen.types[seen.family_count - 1])
		return bad("TYPE without its HELP", line);
	if (!matches(line, "^# TYPE " METRIC_NAME " (gauge|counter)$"))
		return bad("bad TYPE", line);
	snprintf(wanted, sizeof(wanted), "# TYPE %s ", family());
	if (strncmp(line, wanted, strlen(wanted)))
		return bad("TYPE of another family", line);
	total = matches(family(), "_total$");
	if (total != !strcmp(line + strlen(wanted), "counter"))
		return bad("counters, and nothing else, end in _total", line);
	seen.types[seen.family_count - 1] = strdup(line + strlen(wanted));
	return true;
}

/* Of labels whose values have no comma; those of other tests do. */
static inline bool labels_differ(const char *series)
{
	const char *name = strchr(series, '{'), *other;
	size_t len;

	for (; name; name = strchr(name + 1, ',')) {
		len = strcspn(name + 1, "=") + 1;
		for (other = name + 1; (other = strchr(other, ',')); other++)
			if (!strncmp(other + 1, name + 1, len))
				return false;
	}
	return true;
}

static inline bool read_sample(const char *line)
{
	const char *end = strrchr(line, ' ');
	size_t len = strlen(family()), i;
	char *series;

	if (!matches(line, "^" METRIC_NAME "(\\{" LABEL "(," LABEL ")*\\})? "
			   "[0-9]+(\\.[0-9]+)?$"))
		return bad("bad sample", line);
	if (!len || strncmp(line, family(), len) ||
	    (line[len] != '{' && line[len] != ' ') ||
	    !seen.types[seen.family_count - 1])
		return bad("a sample outside its family", line);
	series = strndup(line, end - line);
	for (i = 0; i < seen.series_count; i++)
		if (!strcmp(seen.series[i], series))
			return bad("a series twice", line);
	seen.series[seen.series_count] = series;
	seen.values[seen.series_count++] = strdup(end + 1);
	return labels_differ(series) ? true : bad("a label twice", line);
}

/* Return: whether it is an exposition; if not, seen.why says why. */
static inline bool read_exposition(const char *text)
{
	char *copy = strdup(text), *rest = copy, *line, *end;
	bool good = true;

	forget();
	while (good && *rest) {
		end = strchr(rest, '\n');
		if (!end) {
			good = bad("the last line has no end", rest);
			break;
		}
		*end = '\0';
		line = rest;
		rest = end + 1;
		if (!strncmp(line, "# HELP ", 7))
			good = read_help(line);
		else if (!strncmp(line, "# TYPE ", 7))
			good = read_type(line);
		else
			good = read_sample(line);
	}
	free(copy);
	return good;
}

#endif
