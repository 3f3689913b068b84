// SPDX-License-Identifier: GPL-2.0-or-later
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "experiment_words.h"
#include "output.h"
#include "runs.h"
#include "text.h"

/* Lines stay lines; of a text that is not UTF-8 only ASCII is kept. */
static json_t *sf_output_json(const char *output)
{
	json_t *value;
	char *copy, *at;

	value = output ? json_string(output) : json_null();
	if (value)
		return value;
	copy = strdup(output);
	for (at = copy; at && *at; at++)
		if (*at & 0x80)
			*at = '?';
	value = copy ? json_string(copy) : NULL;
	free(copy);
	return value;
}

static json_t *sf_values_json(const struct sf_experiment *experiment,
			      const struct sf_run *run)
{
	json_t *object = json_object();
	size_t i;

	for (i = 0; i < experiment->metric_count; i++)
		if (json_object_set_new(object, experiment->metrics[i].name,
					sf_json_maybe_real(run->values[i])))
			goto out_free;
	return object;
out_free:
	json_decref(object);
	return NULL;
}

static json_t *sf_counters_json(const struct sf_counters *counters)
{
	json_t *object = json_object();
	size_t i;

	for (i = 0; i < SF_NR_COUNTERS; i++)
		if (json_object_set_new(object, sf_counter_name(i),
					sf_json_maybe_real(counters->value[i])))
			goto out_free;
	return object;
out_free:
	json_decref(object);
	return NULL;
}

static json_t *sf_run_json(const struct sf_experiment *experiment,
			   const struct sf_run *run, json_t *layouts)
{
	struct sf_output out = { .root = json_object() };

	sf_output_set(&out, "block", json_integer(run->block + 1));
	sf_output_set(&out, "policy", json_integer(run->policy));
	sf_output_set(&out, "warmup", json_boolean(run->warmup));
	sf_output_set(&out, "began_s", sf_json_maybe_real(run->began_s));
	sf_output_set(&out, "valid", json_boolean(!run->invalid));
	sf_output_set(&out, "invalid_reason", sf_json_maybe_text(run->invalid));
	sf_output_set(&out, "before", sf_evidence_json(&run->before, layouts));
	sf_output_set(&out, "after", sf_evidence_json(&run->after, layouts));
	sf_output_set(&out, "hook_calls",
		      run->hook_calls ? json_incref(run->hook_calls) :
					json_null());
	sf_output_set(&out, "exit_status", json_integer(run->exit_status));
	sf_output_set(&out, "output", sf_output_json(run->output));
	sf_output_set(&out, "values", sf_values_json(experiment, run));
	sf_output_set(&out, "counters", sf_counters_json(&run->counters));
	if (!out.incomplete)
		return out.root;
	json_decref(out.root);
	return NULL;
}

/**
 * sf_runs_json - the runs as the file of an experiment has them
 * @experiment: that has them
 * @layouts: an empty array; gets the sched domains that runs refer to by index
 *
 * Return: an array, to be freed; NULL if it does not fit in memory.
 */
json_t *sf_runs_json(const struct sf_experiment *experiment, json_t *layouts)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < experiment->run_count; i++)
		if (json_array_append_new(
			    array, sf_run_json(experiment, &experiment->runs[i],
					       layouts)))
			goto out_free;
	return array;
out_free:
	json_decref(array);
	return NULL;
}

/* A run is invalid for a reason, and valid without one. */
static char *sf_parse_validity(struct sf_reader *reader, const json_t *object)
{
	bool valid = sf_read_bool(reader, object, "valid");
	char *reason = sf_read_text(reader, object, "invalid_reason");

	if (valid != !reason)
		sf_reader_refuse(reader, "invalid_reason",
				 json_object_get(object, "invalid_reason"),
				 "but valid is %s", valid ? "true" : "false");
	return reason;
}

static void sf_parse_values(struct sf_reader *reader, const json_t *object,
			    const struct sf_experiment *experiment,
			    struct sf_run *run)
{
	const json_t *values = sf_read_object(reader, object, "values");
	size_t i, last = experiment->metric_count - 1;
	const struct sf_metric *metric;

	if (reader->err->code)
		return;
	sf_reader_at(reader, "runs[%zu].values", experiment->run_count - 1);
	for (i = 0; i <= last; i++) {
		metric = &experiment->metrics[i];
		run->values[i] =
			sf_read_real(reader, values, metric->name, -INFINITY);
	}
	if (run->values[last] <= 0)
		sf_reader_refuse(reader, "wall_s",
				 json_object_get(values, "wall_s"),
				 "but a run takes time");
	sf_reader_at(reader, "runs[%zu]", experiment->run_count - 1);
}

/*
 * A later schedflip may count more, and an earlier one less. In an invalid run somebody
 * may have restarted a counter, which then seems to have run backwards.
 */
static void sf_parse_counters(struct sf_reader *reader, const json_t *object,
			      const struct sf_experiment *experiment,
			      struct sf_run *run)
{
	const json_t *values = sf_read_object(reader, object, "counters");
	double min = run->invalid ? -INFINITY : 0;
	const char *name;
	size_t i;

