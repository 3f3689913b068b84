// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The first metric as a picture: how its values are distributed, and how they came in the
 * order of the runs.
 */
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gnuplot.h"
#include "quote.h"
#include "report_parts.h"
#include "text.h"

#define SF_PLOT_WIDTH 1200
#define SF_PLOT_HEIGHT 560

/* A longer command is cut in the title. */
#define SF_MAX_TITLE 90

/* Longer names leave room for one column of the key only. */
#define SF_MAX_KEY 36

/* So many letters stand side by side below a panel. */
#define SF_MAX_NAMES 60

/* A name that is turned takes a line of height for so many letters. */
#define SF_LABEL_SLOPE 6

/* In letters: beside a panel, at least and at most, and the panel's width at least. */
#define SF_LEFT_MARGIN 10
#define SF_MAX_LEFT_MARGIN 45
#define SF_PANEL 35

/* Half the width of a box and of the cloud of points on it. */
#define SF_BOX 0.3
#define SF_CLOUD 0.18

/* Colours that colour-blind readers tell apart (Okabe and Ito). */
static const char *const sf_plot_colours[SF_MAX_POLICIES] = {
	"#0072b2", "#d55e00", "#009e73", "#cc79a7",
	"#e69f00", "#56b4e9", "#7f6000", "#555555",
};

static double sf_plot_value(const struct sf_run *run)
{
	return run->warmup ? NAN : run->values[0];
}

static bool sf_is_drawn(const struct sf_run *run, size_t policy, bool valid)
{
	return run->policy == policy && !run->invalid == valid &&
	       isfinite(sf_plot_value(run));
}

static size_t sf_count_drawn(const struct sf_experiment *experiment,
			     size_t policy, bool valid)
{
	size_t i, count = 0;

	for (i = 0; i < experiment->run_count; i++)
		count += sf_is_drawn(&experiment->runs[i], policy, valid);
	return count;
}

/* Points are spread evenly, however many there are: multiples of the golden ratio. */
static double sf_plot_spread(size_t index)
{
	return SF_CLOUD * (2 * fmod(index * 0.6180339887, 1) - 1);
}

static void sf_plot_points(struct sf_plot *plot,
			   const struct sf_experiment *experiment,
			   const struct sf_analysis *analysis, size_t policy)
{
	const struct sf_run *run;
	size_t i, drawn = 0;

	/* Columns: position in the cloud, time, value, and whether it is an outlier. */
	fprintf(plot->script, "$valid%zu << EOD\n", policy);
	for (i = 0; i < experiment->run_count; i++) {
		run = &experiment->runs[i];
		if (sf_is_drawn(run, policy, true))
			fprintf(plot->script, "%.6g %.9g %.12g %d\n",
				policy + sf_plot_spread(drawn++), run->began_s,
				sf_plot_value(run), analysis->outlier[i]);
	}
	fprintf(plot->script, "EOD\n$invalid%zu << EOD\n", policy);
	for (i = 0; i < experiment->run_count; i++) {
		run = &experiment->runs[i];
		if (sf_is_drawn(run, policy, false))
			fprintf(plot->script, "%.9g %.12g\n", run->began_s,
				sf_plot_value(run));
	}
	fputs("EOD\n", plot->script);
}

/* Return: sorted values of the valid runs, to be freed; NULL if there is no memory. */
static double *sf_sorted_values(const struct sf_experiment *experiment,
				size_t policy, size_t count)
{
	double *values = calloc(count, sizeof(*values));
	size_t i, used = 0;

	for (i = 0; values && i < experiment->run_count; i++)
		if (sf_is_drawn(&experiment->runs[i], policy, true))
			values[used++] = sf_plot_value(&experiment->runs[i]);
	if (values)
		gsl_sort(values, 1, count);
	return values;
}

/* Columns: position, lowest value, quartiles and median, highest value. */
static int sf_plot_boxes(struct sf_plot *plot,
			 const struct sf_experiment *experiment)
{
	size_t policy, count;
	double *values;

	fputs("$boxes << EOD\n", plot->script);
	for (policy = 0; policy < experiment->policy_count; policy++) {
		count = sf_count_drawn(experiment, policy, true);
		if (!count)
			continue;
		values = sf_sorted_values(experiment, policy, count);
		if (!values)
			return -1;
		fprintf(plot->script, "%zu %.12g %.12g %.12g %.12g %.12g\n",
			policy, values[0],
			gsl_stats_quantile_from_sorted_data(values, 1, count,
							    0.25),
			gsl_stats_quantile_from_sorted_data(values, 1, count,
							    0.5),
			gsl_stats_quantile_from_sorted_data(values, 1, count,
							    0.75),
			values[count - 1]);
		free(values);
	}
	fputs("EOD\n", plot->script);
	return 0;
}

