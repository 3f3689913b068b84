// SPDX-License-Identifier: GPL-2.0-or-later
/* `sim replay`: what each policy would have made of recorded newidle calls. */
#include <math.h>
#include <string.h>

#include "figure.h"
#include "sim.h"
#include "text.h"

/* First the truth: every call attempts, as it did when it was recorded. */
#define SF_NR_REPLAYS (1 + SF_NR_SIM_CASES)

static const struct sf_sim_case sf_replay_truth = { SF_NEWIDLE_ALWAYS,
						    SF_START_ZERO };

static const struct sf_sim_case *sf_replay_case(size_t i)
{
	return i ? &sf_sim_cases[i - 1] : &sf_replay_truth;
}

/**
 * sf_sim_replay_check - does a recording say what every call would have brought?
 * @recording: any
 * @name: of its file
 * @err: says what was wrong
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_sim_replay_check(const struct sf_recording *recording, const char *name,
			struct sf_error *err)
{
	static const char how[] =
		"schedflip set newidle=always && schedflip record -o FILE --event newidle --for 10";
	unsigned long long calls = 0, skipped = 0, others = 0;
	size_t i;

	for (i = 0; i < recording->count; i++) {
		const struct sf_event *event = &recording->events[i];

		if (event->type != SF_EVENT_NEWIDLE)
			continue;
		calls++;
		skipped += !event->newidle.attempt;
		others += event->policy != SF_NEWIDLE_ALWAYS;
	}
	if (!calls)
		return sf_fail(
			err, SF_FAILED,
			"%s has no newidle call to decide anew, in %zu event%s; record some: %s",
			name, recording->count, sf_plural(recording->count),
			how);
	if (skipped)
		return sf_fail(
			err, SF_FAILED,
			"%s was not recorded under newidle=always: %llu of %llu calls were skipped, so their outcome is unknown; record again after: schedflip set newidle=always",
			name, skipped, calls);
	if (others)
		return sf_fail(
			err, SF_FAILED,
			"%s was not recorded under newidle=always: %llu of %llu calls were made under another policy, and it or the kernel's own dice may have skipped calls unseen; record again after: schedflip set newidle=always",
			name, others, calls);
	return SF_OK;
}

static void sf_replay_warn(struct sf_output *out, json_t *warnings,
			   const char *warning)
{
	sf_sim_add(out, warnings, sf_json_text(warning));
	sf_output_say(out, "warning: %s", warning);
}

static void sf_replay_doubts(const struct sf_recording *recording,
			     struct sf_output *out)
{
	json_t *warnings = json_array();
	char text[100];

	if (recording->lost) {
		snprintf(
			text, sizeof(text),
			"%llu event%s lost while recording; counts are too low",
			(unsigned long long)recording->lost,
			recording->lost == 1 ? " was" : "s were");
		sf_replay_warn(out, warnings, text);
	}
	if (!recording->complete)
		sf_replay_warn(
			out, warnings,
			"the file was cut off; what came later is missing");
	sf_output_set(out, "lost_events", sf_json_number(recording->lost));
	sf_output_set(out, "complete", json_boolean(recording->complete));
	sf_output_set(out, "warnings", warnings);
}

/* The mean as @key, and the standard deviation; of one run the mean may be whole. */
static void sf_replay_figure(struct sf_output *row, const char *key,
			     struct sf_sim_spread spread, bool whole)
{
	char key_sd[64];

	snprintf(key_sd, sizeof(key_sd), "%s_sd", key);
	sf_output_set(row, key,
		      whole ? sf_json_number(spread.mean) :
			      sf_sim_real(!isnan(spread.mean), spread.mean));
	sf_output_set(row, key_sd, sf_sim_real(!isnan(spread.mean), spread.sd));
}

static json_t *sf_replay_ratios(const struct sf_sim_runs *runs)
{
	struct sf_output array = { .root = json_array() };
	size_t i;

	for (i = 0; i < SF_SIM_STEPS && runs->first.learned; i++)
		sf_sim_add(&array, array.root,
			   json_pack("{s:f, s:f, s:f}", "time_s",
				     runs->first.duration_ns / 1e9 * (i + 1) /
					     SF_SIM_STEPS,
				     "ratio", runs->ratio[i].mean, "ratio_sd",
				     runs->ratio[i].sd));
	if (!array.incomplete)
		return array.root;
	json_decref(array.root);
	return NULL;
}

