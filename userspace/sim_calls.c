// SPDX-License-Identifier: GPL-2.0-or-later
/* Recorded newidle calls, decided anew by another policy. */
#include <stdlib.h>
#include <string.h>

#include <schedflip/learner.h>

#include "cpulist.h"
#include "sim.h"

/* The module keeps so many levels. */
#define SF_LEVELS 16

/* Each run has streams of its own: those of all policies. */
#define SF_RUN_STREAMS (16 * SF_SIM_STREAMS)

/* A hundred years; up to here a double tells ns from each other well enough. */
#define SF_MAX_DURATION (100ull * 365 * 86400 * 1000000000)

/* In so many calls of its own a fresh domain's ratio changes first. */
#define SF_LEARN_CALLS (SF_CELL / 2)

_Static_assert(SF_MAX_CPUS *SF_LEVELS == SF_SIM_STREAMS,
	       "a stream for each domain");

/**
 * struct sf_caller - a domain that made calls
 * @known: its header says what CPUs it has
 * @called: it made a call
 * @rank: of its CPU among these
 * @span: number of these
 * @win: of the policy that is tried
 * @learner: what it learns under it
 * @calls: that it made
 * @pulls: among them
 * @step: steps of time that are over
 * @ratio: at the end of each of these
 */
struct sf_caller {
	bool known;
	bool called;
	u32 rank;
	u32 span;
	struct sf_window win;
	struct sf_learner learner;
	u64 calls;
	u64 pulls;
	size_t step;
	u32 ratio[SF_SIM_STEPS];
};

/**
 * struct sf_callers - all that may call
 * @domains: by CPU and level
 * @sim: seed
 * @which: the policy
 * @run: which of its runs
 * @duration_ns: of the recording
 */
struct sf_callers {
	struct sf_caller (*domains)[SF_LEVELS];
	const struct sf_sim *sim;
	const struct sf_sim_case *which;
	u32 run;
	u64 duration_ns;
};

static void sf_caller_place(struct sf_caller *caller, u64 cpu, const char *span)
{
	struct sf_error err = { .code = SF_OK };
	struct sf_cpulist list;
	u64 other;

	if (sf_cpulist_parse(span, &list, &err) || !sf_cpulist_has(&list, cpu))
		return;
	caller->known = true;
	caller->span = sf_cpulist_count(&list);
	for (other = 0; other < cpu; other++)
		caller->rank += sf_cpulist_has(&list, other);
}

/* A domain of which the header tells nothing usable stays unknown. */
static void sf_callers_describe(struct sf_callers *callers,
				const json_t *header)
{
	json_t *array = json_object_get(header, "domains"), *row;
	size_t i;

	json_array_foreach(array, i, row) {
		const json_t *cpu_is = json_object_get(row, "cpu");
		const json_t *level_is = json_object_get(row, "level");
		u64 cpu = json_integer_value(cpu_is);
		u64 level = json_integer_value(level_is);
		const char *span =
			json_string_value(json_object_get(row, "span"));

		if (json_is_integer(cpu_is) && json_is_integer(level_is) &&
		    span && cpu < SF_MAX_CPUS && level < SF_LEVELS &&
		    !callers->domains[cpu][level].known)
			sf_caller_place(&callers->domains[cpu][level], cpu,
					span);
	}
}

/* Return: the event's domain, or NULL if its place is not known. */
static struct sf_caller *sf_callers_find(struct sf_callers *callers,
					 const struct sf_event *event)
{
	struct sf_caller *caller;

	if (event->cpu >= SF_MAX_CPUS || event->level >= SF_LEVELS)
		return NULL;
	caller = &callers->domains[event->cpu][event->level];
	if (!caller->known)
		return NULL;
	if (caller->called)
		return caller;
	caller->called = true;
	sf_learner_init(&caller->learner, 0);
	sf_sim_case_seed(callers->which, &caller->win.rng, callers->sim->seed,
			 callers->run * SF_RUN_STREAMS +
				 event->cpu * SF_LEVELS + event->level);
	sf_sim_case_begin(callers->which, &caller->win, caller->rank,
			  caller->span);
	return caller;
}

/* Book the ratio at the end of each step that was over before @time_ns. */
static void sf_caller_pass(const struct sf_callers *callers,
			   struct sf_caller *caller, u64 time_ns)
{
	double end;

	for (; caller->step < SF_SIM_STEPS; caller->step++) {
		end = (double)callers->duration_ns * (caller->step + 1) /
		      SF_SIM_STEPS;
		if (time_ns <= end)
			break;
		caller->ratio[caller->step] = caller->learner.ratio;
	}
}

