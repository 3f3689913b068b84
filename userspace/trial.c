// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "kernel.h"
#include "output.h"
#include "progress.h"
#include "text.h"
#include "trial.h"

/* So much of the output's end is kept with a run. */
#define SF_KEPT_OUTPUT 65536u

/* So much of it is in a message. */
#define SF_SHOWN_OUTPUT 400u

/* Room for a reason. */
#define SF_REASON_SIZE 512

static const struct sf_contender *sf_trial_contender(
	const struct sf_trials *trials, const struct sf_run *run)
{
	return &trials->plan->contenders[run->policy];
}

/* What a policy must have done, once at least, if it did anything at all. */
static const struct sf_duty {
	enum sf_kind_id kind;
	enum sf_counter counter;
	const char *question;
} sf_duties[] = {
	{ SF_KIND_NEWIDLE, SF_COUNTER_calls, "do CPUs go idle under it?" },
	{ SF_KIND_SLOWPATH, SF_COUNTER_chosen,
	  "does the workload fork or exec?" },
	{ SF_KIND_BURST, SF_COUNTER_burst_seen,
	  "is the workload placing tasks?" },
};

static bool sf_is_stock(const struct sf_policy *policy, enum sf_kind_id kind)
{
	return !strcmp(policy->values[kind].word, sf_kinds[kind].stock.word);
}

static bool sf_never_decided(const struct sf_policy *policy,
			     const struct sf_counters *counters, char *reason)
{
	const double *value = counters->value;
	size_t i;

	for (i = 0; i < SF_ARRAY_SIZE(sf_duties); i++) {
		const struct sf_duty *duty = &sf_duties[i];

		if (sf_is_stock(policy, duty->kind) || value[duty->counter])
			continue;
		snprintf(reason, SF_REASON_SIZE,
			 "%s=%s never decided anything: %s is 0; %s",
			 sf_kinds[duty->kind].name,
			 policy->values[duty->kind].word,
			 sf_counter_name(duty->counter), duty->question);
		return true;
	}
	if (sf_is_stock(policy, SF_KIND_COST) ||
	    value[SF_COUNTER_attempts] != value[SF_COUNTER_pulled])
		return false;
	snprintf(
		reason, SF_REASON_SIZE,
		"cost=%s never decided anything: none of %.0f attempts failed; do CPUs go idle under it?",
		policy->values[SF_KIND_COST].word, value[SF_COUNTER_attempts]);
	return true;
}

/* The counters that the module keeps come first. */
static bool sf_was_restarted(struct sf_counters *counters, char *reason)
{
	bool restarted = false;
	size_t i;

	for (i = 0; i < SF_NR_COUNTERS; i++) {
		if (!(counters->value[i] < 0))
			continue;
		if (i < SF_COUNTER_context_switches)
			restarted = true;
		counters->value[i] = NAN;
	}
	if (restarted)
		snprintf(
			reason, SF_REASON_SIZE,
			"counters were restarted during the run; is somebody else setting policies?");
	return restarted;
}

static bool sf_was_not_set(const struct sf_reading *reading, const char *when,
			   const struct sf_policy *policy, char *reason)
{
	char found[128];

	if (sf_reading_has(reading, policy, found, sizeof(found)))
		return false;
	snprintf(
		reason, SF_REASON_SIZE,
		"it was not in force %s the run: %s; is somebody else setting policies?",
		when, found);
	return true;
}

static bool sf_has_changed(const struct sf_reading *before,
			   const struct sf_reading *after, const char *since,
			   char *reason)
{
	char what[SF_REASON_SIZE - 32];

	if (!sf_reading_changed(before, after, what, sizeof(what)))
		return false;
	snprintf(reason, SF_REASON_SIZE, "since %s, %s", since, what);
	return true;
}

