// SPDX-License-Identifier: GPL-2.0-or-later
/* `sim speed`: what one decision costs on one core of this machine. */
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <time.h>

#include "sim.h"
#include "text.h"

/* So many decisions are timed at a time. */
#define SF_CHUNK (1u << 18)

/* Times that are kept of one policy at one ratio, and how many there are at least. */
#define SF_MAX_TIMES 10000
#define SF_MIN_TIMES 5

/* What accumulator and jitter are to cost at most. */
#define SF_GOAL_NS 2.0

static const enum sf_newidle sf_speed_policies[] = {
	SF_NEWIDLE_DICE,
	SF_NEWIDLE_ACCUMULATOR,
	SF_NEWIDLE_JITTER,
};
#define SF_SPEED_POLICIES SF_ARRAY_SIZE(sf_speed_policies)

/* A domain that seldom pulls, one that pulls at times, and a fresh one. */
static const u32 sf_speed_ratios[] = { 31, 255, 512 };
#define SF_SPEED_RATIOS SF_ARRAY_SIZE(sf_speed_ratios)

/**
 * struct sf_speed - ns that a decision took
 * @min: least
 * @median: of them
 * @max: greatest
 * @count: of times
 */
struct sf_speed {
	double min;
	double median;
	double max;
	size_t count;
};

/*
 * In the module too the policy is known to the compiler where its rule is inlined. The
 * copy keeps the window in registers: what is timed is the rule, and not a store
 * that the next decision loads.
 */
static inline __attribute__((always_inline)) u32 sf_speed_loop(
	enum sf_newidle policy, struct sf_window *win, u32 ratio)
{
	u32 weight = sf_newidle_weight(policy, ratio), call, attempts = 0;
	struct sf_window local = *win;

	for (call = 0; call < SF_CHUNK; call++)
		attempts += sf_newidle_decide(policy, &local, weight);
	*win = local;
	return attempts;
}

static u32 sf_speed_chunk(enum sf_newidle policy, struct sf_window *win,
			  u32 ratio)
{
	switch (policy) {
	case SF_NEWIDLE_DICE:
		return sf_speed_loop(SF_NEWIDLE_DICE, win, ratio);
	case SF_NEWIDLE_ACCUMULATOR:
		return sf_speed_loop(SF_NEWIDLE_ACCUMULATOR, win, ratio);
	default:
		return sf_speed_loop(SF_NEWIDLE_JITTER, win, ratio);
	}
}

/* CPU time: that of others is not ours. */
static double sf_speed_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1e9 + now.tv_nsec;
}

static void sf_speed_run(const struct sf_sim *sim, enum sf_newidle policy,
			 u32 ratio, struct sf_speed *speed)
{
	const double share =
		sim->seconds * 1e9 / (SF_SPEED_POLICIES * SF_SPEED_RATIOS);
	static double times[SF_MAX_TIMES];
	double end = sf_speed_now() + share, start;
	volatile u32 attempts;
	struct sf_window win;
	size_t count = 0;

	sf_random_seed(&win.rng, sim->seed, 0);
	sf_window_start(&win, 0);
	while (count < SF_MAX_TIMES &&
	       (count < SF_MIN_TIMES || sf_speed_now() < end)) {
		start = sf_speed_now();
		attempts = sf_speed_chunk(policy, &win, ratio);
		times[count++] = (sf_speed_now() - start) / SF_CHUNK;
	}
	(void)attempts;
	gsl_sort(times, 1, count);
	speed->count = count;
	speed->min = times[0];
	speed->median = gsl_stats_median_from_sorted_data(times, 1, count);
	speed->max = times[count - 1];
}

static double sf_speed_mean(const struct sf_speed *speeds)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < SF_SPEED_RATIOS; i++)
		sum += speeds[i].min;
	return sum / SF_SPEED_RATIOS;
}

static double sf_speed_worst(const struct sf_speed *speeds)
{
	double worst = 0;
	size_t i;

	for (i = 0; i < SF_SPEED_RATIOS; i++)
		worst = fmax(worst, speeds[i].min);
	return worst;
}

static bool sf_speed_has_goal(enum sf_newidle policy)
{
	return policy != SF_NEWIDLE_DICE;
}

static json_t *sf_speed_json(enum sf_newidle policy,
			     const struct sf_speed *speeds)
{
	struct sf_output row = { .root = json_object() };
	json_t *ratios = json_array();
	size_t i;

	for (i = 0; i < SF_SPEED_RATIOS; i++)
		sf_sim_add(&row, ratios,
			   json_pack("{s:i, s:f, s:f, s:f, s:i}", "ratio",
				     (int)sf_speed_ratios[i], "min_ns",
				     speeds[i].min, "median_ns",
				     speeds[i].median, "max_ns", speeds[i].max,
				     "repetitions", (int)speeds[i].count));
	sf_output_set(&row, "newidle",
		      sf_json_text(sf_newidle_names[policy].name));
	sf_output_set(&row, "mean_min_ns", json_real(sf_speed_mean(speeds)));
	sf_output_set(&row, "mean_meets_goal",
		      sf_speed_has_goal(policy) ?
			      json_boolean(sf_speed_mean(speeds) <=
					   SF_GOAL_NS) :
			      json_null());
	sf_output_set(&row, "meets_goal",
		      sf_speed_has_goal(policy) ?
			      json_boolean(sf_speed_worst(speeds) <=
					   SF_GOAL_NS) :
			      json_null());
	sf_output_set(&row, "ratios", ratios);
	if (!row.incomplete)
		return row.root;
	json_decref(row.root);
	return NULL;
}