/* One for both panels; invalid runs are to be seen, too. */
static void sf_plot_range(struct sf_plot *plot,
			  const struct sf_experiment *experiment)
{
	double low = INFINITY, high = -INFINITY, value, margin;
	size_t i;

	for (i = 0; i < experiment->run_count; i++) {
		value = sf_plot_value(&experiment->runs[i]);
		if (!isfinite(value))
			continue;
		low = fmin(low, value);
		high = fmax(high, value);
	}
	margin = 0.05 * (high - low);
	if (!(margin > 0))
		margin = low ? 0.05 * fabs(low) : 1;
	fprintf(plot->script, "set yrange [%.12g:%.12g]\n", low - margin,
		high + margin);
}

/* "7.3.4, Fast CPU": what fits of where it was measured. */
static void sf_plot_place(const struct sf_experiment *experiment, char *title,
			  size_t size)
{
	static const char *const keys[] = { "kernel", "cpu_model" };
	const char *text;
	size_t i;

	for (i = 0; i < SF_ARRAY_SIZE(keys); i++) {
		text = json_string_value(
			json_object_get(experiment->system, keys[i]));
		if (text)
			sf_append_text(title, size, "%s%.60s",
				       *title ? ", " : "", text);
	}
}

static void sf_plot_title(struct sf_plot *plot,
			  const struct sf_experiment *experiment,
			  const struct sf_analysis *analysis)
{
	const struct sf_metric *metric = &experiment->metrics[0];
	char *command = sf_quote_command(experiment->command);
	const char *text = command ? command : "";
	char title[512] = "", place[160] = "";

	sf_append_text(title, sizeof(title), "%s, %zu block%s: %.*s%s",
		       sf_metric_label(metric).text, analysis->blocks,
		       sf_plural(analysis->blocks), SF_MAX_TITLE, text,
		       strlen(text) > SF_MAX_TITLE ? "..." : "");
	fputs("set multiplot layout 1,2 title ", plot->script);
	sf_plot_string(plot, title);
	fputs(".\"\\n\".", plot->script);
	sf_plot_place(experiment, place, sizeof(place));
	sf_plot_string(plot, place);
	fputs("\n", plot->script);
	free(command);
}

static size_t sf_longest_label(const struct sf_experiment *experiment)
{
	size_t policy, longest = 0, len;

	for (policy = 0; policy < experiment->policy_count; policy++) {
		len = strlen(sf_policy_label(experiment, policy).text);
		if (len > longest)
			longest = len;
	}
	return longest;
}

/* Both panels leave room for the longer of names and key, so they are of one height. */
static void sf_plot_margin(struct sf_plot *plot,
			   const struct sf_experiment *experiment)
{
	size_t longest = sf_longest_label(experiment);
	size_t columns = longest > SF_MAX_KEY ? 1 : 2;
	/* Outliers and invalid runs have an entry each, axis and tics a line each. */
	size_t lines =
		(experiment->policy_count + 2 + columns - 1) / columns + 4;

	if (longest / SF_LABEL_SLOPE + 2 > lines)
		lines = longest / SF_LABEL_SLOPE + 2;
	fprintf(plot->script, "set bmargin %zu\nset key maxcols %zu\n", lines,
		columns);
}

static bool sf_names_are_turned(const struct sf_experiment *experiment)
{
	return sf_longest_label(experiment) * experiment->policy_count >
	       SF_MAX_NAMES;
}

/* A name that is turned ends below its box, and may begin left of the panel. */
static void sf_plot_left(struct sf_plot *plot,
			 const struct sf_experiment *experiment)
{
	double room, most = SF_LEFT_MARGIN;
	size_t policy;

	for (policy = 0; policy < experiment->policy_count; policy++) {
		room = SF_PANEL * (policy + 2 * SF_BOX) /
		       (experiment->policy_count + 0.2);
		most = fmax(most,
			    strlen(sf_policy_label(experiment, policy).text) -
				    room);
	}
	if (sf_names_are_turned(experiment))
		fprintf(plot->script, "set lmargin %.0f\n",
			fmin(most, SF_MAX_LEFT_MARGIN));
}

/* Names that would run into each other are turned. */
static void sf_plot_names(struct sf_plot *plot,
			  const struct sf_experiment *experiment)
{
	size_t policy;

	fprintf(plot->script, "set xtics %s (",
		sf_names_are_turned(experiment) ? "rotate by 20 right" :
						  "norotate");
	for (policy = 0; policy < experiment->policy_count; policy++) {
		fputs(policy ? ", " : "", plot->script);
		sf_plot_string(plot, sf_policy_label(experiment, policy).text);
		fprintf(plot->script, " %zu", policy);
	}
	fputs(")\n", plot->script);
}

static void sf_plot_distributions(struct sf_plot *plot,
				  const struct sf_experiment *experiment)
{
	size_t policy;

	sf_plot_left(plot, experiment);
	sf_plot_names(plot, experiment);
	fprintf(plot->script,
		"set title 'valid runs: range, quartiles, median'\n"
		"set xrange [-0.6:%g]\nunset key\n"
		"plot $boxes using 1:3:2:6:5 with candlesticks whiskerbars 0.4 "
		"linecolor rgb '#888888', "
		"'' using 1:4:4:4:4 with candlesticks linewidth 2.5 "
		"linecolor rgb '#333333'",
		experiment->policy_count - 0.4);
	for (policy = 0; policy < experiment->policy_count; policy++) {
		if (!sf_count_drawn(experiment, policy, true))
			continue;
		fprintf(plot->script,
			", $valid%zu using 1:3 with points pointtype 7 "
			"pointsize 0.7 linecolor rgb '%s'",
			policy, sf_plot_colours[policy]);
	}
	fputs("\n", plot->script);
}

