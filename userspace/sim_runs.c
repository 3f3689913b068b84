// SPDX-License-Identifier: GPL-2.0-or-later
/* How much of a replay is luck: a random policy is run again and again. */
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "sim.h"

/* A figure of one run; NAN if it has none. */
typedef double (*sf_figure_of_run)(const struct sf_sim_replay *result);

static double sf_run_attempts(const struct sf_sim_replay *result)
{
	return result->attempts;
}

static double sf_run_attempt_ns(const struct sf_sim_replay *result)
{
	return result->attempt_ns;
}

static double sf_run_won(const struct sf_sim_replay *result)
{
	return result->won;
}

static double sf_run_missed(const struct sf_sim_replay *result)
{
	return result->pulls - result->won;
}

static double sf_run_won_percent(const struct sf_sim_replay *result)
{
	return result->pulls ? 100.0 * result->won / result->pulls : NAN;
}

static double sf_run_hit_percent(const struct sf_sim_replay *result)
{
	return result->attempts ? 100.0 * result->won / result->attempts : NAN;
}

/* Runs without a value do not count. */
static struct sf_sim_spread sf_spread_of(const double *values, size_t count)
{
	struct sf_sim_spread spread = { NAN, 0 };
	double known[SF_SIM_RUNS];
	size_t i, used = 0;

	for (i = 0; i < count; i++)
		if (!isnan(values[i]))
			known[used++] = values[i];
	if (used)
		spread.mean = gsl_stats_mean(known, 1, used);
	if (used > 1)
		spread.sd = gsl_stats_sd(known, 1, used);
	return spread;
}

static struct sf_sim_spread sf_spread(const struct sf_sim_replay *results,
				      size_t count, sf_figure_of_run figure)
{
	double values[SF_SIM_RUNS] = { 0 };
	size_t i;

	for (i = 0; i < count; i++)
		values[i] = figure(&results[i]);
	return sf_spread_of(values, count);
}

static struct sf_sim_spread sf_spread_ratio(const struct sf_sim_replay *results,
					    size_t count, size_t step)
{
	double values[SF_SIM_RUNS] = { 0 };
	size_t i;

	for (i = 0; i < count; i++)
		values[i] = results[i].learned ? results[i].ratio[step] : NAN;
	return sf_spread_of(values, count);
}

static void sf_runs_sum_up(const struct sf_sim_replay *results,
			   struct sf_sim_runs *runs)
{
	size_t count = runs->count, i;

	runs->first = results[0];
	runs->attempts = sf_spread(results, count, sf_run_attempts);
	runs->attempt_ns = sf_spread(results, count, sf_run_attempt_ns);
	runs->won = sf_spread(results, count, sf_run_won);
	runs->missed = sf_spread(results, count, sf_run_missed);
	runs->won_percent = sf_spread(results, count, sf_run_won_percent);
	runs->hit_percent = sf_spread(results, count, sf_run_hit_percent);
	for (i = 0; i < SF_SIM_STEPS; i++)
		runs->ratio[i] = sf_spread_ratio(results, count, i);
}

/**
 * sf_sim_runs - let a policy decide recorded calls, as often as its luck asks for
 * @sim: seed
 * @recording: one that sf_sim_replay_check() has passed
 * @which: the policy
 * @runs: set to what came of it
 * @err: says what was wrong
 *
 * A policy that draws no random number is run once, as it always does the same.
 *
 * Return: SF_OK, or SF_FAILED if the recording lacks a domain.
 */
int sf_sim_runs(const struct sf_sim *sim, const struct sf_recording *recording,
		const struct sf_sim_case *which, struct sf_sim_runs *runs,
		struct sf_error *err)
{
	struct sf_sim_replay results[SF_SIM_RUNS] = { { 0 } };
	u32 run;

	runs->count = sf_sim_case_is_random(which) ? SF_SIM_RUNS : 1;
	for (run = 0; run < runs->count; run++)
		if (sf_sim_replay_run(sim, recording, which, run, &results[run],
				      err))
			return err->code;
	sf_runs_sum_up(results, runs);
	return SF_OK;
}