static void sf_speed_line(struct libscols_table *table, enum sf_newidle policy,
			  u32 ratio, const struct sf_speed *speed)
{
	struct libscols_line *line =
		table ? scols_table_new_line(table, NULL) : NULL;

	sf_table_cell(line, 0, "%s", sf_newidle_names[policy].name);
	sf_table_cell(line, 1, "%u", ratio);
	sf_table_cell(line, 2, "%.2f", speed->min);
	sf_table_cell(line, 3, "%.2f", speed->median);
	sf_table_cell(line, 4, "%.2f", speed->max);
	sf_table_cell(line, 5, "%zu", speed->count);
}

static void sf_speed_table(const struct sf_speed (*speeds)[SF_SPEED_RATIOS],
			   struct sf_output *out)
{
	static const struct sf_column columns[] = {
		{ "NEWIDLE", 0 },
		{ "RATIO [/1024]", SCOLS_FL_RIGHT },
		{ "MIN [ns]", SCOLS_FL_RIGHT },
		{ "MEDIAN [ns]", SCOLS_FL_RIGHT },
		{ "MAX [ns]", SCOLS_FL_RIGHT },
		{ "REPETITIONS", SCOLS_FL_RIGHT },
	};
	struct libscols_table *table =
		sf_table_new(columns, SF_ARRAY_SIZE(columns));
	size_t i, n;

	for (i = 0; i < SF_SPEED_POLICIES; i++)
		for (n = 0; n < SF_SPEED_RATIOS; n++)
			sf_speed_line(table, sf_speed_policies[i],
				      sf_speed_ratios[n], &speeds[i][n]);
	sf_table_print(out, table);
}

static void sf_speed_judge(enum sf_newidle policy,
			   const struct sf_speed *speeds, struct sf_output *out)
{
	double mean = sf_speed_mean(speeds), worst = sf_speed_worst(speeds);
	const char *verdict = "misses the goal";

	if (worst <= SF_GOAL_NS)
		verdict = "meets the goal";
	else if (mean <= SF_GOAL_NS)
		verdict = "meets the goal in the mean of the ratios only";
	sf_output_say(out, "%s: %.2f ns in the mean of the ratios%s%s",
		      sf_newidle_names[policy].name, mean,
		      sf_speed_has_goal(policy) ? "; " : "",
		      sf_speed_has_goal(policy) ? verdict : "");
}

static void sf_speed_say(const struct sf_sim *sim,
			 const struct sf_speed (*speeds)[SF_SPEED_RATIOS],
			 struct sf_output *out)
{
	size_t i;

	if (out->json)
		return;
	sf_output_say(
		out,
		"CPU time of one decision, by repetitions of %u of them; seed %llu",
		SF_CHUNK, (unsigned long long)sim->seed);
	sf_speed_table(speeds, out);
	sf_output_say(out, "\ngoal for accumulator and jitter: at most %.1f ns",
		      SF_GOAL_NS);
	for (i = 0; i < SF_SPEED_POLICIES; i++)
		sf_speed_judge(sf_speed_policies[i], speeds[i], out);
}

/* By the mean of the ratios: how fast a coin's toss is depends on the CPU. */
static int sf_speed_check(const struct sf_speed (*speeds)[SF_SPEED_RATIOS],
			  struct sf_error *err)
{
	char missed[200] = "";
	size_t i;

	for (i = 0; i < SF_SPEED_POLICIES; i++) {
		double mean = sf_speed_mean(speeds[i]);

		if (sf_speed_has_goal(sf_speed_policies[i]) &&
		    mean > SF_GOAL_NS)
			sf_append_text(
				missed, sizeof(missed), "%s%s takes %.2f ns",
				*missed ? ", " : "",
				sf_newidle_names[sf_speed_policies[i]].name,
				mean);
	}
	if (!*missed)
		return SF_OK;
	return sf_fail(
		err, SF_FAILED,
		"%s in the mean of the ratios, more than the goal of %.1f ns",
		missed, SF_GOAL_NS);
}

/**
 * sf_sim_speed - time the decisions of the policies
 * @sim: the user's
 * @out: gets the figures
 * @err: says what was wrong
 *
 * Return: SF_OK, or SF_FAILED if the goal is missed and that is to be checked.
 */
int sf_sim_speed(const struct sf_sim *sim, struct sf_output *out,
		 struct sf_error *err)
{
	struct sf_speed speeds[SF_SPEED_POLICIES][SF_SPEED_RATIOS];
	json_t *rows = json_array();
	size_t i, n;

	for (i = 0; i < SF_SPEED_POLICIES; i++) {
		for (n = 0; n < SF_SPEED_RATIOS; n++)
			sf_speed_run(sim, sf_speed_policies[i],
				     sf_speed_ratios[n], &speeds[i][n]);
		sf_sim_add(out, rows,
			   sf_speed_json(sf_speed_policies[i], speeds[i]));
	}
	sf_output_set(out, "goal_ns", json_real(SF_GOAL_NS));
	sf_output_set(out, "decisions_per_repetition", json_integer(SF_CHUNK));
	sf_output_set(out, "policies", rows);
	sf_speed_say(sim, speeds, out);
	return sim->check ? sf_speed_check(speeds, err) : SF_OK;
}
