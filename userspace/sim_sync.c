// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `sim sync`: CPUs that call all at the same time, and how many of them attempt. The
 * objection is Zijlstra's and Chen's, in the thread "sched/fair: Replace random
 * newidle_balance with Bresenham accumulator", October 2026.
 */
#include <math.h>
#include <stdlib.h>

#include <schedflip/sync.h>

#include "sim.h"
#include "text.h"

/* Without --rounds: so many of them, and so many decisions at most. */
#define SF_ROUNDS 100000
#define SF_DECISIONS (1u << 26)

/* For each point of the picture. */
#define SF_PLOT_DECISIONS (1u << 22)

/* 1, 2, 4 and so on up to 4096, and one that is between these. */
#define SF_COUNTS 14

/* What is 0 is drawn on this line of a scale of logarithms, which has no 0. */
#define SF_FLOOR 0.01

static u64 sf_sync_rounds(const struct sf_sim *sim, u64 decisions)
{
	u64 rounds = decisions / sim->cpus;

	if (sim->rounds != SF_SIM_UNSET)
		return sim->rounds;
	return rounds < SF_ROUNDS ? rounds : SF_ROUNDS;
}

/*
 * A window that starts within a cell makes its first attempt in the rest of it; only
 * then is it as likely to attempt in one round as in any other.
 */
static u64 sf_sync_warm_up(u32 weight)
{
	return 2 * SF_CELL / weight + 1;
}

static void sf_sync_begin(const struct sf_sim *sim,
			  const struct sf_sim_case *which,
			  struct sf_window *windows)
{
	u32 cpu;

	for (cpu = 0; cpu < sim->cpus; cpu++) {
		sf_sim_case_seed(which, &windows[cpu].rng, sim->seed, cpu);
		sf_sim_case_begin(which, &windows[cpu], cpu, sim->cpus);
	}
}

/* One call of each CPU. Return: how many of them attempt. */
static u32 sf_sync_round(const struct sf_sim *sim, enum sf_newidle policy,
			 struct sf_window *windows, struct sf_sync *meter,
			 u64 round)
{
	u32 weight = sf_newidle_weight(policy, sim->ratio);
	u32 odds = sf_sim_odds(policy, weight), cpu, attempts = 0;
	bool attempt;

	for (cpu = 0; cpu < sim->cpus; cpu++) {
		attempt = sf_newidle_decide(policy, &windows[cpu], weight);
		sf_sync_call(meter, round, odds, attempt);
		attempts += attempt;
	}
	return attempts;
}

/**
 * sf_sim_sync_run - let CPUs with one policy call together
 * @sim: seed, CPUs, ratio and rounds, which are set; the first rounds, in which the
 *	windows get going, are beside these
 * @which: the policy
 * @result: set to what came of it
 * @err: says what was wrong
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_sim_sync_run(const struct sf_sim *sim, const struct sf_sim_case *which,
		    struct sf_sim_sync *result, struct sf_error *err)
{
	struct sf_window *windows = calloc(sim->cpus, sizeof(*windows));
	u32 weight = sf_newidle_weight(which->policy, sim->ratio);
	double p = sf_sim_odds(which->policy, weight) / (double)SF_CELL;
	u64 round, warm_up = sf_sync_warm_up(weight);
	double mean = sim->cpus * p, off, sum = 0, squares = 0;
	struct sf_sync meter = { 0 };

	if (!windows)
		return sf_fail(err, SF_FAILED, "out of memory");
	sf_sync_begin(sim, which, windows);
	for (round = 0; round < warm_up + sim->rounds; round++) {
		if (round == warm_up)
			meter = (struct sf_sync){ 0 };
		off = sf_sync_round(sim, which->policy, windows, &meter,
				    round) -
		      mean;
		if (round >= warm_up) {
			sum += off;
			squares += off * off;
		}
	}
	free(windows);
	sum /= sim->rounds;
	result->mean = mean + sum;
	result->variance = fmax(0, squares / sim->rounds - sum * sum);
	result->independent = sim->cpus * p * (1 - p);
	result->pairs = meter.pairs;
	result->expected_pairs =
		meter.expected + (double)meter.fraction / SF_SYNC_PAIR;
	return SF_OK;
}

static double sf_sync_excess(const struct sf_sim_sync *result)
{
	return result->variance / result->independent;
}

static double sf_sync_pairs(const struct sf_sim_sync *result)
{
	return result->pairs / result->expected_pairs;
}

static json_t *sf_sync_json(const struct sf_sim_case *which,
			    const struct sf_sim_sync *result)
{
	struct sf_output row = { .root = sf_sim_case_json(which) };

	sf_output_set(&row, "mean_attempts", json_real(result->mean));
	sf_output_set(&row, "variance_attempts2", json_real(result->variance));
	sf_output_set(&row, "independent_variance_attempts2",
		      json_real(result->independent));
	sf_output_set(&row, "variance_ratio",
		      sf_sim_real(result->independent > 0,
				  sf_sync_excess(result)));
	sf_output_set(&row, "pairs", sf_json_number(result->pairs));
	sf_output_set(&row, "expected_pairs",
		      json_real(result->expected_pairs));
	sf_output_set(&row, "synchrony",
		      sf_sim_real(result->expected_pairs > 0,
				  sf_sync_pairs(result)));
	if (!row.incomplete)
		return row.root;
	json_decref(row.root);
	return NULL;
}

/* @known: there is a value. */
static void sf_sync_cell(struct libscols_line *line, size_t column, bool known,
			 double value)
{
	if (known)
		sf_table_cell(line, column, "%.2f", value);
	else
		sf_table_cell(line, column, "-");
}