static json_t *sf_replay_json(const struct sf_sim_case *which,
			      const struct sf_sim_runs *runs)
{
	struct sf_output row = { .root = sf_sim_case_json(which) };
	bool once = runs->count == 1;

	sf_output_set(&row, "runs", sf_json_number(runs->count));
	sf_replay_figure(&row, "attempts", runs->attempts, once);
	sf_replay_figure(&row, "attempts_ns", runs->attempt_ns, once);
	sf_replay_figure(&row, "pulls_won", runs->won, once);
	sf_replay_figure(&row, "pulls_missed", runs->missed, once);
	sf_replay_figure(&row, "won_percent", runs->won_percent, false);
	sf_replay_figure(&row, "hit_rate_percent", runs->hit_percent, false);
	sf_replay_figure(&row, "final_ratio", runs->ratio[SF_SIM_STEPS - 1],
			 false);
	sf_output_set(&row, "ratio_over_time", sf_replay_ratios(runs));
	if (!row.incomplete)
		return row.root;
	json_decref(row.root);
	return NULL;
}

/* Of a figure that is the same in all runs, the table has so many @decimals. */
static void sf_replay_cell(struct libscols_line *line, size_t column,
			   struct sf_sim_spread spread, double unit,
			   int decimals)
{
	double mean = spread.mean / unit, sd = spread.sd / unit;

	if (sd > 0)
		decimals = sf_figure_decimals(mean, sd);
	if (sd > 0)
		sf_table_cell(line, column, "%s +-%s",
			      sf_figure(mean, decimals).text,
			      sf_figure(sd, decimals).text);
	else
		sf_table_cell(line, column, "%s",
			      sf_figure(mean, decimals).text);
}

static void sf_replay_line(struct libscols_table *table, size_t i,
			   const struct sf_sim_runs *runs)
{
	struct libscols_line *line = sf_sim_case_line(table, sf_replay_case(i));

	sf_replay_cell(line, 2, runs->attempts, 1, 0);
	sf_replay_cell(line, 3, runs->attempt_ns, 1e6, 3);
	sf_replay_cell(line, 4, runs->won, 1, 0);
	sf_replay_cell(line, 5, runs->missed, 1, 0);
	sf_replay_cell(line, 6, runs->won_percent, 1, 1);
	sf_replay_cell(line, 7, runs->hit_percent, 1, 1);
	sf_replay_cell(line, 8, runs->ratio[SF_SIM_STEPS - 1], 1, 1);
}

static void sf_replay_table(const struct sf_sim_runs *runs,
			    struct sf_output *out)
{
	static const struct sf_column columns[] = {
		{ "NEWIDLE", 0 },
		{ "START", 0 },
		{ "ATTEMPTS", SCOLS_FL_RIGHT },
		{ "TIME [ms]", SCOLS_FL_RIGHT },
		{ "WON [pulls]", SCOLS_FL_RIGHT },
		{ "MISSED [pulls]", SCOLS_FL_RIGHT },
		{ "WON [%]", SCOLS_FL_RIGHT },
		{ "HIT [%]", SCOLS_FL_RIGHT },
		{ "RATIO [/1024]", SCOLS_FL_RIGHT },
	};
	struct libscols_table *table =
		sf_table_new(columns, SF_ARRAY_SIZE(columns));
	size_t i;

	for (i = 0; i < SF_NR_REPLAYS; i++)
		sf_replay_line(table, i, &runs[i]);
	sf_table_print(out, table);
}

static double sf_replay_share(const struct sf_sim_replay *truth)
{
	return (double)SF_CELL * truth->pulls / truth->calls;
}

/* Whose ratios the table has, and what there was to learn. */
static void sf_replay_say_learned(const struct sf_sim_replay *truth,
				  struct sf_output *out)
{
	if (truth->learned)
		sf_output_say(
			out,
			"ratio: mean of the domains that made the %d calls it takes to learn, %zu of %zu; in their mean %.1f of 1024 calls pulled",
			SF_CELL / 2, truth->learned, truth->domains,
			truth->share);
	else
		sf_output_say(
			out,
			"ratio: no domain, of %zu, made the %d calls of its own that it takes to learn; record for longer",
			truth->domains, SF_CELL / 2);
}

static void sf_replay_say(const struct sf_sim *sim,
			  const struct sf_sim_runs *runs, struct sf_output *out)
{
	const struct sf_sim_replay *truth = &runs[0].first;

	if (out->json)
		return;
	sf_output_say(
		out,
		"%llu call%s of %zu domain%s in %.3f s, of which %llu pulled: %.1f of 1024; seed %llu",
		(unsigned long long)truth->calls, sf_plural(truth->calls),
		truth->domains, sf_plural(truth->domains),
		truth->duration_ns / 1e9, (unsigned long long)truth->pulls,
		sf_replay_share(truth), (unsigned long long)sim->seed);
	sf_output_say(out,
		      "each call's outcome is taken as recorded: what a pull "
		      "would have changed later is not replayed");
	sf_output_say(
		out,
		"dice, jitter and random starts: mean +-standard deviation of %d runs; the others are not random",
		SF_SIM_RUNS);
	sf_replay_say_learned(truth, out);
	sf_replay_table(runs, out);
}