static void sf_caller_decide(enum sf_newidle policy, struct sf_caller *caller,
			     const struct sf_event *event,
			     struct sf_sim_replay *result)
{
	u32 weight = sf_newidle_weight(policy, caller->learner.ratio);
	bool attempt = sf_newidle_decide(policy, &caller->win, weight);
	bool pull = event->newidle.tasks > 0;

	caller->calls++;
	caller->pulls += pull;
	result->calls++;
	result->pulls += pull;
	result->call_ns += event->newidle.ns;
	if (attempt) {
		result->attempts++;
		result->attempt_ns += event->newidle.ns;
		result->won += pull;
	}
	sf_learn(&caller->learner,
		 attempt && pull ? sf_newidle_credit(weight) : 0, 0, false);
}

/* What a domain has to say in the means, once its last ratio is known. */
static void sf_caller_end(const struct sf_callers *callers,
			  struct sf_caller *caller,
			  struct sf_sim_replay *result)
{
	size_t i;

	if (!caller->called)
		return;
	result->domains++;
	if (caller->calls < SF_LEARN_CALLS)
		return;
	sf_caller_pass(callers, caller, UINT64_MAX);
	result->learned++;
	result->share += (double)SF_CELL * caller->pulls / caller->calls;
	for (i = 0; i < SF_SIM_STEPS; i++)
		result->ratio[i] += caller->ratio[i];
}

static void sf_callers_end(struct sf_callers *callers,
			   struct sf_sim_replay *result)
{
	u32 cpu, level;
	size_t i;

	for (cpu = 0; cpu < SF_MAX_CPUS; cpu++)
		for (level = 0; level < SF_LEVELS; level++)
			sf_caller_end(callers, &callers->domains[cpu][level],
				      result);
	if (!result->learned)
		return;
	result->share /= result->learned;
	for (i = 0; i < SF_SIM_STEPS; i++)
		result->ratio[i] /= result->learned;
}

static int sf_callers_run(struct sf_callers *callers,
			  const struct sf_recording *recording,
			  struct sf_sim_replay *result, struct sf_error *err)
{
	struct sf_caller *caller;
	size_t i;

	for (i = 0; i < recording->count; i++) {
		const struct sf_event *event = &recording->events[i];

		if (event->type != SF_EVENT_NEWIDLE)
			continue;
		caller = sf_callers_find(callers, event);
		if (!caller)
			return sf_fail(
				err, SF_FAILED,
				"the recording has a call of CPU %u at level %u, but does not say which CPUs that domain has",
				event->cpu, event->level);
		sf_caller_pass(callers, caller, event->time_ns);
		sf_caller_decide(callers->which->policy, caller, event, result);
	}
	sf_callers_end(callers, result);
	return SF_OK;
}

/* Of one that was cut off nobody knows more than its last event. */
static u64 sf_recording_end(const struct sf_recording *recording)
{
	u64 end = recording->duration_ns;
	size_t i;

	for (i = 0; i < recording->count; i++)
		if (recording->events[i].time_ns > end)
			end = recording->events[i].time_ns;
	return end;
}

/**
 * sf_sim_replay_run - let a policy decide recorded calls
 * @sim: seed
 * @recording: one that sf_sim_replay_check() has passed
 * @which: the policy
 * @run: 0 .. SF_SIM_RUNS - 1; each has random numbers of its own
 * @result: set to what came of it
 * @err: says what was wrong
 *
 * Every domain begins as one that was just built, and learns from the calls that the
 * policy attempts. What a call brought is taken as recorded.
 *
 * Return: SF_OK, or SF_FAILED if the recording lacks a domain.
 */
int sf_sim_replay_run(const struct sf_sim *sim,
		      const struct sf_recording *recording,
		      const struct sf_sim_case *which, u32 run,
		      struct sf_sim_replay *result, struct sf_error *err)
{
	struct sf_callers callers = {
		.domains = calloc(SF_MAX_CPUS, sizeof(*callers.domains)),
		.sim = sim,
		.which = which,
		.run = run,
		.duration_ns = sf_recording_end(recording),
	};

	*result = (struct sf_sim_replay){ .duration_ns = callers.duration_ns };
	if (callers.duration_ns > SF_MAX_DURATION) {
		free(callers.domains);
		return sf_fail(
			err, SF_FAILED,
			"the recording would have lasted for %llu ns, longer than any could; it is damaged",
			(unsigned long long)callers.duration_ns);
	}
	if (!callers.domains)
		return sf_fail(err, SF_FAILED, "out of memory");
	sf_callers_describe(&callers, recording->header);
	sf_callers_run(&callers, recording, result, err);
	free(callers.domains);
	return err->code;
}
