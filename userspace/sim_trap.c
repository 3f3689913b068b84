// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `sim trap`: a task that is there at regular calls, and what the attempts learn of it.
 * The objection is Chen's, in the thread "sched/fair: Replace random newidle_balance
 * with Bresenham accumulator", October 2026.
 */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include <schedflip/learner.h>

#include "progress.h"
#include "sim.h"
#include "text.h"

/* Between two looks at whether the user wants to end it: some ms. */
#define SF_LOOK_EVERY (1u << 20)

/* So many phases have room for all policies side by side. */
#define SF_GROUPS 16

/* The first calls do not count: at least so many, in which the ratio settles. */
#define SF_SETTLE 51200

/*
 * At ratio 0 one call in 1024 attempts, and by chance one attempt in a period finds the
 * task. After so many times that, all but one run in 3000 have left ratio 0.
 */
#define SF_ESCAPE 8

static u64 sf_trap_warm_up(const struct sf_sim *sim)
{
	u64 calls = SF_ESCAPE * SF_CELL * sim->period;

	return calls > SF_SETTLE ? calls : SF_SETTLE;
}

/**
 * sf_sim_trap_run - let a policy learn from the calls that it attempts
 * @sim: seed, period, and calls to average over
 * @which: the policy
 * @phase: the task is there on calls phase, phase + period ..., counted from 0
 *
 * The ratio begins at 0.
 *
 * Return: mean learned ratio, 0 .. 1024; means nothing once the user interrupted it.
 */
double sf_sim_trap_run(const struct sf_sim *sim,
		       const struct sf_sim_case *which, u32 phase)
{
	u64 call, sum = 0, next = phase, warm_up = sf_trap_warm_up(sim);
	struct sf_learner learner = { .call = SF_CELL / 2 };
	u32 weight, credit, pos;
	struct sf_window win;
	struct sf_rng start;
	bool attempt;

	/* All phases are of one domain: a random start too is the same for all. */
	sf_sim_case_seed(which, &start, sim->seed, SF_CELL);
	pos = sf_start_pos(which->start, SF_SIM_RANK, SF_SIM_SPAN, &start);
	sf_sim_case_seed(which, &win.rng, sim->seed, phase);
	sf_window_start(&win, pos);
	for (call = 0; call < warm_up + sim->calls; call++) {
		if (call % SF_LOOK_EVERY == 0 && sf_progress_interrupted())
			break;
		weight = sf_newidle_weight(which->policy, learner.ratio);
		attempt = sf_newidle_decide(which->policy, &win, weight);
		credit = 0;
		if (call == next) {
			next += sim->period;
			if (attempt)
				credit = sf_newidle_credit(weight);
		}
		sf_learn(&learner, credit, 0, false);
		if (call >= warm_up)
			sum += learner.ratio;
	}
	return (double)sum / sim->calls;
}

/**
 * struct sf_trap - what one policy learned
 * @ratios: mean ratio by phase
 * @count: number of phases
 * @min: least of @ratios
 * @mean: of them
 * @max: greatest of them
 * @dead: number of phases that stayed at ratio 0
 */
struct sf_trap {
	double *ratios;
	size_t count;
	double min;
	double mean;
	double max;
	size_t dead;
};

static bool sf_trap_init(const struct sf_sim *sim, struct sf_trap *traps)
{
	bool complete = true;
	size_t i;

	for (i = 0; i < SF_NR_SIM_CASES; i++) {
		traps[i].count = sim->phase == SF_SIM_UNSET ? sim->period : 1;
		traps[i].ratios =
			calloc(traps[i].count, sizeof(*traps[i].ratios));
		complete &= traps[i].ratios != NULL;
	}
	return complete;
}

static u32 sf_trap_phase(const struct sf_sim *sim, size_t i)
{
	return sim->phase == SF_SIM_UNSET ? i : sim->phase;
}

static void sf_trap_run(const struct sf_sim *sim, size_t which,
			struct sf_trap *trap, struct sf_progress *progress)
{
	double ratio;
	size_t i;

	trap->min = SF_CELL;
	for (i = 0; i < trap->count && !sf_progress_interrupted(); i++) {
		sf_progress_show(progress, "policy %zu of %d, phase %zu of %zu",
				 which + 1, SF_NR_SIM_CASES, i + 1,
				 trap->count);
		ratio = sf_sim_trap_run(sim, &sf_sim_cases[which],
					sf_trap_phase(sim, i));
		trap->ratios[i] = ratio;
		trap->min = fmin(trap->min, ratio);
		trap->max = fmax(trap->max, ratio);
		trap->mean += ratio / trap->count;
		trap->dead += ratio == 0;
	}
}

