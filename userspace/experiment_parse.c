// SPDX-License-Identifier: GPL-2.0-or-later
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment.h"
#include "experiment_words.h"
#include "output.h"
#include "reader.h"
#include "runs.h"
#include "text.h"

/* A name of a metric is a key of JSON, a head of a table and part of a unit. */
#define SF_METRIC_NAME                                             \
	"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrst" \
	"uvwxyz_."

/* More CPUs than Linux can have. */
#define SF_MOST_CPUS 65536

static char *sf_copy_word(struct sf_reader *reader, const char *word)
{
	char *copy = strdup(word);

	if (!copy && !reader->err->code)
		sf_fail(reader->err, SF_FAILED, "out of memory");
	return copy;
}

/* An array has no keys, so its elements are read as those of an object. */
static char *sf_parse_element(struct sf_reader *reader, const char *array,
			      size_t index, json_t *element)
{
	json_t *object = json_object();
	char key[64], *copy;

	snprintf(key, sizeof(key), "%s[%zu]", array, index);
	json_object_set(object, key, element);
	copy = sf_copy_word(reader, sf_read_word(reader, object, key));
	json_decref(object);
	return copy;
}

static void sf_parse_policies(struct sf_reader *reader, const json_t *root,
			      struct sf_experiment *experiment)
{
	json_t *array =
		sf_read_array(reader, root, "policies", 2, SF_MAX_POLICIES);
	json_t *element;
	size_t i;

	json_array_foreach(array, i, element)
		experiment->policies[i] =
			sf_parse_element(reader, "policies", i, element);
	experiment->policy_count = json_array_size(array);
}

static enum sf_better sf_parse_better(struct sf_reader *reader,
				      const json_t *object)
{
	const json_t *value = json_object_get(object, "better");
	size_t i;

	for (i = 0; i < SF_NR_BETTER; i++)
		if (sf_better_words[i] && json_is_string(value) &&
		    !strcmp(json_string_value(value), sf_better_words[i]))
			return i;
	if (!json_is_null(value))
		sf_reader_refuse(reader, "better", value,
				 "not \"lower\", \"higher\" or null");
	return SF_BETTER_UNSAID;
}

static void sf_check_metric_name(struct sf_reader *reader, const json_t *object,
				 const struct sf_experiment *experiment)
{
	const json_t *value = json_object_get(object, "name");
	const char *name = json_string_value(value);
	size_t i;

	if (!name || name[strspn(name, SF_METRIC_NAME)] || strlen(name) > 40) {
		sf_reader_refuse(
			reader, "name", value,
			"not a name of 1 to 40 letters, digits, _ and .");
		return;
	}
	for (i = 0; i < experiment->metric_count; i++)
		if (!strcmp(experiment->metrics[i].name, name))
			sf_reader_refuse(reader, "name", value,
					 "which metrics[%zu] has, too", i);
}

/* The last one is wall time, and no other is. */
static void sf_check_wall(struct sf_reader *reader, const json_t *object,
			  bool last)
{
	const json_t *regex = json_object_get(object, "regex");
	const char *name = json_string_value(json_object_get(object, "name"));

	if (last && (!json_is_null(regex) || strcmp(name, "wall_s")))
		sf_reader_refuse(
			reader, json_is_null(regex) ? "name" : "regex",
			json_is_null(regex) ? json_object_get(object, "name") :
					      regex,
			"but the last metric is wall_s, without a regex");
	if (!last && !json_is_string(regex))
		sf_reader_refuse(reader, "regex", regex,
				 "but only the last metric, wall_s, has none");
}

static void sf_parse_metric(struct sf_reader *reader, const json_t *object,
			    bool last, struct sf_experiment *experiment)
{
	struct sf_metric *metric =
		&experiment->metrics[experiment->metric_count];
	const char *name = sf_read_word(reader, object, "name");

	sf_check_metric_name(reader, object, experiment);
	if (reader->err->code)
		return;
	sf_check_wall(reader, object, last);
	metric->name = sf_copy_word(reader, name);
	metric->regex = sf_read_text(reader, object, "regex");
	metric->better = sf_parse_better(reader, object);
	if (!reader->err->code)
		experiment->metric_count++;
}

static void sf_parse_metrics(struct sf_reader *reader, const json_t *root,
			     struct sf_experiment *experiment)
{
	json_t *array =
		sf_read_array(reader, root, "metrics", 1, SF_MAX_METRICS);
	size_t i, count = json_array_size(array);

	for (i = 0; i < count && !reader->err->code; i++) {
		sf_reader_at(reader, "metrics[%zu]", i);
		sf_parse_metric(reader, json_array_get(array, i),
				i == count - 1, experiment);
	}
	sf_reader_at(reader, "%s", "");
}