static void sf_replay_points(struct sf_plot *plot,
			     const struct sf_sim_runs *runs)
{
	size_t i;

	/* All begin as fresh domains do. */
	fprintf(plot->script, "0 %u\n", SF_CELL / 2);
	for (i = 0; i < SF_SIM_STEPS; i++)
		fprintf(plot->script, "%.6g %.6g\n",
			runs->first.duration_ns / 1e9 * (i + 1) / SF_SIM_STEPS,
			runs->ratio[i].mean);
	fputs("e\n", plot->script);
}

static int sf_replay_draw(const struct sf_sim *sim,
			  const struct sf_sim_runs *runs, struct sf_output *out,
			  struct sf_error *err)
{
	const struct sf_sim_replay *truth = &runs[0].first;
	char subtitle[300];
	struct sf_plot plot;
	size_t i;

	snprintf(
		subtitle, sizeof(subtitle),
		"%.100s: %llu call%s, %zu of %zu domain%s learned; random policies: mean of %d runs",
		sim->file, (unsigned long long)truth->calls,
		sf_plural(truth->calls), truth->learned, truth->domains,
		sf_plural(truth->domains), SF_SIM_RUNS);
	if (sf_sim_plot_begin(&plot, sim,
			      "What each policy learns of the recorded calls",
			      subtitle, err))
		return err->code;
	fputs("set xlabel 'time [s]'\nset yrange [0:*]\n"
	      "set ylabel 'learned ratio, mean of the domains [/1024]'\n"
	      "$truth << e\n",
	      plot.script);
	sf_replay_points(&plot, &runs[0]);
	for (i = 0; i < SF_NR_SIM_CASES; i++) {
		sf_sim_plot_block(&plot, i);
		sf_replay_points(&plot, &runs[1 + i]);
	}
	fputs("plot $truth using 1:2 with lines lc rgb '#009e73' lw 3 "
	      "title 'always (the truth)', ",
	      plot.script);
	sf_sim_plot_curves(&plot, "linespoints", SF_SIM_ALL);
	return sf_sim_plot_end(&plot, out, err);
}

static void sf_replay_report(const struct sf_sim_runs *runs,
			     struct sf_output *out)
{
	const struct sf_sim_replay *truth = &runs[0].first;
	json_t *rows = json_array();
	size_t i;

	for (i = 0; i < SF_NR_REPLAYS; i++)
		sf_sim_add(out, rows,
			   sf_replay_json(sf_replay_case(i), &runs[i]));
	sf_output_set(out, "duration_ns", sf_json_number(truth->duration_ns));
	sf_output_set(out, "domains", sf_json_number(truth->domains));
	sf_output_set(out, "domains_learned", sf_json_number(truth->learned));
	sf_output_set(out, "calls", sf_json_number(truth->calls));
	sf_output_set(out, "pulls", sf_json_number(truth->pulls));
	sf_output_set(out, "pulls_in_1024_calls",
		      json_real(sf_replay_share(truth)));
	sf_output_set(out, "pulls_in_1024_calls_learned",
		      sf_sim_real(truth->learned, truth->share));
	sf_output_set(out, "calls_ns", sf_json_number(truth->call_ns));
	sf_output_set(out, "random_runs", json_integer(SF_SIM_RUNS));
	sf_output_set(out, "policies", rows);
}

static int sf_replay_recording(const struct sf_sim *sim,
			       const struct sf_recording *recording,
			       struct sf_output *out, struct sf_error *err)
{
	struct sf_sim_runs runs[SF_NR_REPLAYS];
	size_t i;

	for (i = 0; i < SF_NR_REPLAYS; i++)
		if (sf_sim_runs(sim, recording, sf_replay_case(i), &runs[i],
				err))
			return err->code;
	if (sim->plot && !runs[0].first.learned)
		return sf_fail(
			err, SF_FAILED,
			"no picture: no domain made the %d calls it takes to learn; record for longer, or leave --plot out",
			SF_CELL / 2);
	sf_replay_doubts(recording, out);
	sf_replay_report(runs, out);
	sf_replay_say(sim, runs, out);
	return sim->plot ? sf_replay_draw(sim, runs, out, err) : SF_OK;
}

/**
 * sf_sim_replay - compare the policies by what they make of a recording
 * @sim: the user's
 * @out: gets the figures
 * @err: says what was wrong
 *
 * Return: SF_OK, or the code in @err.
 */
int sf_sim_replay(const struct sf_sim *sim, struct sf_output *out,
		  struct sf_error *err)
{
	struct sf_recording recording = { .header = NULL };

	if (!sf_recording_load(sim->file, &recording, err) &&
	    !sf_sim_replay_check(&recording, sim->file, err))
		sf_replay_recording(sim, &recording, out, err);
	sf_recording_free(&recording);
	return err->code;
}
