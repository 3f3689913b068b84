// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apply.h"
#include "kernel.h"
#include "lock.h"
#include "machine.h"
#include "preflight.h"
#include "privilege.h"
#include "program.h"
#include "report.h"
#include "series.h"
#include "snapshot.h"
#include "text.h"
#include "verbs.h"

/* Options are scanned before there is anything else to put them. */
static struct sf_plan sf_ab_plan;

static error_t sf_ab_option(int key, char *arg, struct sf_error *err)
{
	if (key == ARGP_KEY_INIT)
		sf_plan_init(&sf_ab_plan);
	return sf_plan_option(&sf_ab_plan, key, arg, err);
}

const struct sf_usage sf_ab_usage = {
	.options = sf_plan_options,
	.args = "-- COMMAND [ARG...]",
	.doc = "Run a command under each of several policies, interleaved on this boot, and\n"
	       "compare what it measured.\n"
	       "\vEach block is a run of every policy, in an order drawn anew for each. Before a\n"
	       "run one command sets all domains to the policy, with stock for what it does\n"
	       "not name; the policy is read back before and after the run;\n"
	       "a run with another policy, other sched features, domains or hooks than it\n"
	       "began with, during which somebody set policies or wrote to sched/features, or\n"
	       "under a policy that decided nothing, does not count. At the\n"
	       "end, and however it ends, the policies are what they were before.\n"
	       "\n"
	       "A metric is a number that the command prints: the first group of an extended\n"
	       "regular expression, or all that it matches. The last line that matches\n"
	       "counts. Without a direction a difference is only called higher or lower.\n"
	       "Wall time is measured anyway, from exec to exit.\n"
	       "\n"
	       "It stops when all differences are known to about --precision, but not before\n"
	       "10 blocks, nor before a verdict is possible; or after --blocks; or when\n"
	       "--max-time is over. Known goes by the sizes of the differences and not by\n"
	       "their signs, unless a difference is clear: twice as large as its interval is\n"
	       "wide to either side. If that is why it stops, no interval is wider than +-1.5\n"
	       "times --precision, and the report says how wide the widest is.\n"
	       "\n"
	       "p assumes --order random, the one to use. abba turns every other block round,\n"
	       "so that what disturbs every fourth run of two policies always meets the same\n"
	       "one, and is taken for an effect.\n"
	       "\n"
	       "At least one block is run after the warm-up, however short --max-time is.\n"
	       "With --blocks, if that time does not suffice for all, the exit code is 1.\n"
	       "\n"
	       "What the balancer did is given per second, and per unit of work if the first\n"
	       "metric says how much was done: higher is better. A name that ends in _per_s\n"
	       "is that of a rate: counts per second are divided by it, and give counts per\n"
	       "operation. Any other is a total, by which counts of the run are divided.\n"
	       "Counts are of the whole run, start-up included.\n"
	       "\n"
	       "The command gets /dev/null on stdin; what it prints is kept (up to 64 KiB of\n"
	       "its end a run). It runs as the user who called sudo, and what it leaves\n"
	       "behind in its process group is killed. If it fails, the experiment ends.\n"
	       "\n"
	       "The same policy twice is an A/A test: it shows the noise.\n"
	       "\n"
	       "Examples:\n"
	       "  schedflip ab -p newidle=dice -p newidle=jitter -- hackbench -g 4\n"
	       "  schedflip ab -p stock -p slowpath=random --blocks 20 -o forks.json \\\n"
	       "    --metric 'forks:higher=([0-9.]+) bogo ops/s' -- ./forks.sh\n"
	       "  schedflip ab -p newidle=dice -p newidle=jitter,start=stagger \\\n"
	       "    --metric 'rps:higher=RPS: ([0-9.]+)' --precision 0.5 -- ./bench\n"
	       "\n" SF_EXIT_CODES,
	.option = sf_ab_option,
	.takes_command = true,
};

/* Before the command runs, which might lead the name elsewhere. */
static int sf_open_output(struct sf_plan *plan, struct sf_error *err)
{
	if (plan->output)
		plan->writer = sf_writer_open(plan->output, err);
	return err->code;
}

static int sf_check_hooks(const struct sf_plan *plan, struct sf_error *err)
{
	size_t i;

	for (i = 0; i < plan->contender_count; i++)
		if (sf_check_hook(&plan->contenders[i].policy, err))
			return err->code;
	return SF_OK;
}