static bool sf_was_meddled_with(const struct sf_reading *before,
				const struct sf_reading *after, char *reason)
{
	char what[SF_REASON_SIZE - 64];

	if (!sf_reading_meddled(before, after, what, sizeof(what)))
		return false;
	snprintf(reason, SF_REASON_SIZE, "during the run %s", what);
	return true;
}

/* Return: why the run does not count, in @reason. */
static bool sf_trial_fault(const struct sf_trials *trials,
			   const struct sf_reading *before,
			   const struct sf_reading *after, struct sf_run *run,
			   char *reason)
{
	const struct sf_policy *policy =
		&sf_trial_contender(trials, run)->policy;
	bool restarted = sf_was_restarted(&run->counters, reason);

	return sf_was_not_set(before, "before", policy, reason) ||
	       sf_was_not_set(after, "after", policy, reason) ||
	       sf_has_changed(&trials->first, before, "the first run began",
			      reason) ||
	       sf_has_changed(before, after, "the run began", reason) ||
	       sf_was_meddled_with(before, after, reason) || restarted ||
	       sf_never_decided(policy, &run->counters, reason);
}

static json_t *sf_trial_layout(struct sf_trials *trials,
			       const struct sf_reading *reading)
{
	const char *words = reading->facts[SF_FACT_LAYOUT];

	if (!trials->layout ||
	    strcmp(json_string_value(trials->layout), words)) {
		json_decref(trials->layout);
		trials->layout = sf_json_text(words);
	}
	return json_incref(trials->layout);
}

static int sf_keep_evidence(struct sf_trials *trials,
			    const struct sf_reading *reading,
			    struct sf_evidence *evidence, struct sf_error *err)
{
	evidence->policy = sf_reading_words(reading);
	evidence->layout = sf_trial_layout(trials, reading);
	evidence->hooks = strdup(reading->facts[SF_FACT_HOOKS]);
	if (reading->features)
		evidence->features = strdup(reading->features);
	if (!evidence->policy || !evidence->layout || !evidence->hooks ||
	    (reading->features && !evidence->features))
		return sf_fail(err, SF_FAILED, "out of memory");
	return SF_OK;
}

static int sf_judge_trial(const struct sf_trials *trials,
			  const struct sf_reading *before,
			  const struct sf_reading *after,
			  const struct sf_outcome *outcome, struct sf_run *run,
			  struct sf_error *err)
{
	char reason[SF_REASON_SIZE];

	run->counters = after->counters;
	sf_counters_since(&before->counters, &run->counters);
	sf_counters_compare(&before->state, &after->state, &run->counters);
	run->counters.value[SF_COUNTER_migrations] = outcome->migrations;
	run->hook_calls = sf_reading_hook_calls(before, after);
	if (sf_trial_fault(trials, before, after, run, reason))
		run->invalid = strdup(reason);
	if (!run->hook_calls)
		return sf_fail(err, SF_FAILED, "out of memory");
	return SF_OK;
}

static const char *sf_output_end(const struct sf_outcome *outcome, size_t size)
{
	size_t len = strlen(outcome->output);

	return outcome->output + (len > size ? len - size : 0);
}

/* Several lines as one, for a message. */
static void sf_join_lines(char *text)
{
	size_t len = strlen(text);
	char *at;

	while (len && text[len - 1] == '\n')
		text[--len] = '\0';
	for (at = text; *at; at++)
		if (*at == '\n' || *at == '\t')
			*at = ' ';
	sf_clean_text(text);
}

static void sf_describe_place(const struct sf_run *run, char *buf, size_t size)
{
	if (run->warmup)
		snprintf(buf, size, "the warm-up");
	else
		snprintf(buf, size, "block %zu", run->block + 1);
}

static int sf_fail_command(const struct sf_trials *trials,
			   const struct sf_outcome *outcome, struct sf_run *run,
			   struct sf_error *err)
{
	char how[128], place[32], said[SF_SHOWN_OUTPUT + 1];