static json_t *sf_trap_json(const struct sf_sim *sim,
			    const struct sf_sim_case *which,
			    const struct sf_trap *trap, double fair)
{
	struct sf_output row = { .root = sf_sim_case_json(which) };
	json_t *phases = json_array();
	size_t i;

	for (i = 0; i < trap->count; i++)
		sf_sim_add(&row, phases,
			   json_pack("{s:i, s:f}", "phase",
				     (int)sf_trap_phase(sim, i), "mean_ratio",
				     trap->ratios[i]));
	sf_output_set(&row, "min_ratio", json_real(trap->min));
	sf_output_set(&row, "mean_ratio", json_real(trap->mean));
	sf_output_set(&row, "max_ratio", json_real(trap->max));
	sf_output_set(&row, "off_fair_percent",
		      json_real(100 * (trap->mean / fair - 1)));
	sf_output_set(&row, "phases_at_ratio_0", json_integer(trap->dead));
	sf_output_set(&row, "phases", phases);
	if (!row.incomplete)
		return row.root;
	json_decref(row.root);
	return NULL;
}

static void sf_trap_table(const struct sf_trap *traps, double fair,
			  struct sf_output *out)
{
	static const struct sf_column columns[] = {
		{ "NEWIDLE", 0 },
		{ "START", 0 },
		{ "MIN [/1024]", SCOLS_FL_RIGHT },
		{ "MEAN [/1024]", SCOLS_FL_RIGHT },
		{ "MAX [/1024]", SCOLS_FL_RIGHT },
		{ "OFF FAIR [%]", SCOLS_FL_RIGHT },
		{ "AT 0 [phases]", SCOLS_FL_RIGHT },
	};
	struct libscols_table *table =
		sf_table_new(columns, SF_ARRAY_SIZE(columns));
	size_t i;

	for (i = 0; i < SF_NR_SIM_CASES; i++) {
		struct libscols_line *line =
			sf_sim_case_line(table, &sf_sim_cases[i]);

		sf_table_cell(line, 2, "%.1f", traps[i].min);
		sf_table_cell(line, 3, "%.1f", traps[i].mean);
		sf_table_cell(line, 4, "%.1f", traps[i].max);
		sf_sim_signed(line, 5, 1, 100 * (traps[i].mean / fair - 1));
		sf_table_cell(line, 6, "%zu of %zu", traps[i].dead,
			      traps[i].count);
	}
	sf_table_print(out, table);
}

static void sf_trap_say(const struct sf_sim *sim, const struct sf_trap *traps,
			double fair, struct sf_output *out)
{
	if (out->json)
		return;
	sf_output_say(
		out,
		"a task on one call in %llu; ratio 0 at first; mean ratio of %llu call%s after %llu; seed %llu",
		(unsigned long long)sim->period, (unsigned long long)sim->calls,
		sf_plural(sim->calls), (unsigned long long)sf_trap_warm_up(sim),
		(unsigned long long)sim->seed);
	if (sim->phase == SF_SIM_UNSET)
		sf_output_say(out,
			      "min, mean and max: over phases 0 to %llu of the "
			      "task",
			      (unsigned long long)sim->period - 1);
	else
		sf_output_say(out, "phase %llu of the task",
			      (unsigned long long)sim->phase);
	sf_output_say(
		out,
		"calls with a task: %.1f/1024; a fair policy learns %.1f/1024",
		(double)SF_CELL / sim->period, fair);
	sf_trap_table(traps, fair, out);
}

/* Where a point goes: if there are few phases, the policies stand side by side. */
static double sf_trap_place(const struct sf_sim *sim,
			    const struct sf_trap *trap, size_t which, size_t n)
{
	if (trap->count <= SF_GROUPS)
		return sf_sim_plot_place(n, which);
	return sf_trap_phase(sim, n);
}

static void sf_trap_axes(struct sf_plot *plot, const struct sf_sim *sim,
			 const struct sf_trap *trap)
{
	u64 labels[SF_GROUPS];
	size_t i;

	fputs("set xlabel 'phase of the task [calls]'\n"
	      "set ylabel 'mean learned ratio [/1024]'\n"
	      "set offsets 0, 0, graph 0.05, 0\nset yrange [0:*]\n",
	      plot->script);
	if (trap->count > SF_GROUPS) {
		fprintf(plot->script,
			"set xrange [-0.5:%zu.5]\nset xtics %zu\n",
			trap->count - 1, (trap->count + 15) / 16);
		return;
	}
	for (i = 0; i < trap->count; i++)
		labels[i] = sf_trap_phase(sim, i);
	sf_sim_plot_groups(plot, labels, trap->count);
}