static void sf_warn_too_few(const struct sf_plan *plan)
{
	size_t needed = sf_plan_needed(plan);
	char metrics[48] = "";

	if (!plan->blocks || plan->blocks >= needed)
		return;
	if (plan->metric_count > 1)
		sf_append_text(metrics, sizeof(metrics), " and %zu metrics",
			       plan->metric_count);
	fprintf(stderr,
		"warning: %llu block%s cannot give a verdict: %zu policies%s need %zu\n",
		(unsigned long long)plan->blocks, sf_plural(plan->blocks),
		plan->contender_count, metrics, needed);
}

static int sf_copy_metrics(const struct sf_plan *plan,
			   struct sf_experiment *experiment)
{
	struct sf_metric *metric = experiment->metrics;
	size_t i;

	for (i = 0; i < plan->metric_count; i++, metric++) {
		metric->name = strdup(plan->metrics[i].name);
		metric->regex = strdup(plan->metrics[i].regex);
		metric->better = plan->metrics[i].better;
		if (!metric->name || !metric->regex)
			return -ENOMEM;
	}
	metric->name = strdup(SF_WALL_METRIC);
	metric->better = SF_BETTER_LOWER;
	experiment->metric_count = plan->metric_count + 1;
	return metric->name ? 0 : -ENOMEM;
}

static json_t *sf_command_json(char *const *command)
{
	json_t *array = json_array();

	for (; array && *command; command++) {
		if (!json_array_append_new(array, sf_json_text(*command)))
			continue;
		json_decref(array);
		return NULL;
	}
	return array;
}

static int sf_begin_experiment(const struct sf_plan *plan,
			       const struct sf_state *before,
			       struct sf_experiment *experiment,
			       struct sf_error *err)
{
	size_t i;

	for (i = 0; i < plan->contender_count; i++) {
		experiment->policies[i] = strdup(plan->contenders[i].text);
		if (!experiment->policies[i])
			return sf_fail(err, SF_FAILED, "out of memory");
	}
	experiment->policy_count = plan->contender_count;
	snprintf(experiment->order, sizeof(experiment->order), "%s",
		 sf_order_names[plan->order].name);
	snprintf(experiment->learn, sizeof(experiment->learn), "%s",
		 plan->learn);
	experiment->seed = plan->seed;
	experiment->precision = plan->precision;
	experiment->stopped = strdup("schedflip was killed");
	experiment->command = sf_command_json(plan->workload.command);
	experiment->system = sf_machine_json(before);
	experiment->warnings = sf_preflight();
	if (sf_copy_metrics(plan, experiment) || !experiment->command ||
	    !experiment->system || !experiment->warnings)
		return sf_fail(err, SF_FAILED, "out of memory");
	return SF_OK;
}

/* Loud, as the machine is left with policies that nobody asked for. */
static void sf_ab_restore(const struct sf_state *before, struct sf_error *err)
{
	struct sf_error failed = { .code = SF_OK };

	if (!sf_snapshot_restore(before, &failed))
		return;
	if (err->code)
		fprintf(stderr, "schedflip: %s\n", err->message);
	sf_fail(err, SF_MISMATCH,
		"THE POLICIES ARE NOT RESTORED: %.1500s; see `schedflip show`, and set them by `schedflip set` or `schedflip reset`",
		failed.message);
}

static void sf_say_stopped(struct sf_experiment *experiment,
			   const struct sf_error *err)
{
	free(experiment->stopped);
	experiment->stopped = strdup(err->message);
	experiment->complete = false;
}

static bool sf_has_measured(const struct sf_experiment *experiment)
{
	size_t i;

	for (i = 0; i < experiment->run_count; i++)
		if (!experiment->runs[i].warmup)
			return true;
	return false;
}

static int sf_ab_report(const struct sf_plan *plan,
			const struct sf_experiment *experiment,
			struct sf_output *out, struct sf_error *err)
{
	struct sf_analysis analysis;
	json_t *report;

