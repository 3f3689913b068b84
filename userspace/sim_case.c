// SPDX-License-Identifier: GPL-2.0-or-later
/* What the experiments share: the policies that are compared, and their pictures. */
#include <stdlib.h>

#include "sim.h"
#include "text.h"

const struct sf_sim_case sf_sim_cases[SF_NR_SIM_CASES] = {
	{ SF_NEWIDLE_DICE, SF_START_ZERO },
	{ SF_NEWIDLE_ACCUMULATOR, SF_START_ZERO },
	{ SF_NEWIDLE_ACCUMULATOR, SF_START_HALF },
	{ SF_NEWIDLE_ACCUMULATOR, SF_START_RANDOM },
	{ SF_NEWIDLE_ACCUMULATOR, SF_START_STAGGER },
	{ SF_NEWIDLE_JITTER, SF_START_ZERO },
	{ SF_NEWIDLE_JITTER, SF_START_HALF },
	{ SF_NEWIDLE_JITTER, SF_START_RANDOM },
	{ SF_NEWIDLE_JITTER, SF_START_STAGGER },
};

/* Return: the word of start=, or NULL for a policy that has no window. */
static const char *sf_sim_start_name(const struct sf_sim_case *which)
{
	if (which->policy != SF_NEWIDLE_ACCUMULATOR &&
	    which->policy != SF_NEWIDLE_JITTER)
		return NULL;
	return sf_start_names[which->start].name;
}

/**
 * sf_sim_case_json - begin a policy's object
 * @which: the policy
 *
 * Return: an object, or NULL if it does not fit in memory.
 */
json_t *sf_sim_case_json(const struct sf_sim_case *which)
{
	return json_pack("{s:s, s:s?}", "newidle",
			 sf_newidle_names[which->policy].name, "start",
			 sf_sim_start_name(which));
}

/**
 * sf_sim_case_line - begin a policy's line of a table
 * @table: its first two columns are the policy and the start; or NULL
 * @which: the policy
 *
 * Return: the line, or NULL if it does not fit in memory.
 */
struct libscols_line *sf_sim_case_line(struct libscols_table *table,
				       const struct sf_sim_case *which)
{
	struct libscols_line *line =
		table ? scols_table_new_line(table, NULL) : NULL;
	const char *start = sf_sim_start_name(which);

	sf_table_cell(line, 0, "%s", sf_newidle_names[which->policy].name);
	sf_table_cell(line, 1, "%s", start ? start : "-");
	return line;
}

/**
 * sf_sim_case_seed - give a policy a stream of random numbers of its own
 * @which: the policy
 * @rng: to seed
 * @seed: the user's
 * @number: of the stream among those of the policy, 0 .. SF_SIM_STREAMS - 1
 */
void sf_sim_case_seed(const struct sf_sim_case *which, struct sf_rng *rng,
		      u64 seed, u32 number)
{
	u32 policy =
		(which->policy - SF_NEWIDLE_DICE) * SF_NR_START + which->start;

	sf_random_seed(rng, seed, policy * SF_SIM_STREAMS + number);
}

/**
 * sf_sim_case_begin - start a window as the module does
 * @which: the policy
 * @win: its generator is seeded
 * @rank: of the CPU among the CPUs of its domain
 * @span: number of these
 */
void sf_sim_case_begin(const struct sf_sim_case *which, struct sf_window *win,
		       u32 rank, u32 span)
{
	sf_window_start(win, sf_start_pos(which->start, rank, span, &win->rng));
}

/**
 * sf_sim_odds - how likely a call attempts
 * @policy: dice are one position too generous
 * @weight: of the call
 *
 * Return: 0 .. 1024, in 1024.
 */
u32 sf_sim_odds(enum sf_newidle policy, u32 weight)
{
	return policy == SF_NEWIDLE_DICE && weight < SF_CELL ? weight + 1 :
							       weight;
}

/**
 * sf_sim_add - put a value at the end of a JSON array
 * @out: what it is for
 * @array: the array
 * @value: handed over; NULL is a value that did not fit in memory
 */
void sf_sim_add(struct sf_output *out, json_t *array, json_t *value)
{
	if (json_array_append_new(array, value))
		out->incomplete = true;
}

/**
 * sf_sim_real - a value as JSON
 * @known: there is one; else it is null
 * @value: it
 */
json_t *sf_sim_real(bool known, double value)
{
	return known ? json_real(value) : json_null();
}

/**
 * sf_sim_plot_begin - begin the picture of an experiment
 * @plot: to set
 * @sim: names the file
 * @title: above the picture
 * @err: says what was wrong
 *
 * Return: SF_OK or why not.
 */
int sf_sim_plot_begin(struct sf_plot *plot, const struct sf_sim *sim,
		      const char *title, struct sf_error *err)
{
	if (sf_plot_begin(plot, sim->plot, 1000, 560, err))
		return err->code;
	fputs("set title ", plot->script);
	sf_plot_string(plot, title);
	fputs("\nset key outside right top Left reverse samplen 3\n"
	      "set grid lt 1 lw 1 lc rgb '#dddddd'\nset border 3\nset tics nomirror\n",
	      plot->script);
	return SF_OK;
}

/**
 * sf_sim_plot_block - begin the points of a policy; a line "e" ends them
 * @plot: the picture
 * @which: number of the policy
 */
void sf_sim_plot_block(struct sf_plot *plot, size_t which)
{
	fprintf(plot->script, "$case%zu << e\n", which);
}

/**
 * sf_sim_plot_curves - draw policies, one color each; starts differ by mark and dashes
 * @plot: the picture, with a block of points for each
 * @style: what gnuplot is to draw with
 * @cases: those that are drawn, a bit each
 */
void sf_sim_plot_curves(struct sf_plot *plot, const char *style, u32 cases)
{
	static const char *const colors[SF_NR_NEWIDLE] = {
		[SF_NEWIDLE_DICE] = "#555555",
		[SF_NEWIDLE_ACCUMULATOR] = "#d55e00",
		[SF_NEWIDLE_JITTER] = "#0072b2",
	};
	static const int marks[SF_NR_START] = { 7, 5, 9, 13 };
	size_t i;

	for (i = 0; i < SF_NR_SIM_CASES; i++) {
		const struct sf_sim_case *which = &sf_sim_cases[i];
		const char *start = sf_sim_start_name(which);

		if (!(cases >> i & 1))
			continue;
		fprintf(plot->script,
			"$case%zu using 1:2 with %s lc rgb '%s' lw 2 dt %d pt %d ps 1.1 "
			"title '%s%s%s', ",
			i, style, colors[which->policy], which->start + 1,
			marks[which->start],
			sf_newidle_names[which->policy].name, start ? ", " : "",
			start ? start : "");
	}
	/* The list of curves ends in one that is not seen. */
	fputs("NaN notitle\n", plot->script);
}

/**
 * sf_sim_plot_end - draw the picture, and say where it is
 * @plot: from sf_sim_plot_begin(); is done with
 * @out: gets its name
 * @err: says what was wrong
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_sim_plot_end(struct sf_plot *plot, struct sf_output *out,
		    struct sf_error *err)
{
	if (sf_plot_end(plot, err))
		return err->code;
	sf_output_set(out, "plot", sf_json_text(plot->path));
	sf_output_say(out, "picture: %s", plot->path);
	return SF_OK;
}