static int sf_trap_draw(const struct sf_sim *sim, const struct sf_trap *traps,
			double fair, struct sf_output *out,
			struct sf_error *err)
{
	char subtitle[200];
	struct sf_plot plot;
	size_t i, n;

	snprintf(
		subtitle, sizeof(subtitle),
		"a task on one call in %llu; ratio 0 at first; mean of %llu call%s after %llu",
		(unsigned long long)sim->period, (unsigned long long)sim->calls,
		sf_plural(sim->calls),
		(unsigned long long)sf_trap_warm_up(sim));
	if (sf_sim_plot_begin(&plot, sim, "What is learned of a regular task",
			      subtitle, err))
		return err->code;
	sf_trap_axes(&plot, sim, traps);
	for (i = 0; i < SF_NR_SIM_CASES; i++) {
		sf_sim_plot_block(&plot, i);
		for (n = 0; n < traps->count; n++)
			fprintf(plot.script, "%.3f %.6g\n",
				sf_trap_place(sim, &traps[i], i, n),
				traps[i].ratios[n]);
		fputs("e\n", plot.script);
	}
	fprintf(plot.script,
		"plot %.6g with lines lc rgb '#009e73' lw 2 title 'fair', ",
		fair);
	sf_sim_plot_curves(&plot, "points", SF_SIM_ALL);
	return sf_sim_plot_end(&plot, out, err);
}

static int sf_trap_check(const struct sf_sim *sim, struct sf_error *err)
{
	if (sim->phase == SF_SIM_UNSET || sim->phase < sim->period)
		return SF_OK;
	return sf_fail(
		err, SF_USAGE,
		"no phase \"%llu\"; allowed with --period %llu: 0 to %llu",
		(unsigned long long)sim->phase, (unsigned long long)sim->period,
		(unsigned long long)sim->period - 1);
}

/* Long periods take minutes: on a terminal it says how far it is. */
static int sf_trap_run_all(const struct sf_sim *sim, struct sf_trap *traps,
			   struct sf_error *err)
{
	struct sf_progress progress;
	size_t i;

	sf_progress_begin(&progress, !isatty(STDERR_FILENO));
	for (i = 0; i < SF_NR_SIM_CASES; i++)
		sf_trap_run(sim, i, &traps[i], &progress);
	sf_progress_end(&progress);
	return sf_progress_interrupted() ?
		       sf_fail(err, SF_FAILED, "interrupted") :
		       SF_OK;
}

static int sf_trap_all(const struct sf_sim *sim, struct sf_trap *traps,
		       struct sf_output *out, struct sf_error *err)
{
	double fair = sf_sim_fair_ratio(sim->period);
	json_t *rows;
	size_t i;

	if (isnan(fair))
		return sf_fail(err, SF_FAILED, "out of memory");
	if (sf_trap_run_all(sim, traps, err))
		return err->code;
	rows = json_array();
	for (i = 0; i < SF_NR_SIM_CASES; i++)
		sf_sim_add(out, rows,
			   sf_trap_json(sim, &sf_sim_cases[i], &traps[i],
					fair));
	sf_output_set(out, "period_calls", sf_json_number(sim->period));
	sf_output_set(out, "calls", sf_json_number(sim->calls));
	sf_output_set(out, "warm_up_calls",
		      sf_json_number(sf_trap_warm_up(sim)));
	sf_output_set(out, "task_ratio",
		      json_real((double)SF_CELL / sim->period));
	sf_output_set(out, "fair_ratio", json_real(fair));
	sf_output_set(out, "policies", rows);
	sf_trap_say(sim, traps, fair, out);
	return sim->plot ? sf_trap_draw(sim, traps, fair, out, err) : SF_OK;
}

/**
 * sf_sim_trap - compare the policies by what they learn of a regular task
 * @sim: the user's
 * @out: gets the figures
 * @err: says what was wrong
 *
 * Return: SF_OK, or the code in @err.
 */
int sf_sim_trap(const struct sf_sim *sim, struct sf_output *out,
		struct sf_error *err)
{
	struct sf_trap traps[SF_NR_SIM_CASES] = { { 0 } };
	size_t i;

	if (sf_trap_check(sim, err))
		return err->code;
	if (sf_trap_init(sim, traps))
		sf_trap_all(sim, traps, out, err);
	else
		sf_fail(err, SF_FAILED, "out of memory");
	for (i = 0; i < SF_NR_SIM_CASES; i++)
		free(traps[i].ratios);
	return err->code;
}
