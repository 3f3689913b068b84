// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preflight.h"
#include "series.h"
#include "text.h"

/* So many broken blocks in a row are no accident. */
#define SF_MAX_BROKEN 3

/* A block may take a ms, and a file is not written as quickly. */
#define SF_SAVE_EVERY_MS 1000

static const struct sf_plan *sf_series_plan(const struct sf_series *series)
{
	return series->trials.plan;
}

/* What to call a policy in a line for the user. */
static const char *sf_series_label(const struct sf_series *series,
				   size_t policy)
{
	return sf_series_plan(series)->contenders[policy].label.text;
}

static int sf_series_trial(struct sf_series *series, size_t block,
			   size_t policy, bool warmup, struct sf_error *err)
{
	struct sf_run *run;

	if (sf_progress_interrupted())
		return sf_fail(err, SF_FAILED, "interrupted");
	run = sf_experiment_add_run(series->experiment);
	if (!run)
		return sf_fail(err, SF_FAILED, "out of memory");
	run->block = block;
	run->policy = policy;
	run->warmup = warmup;
	return sf_trial_run(&series->trials, run, err);
}

/* On a terminal one line tells of all blocks, so there it is told apart. */
static void sf_print_invalid(const struct sf_series *series)
{
	const struct sf_experiment *experiment = series->experiment;
	const struct sf_run *run = &experiment->runs[experiment->run_count - 1];
	char place[32] = "warm-up";

	if (!run->invalid || series->silent ||
	    !(run->warmup || series->progress->tty))
		return;
	if (!run->warmup)
		snprintf(place, sizeof(place), "block %zu", run->block + 1);
	sf_progress_end(series->progress);
	fprintf(stderr, "%s: %s INVALID: %s\n", place,
		sf_series_label(series, run->policy), run->invalid);
}

static int sf_series_warm_up(struct sf_series *series, struct sf_error *err)
{
	const struct sf_plan *plan = sf_series_plan(series);
	size_t round, i;

	if (plan->warmups && series->progress->tty)
		sf_progress_show(series->progress, "warm-up");
	for (round = 0; round < plan->warmups; round++)
		for (i = 0; i < plan->contender_count; i++) {
			if (sf_series_trial(series, round, i, true, err))
				return err->code;
			sf_print_invalid(series);
		}
	return SF_OK;
}

static double sf_sum_steal(const struct sf_experiment *experiment)
{
	double ticks = 0;
	size_t i;

	for (i = 0; i < experiment->run_count; i++) {
		const struct sf_run *run = &experiment->runs[i];
		double value = run->counters.value[SF_COUNTER_steal_ticks];

		ticks += isfinite(value) ? value : 0;
	}
	return ticks;
}

/* What only a run can tell. */
static void sf_series_warn(struct sf_series *series)
{
	json_t *warnings = series->experiment->warnings;
	size_t before = json_array_size(warnings);
	double steal = sf_sum_steal(series->experiment);

	if (steal > 0)
		sf_preflight_add(
			warnings, "the hypervisor took CPUs away (steal)",
			"use a machine of its own, or pin the virtual CPUs on the host",
			"%.0f ticks during the warm-up", steal);
	if (series->trials.left)
		sf_preflight_add(
			warnings, "the command left processes behind",
			"let it wait for its children, as they run into the next run",
			"%zu killed after the first runs", series->trials.left);
	if (series->trials.strays)
		sf_preflight_add(
			warnings,
			"the command left processes in sessions of their own",
			"stop them at its end, as they disturb the next run",
			"still running");
	if (sf_series_plan(series)->quiet || series->silent)
		return;
	sf_progress_end(series->progress);
	sf_preflight_print(warnings, before);
}

/* The last run of a policy, in the warm-up or in a block; or NULL. */
static const struct sf_run *sf_last_run(const struct sf_experiment *experiment,
					size_t policy, bool warmup)
{
	size_t i = experiment->run_count;

	while (i--)
		if (experiment->runs[i].policy == policy &&
		    experiment->runs[i].warmup == warmup)
			return &experiment->runs[i];
	return NULL;
}

static size_t sf_count_invalid(const struct sf_experiment *experiment,
			       size_t policy)
{
	size_t i, count = 0;

	for (i = 0; i < experiment->run_count; i++)
		count += experiment->runs[i].policy == policy &&
			 experiment->runs[i].invalid;
	return count;
}

