// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `sim windows`: the simulation of the thread "sched/fair: Replace random
 * newidle_balance with Bresenham accumulator" (v4, Wang), for each policy.
 */
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

#include "sim.h"
#include "text.h"

/* So many gaps are measured. */
#define SF_GAPS 100000

/* The same ratios for all policies; no policy has this stream. */
#define SF_STREAM_RATIOS UINT32_MAX

/* Curves of a picture come down by so much from one point to the next. */
#define SF_THINNING 0.98

/* The scale of logarithms begins here, and has smaller errors on this line. */
#define SF_LEFT 0.1

/* The picture shows these: the other starts come to the same. */
#define SF_PLOTTED 0x23u

static void sf_windows_begin(const struct sf_sim *sim,
			     const struct sf_sim_case *which,
			     struct sf_window *win)
{
	sf_sim_case_seed(which, &win->rng, sim->seed, 0);
	sf_sim_case_begin(which, win, SF_SIM_RANK, SF_SIM_SPAN);
}

/* What dice would make of a window: the mean, and the variance of it. */
static void sf_windows_odds(const struct sf_sim *sim, u32 weight,
			    struct sf_sim_windows *result)
{
	u32 odds = sf_sim_odds(SF_NEWIDLE_DICE, weight);
	double p = (double)odds / SF_CELL;

	result->excess += (double)(odds - weight) * sim->calls / SF_CELL;
	result->chance += sim->calls * p * (1 - p);
}

/**
 * sf_sim_windows_run - let a policy decide windows of calls, each at a random ratio
 * @sim: seed, windows and calls
 * @which: the policy
 * @errors: set to the error of each window, attempts; or NULL
 * @result: set to what came of it
 */
void sf_sim_windows_run(const struct sf_sim *sim,
			const struct sf_sim_case *which, double *errors,
			struct sf_sim_windows *result)
{
	u64 window, call, attempts, positions = 0;
	double error, squares = 0;
	struct sf_window win;
	struct sf_rng ratios;
	u32 weight;

	*result = (struct sf_sim_windows){ 0 };
	sf_windows_begin(sim, which, &win);
	sf_random_seed(&ratios, sim->seed, SF_STREAM_RATIOS);
	for (window = 0; window < sim->windows; window++) {
		weight = sf_newidle_weight(which->policy,
					   sf_random_below(&ratios, SF_CELL));
		for (call = 0, attempts = 0; call < sim->calls; call++)
			attempts +=
				sf_newidle_decide(which->policy, &win, weight);
		error = fabs(attempts - (double)weight * sim->calls / SF_CELL);
		result->attempts += attempts;
		result->max = fmax(result->max, error);
		positions += weight * sim->calls;
		sf_windows_odds(sim, weight, result);
		squares += error * error;
		if (errors)
			errors[window] = error;
	}
	result->exact = (double)positions / SF_CELL;
	result->chance = sqrt(result->chance);
	result->rms = sqrt(squares / sim->windows);
}

/**
 * sf_sim_gaps_run - measure calls from one attempt to the next at a fixed ratio
 * @sim: seed and ratio
 * @which: the policy
 * @gaps: set to them; those before the first attempt and after the last do not count
 */
void sf_sim_gaps_run(const struct sf_sim *sim, const struct sf_sim_case *which,
		     struct sf_sim_gaps *gaps)
{
	u32 weight = sf_newidle_weight(which->policy, sim->ratio), i;
	struct sf_window win;
	u64 gap, sum = 0;

	*gaps = (struct sf_sim_gaps){ .min = UINT64_MAX };
	sf_windows_begin(sim, which, &win);
	while (!sf_newidle_decide(which->policy, &win, weight))
		;
	for (i = 0; i < SF_GAPS; i++) {
		for (gap = 1; !sf_newidle_decide(which->policy, &win, weight);)
			gap++;
		gaps->min = gap < gaps->min ? gap : gaps->min;
		gaps->max = gap > gaps->max ? gap : gaps->max;
		sum += gap;
	}
	gaps->mean = (double)sum / SF_GAPS;
}