/* The series of one policy in the panel of runs. */
static void sf_plot_series(struct sf_plot *plot,
			   const struct sf_experiment *experiment,
			   size_t policy)
{
	const char *colour = sf_plot_colours[policy];

	if (sf_count_drawn(experiment, policy, true)) {
		fprintf(plot->script,
			"$valid%zu using 2:3 with linespoints pointtype 7 "
			"pointsize 0.7 linewidth 0.7 linecolor rgb '%s' title ",
			policy, colour);
		sf_plot_string(plot, sf_policy_label(experiment, policy).text);
		fprintf(plot->script,
			", '' using ($4 > 0 ? $2 : 1/0):3 with points pointtype 6 "
			"pointsize 2 linewidth 1.5 linecolor rgb '%s' notitle, ",
			colour);
	}
	if (sf_count_drawn(experiment, policy, false))
		fprintf(plot->script,
			"$invalid%zu using 1:2 with points pointtype 2 "
			"pointsize 1.2 linewidth 1.5 linecolor rgb '%s' notitle, ",
			policy, colour);
}

static void sf_plot_runs(struct sf_plot *plot,
			 const struct sf_experiment *experiment,
			 const struct sf_analysis *analysis)
{
	bool invalid = analysis->invalid_runs, outlier = false;
	size_t policy, i;

	for (i = 0; i < experiment->run_count; i++)
		outlier |= analysis->outlier[i];
	fputs("set title 'runs in their order'\nset xlabel 'time [s]'\n"
	      "unset lmargin\nset xtics norotate autofreq\nset xrange [*:*]\n"
	      "set key below\nplot ",
	      plot->script);
	for (policy = 0; policy < experiment->policy_count; policy++)
		sf_plot_series(plot, experiment, policy);
	fprintf(plot->script,
		"NaN with points pointtype 6 linecolor rgb "
		"'#333333' %s, NaN with points pointtype 2 "
		"linecolor rgb '#333333' %s\n",
		outlier ? "title 'outlier'" : "notitle",
		invalid ? "title 'invalid'" : "notitle");
}

/* Of the user's metric only the name is known, which may have its unit. */
static void sf_plot_axis(struct sf_plot *plot, const struct sf_metric *metric)
{
	sf_plot_string(plot, metric->regex ? metric->name : "wall time [s]");
}

static int sf_plot_script(struct sf_plot *plot,
			  const struct sf_experiment *experiment,
			  const struct sf_analysis *analysis)
{
	size_t policy;

	for (policy = 0; policy < experiment->policy_count; policy++)
		sf_plot_points(plot, experiment, analysis, policy);
	if (sf_plot_boxes(plot, experiment))
		return -1;
	sf_plot_title(plot, experiment, analysis);
	fprintf(plot->script, "set boxwidth %g\nset grid ytics\nset ylabel ",
		2 * SF_BOX);
	sf_plot_axis(plot, &experiment->metrics[0]);
	fputs("\n", plot->script);
	sf_plot_range(plot, experiment);
	sf_plot_margin(plot, experiment);
	sf_plot_distributions(plot, experiment);
	sf_plot_runs(plot, experiment, analysis);
	fputs("unset multiplot\n", plot->script);
	return 0;
}

static bool sf_has_points(const struct sf_experiment *experiment)
{
	size_t policy;

	for (policy = 0; policy < experiment->policy_count; policy++)
		if (sf_count_drawn(experiment, policy, true))
			return true;
	return false;
}

/**
 * sf_report_plot - draw the first metric
 * @experiment: what was measured
 * @analysis: of it
 * @path: of the picture; ends in .svg or .png
 * @err: says why there is none
 *
 * Return: SF_OK, SF_USAGE for another @path, or SF_FAILED.
 */
int sf_report_plot(const struct sf_experiment *experiment,
		   const struct sf_analysis *analysis, const char *path,
		   struct sf_error *err)
{
	struct sf_error ignored = { .code = SF_OK };
	struct sf_plot plot;

	if (!sf_has_points(experiment))
		return sf_fail(err, SF_FAILED,
			       "nothing to draw: there is no valid run");
	if (sf_plot_begin(&plot, path, SF_PLOT_WIDTH, SF_PLOT_HEIGHT, err))
		return err->code;
	if (!sf_plot_script(&plot, experiment, analysis))
		return sf_plot_end(&plot, err);
	fputs("exit status 1\n", plot.script);
	sf_plot_end(&plot, &ignored);
	return sf_fail(err, SF_FAILED, "out of memory");
}