static int sf_fail_invalid(const struct sf_series *series,
			   const struct sf_run *run, struct sf_error *err)
{
	size_t count = sf_count_invalid(series->experiment, run->policy);

	return sf_fail(err, SF_MISMATCH,
		       "policy \"%.200s\", %zu invalid run%s: %s",
		       sf_series_label(series, run->policy), count,
		       sf_plural(count), run->invalid);
}

/* Would more blocks be as broken as those until now? */
static int sf_check_broken(struct sf_series *series, struct sf_error *err)
{
	const struct sf_run *run, *warmup, *broken = NULL;
	size_t i;

	for (i = 0; i < sf_series_plan(series)->contender_count; i++) {
		run = sf_last_run(series->experiment, i, false);
		if (!run->invalid)
			continue;
		broken = run;
		warmup = sf_last_run(series->experiment, i, true);
		if (series->blocks == 1 && warmup && warmup->invalid &&
		    !strcmp(warmup->invalid, run->invalid))
			return sf_fail_invalid(series, run, err);
	}
	series->broken = broken ? series->broken + 1 : 0;
	if (series->broken == SF_MAX_BROKEN)
		return sf_fail_invalid(series, broken, err);
	return SF_OK;
}

static int sf_series_block(struct sf_series *series, struct sf_error *err)
{
	const struct sf_plan *plan = sf_series_plan(series);
	size_t sequence[SF_MAX_POLICIES], i, block = series->blocks++;

	sf_order_block(plan->order, plan->seed, block, plan->contender_count,
		       sequence);
	for (i = 0; i < plan->contender_count; i++) {
		if (sf_series_trial(series, block, sequence[i], false, err))
			return err->code;
		sf_print_invalid(series);
	}
	return SF_OK;
}

/* One line a block, in the order of its runs, of the first metric that is judged. */
static void sf_print_block(const struct sf_series *series)
{
	const struct sf_experiment *experiment = series->experiment;
	size_t count = sf_series_plan(series)->contender_count, i;

	fprintf(stderr, "block %zu:", series->blocks);
	for (i = experiment->run_count - count; i < experiment->run_count;
	     i++) {
		const struct sf_run *run = &experiment->runs[i];

		fprintf(stderr, "%s %s %.6g %s%s%s",
			i > experiment->run_count - count ? "," : "",
			sf_series_label(series, run->policy), run->values[0],
			sf_metric_unit(&experiment->metrics[0]),
			run->invalid ? " INVALID: " : "",
			run->invalid ? run->invalid : "");
	}
	fputc('\n', stderr);
}

/* The comparison that is known least well, as that is what is waited for. */
static size_t sf_widest_policy(const struct sf_series *series)
{
	const struct sf_sample *samples = series->analysis.samples[0];
	size_t i, widest = 1;

	for (i = 2; i < sf_series_plan(series)->contender_count; i++)
		if (samples[i].comparison.precision >
		    samples[widest].comparison.precision)
			widest = i;
	return widest;
}

static double sf_series_width(const struct sf_series *series)
{
	return sf_widest_interval(&series->analysis,
				  sf_series_plan(series)->contender_count);
}

static double sf_block_seconds(const struct sf_series *series)
{
	return (sf_progress_now() - series->blocks_ms) / 1e3 / series->blocks;
}

static double sf_seconds_left(const struct sf_series *series)
{
	double limit = sf_series_plan(series)->max_time_s;

	if (!limit)
		return INFINITY;
	return limit - (sf_progress_now() - series->trials.began_ms) / 1e3;
}

static size_t sf_least_blocks(const struct sf_plan *plan)
{
	size_t needed = sf_plan_needed(plan);

	return needed > SF_MIN_SEQUENTIAL ? needed : SF_MIN_SEQUENTIAL;
}

/* How many blocks will there be? 0 if nobody knows. */
static double sf_expect_blocks(const struct sf_series *series)
{
	const struct sf_plan *plan = sf_series_plan(series);
	double blocks = series->analysis.blocks, most, ratio;

	if (plan->blocks)
		return plan->blocks;
	most = series->blocks +
	       floor(sf_seconds_left(series) / sf_block_seconds(series));
	ratio = sf_series_width(series) / plan->precision;
	if (!isfinite(ratio) || blocks < 3)
		return 0;
	/* The width goes with the root of their number. */
	blocks = ceil(fmax(blocks * ratio * ratio, sf_least_blocks(plan)));
	return fmin(blocks, most);
}