static json_t *sf_windows_json(const struct sf_sim_case *which,
			       const struct sf_sim_windows *result,
			       const struct sf_sim_gaps *gaps)
{
	struct sf_output row = { .root = sf_sim_case_json(which) };
	double off = result->attempts - result->exact;

	sf_output_set(&row, "max_error_attempts", json_real(result->max));
	sf_output_set(&row, "rms_error_attempts", json_real(result->rms));
	sf_output_set(&row, "attempts", sf_json_number(result->attempts));
	sf_output_set(&row, "exact_attempts", json_real(result->exact));
	sf_output_set(&row, "off_attempts", json_real(off));
	sf_output_set(&row, "off_percent",
		      json_real(100 * off / result->exact));
	sf_output_set(&row, "min_gap_calls", sf_json_number(gaps->min));
	sf_output_set(&row, "mean_gap_calls", json_real(gaps->mean));
	sf_output_set(&row, "max_gap_calls", sf_json_number(gaps->max));
	if (!row.incomplete)
		return row.root;
	json_decref(row.root);
	return NULL;
}

static void sf_windows_table(const struct sf_sim_windows *results,
			     struct sf_output *out)
{
	static const struct sf_column columns[] = {
		{ "NEWIDLE", 0 },
		{ "START", 0 },
		{ "MAX ERROR [attempts]", SCOLS_FL_RIGHT },
		{ "RMS ERROR [attempts]", SCOLS_FL_RIGHT },
		{ "OFF [attempts]", SCOLS_FL_RIGHT },
		{ "OFF [%]", SCOLS_FL_RIGHT },
	};
	struct libscols_table *table =
		sf_table_new(columns, SF_ARRAY_SIZE(columns));
	size_t i;

	for (i = 0; i < SF_NR_SIM_CASES; i++) {
		const struct sf_sim_windows *result = &results[i];
		struct libscols_line *line =
			sf_sim_case_line(table, &sf_sim_cases[i]);
		double off = result->attempts - result->exact;

		sf_table_cell(line, 2, "%.2f", result->max);
		sf_table_cell(line, 3, "%.3f", result->rms);
		sf_sim_signed(line, 4, 1, off);
		sf_sim_signed(line, 5, 4, 100 * off / result->exact);
	}
	sf_table_print(out, table);
}

static void sf_gaps_table(const struct sf_sim_gaps *gaps, struct sf_output *out)
{
	static const struct sf_column columns[] = {
		{ "NEWIDLE", 0 },
		{ "START", 0 },
		{ "MIN GAP [calls]", SCOLS_FL_RIGHT },
		{ "MEAN GAP [calls]", SCOLS_FL_RIGHT },
		{ "MAX GAP [calls]", SCOLS_FL_RIGHT },
	};
	struct libscols_table *table =
		sf_table_new(columns, SF_ARRAY_SIZE(columns));
	size_t i;

	for (i = 0; i < SF_NR_SIM_CASES; i++) {
		struct libscols_line *line =
			sf_sim_case_line(table, &sf_sim_cases[i]);

		sf_table_cell(line, 2, "%llu", (unsigned long long)gaps[i].min);
		sf_table_cell(line, 3, "%.2f", gaps[i].mean);
		sf_table_cell(line, 4, "%llu", (unsigned long long)gaps[i].max);
	}
	sf_table_print(out, table);
}

static void sf_windows_say(const struct sf_sim *sim,
			   const struct sf_sim_windows *results,
			   const struct sf_sim_gaps *gaps,
			   struct sf_output *out)
{
	if (out->json)
		return;
	sf_output_say(
		out,
		"%llu window%s of %llu call%s, each at a random ratio from 0 to 1023; seed %llu",
		(unsigned long long)sim->windows, sf_plural(sim->windows),
		(unsigned long long)sim->calls, sf_plural(sim->calls),
		(unsigned long long)sim->seed);
	sf_output_say(
		out,
		"error: of a window, against its exact number of attempts; "
		"off: of all windows together");
	sf_windows_table(results, out);
	sf_output_say(
		out,
		"dice are to be off by %+.1f attempts, and by chance differ from that by %.1f (standard deviation)",
		results[0].excess, results[0].chance);
	sf_output_say(out, "\n%d gaps between attempts at ratio %llu", SF_GAPS,
		      (unsigned long long)sim->ratio);
	sf_gaps_table(gaps, out);
}

