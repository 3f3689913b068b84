// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "encoding.h"
#include "experiment.h"
#include "experiment_words.h"
#include "output.h"
#include "runs.h"
#include "text.h"

const char *const sf_better_words[SF_NR_BETTER] = {
	[SF_BETTER_LOWER] = "lower",
	[SF_BETTER_HIGHER] = "higher",
};

/**
 * sf_experiment_add_run - make room for one more run
 * @experiment: to add it to; pointers to its other runs are no longer good
 *
 * Return: the run, of which no value is known yet; NULL if it does not fit in memory.
 */
struct sf_run *sf_experiment_add_run(struct sf_experiment *experiment)
{
	size_t i, count = experiment->run_count;
	struct sf_run *runs = experiment->runs, *run;

	/* There is room for the next power of two. */
	if (!(count & (count - 1)))
		runs = reallocarray(runs, count ? 2 * count : 1, sizeof(*runs));
	if (!runs)
		return NULL;
	experiment->runs = runs;
	run = &runs[experiment->run_count++];
	memset(run, 0, sizeof(*run));
	for (i = 0; i < SF_MAX_METRICS; i++)
		run->values[i] = NAN;
	for (i = 0; i < SF_NR_COUNTERS; i++)
		run->counters.value[i] = NAN;
	return run;
}

static void sf_run_free(struct sf_run *run)
{
	free(run->invalid);
	sf_evidence_free(&run->before);
	sf_evidence_free(&run->after);
	json_decref(run->hook_calls);
	free(run->output);
}

/**
 * sf_experiment_free - free what an experiment holds
 * @experiment: is empty then
 */
void sf_experiment_free(struct sf_experiment *experiment)
{
	size_t i;

	for (i = 0; i < SF_MAX_POLICIES; i++)
		free(experiment->policies[i]);
	for (i = 0; i < SF_MAX_METRICS; i++) {
		free(experiment->metrics[i].name);
		free(experiment->metrics[i].regex);
	}
	for (i = 0; i < experiment->run_count; i++)
		sf_run_free(&experiment->runs[i]);
	free(experiment->runs);
	free(experiment->stopped);
	json_decref(experiment->command);
	json_decref(experiment->system);
	json_decref(experiment->warnings);
	memset(experiment, 0, sizeof(*experiment));
}

static json_t *sf_policies_json(const struct sf_experiment *experiment)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < experiment->policy_count; i++)
		if (json_array_append_new(
			    array, sf_json_text(experiment->policies[i])))
			goto out_free;
	return array;
out_free:
	json_decref(array);
	return NULL;
}

static json_t *sf_metric_json(const struct sf_metric *metric)
{
	struct sf_output out = { .root = json_object() };

	sf_output_set(&out, "name", sf_json_text(metric->name));
	sf_output_set(&out, "regex", sf_json_maybe_text(metric->regex));
	sf_output_set(&out, "better",
		      sf_json_maybe_text(sf_better_words[metric->better]));
	if (!out.incomplete)
		return out.root;
	json_decref(out.root);
	return NULL;
}

static json_t *sf_metrics_json(const struct sf_experiment *experiment)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < experiment->metric_count; i++)
		if (json_array_append_new(
			    array, sf_metric_json(&experiment->metrics[i])))
			goto out_free;
	return array;
out_free:
	json_decref(array);
	return NULL;
}

/**
 * sf_experiment_json - an experiment as its file has it
 * @experiment: all of it
 *
 * Return: an object, to be freed; NULL if it does not fit in memory.
 */
json_t *sf_experiment_json(const struct sf_experiment *experiment)
{
	json_t *layouts = json_array();
	struct sf_output out;

	sf_output_init(&out, true);
	sf_output_set(&out, "kind", sf_json_text(SF_EXPERIMENT_KIND));
	sf_output_set(&out, "complete", json_boolean(experiment->complete));
	sf_output_set(&out, "stopped", sf_json_maybe_text(experiment->stopped));
	sf_output_set(&out, "policies", sf_policies_json(experiment));
	sf_output_set(&out, "metrics", sf_metrics_json(experiment));
	sf_output_set(&out, "order", sf_json_text(experiment->order));
	sf_output_set(&out, "learn", sf_json_text(experiment->learn));
	sf_output_set(&out, "seed",
		      json_integer(experiment->seed & SF_MAX_SEED));
	sf_output_set(&out, "precision_percent",
		      sf_json_maybe_real(experiment->precision));
	sf_output_set(&out, "command", json_incref(experiment->command));
	sf_output_set(&out, "system", json_incref(experiment->system));
	sf_output_set(&out, "warnings", json_incref(experiment->warnings));
	sf_output_set(&out, "runs", sf_runs_json(experiment, layouts));
	sf_output_set(&out, "layouts", layouts);
	if (!out.incomplete)
		return out.root;
	json_decref(out.root);
	return NULL;
}

/**
 * sf_experiment_save - keep an experiment in a file
 * @experiment: all of it
 * @writer: of the file, which is replaced at one moment
 * @err: says why it failed, and then the file is as before
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_experiment_save(const struct sf_experiment *experiment,
		       struct sf_writer *writer, struct sf_error *err)
{
	json_t *root = sf_experiment_json(experiment);
	char *text = json_dumps(root, JSON_INDENT(1));
	size_t size = text ? strlen(text) : 0;

	json_decref(root);
	if (!text)
		return sf_fail(err, SF_FAILED, "out of memory");
	/* In place of the NUL. */
	text[size] = '\n';
	sf_writer_save(writer, text, size + 1, err);
	free(text);
	return err->code;
}

/* Which line is no JSON is told last: the file may be something else altogether. */
static int sf_fail_json(FILE *file, const char *path, json_error_t *error,
			struct sf_error *err)
{
	char begin[sizeof(SF_RECORDING_NAME) - 1];
	bool again = !fseek(file, 0, SEEK_SET);
	size_t len = again ? fread(begin, 1, sizeof(begin), file) : 0;

	if (again && !len)
		return sf_fail(err, SF_FAILED,
			       "%s is no experiment: it is empty", path);
	if (len == sizeof(begin) && !memcmp(begin, SF_RECORDING_NAME, len))
		return sf_fail(
			err, SF_FAILED,
			"%s is a recording; see `schedflip record --print` or `schedflip sim replay`",
			path);
	sf_clean_text(error->text);
	return sf_fail(err, SF_FAILED,
		       "%s is no experiment: line %d is not JSON: %s", path,
		       error->line, error->text);
}

/* Return: the file's JSON, or NULL. */
static json_t *sf_load_json(const char *path, struct sf_error *err)
{
	FILE *file = fopen(path, "re");
	json_t *root = NULL;
	json_error_t error;

	if (file)
		root = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
	if (!file || ferror(file))
		sf_fail(err, SF_FAILED, "cannot read %s: %s", path,
			strerror(errno));
	else if (!root)
		sf_fail_json(file, path, &error, err);
	if (file)
		fclose(file);
	return root;
}

/**
 * sf_experiment_load - read the file of an experiment
 * @path: of the file
 * @experiment: set; empty if anything was wrong
 * @err: says what is wrong with the file
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_experiment_load(const char *path, struct sf_experiment *experiment,
		       struct sf_error *err)
{
	json_t *root = sf_load_json(path, err);

	memset(experiment, 0, sizeof(*experiment));
	if (root)
		sf_experiment_parse(root, path, experiment, err);
	json_decref(root);
	return err->code;
}