	sf_outcome_describe(outcome, how, sizeof(how));
	sf_describe_place(run, place, sizeof(place));
	snprintf(said, sizeof(said), "%s",
		 sf_output_end(outcome, SF_SHOWN_OUTPUT));
	sf_join_lines(said);
	if (asprintf(&run->invalid, "the command failed: %s", how) < 0)
		run->invalid = NULL;
	if (outcome->interrupted)
		return sf_fail(err, SF_FAILED, "interrupted");
	if (*said)
		return sf_fail(
			err, SF_FAILED,
			"the command failed under %.200s in %s: %s; the end of its output: %s",
			sf_trial_contender(trials, run)->label.text, place, how,
			said);
	return sf_fail(
		err, SF_FAILED,
		"the command failed under %.200s in %s: %s; it printed nothing",
		sf_trial_contender(trials, run)->label.text, place, how);
}

static int sf_measure(const struct sf_plan *plan,
		      const struct sf_outcome *outcome, struct sf_run *run,
		      struct sf_error *err)
{
	size_t i;

	for (i = 0; i < plan->metric_count; i++)
		if (sf_metric_find(&plan->metrics[i], outcome->output,
				   &run->values[i], err))
			break;
	run->values[plan->metric_count] = outcome->wall_s;
	if (err->code)
		run->invalid = strdup("a metric was not found");
	return err->code;
}

static int sf_take_outcome(struct sf_trials *trials,
			   const struct sf_outcome *outcome, struct sf_run *run,
			   struct sf_error *err)
{
	int status = outcome->status;

	trials->left += outcome->left;
	trials->strays |= outcome->strays;
	run->exit_status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) :
						 WEXITSTATUS(status);
	run->output = strdup(sf_output_end(outcome, SF_KEPT_OUTPUT));
	if (sf_outcome_failed(outcome))
		return sf_fail_command(trials, outcome, run, err);
	return sf_measure(trials->plan, outcome, run, err);
}

/* Return: SF_OK also if the run is invalid. */
static int sf_trial_command(struct sf_trials *trials,
			    const struct sf_reading *before, struct sf_run *run,
			    struct sf_error *err)
{
	struct sf_reading after = { .features = NULL };
	struct sf_outcome outcome;

	run->began_s = (sf_progress_now() - trials->began_ms) / 1e3;
	if (!sf_workload_run(&trials->plan->workload, &outcome, err) &&
	    !sf_keep_evidence(trials, before, &run->before, err) &&
	    !sf_take_outcome(trials, &outcome, run, err) &&
	    !sf_reading_take(&after, err) &&
	    !sf_keep_evidence(trials, &after, &run->after, err))
		sf_judge_trial(trials, before, &after, &outcome, run, err);
	sf_reading_free(&after);
	sf_outcome_free(&outcome);
	return err->code;
}

/**
 * sf_trial_run - run the command under one policy
 * @trials: of the experiment
 * @run: @block, @policy and @warmup are set; the rest is filled in, also after an error
 *	as far as is known
 * @err: says that the policy could not be set, or that the command failed
 *
 * Return: SF_OK, also if the run is invalid, or why there can be no more runs.
 */
int sf_trial_run(struct sf_trials *trials, struct sf_run *run,
		 struct sf_error *err)
{
	struct sf_reading before = { .features = NULL };
	bool by_parameter = false, first = !trials->first.facts[0];

	if (!sf_kernel_command(sf_trial_contender(trials, run)->command,
			       &by_parameter, err) &&
	    !sf_reading_take(first ? &trials->first : &before, err))
		sf_trial_command(trials, first ? &trials->first : &before, run,
				 err);
	sf_reading_free(&before);
	if (err->code && !run->invalid)
		run->invalid = strdup("the run could not be finished");
	return err->code;
}

/**
 * sf_trials_free - free what is kept of the runs
 * @trials: is empty then
 */
void sf_trials_free(struct sf_trials *trials)
{
	json_decref(trials->layout);
	trials->layout = NULL;
	sf_reading_free(&trials->first);
}