/*
 * A point says which share of the windows has at least this error. The larger errors
 * are told from each other, of the many small ones only some are drawn.
 */
static void sf_windows_points(struct sf_plot *plot, size_t which,
			      double *errors, size_t count)
{
	double next = count;
	size_t i;

	gsl_sort(errors, 1, count);
	sf_sim_plot_block(plot, which);
	for (i = 0; i < count; i++) {
		if ((count - i > next && i + 1 < count) ||
		    (i && errors[i] == errors[i - 1]))
			continue;
		fprintf(plot->script, "%.6g %.6g\n", fmax(errors[i], SF_LEFT),
			100.0 * (count - i) / count);
		next = (count - i) * SF_THINNING;
	}
	/* From its largest error the curve falls. */
	fprintf(plot->script, "%.6g %.6g\ne\n",
		fmax(errors[count - 1], SF_LEFT), 1.0 / count);
}

static int sf_windows_draw(const struct sf_sim *sim, struct sf_output *out,
			   struct sf_error *err)
{
	double *errors = malloc(sim->windows * sizeof(*errors));
	struct sf_sim_windows result;
	struct sf_plot plot;
	char subtitle[100];
	size_t i;

	snprintf(subtitle, sizeof(subtitle),
		 "%llu window%s of %llu call%s; starts at zero",
		 (unsigned long long)sim->windows, sf_plural(sim->windows),
		 (unsigned long long)sim->calls, sf_plural(sim->calls));
	if (!errors)
		return sf_fail(err, SF_FAILED, "out of memory");
	if (sf_sim_plot_begin(
		    &plot, sim,
		    "Attempts in a window, the ratio random for each: how far off?",
		    subtitle, err))
		goto out_free;
	fprintf(plot.script,
		"set xlabel 'error in a window of %llu calls [attempts]'\n"
		"set ylabel 'windows with such an error or a larger one [%%]'\n"
		"set logscale x\nset logscale y\nset xrange [%g:*]\n"
		"set yrange [%g:130]\n",
		(unsigned long long)sim->calls, SF_LEFT, 80.0 / sim->windows);
	for (i = 0; i < SF_NR_SIM_CASES; i++) {
		if (!(SF_PLOTTED >> i & 1))
			continue;
		sf_sim_windows_run(sim, &sf_sim_cases[i], errors, &result);
		sf_windows_points(&plot, i, errors, sim->windows);
	}
	fputs("plot ", plot.script);
	sf_sim_plot_curves(&plot, "fsteps", SF_PLOTTED);
	sf_sim_plot_end(&plot, out, err);
out_free:
	free(errors);
	return err->code;
}

/**
 * sf_sim_windows - compare the policies by their errors and gaps
 * @sim: the user's
 * @out: gets the figures
 * @err: says what was wrong
 *
 * Return: SF_OK, or the code in @err.
 */
int sf_sim_windows(const struct sf_sim *sim, struct sf_output *out,
		   struct sf_error *err)
{
	struct sf_sim_windows results[SF_NR_SIM_CASES];
	struct sf_sim_gaps gaps[SF_NR_SIM_CASES];
	json_t *rows = json_array();
	size_t i;

	for (i = 0; i < SF_NR_SIM_CASES; i++) {
		sf_sim_windows_run(sim, &sf_sim_cases[i], NULL, &results[i]);
		sf_sim_gaps_run(sim, &sf_sim_cases[i], &gaps[i]);
		sf_sim_add(out, rows,
			   sf_windows_json(&sf_sim_cases[i], &results[i],
					   &gaps[i]));
	}
	sf_output_set(out, "windows", sf_json_number(sim->windows));
	sf_output_set(out, "calls_per_window", sf_json_number(sim->calls));
	sf_output_set(out, "gaps", json_integer(SF_GAPS));
	sf_output_set(out, "gaps_ratio", sf_json_number(sim->ratio));
	sf_output_set(out, "dice_off_expected_attempts",
		      json_real(results[0].excess));
	sf_output_set(out, "dice_off_standard_deviation_attempts",
		      json_real(results[0].chance));
	sf_output_set(out, "policies", rows);
	sf_windows_say(sim, results, gaps, out);
	return sim->plot ? sf_windows_draw(sim, out, err) : SF_OK;
}