static void sf_sync_table(const struct sf_sim_sync *results,
			  struct sf_output *out)
{
	static const struct sf_column columns[] = {
		{ "NEWIDLE", 0 },
		{ "START", 0 },
		{ "MEAN [attempts]", SCOLS_FL_RIGHT },
		{ "VARIANCE [attempts^2]", SCOLS_FL_RIGHT },
		{ "INDEPENDENT [attempts^2]", SCOLS_FL_RIGHT },
		{ "TIMES", SCOLS_FL_RIGHT },
		{ "SYNC", SCOLS_FL_RIGHT },
	};
	struct libscols_table *table =
		sf_table_new(columns, SF_ARRAY_SIZE(columns));
	size_t i;

	for (i = 0; i < SF_NR_SIM_CASES; i++) {
		const struct sf_sim_sync *result = &results[i];
		struct libscols_line *line =
			sf_sim_case_line(table, &sf_sim_cases[i]);

		sf_sync_cell(line, 2, true, result->mean);
		sf_sync_cell(line, 3, true, result->variance);
		sf_sync_cell(line, 4, true, result->independent);
		sf_sync_cell(line, 5, result->independent > 0,
			     sf_sync_excess(result));
		sf_sync_cell(line, 6, result->expected_pairs > 0,
			     sf_sync_pairs(result));
	}
	sf_table_print(out, table);
}

static void sf_sync_say(const struct sf_sim *sim,
			const struct sf_sim_sync *results,
			struct sf_output *out)
{
	if (out->json)
		return;
	sf_output_say(out, "%llu CPU%s, %llu time%s, at ratio %llu; seed %llu",
		      (unsigned long long)sim->cpus,
		      sim->cpus == 1 ? " that calls" : "s that call together",
		      (unsigned long long)sim->rounds, sf_plural(sim->rounds),
		      (unsigned long long)sim->ratio,
		      (unsigned long long)sim->seed);
	sf_output_say(out, "times: variance over that of independent CPUs; "
			   "sync: pairs that attempt together, likewise");
	sf_sync_table(results, out);
}

/* Powers of two below --cpus, and --cpus. Return: how many there are. */
static size_t sf_sync_counts(const struct sf_sim *sim, u64 *counts)
{
	size_t used = 0;
	u64 cpus;

	for (cpus = 1; cpus < sim->cpus; cpus *= 2)
		counts[used++] = cpus;
	counts[used++] = sim->cpus;
	return used;
}

static void sf_sync_plot_axes(struct sf_plot *plot, const u64 *counts,
			      size_t used)
{
	fprintf(plot->script,
		"set xlabel 'CPUs that call together'\n"
		"set ylabel 'variance of simultaneous attempts / that of independent CPUs'\n"
		"set logscale y\nset format y '%%g'\n"
		"set yrange [%g:*]\nset ytics add ('0' %g)\n",
		SF_FLOOR / 1.5, SF_FLOOR);
	sf_sim_plot_groups(plot, counts, used);
}