	sf_reader_at(reader, "runs[%zu].counters", experiment->run_count - 1);
	for (i = 0; i < SF_NR_COUNTERS; i++) {
		name = sf_counter_name(i);
		if (json_object_get(values, name))
			run->counters.value[i] =
				sf_read_real(reader, values, name, min);
	}
}

static void sf_parse_evidence(struct sf_reader *reader, const json_t *object,
			      const char *key, const json_t *layouts,
			      size_t index, struct sf_evidence *evidence)
{
	const json_t *value = sf_read_object(reader, object, key);

	sf_reader_at(reader, "runs[%zu].%s", index, key);
	sf_evidence_parse(reader, value, layouts, evidence);
	sf_reader_at(reader, "runs[%zu]", index);
}

/* What hooks there are is the module's affair. */
static json_t *sf_parse_hook_calls(struct sf_reader *reader,
				   const json_t *object, size_t index)
{
	json_t *values = json_object_get(object, "hook_calls"), *value;
	const char *key;
	char name[40];

	if (json_is_null(values))
		return NULL;
	values = sf_read_object(reader, object, "hook_calls");
	sf_reader_at(reader, "runs[%zu].hook_calls", index);
	json_object_foreach(values, key, value) {
		if (json_is_null(value) ||
		    (json_is_number(value) && json_number_value(value) >= 0))
			continue;
		snprintf(name, sizeof(name), "%s", key);
		sf_clean_text(name);
		sf_reader_refuse(reader, name, value,
				 "not a number, 0 or more, or null");
	}
	sf_reader_at(reader, "runs[%zu]", index);
	return json_incref(values);
}

static size_t sf_parse_policy_index(struct sf_reader *reader,
				    const json_t *object,
				    const struct sf_experiment *experiment)
{
	u64 index = sf_read_count(reader, object, "policy", SF_MAX_SEED);

	if (index < experiment->policy_count)
		return index;
	sf_reader_refuse(reader, "policy", json_object_get(object, "policy"),
			 "but there are only %zu policies",
			 experiment->policy_count);
	return 0;
}

/* The first is 1. No block is without a run, so none has a higher number. */
static size_t sf_parse_block(struct sf_reader *reader, const json_t *object,
			     size_t runs)
{
	const json_t *value = json_object_get(object, "block");
	json_int_t block = json_integer_value(value);

	if (json_is_integer(value) && block >= 1 && (u64)block <= runs)
		return block - 1;
	sf_reader_refuse(reader, "block", value,
			 "not a whole number from 1 to %zu", runs);
	return 0;
}

static int sf_parse_exit_status(struct sf_reader *reader, const json_t *object)
{
	const json_t *value = json_object_get(object, "exit_status");
	json_int_t status = json_integer_value(value);

	if (!json_is_integer(value) || status < INT_MIN || status > INT_MAX)
		sf_reader_refuse(reader, "exit_status", value,
				 "not an exit status");
	return status;
}

static void sf_parse_run(struct sf_reader *reader, const json_t *object,
			 const json_t *layouts, size_t runs,
			 const struct sf_experiment *experiment,
			 struct sf_run *run)
{
	size_t index = experiment->run_count - 1;

	run->block = sf_parse_block(reader, object, runs);
	run->policy = sf_parse_policy_index(reader, object, experiment);
	run->warmup = sf_read_bool(reader, object, "warmup");
	run->began_s = sf_read_known(reader, object, "began_s", 0);
	run->invalid = sf_parse_validity(reader, object);
	sf_parse_evidence(reader, object, "before", layouts, index,
			  &run->before);
	sf_parse_evidence(reader, object, "after", layouts, index, &run->after);
	run->hook_calls = sf_parse_hook_calls(reader, object, index);
	run->exit_status = sf_parse_exit_status(reader, object);
	run->output = sf_read_text(reader, object, "output");
	sf_parse_values(reader, object, experiment, run);
	sf_parse_counters(reader, object, experiment, run);
}

/**
 * sf_runs_parse - understand runs that anybody may have written
 * @reader: at the outermost object
 * @root: it
 * @experiment: its policies and metrics are known; gets the runs, as far as nothing
 *	is wrong
 */
void sf_runs_parse(struct sf_reader *reader, const json_t *root,
		   struct sf_experiment *experiment)
{
	/* Runs refer to them. */
	const json_t *layouts = sf_read_strings(reader, root, "layouts", 0);
	json_t *array = sf_read_array(reader, root, "runs", 0, INT_MAX);
	size_t i, count = json_array_size(array);
	struct sf_run *run;

	for (i = 0; i < count && !reader->err->code; i++) {
		sf_reader_at(reader, "runs[%zu]", i);
		run = sf_experiment_add_run(experiment);
		if (run)
			sf_parse_run(reader, json_array_get(array, i), layouts,
				     count, experiment, run);
		else
			sf_fail(reader->err, SF_FAILED, "out of memory");
	}
	sf_reader_at(reader, "%s", "");
}
