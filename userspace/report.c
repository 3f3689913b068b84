// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gnuplot.h"
#include "nearest.h"
#include "report_parts.h"
#include "text.h"
#include "verbs.h"

static const char *const sf_report_formats[SF_NR_REPORT_FORMATS] = {
	[SF_REPORT_TEXT] = "text",
	[SF_REPORT_MD] = "md",
	[SF_REPORT_CSV] = "csv",
	[SF_REPORT_MAIL] = "mail",
};

/* The words of the command line that no other command has. */
static struct {
	const char *format;
	const char *plot;
} sf_report_words;

/* Options without a letter. */
enum {
	SF_KEY_PLOT = 0x200,
};

static error_t sf_report_option(int key, char *arg, struct sf_error *err)
{
	(void)err;
	switch (key) {
	case 'f':
		sf_report_words.format = arg;
		return 0;
	case SF_KEY_PLOT:
		sf_report_words.plot = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option sf_report_options[] = {
	{ "format", 'f', "text|md|csv|mail", 0, "What to print (default text)",
	  0 },
	{ "plot", SF_KEY_PLOT, "OUT", 0,
	  "Draw a picture too; OUT ends in .svg or .png", 0 },
	SF_OPTION_JSON,
	{ 0 }
};

const struct sf_usage sf_report_usage = {
	.options = sf_report_options,
	.args = "FILE...",
	.doc = "Print experiments that `schedflip ab -o FILE` has kept.\n"
	       "\vThe runs in the file are analysed anew, so the report is the one that ab\n"
	       "printed. It needs neither root nor the module.\n"
	       "\n"
	       "  text  for a terminal\n"
	       "  md    tables as GitHub shows them\n"
	       "  csv   one line a run, warm-ups and invalid ones too\n"
	       "  mail  plain text of 72 columns, to paste under a patch\n"
	       "\n"
	       "Difference and interval are in % of the baseline's mean. An interval is one\n"
	       "of 95 %, sd a standard deviation, CV that in % of the mean, p the probability\n"
	       "of such a difference or a greater one if there was none. The picture has the\n"
	       "first metric: its distributions, and its runs in the order they were made.\n"
	       "docs/experiment.md tells what is in a file.\n"
	       "\n"
	       "Examples:\n"
	       "  schedflip report jitter.json\n"
	       "  schedflip report jitter.json --format mail\n"
	       "  schedflip report monday.json tuesday.json --format csv >runs.csv\n"
	       "  schedflip report jitter.json --plot jitter.svg\n"
	       "  schedflip report -j jitter.json | jq '.experiments[].metrics[].name'\n"
	       "\n" SF_EXIT_CODES,
	.min_args = 1,
	.max_args = SF_MAX_ARGS,
	.option = sf_report_option,
};

/* One file, and what it shows. */
struct sf_report_file {
	const char *path;
	struct sf_experiment experiment;
	struct sf_analysis analysis;
};

static int sf_report_format(enum sf_report_format *format, struct sf_error *err)
{
	const char *word = sf_report_words.format;
	char known[64] = "";
	size_t i;

	*format = SF_REPORT_TEXT;
	if (!word)
		return SF_OK;
	for (i = 0; i < SF_NR_REPORT_FORMATS; i++) {
		sf_append_text(known, sizeof(known), " %s",
			       sf_report_formats[i]);
		if (!strcmp(word, sf_report_formats[i])) {
			*format = i;
			return SF_OK;
		}
	}
	sf_fail(err, SF_USAGE, "no format \"%.400s\"; known:%s", word, known);
	return sf_nearest_add(err, word, known);
}

static int sf_report_check(const struct sf_options *options,
			   struct sf_error *err)
{
	if (options->json && sf_report_words.format)
		return sf_fail(
			err, SF_USAGE,
			"--json and --format exclude each other; take one of them");
	if (!sf_report_words.plot)
		return SF_OK;
	if (options->arg_count > 1)
		return sf_fail(
			err, SF_USAGE,
			"--plot draws one file, %d were given; draw them one by one",
			options->arg_count);
	return sf_plot_check(sf_report_words.plot, err);
}

/* Return: the files, to be freed by sf_report_free(); NULL after an error. */
static struct sf_report_file *sf_report_load(const struct sf_options *options,
					     struct sf_error *err)
{
	size_t i, count = options->arg_count;
	struct sf_report_file *files = calloc(count, sizeof(*files));

	if (!files)
		sf_fail(err, SF_FAILED, "out of memory");
	for (i = 0; files && i < count && !err->code; i++) {
		files[i].path = options->args[i];
		if (!sf_experiment_load(files[i].path, &files[i].experiment,
					err))
			sf_analyze(&files[i].experiment, &files[i].analysis,
				   err);
	}
	return files;
}

static void sf_report_free(struct sf_report_file *files, size_t count)
{
	size_t i;

	for (i = 0; files && i < count; i++) {
		sf_analysis_free(&files[i].analysis);
		sf_experiment_free(&files[i].experiment);
	}
	free(files);
}

/* One table can have the columns of one set of metrics. */
static int sf_report_check_columns(const struct sf_report_file *files,
				   size_t count, struct sf_error *err)
{
	const struct sf_experiment *first = &files[0].experiment, *other;
	size_t i, metric;
	bool same;

	for (i = 1; i < count; i++) {
		other = &files[i].experiment;
		same = other->metric_count == first->metric_count;
		for (metric = 0; same && metric < first->metric_count; metric++)
			same = !strcmp(other->metrics[metric].name,
				       first->metrics[metric].name);
		if (!same)
			return sf_fail(
				err, SF_FAILED,
				"%s has other metrics than %s; print them one by one",
				files[i].path, files[0].path);
	}
	return SF_OK;
}

/* A path may have anything in it. */
static void sf_report_title(enum sf_report_format format, const char *path)
{
	struct sf_page page = { .to = stdout,
				.color = format == SF_REPORT_COLORED,
				.layout = format == SF_REPORT_MD ?
						  SF_LAYOUT_MARKDOWN :
						  SF_LAYOUT_TERMINAL };
	char *name = strdup(path);

	if (!name)
		return;
	sf_clean_text(name);
	sf_page_title(&page, "Experiment %s", name);
	putchar('\n');
	free(name);
}

static void sf_report_files(const struct sf_report_file *files, size_t count,
			    enum sf_report_format format)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (count > 1 && format == SF_REPORT_CSV) {
			sf_report_csv(&files[i].experiment, files[i].path, !i,
				      stdout);
			continue;
		}
		if (i)
			putchar('\n');
		if (count > 1)
			sf_report_title(format, files[i].path);
		sf_report_print(&files[i].experiment, &files[i].analysis,
				format, stdout);
	}
}