	if (sf_analyze(experiment, &analysis, err))
		return err->code;
	report = out->json ? sf_report_json(experiment, &analysis) : NULL;
	if (!out->json)
		sf_report_print(experiment, &analysis,
				out->color ? SF_REPORT_COLORED : SF_REPORT_TEXT,
				stdout);
	else if (!report || json_object_update(out->root, report))
		out->incomplete = true;
	json_decref(report);
	if (plan->plot && analysis.blocks)
		sf_report_plot(experiment, &analysis, plan->plot, err);
	if (!err->code && !analysis.blocks)
		sf_fail(err, SF_FAILED, SF_NOTHING_TO_COMPARE);
	sf_analysis_free(&analysis);
	return err->code;
}

/* Fewer blocks than the user wanted are a failure, though they are shown. */
static int sf_check_blocks(const struct sf_plan *plan,
			   const struct sf_experiment *experiment,
			   struct sf_error *err)
{
	size_t blocks = experiment->runs[experiment->run_count - 1].block + 1;

	if (!plan->blocks || experiment->complete)
		return SF_OK;
	return sf_fail(err, SF_FAILED,
		       "stopped after %zu of %llu block%s: --max-time is over",
		       blocks, (unsigned long long)plan->blocks,
		       sf_plural(plan->blocks));
}

/*
 * What was measured is kept and shown, however it ended: of a file that cannot be
 * written the report is all that is left.
 */
static void sf_ab_finish(const struct sf_plan *plan,
			 struct sf_experiment *experiment,
			 struct sf_output *out, struct sf_error *err)
{
	struct sf_error failed = { .code = SF_OK }, unsaid = { .code = SF_OK };

	if (err->code)
		sf_say_stopped(experiment, err);
	if (err->code == SF_FAILED && sf_progress_interrupted())
		sf_fail(err, SF_FAILED,
			"interrupted; the policies are restored");
	if (!sf_has_measured(experiment))
		return;
	if (plan->writer)
		sf_experiment_save(experiment, plan->writer, &failed);
	sf_ab_report(plan, experiment, out, &unsaid);
	if (!failed.code)
		failed = unsaid;
	if (!failed.code && !err->code)
		sf_check_blocks(plan, experiment, &failed);
	if (failed.code && !err->code)
		*err = failed;
}

/* From here on policies are flipped, and there is one way out: over restoring. */
static void sf_ab_measure(const struct sf_plan *plan,
			  const struct sf_state *before,
			  struct sf_experiment *experiment,
			  struct sf_progress *progress, struct sf_error *err)
{
	struct sf_series series = {
		.trials = { .plan = plan, .began_ms = sf_progress_now() },
		.experiment = experiment,
		.progress = progress,
		.silent = progress->quiet,
	};

	sf_series_run(&series, err);
	sf_ab_restore(before, err);
	sf_progress_end(progress);
	sf_series_free(&series);
}

static int sf_ab_run(const struct sf_plan *plan, struct sf_output *out,
		     struct sf_error *err)
{
	struct sf_experiment experiment = { .run_count = 0 };
	struct sf_progress progress;
	struct sf_state before;

	sf_progress_begin(&progress, out->json);
	if (sf_state_read(&before, err))
		goto out_free;
	if (!before.count) {
		sf_fail(err, SF_FAILED,
			"there are no sched domains whose policy could be flipped");
		goto out_free;
	}
	if (sf_begin_experiment(plan, &before, &experiment, err))
		goto out_free;
	if (!plan->quiet && !out->json) {
		sf_preflight_print(experiment.warnings, 0);
		sf_warn_too_few(plan);
	}
	sf_ab_measure(plan, &before, &experiment, &progress, err);
	sf_ab_finish(plan, &experiment, out, err);
out_free:
	sf_state_free(&before);
	sf_experiment_free(&experiment);
	return err->code;
}

/**
 * sf_ab - compare policies under a command
 * @options: the user's
 * @out: gets the report
 * @err: says what was wrong
 *
 * Return: SF_OK, or the code in @err.
 */
int sf_ab(const struct sf_options *options, struct sf_output *out,
	  struct sf_error *err)
{
	struct sf_plan *plan = &sf_ab_plan;

	if (!sf_plan_check(plan, options->command, err) &&
	    !sf_kernel_check_module(err) && !sf_status_check_quiet(err) &&
	    !sf_check_hooks(plan, err) &&
	    !sf_program_find(plan->workload.command[0], err) &&
	    (plan->workload.as_root || !sf_privilege_check(err)) &&
	    !sf_open_output(plan, err) && !sf_lock_ab(err))
		sf_ab_run(plan, out, err);
	sf_plan_free(plan);
	return err->code;
}