/* One policy, with each number of CPUs. */
static int sf_sync_points(struct sf_plot *plot, const struct sf_sim *sim,
			  size_t which, struct sf_error *err)
{
	struct sf_sim_sync result;
	struct sf_sim one = *sim;
	u64 counts[SF_COUNTS];
	size_t used = sf_sync_counts(sim, counts), i;

	sf_sim_plot_block(plot, which);
	for (i = 0; i < used; i++) {
		one.cpus = counts[i];
		one.rounds = sim->rounds;
		one.rounds = sf_sync_rounds(&one, SF_PLOT_DECISIONS);
		if (sf_sim_sync_run(&one, &sf_sim_cases[which], &result, err))
			return err->code;
		fprintf(plot->script, "%.3f %.6g\n",
			sf_sim_plot_place(i, which),
			fmax(SF_FLOOR, sf_sync_excess(&result)));
	}
	fputs("e\n", plot->script);
	return SF_OK;
}

/* With few CPUs there are more rounds. */
static void sf_sync_subtitle(const struct sf_sim *sim, char *buf, size_t size)
{
	u64 least = sf_sync_rounds(sim, SF_PLOT_DECISIONS), most;
	struct sf_sim one = *sim;

	one.cpus = 1;
	most = sf_sync_rounds(&one, SF_PLOT_DECISIONS);
	snprintf(buf, size, "ratio %llu; ", (unsigned long long)sim->ratio);
	if (least < most)
		sf_append_text(buf, size, "%llu to ",
			       (unsigned long long)least);
	sf_append_text(buf, size, "%llu calls of each CPU",
		       (unsigned long long)most);
}

static int sf_sync_draw(const struct sf_sim *sim, struct sf_output *out,
			struct sf_error *err)
{
	char subtitle[100];
	u64 counts[SF_COUNTS];
	struct sf_plot plot;
	size_t i;

	sf_sync_subtitle(sim, subtitle, sizeof(subtitle));
	if (sf_sim_plot_begin(&plot, sim, "Do CPUs attempt together?", subtitle,
			      err))
		return err->code;
	sf_sync_plot_axes(&plot, counts, sf_sync_counts(sim, counts));
	for (i = 0; i < SF_NR_SIM_CASES; i++)
		if (sf_sync_points(&plot, sim, i, err))
			break;
	fputs("plot 1 with lines lc rgb '#009e73' lw 2 title 'independent', ",
	      plot.script);
	sf_sim_plot_curves(&plot, "points", SF_SIM_ALL);
	return sf_sim_plot_end(&plot, out, err);
}

static int sf_sync_check(const struct sf_sim *sim, struct sf_error *err)
{
	if (!sim->plot || sf_sim_odds(SF_NEWIDLE_DICE,
				      sf_newidle_weight(SF_NEWIDLE_DICE,
							sim->ratio)) < SF_CELL)
		return SF_OK;
	return sf_fail(err, SF_USAGE,
		       "no picture at ratio %llu, where every call attempts; "
		       "allowed with --plot: 0 to 1021",
		       (unsigned long long)sim->ratio);
}

/**
 * sf_sim_sync - compare the policies by how CPUs in lockstep attempt
 * @sim: the user's
 * @out: gets the figures
 * @err: says what was wrong
 *
 * Return: SF_OK, or the code in @err.
 */
int sf_sim_sync(const struct sf_sim *sim, struct sf_output *out,
		struct sf_error *err)
{
	struct sf_sim_sync results[SF_NR_SIM_CASES];
	u32 weight = sf_newidle_weight(SF_NEWIDLE_JITTER, sim->ratio);
	struct sf_sim one = *sim;
	json_t *rows;
	size_t i;

	if (sf_sync_check(sim, err))
		return err->code;
	one.rounds = sf_sync_rounds(sim, SF_DECISIONS);
	for (i = 0; i < SF_NR_SIM_CASES; i++)
		if (sf_sim_sync_run(&one, &sf_sim_cases[i], &results[i], err))
			return err->code;
	rows = json_array();
	for (i = 0; i < SF_NR_SIM_CASES; i++)
		sf_sim_add(out, rows,
			   sf_sync_json(&sf_sim_cases[i], &results[i]));
	sf_output_set(out, "cpus", sf_json_number(sim->cpus));
	sf_output_set(out, "ratio", sf_json_number(sim->ratio));
	sf_output_set(out, "rounds", sf_json_number(one.rounds));
	sf_output_set(out, "warm_up_rounds",
		      sf_json_number(sf_sync_warm_up(weight)));
	sf_output_set(out, "policies", rows);
	sf_sync_say(&one, results, out);
	return sim->plot ? sf_sync_draw(sim, out, err) : SF_OK;
}