static void sf_show_comparison(const struct sf_series *series, const char *of)
{
	size_t policy = sf_widest_policy(series);
	const struct sf_comparison *comparison =
		&series->analysis.samples[0][policy].comparison;

	sf_progress_show(series->progress,
			 "block %zu%s: %s vs %s: %+.1f %% (%+.1f to %+.1f)",
			 series->blocks + 1, of,
			 sf_series_label(series, policy),
			 sf_series_label(series, 0), comparison->percent,
			 comparison->low, comparison->high);
}

/* On a terminal, one line that says how it goes. */
static void sf_show_block(const struct sf_series *series)
{
	double blocks;
	char of[32] = "";

	if (!series->progress->tty)
		return;
	blocks = series->blocks ? sf_expect_blocks(series) :
				  sf_series_plan(series)->blocks;
	if (blocks)
		snprintf(of, sizeof(of), " of %s%.0f",
			 sf_series_plan(series)->blocks ? "" : "~", blocks);
	if (series->analysis.blocks >= 2)
		sf_show_comparison(series, of);
	else
		sf_progress_show(series->progress, "block %zu%s",
				 series->blocks + 1, of);
}

static int sf_series_save(struct sf_series *series, struct sf_error *err)
{
	const struct sf_plan *plan = sf_series_plan(series);
	u64 now = sf_progress_now();

	if (!plan->output ||
	    (series->saved_ms && now - series->saved_ms < SF_SAVE_EVERY_MS))
		return SF_OK;
	sf_experiment_save(series->experiment, plan->output, err);
	series->saved_ms = sf_progress_now();
	return err->code;
}

static int sf_series_analyze(struct sf_series *series, struct sf_error *err)
{
	if (!series->progress->tty && !sf_series_plan(series)->precision)
		return SF_OK;
	sf_analysis_free(&series->analysis);
	memset(&series->analysis, 0, sizeof(series->analysis));
	return sf_analyze(series->experiment, &series->analysis, err);
}

/* What follows a block, whichever policy ran last. */
static int sf_series_account(struct sf_series *series, struct sf_error *err)
{
	if (!series->silent && !series->progress->tty)
		sf_print_block(series);
	if (sf_series_save(series, err) || sf_check_broken(series, err))
		return err->code;
	return sf_series_analyze(series, err);
}

/* Return: why there is no other block, to be freed; NULL if there is one. */
static char *sf_series_enough(const struct sf_series *series)
{
	const struct sf_plan *plan = sf_series_plan(series);
	char *why = NULL;
	int len = 0;

	if (!series->blocks)
		return NULL;
	if (plan->blocks && series->blocks == plan->blocks)
		len = asprintf(&why, "all %zu blocks were run", series->blocks);
	else if (!plan->blocks &&
		 series->analysis.blocks >= sf_least_blocks(plan) &&
		 sf_series_width(series) <= plan->precision)
		len = asprintf(&why, "all differences are known to +-%g %%",
			       plan->precision);
	else if (sf_seconds_left(series) < sf_block_seconds(series))
		len = asprintf(
			&why,
			"another block would have ended after the limit of %llu s",
			(unsigned long long)plan->max_time_s);
	return len < 0 ? strdup("out of memory") : why;
}

/**
 * sf_series_run - make all runs
 * @series: @trials, @experiment and @progress are set, the rest is zero
 * @err: says why there are no more
 *
 * The experiment is complete if it came to one of its ends: the blocks were run, the
 * precision was reached, or no number of blocks was given and the time is over.
 *
 * Return: SF_OK, SF_MISMATCH if runs are invalid again and again, or why a run failed.
 */
int sf_series_run(struct sf_series *series, struct sf_error *err)
{
	struct sf_experiment *experiment = series->experiment;
	const struct sf_plan *plan = sf_series_plan(series);
	char *why;

	if (sf_series_warm_up(series, err))
		return err->code;
	sf_series_warn(series);
	series->blocks_ms = sf_progress_now();
	while (!(why = sf_series_enough(series))) {
		sf_show_block(series);
		if (sf_series_block(series, err) ||
		    sf_series_account(series, err))
			return err->code;
	}
	free(experiment->stopped);
	experiment->stopped = why;
	experiment->complete = !plan->blocks || series->blocks == plan->blocks;
	return SF_OK;
}

/**
 * sf_series_free - free what is kept of a series
 * @series: all but the experiment
 */
void sf_series_free(struct sf_series *series)
{
	sf_trials_free(&series->trials);
	sf_analysis_free(&series->analysis);
}