static void sf_report_objects(const struct sf_report_file *files, size_t count,
			      struct sf_output *out)
{
	json_t *array = json_array(), *object;
	size_t i;

	for (i = 0; i < count; i++) {
		object = sf_report_json(&files[i].experiment,
					&files[i].analysis);
		if (json_object_set_new(object, "file",
					sf_json_text(files[i].path)) ||
		    json_array_append_new(array, object))
			out->incomplete = true;
	}
	sf_output_set(out, "experiments", array);
	sf_output_set(out, "plot", sf_json_maybe_text(sf_report_words.plot));
}

/* Whoever runs it in a script is to know that there is no result. */
static int sf_report_check_blocks(const struct sf_report_file *files,
				  size_t count, struct sf_error *err)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!files[i].analysis.blocks)
			return sf_fail(err, SF_FAILED, "%s: %s", files[i].path,
				       SF_NOTHING_TO_COMPARE);
	return SF_OK;
}

/**
 * sf_report - print experiments
 * @options: the user's
 * @out: gets them
 * @err: says what was wrong; then nothing is printed or drawn, unless it is that there
 *	is nothing to compare
 *
 * Return: SF_OK, or the code in @err.
 */
int sf_report(const struct sf_options *options, struct sf_output *out,
	      struct sf_error *err)
{
	size_t count = options->arg_count;
	struct sf_report_file *files;
	enum sf_report_format format;

	if (sf_report_format(&format, err) || sf_report_check(options, err))
		return err->code;
	files = sf_report_load(options, err);
	if (!err->code && format == SF_REPORT_CSV)
		sf_report_check_columns(files, count, err);
	if (!err->code && sf_report_words.plot)
		sf_report_plot(&files[0].experiment, &files[0].analysis,
			       sf_report_words.plot, err);
	if (!err->code) {
		if (options->json)
			sf_report_objects(files, count, out);
		else
			sf_report_files(files, count,
					format == SF_REPORT_TEXT && out->color ?
						SF_REPORT_COLORED :
						format);
		sf_report_check_blocks(files, count, err);
	}
	sf_report_free(files, count);
	return err->code;
}
