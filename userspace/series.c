// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preflight.h"
#include "series.h"
#include "stopping.h"
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

static double sf_sum_steal(const struct sf_experiment *experiment, bool warmup)
{
	double ticks = 0;
	size_t i;

	for (i = 0; i < experiment->run_count; i++) {
		const struct sf_run *run = &experiment->runs[i];
		double value = run->counters.value[SF_COUNTER_steal_ticks];

		if (run->warmup == warmup && isfinite(value))
			ticks += value;
	}
	return ticks;
}

static void sf_warn_of_leftovers(struct sf_series *series, const char *when)
{
	json_t *warnings = series->experiment->warnings;
	struct sf_trials *trials = &series->trials;

	if (trials->left)
		sf_preflight_add(
			warnings, "the command left processes behind",
			"let it wait for its children, as they run into the next run",
			"%zu killed %s", trials->left, when);
	if (trials->strays)
		sf_preflight_add(
			warnings,
			"the command left processes in sessions of their own",
			"stop them at its end, as they disturb the next run",
			"still running %s", when);
	trials->left = 0;
	trials->strays = false;
}

/* What only runs can tell: of the warm-up, so that the user may stop here, and of the rest. */
static void sf_series_warn(struct sf_series *series, bool warmup)
{
	json_t *warnings = series->experiment->warnings;
	size_t before = json_array_size(warnings);
	double steal = sf_sum_steal(series->experiment, warmup);
	const char *when = warmup ? "during the warm-up" : "during the blocks";

	if (steal > 0)
		sf_preflight_add(
			warnings, "the hypervisor took CPUs away (steal)",
			"use a machine of its own, or pin the virtual CPUs on the host",
			"%.0f ticks %s", steal, when);
	sf_warn_of_leftovers(series, when);
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

/* How many blocks will there be? 0 if nobody knows. */
static double sf_expect_blocks(const struct sf_series *series)
{
	const struct sf_plan *plan = sf_series_plan(series);
	double blocks = series->glance.blocks, most, ratio;
	struct sf_place place;

	if (plan->blocks)
		return plan->blocks;
	most = series->blocks +
	       floor(sf_seconds_left(series) / sf_block_seconds(series));
	if (blocks < 3)
		return 0;
	place = sf_least_known(&series->glance, plan->contender_count);
	ratio = series->glance.samples[place.metric][place.policy]
			.comparison.precision /
		plan->precision;
	if (!isfinite(ratio))
		return 0;
	/* The width goes with the root of their number. */
	blocks = ceil(fmax(blocks * ratio * ratio, sf_least_blocks(plan)));
	return fmin(blocks, most);
}

/* Of what is known least well, as that is what is waited for. */
static void sf_show_comparison(const struct sf_series *series, const char *of)
{
	const struct sf_experiment *experiment = series->experiment;
	struct sf_place place = sf_least_known(
		&series->glance, sf_series_plan(series)->contender_count);
	const struct sf_comparison *comparison =
		&series->glance.samples[place.metric][place.policy].comparison;
	char interval[64] = "";

	if (isfinite(comparison->low) && isfinite(comparison->high))
		snprintf(interval, sizeof(interval), " (%+.1f to %+.1f)",
			 comparison->low, comparison->high);
	sf_progress_show(
		series->progress, "block %zu%s: %s, %s vs %s: %+.1f %%%s",
		series->blocks + 1, of, experiment->metrics[place.metric].name,
		sf_series_label(series, place.policy),
		sf_series_label(series, 0), comparison->percent, interval);
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
	if (series->glance.blocks >= 2)
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
	sf_experiment_save(series->experiment, plan->writer, err);
	series->saved_ms = sf_progress_now();
	return err->code;
}

static int sf_series_glance(struct sf_series *series, struct sf_error *err)
{
	if (!series->progress->tty && !sf_series_plan(series)->precision)
		return SF_OK;
	sf_analysis_free(&series->glance);
	memset(&series->glance, 0, sizeof(series->glance));
	return sf_glance(series->experiment, &series->glance, err);
}

/* What follows a block, whichever policy ran last. */
static int sf_series_account(struct sf_series *series, struct sf_error *err)
{
	if (!series->silent && !series->progress->tty)
		sf_print_block(series);
	if (sf_series_save(series, err) || sf_check_broken(series, err))
		return err->code;
	return sf_series_glance(series, err);
}

/*
 * The whole analysis takes its time, in which the machine does something else than between
 * other runs; so it is made only once the glance says that it might be the last.
 */
static char *sf_series_precise(const struct sf_series *series,
			       struct sf_error *err)
{
	const struct sf_plan *plan = sf_series_plan(series);
	struct sf_analysis analysis;
	char words[96], *why = NULL;

	if (plan->blocks || !sf_is_precise(&series->glance, plan))
		return NULL;
	if (!sf_analyze(series->experiment, &analysis, err) &&
	    sf_is_precise(&analysis, plan)) {
		sf_precision_words(&analysis, plan, words, sizeof(words));
		why = strdup(words);
	}
	sf_analysis_free(&analysis);
	return why;
}

/* Return: why there is no other block, to be freed; NULL if there is one, or an error. */
static char *sf_series_enough(const struct sf_series *series,
			      struct sf_error *err)
{
	const struct sf_plan *plan = sf_series_plan(series);
	char *why = NULL;

	if (!series->blocks)
		return NULL;
	why = sf_series_precise(series, err);
	if (why || err->code)
		return why;
	if (plan->blocks == 1 && series->blocks == 1)
		why = strdup("the one block was run");
	else if (plan->blocks && series->blocks == plan->blocks &&
		 asprintf(&why, "all %zu blocks were run", series->blocks) < 0)
		why = strdup("out of memory");
	else if (!why && sf_seconds_left(series) < sf_block_seconds(series) &&
		 asprintf(
			 &why,
			 "another block would have ended after the limit of %llu s",
			 (unsigned long long)plan->max_time_s) < 0)
		why = strdup("out of memory");
	return why;
}

static int sf_series_blocks(struct sf_series *series, struct sf_error *err)
{
	struct sf_experiment *experiment = series->experiment;
	const struct sf_plan *plan = sf_series_plan(series);
	char *why;

	series->blocks_ms = sf_progress_now();
	while (!(why = sf_series_enough(series, err))) {
		if (err->code)
			return err->code;
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
	if (sf_series_warm_up(series, err))
		return err->code;
	sf_series_warn(series, true);
	sf_series_blocks(series, err);
	sf_series_warn(series, false);
	return err->code;
}

/**
 * sf_series_free - free what is kept of a series
 * @series: all but the experiment
 */
void sf_series_free(struct sf_series *series)
{
	sf_trials_free(&series->trials);
	sf_analysis_free(&series->glance);
}