/* @to: has room for every word that is @known. */
static void sf_parse_known(struct sf_reader *reader, const json_t *root,
			   const char *key, const char *const *known, char *to,
			   size_t size)
{
	const char *word = sf_read_word(reader, root, key);
	char list[64] = "";
	size_t i;

	for (i = 0; known[i]; i++) {
		sf_append_text(list, sizeof(list), " %s", known[i]);
		if (!strcmp(known[i], word)) {
			snprintf(to, size, "%s", word);
			return;
		}
	}
	sf_reader_refuse(reader, key, json_object_get(root, key),
			 "but only known are:%s", list);
}

static void sf_parse_design(struct sf_reader *reader, const json_t *root,
			    struct sf_experiment *experiment)
{
	static const char *const orders[] = { "random", "abba", NULL };
	static const char *const learns[] = { "keep", "reset", "restore",
					      NULL };

	sf_parse_known(reader, root, "order", orders, experiment->order,
		       sizeof(experiment->order));
	sf_parse_known(reader, root, "learn", learns, experiment->learn,
		       sizeof(experiment->learn));
	experiment->seed = sf_read_count(reader, root, "seed", SF_MAX_SEED);
	experiment->precision =
		sf_read_known(reader, root, "precision_percent", 0);
	experiment->complete = sf_read_bool(reader, root, "complete");
	experiment->stopped = sf_read_text(reader, root, "stopped");
}

static void sf_parse_command(struct sf_reader *reader, const json_t *root,
			     struct sf_experiment *experiment)
{
	experiment->command =
		json_incref(sf_read_strings(reader, root, "command", 1));
}

static void sf_parse_system(struct sf_reader *reader, const json_t *root,
			    struct sf_experiment *experiment)
{
	json_t *object = sf_read_object(reader, root, "system");
	json_t *value;
	char name[40];
	const char *key;

	sf_reader_at(reader, "system");
	json_object_foreach(object, key, value) {
		if (json_is_string(value) || json_is_number(value) ||
		    json_is_null(value))
			continue;
		snprintf(name, sizeof(name), "%s", key);
		sf_clean_text(name);
		sf_reader_refuse(reader, name, value,
				 "not a string, a number or null");
	}
	if (json_object_get(object, "cpus"))
		sf_read_count(reader, object, "cpus", SF_MOST_CPUS);
	sf_reader_at(reader, "%s", "");
	experiment->system = json_incref(object);
}

static void sf_parse_warnings(struct sf_reader *reader, const json_t *root,
			      struct sf_experiment *experiment)
{
	json_t *array = sf_read_array(reader, root, "warnings", 0, INT_MAX);
	json_t *warning;
	size_t i;

	json_array_foreach(array, i, warning) {
		sf_reader_at(reader, "warnings[%zu]", i);
		sf_read_word(reader, warning, "what");
		sf_read_word(reader, warning, "value");
		sf_read_word(reader, warning, "remedy");
	}
	sf_reader_at(reader, "%s", "");
	experiment->warnings = json_incref(array);
}

static int sf_check_kind(const json_t *root, const char *name,
			 struct sf_error *err)
{
	const char *kind = json_string_value(json_object_get(root, "kind"));
	const json_t *version = json_object_get(root, "schema_version");

	if (!kind || strcmp(kind, SF_EXPERIMENT_KIND))
		return sf_fail(
			err, SF_FAILED,
			"%s is no experiment; those are made by `schedflip ab -o FILE`",
			name);
	if (json_integer_value(version) != SF_SCHEMA_VERSION)
		return sf_fail(
			err, SF_FAILED,
			"%s is of another schedflip: its schema_version is %lld, this one reads %d",
			name, (long long)json_integer_value(version),
			SF_SCHEMA_VERSION);
	return SF_OK;
}

/**
 * sf_experiment_parse - understand an experiment that anybody may have written
 * @root: any JSON
 * @name: of its file, for messages
 * @experiment: set; empty if anything was wrong
 * @err: says what is wrong with which member
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_experiment_parse(const json_t *root, const char *name,
			struct sf_experiment *experiment, struct sf_error *err)
{
	struct sf_reader reader = { .file = name, .err = err };

	memset(experiment, 0, sizeof(*experiment));
	if (sf_check_kind(root, name, err))
		return err->code;
	sf_parse_policies(&reader, root, experiment);
	sf_parse_metrics(&reader, root, experiment);
	sf_parse_design(&reader, root, experiment);
	sf_parse_command(&reader, root, experiment);
	sf_parse_system(&reader, root, experiment);
	sf_parse_warnings(&reader, root, experiment);
	sf_runs_parse(&reader, root, experiment);
	if (err->code)
		sf_experiment_free(experiment);
	return err->code;
}
