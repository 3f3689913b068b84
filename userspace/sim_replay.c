// SPDX-License-Identifier: GPL-2.0-or-later
/* `sim replay`: what each policy would have made of recorded newidle calls. */
#include <string.h>

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

static void sf_replay_doubts(const struct sf_recording *recording, u64 calls,
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
	if (!calls)
		sf_replay_warn(out, warnings,
			       "there is no newidle call in the recording");
	sf_output_set(out, "lost_events", sf_json_number(recording->lost));
	sf_output_set(out, "complete", json_boolean(recording->complete));
	sf_output_set(out, "warnings", warnings);
}

static double sf_percent(u64 part, u64 whole)
{
	return 100.0 * part / whole;
}

static json_t *sf_replay_json(const struct sf_sim_case *which,
			      const struct sf_sim_replay *result)
{
	struct sf_output row = { .root = sf_sim_case_json(which) };
	json_t *ratios = json_array();
	size_t i;

	for (i = 0; i < SF_SIM_STEPS && result->calls; i++)
		sf_sim_add(&row, ratios,
			   json_pack("{s:f, s:f}", "time_s",
				     result->duration_ns / 1e9 * (i + 1) /
					     SF_SIM_STEPS,
				     "ratio", result->ratio[i]));
	sf_output_set(&row, "attempts", sf_json_number(result->attempts));
	sf_output_set(&row, "attempts_ns", sf_json_number(result->attempt_ns));
	sf_output_set(&row, "pulls_won", sf_json_number(result->won));
	sf_output_set(&row, "pulls_missed",
		      sf_json_number(result->pulls - result->won));
	sf_output_set(&row, "won_percent",
		      sf_sim_real(result->pulls,
				  sf_percent(result->won, result->pulls)));
	sf_output_set(&row, "hit_rate_percent",
		      sf_sim_real(result->attempts,
				  sf_percent(result->won, result->attempts)));
	sf_output_set(&row, "final_ratio",
		      sf_sim_real(result->calls,
				  result->ratio[SF_SIM_STEPS - 1]));
	sf_output_set(&row, "ratio_over_time", ratios);
	if (!row.incomplete)
		return row.root;
	json_decref(row.root);
	return NULL;
}

/* A share of nothing is not known. */
static void sf_replay_share(struct libscols_line *line, size_t column, u64 part,
			    u64 whole)
{
	if (whole)
		sf_table_cell(line, column, "%.1f", sf_percent(part, whole));
	else
		sf_table_cell(line, column, "-");
}

static void sf_replay_line(struct libscols_table *table, size_t i,
			   const struct sf_sim_replay *result)
{
	struct libscols_line *line = sf_sim_case_line(table, sf_replay_case(i));

	sf_table_cell(line, 2, "%llu", (unsigned long long)result->attempts);
	sf_table_cell(line, 3, "%.3f", result->attempt_ns / 1e6);
	sf_table_cell(line, 4, "%llu", (unsigned long long)result->won);
	sf_table_cell(line, 5, "%llu",
		      (unsigned long long)(result->pulls - result->won));
	sf_replay_share(line, 6, result->won, result->pulls);
	sf_replay_share(line, 7, result->won, result->attempts);
	if (result->calls)
		sf_table_cell(line, 8, "%.1f", result->ratio[SF_SIM_STEPS - 1]);
	else
		sf_table_cell(line, 8, "-");
}

static void sf_replay_table(const struct sf_sim_replay *results,
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
		sf_replay_line(table, i, &results[i]);
	sf_table_print(out, table);
}

static void sf_replay_say(const struct sf_sim *sim,
			  const struct sf_sim_replay *results,
			  struct sf_output *out)
{
	const struct sf_sim_replay *truth = &results[0];

	if (out->json)
		return;
	sf_output_say(
		out,
		"%llu call%s of %zu domain%s in %.3f s, of which %llu pulled; seed %llu",
		(unsigned long long)truth->calls, sf_plural(truth->calls),
		truth->domains, sf_plural(truth->domains),
		truth->duration_ns / 1e9, (unsigned long long)truth->pulls,
		(unsigned long long)sim->seed);
	sf_output_say(out,
		      "each call's outcome is taken as recorded: what a pull "
		      "would have changed later is not replayed");
	sf_replay_table(results, out);
}

static void sf_replay_points(struct sf_plot *plot,
			     const struct sf_sim_replay *result)
{
	size_t i;

	/* All begin as fresh domains do. */
	fprintf(plot->script, "0 %u\n", SF_CELL / 2);
	for (i = 0; i < SF_SIM_STEPS; i++)
		fprintf(plot->script, "%.6g %.6g\n",
			result->duration_ns / 1e9 * (i + 1) / SF_SIM_STEPS,
			result->ratio[i]);
	fputs("e\n", plot->script);
}

static int sf_replay_draw(const struct sf_sim *sim,
			  const struct sf_sim_replay *results,
			  struct sf_output *out, struct sf_error *err)
{
	struct sf_plot plot;
	size_t i;

	if (!results[0].calls)
		return sf_fail(
			err, SF_FAILED,
			"no picture: there is no newidle call in the recording");
	if (sf_sim_plot_begin(&plot, sim,
			      "What each policy learns of the recorded calls",
			      err))
		return err->code;
	fputs("set xlabel 'time [s]'\nset yrange [0:*]\n"
	      "set ylabel 'learned ratio, mean of the domains [/1024]'\n"
	      "$truth << e\n",
	      plot.script);
	sf_replay_points(&plot, &results[0]);
	for (i = 0; i < SF_NR_SIM_CASES; i++) {
		sf_sim_plot_block(&plot, i);
		sf_replay_points(&plot, &results[1 + i]);
	}
	fputs("plot $truth using 1:2 with lines lc rgb '#009e73' lw 3 "
	      "title 'always (the truth)', ",
	      plot.script);
	sf_sim_plot_curves(&plot, "linespoints", SF_SIM_ALL);
	return sf_sim_plot_end(&plot, out, err);
}

static int sf_replay_recording(const struct sf_sim *sim,
			       const struct sf_recording *recording,
			       struct sf_output *out, struct sf_error *err)
{
	struct sf_sim_replay results[SF_NR_REPLAYS];
	json_t *rows;
	size_t i;

	for (i = 0; i < SF_NR_REPLAYS; i++)
		if (sf_sim_replay_run(sim, recording, sf_replay_case(i),
				      &results[i], err))
			return err->code;
	rows = json_array();
	for (i = 0; i < SF_NR_REPLAYS; i++)
		sf_sim_add(out, rows,
			   sf_replay_json(sf_replay_case(i), &results[i]));
	sf_replay_doubts(recording, results[0].calls, out);
	sf_output_set(out, "duration_ns",
		      sf_json_number(results[0].duration_ns));
	sf_output_set(out, "domains", sf_json_number(results[0].domains));
	sf_output_set(out, "calls", sf_json_number(results[0].calls));
	sf_output_set(out, "pulls", sf_json_number(results[0].pulls));
	sf_output_set(out, "calls_ns", sf_json_number(results[0].call_ns));
	sf_output_set(out, "policies", rows);
	sf_replay_say(sim, results, out);
	return sim->plot ? sf_replay_draw(sim, results, out, err) : SF_OK;
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

	if (sf_recording_load(sim->file, &recording, err))
		return err->code;
	if (!sf_sim_replay_check(&recording, sim->file, err))
		sf_replay_recording(sim, &recording, out, err);
	sf_recording_free(&recording);
	return err->code;
}
