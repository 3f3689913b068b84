// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decisions.h"
#include "rates.h"

/* The end of the name of a metric that is itself a rate. */
#define SF_PER_S "_per_s"

/* Nothing is taken from the count. */
#define SF_NOTHING SF_NR_COUNTERS

/**
 * struct sf_basis - what counts of an experiment are divided by
 * @cpus: of the machine; NAN if unknown
 * @wall: index of wall time
 * @work: index of the metric that says how much was done
 * @per_s: that metric is a rate
 * @unseen: the kernel skipped newidle calls that nobody counted
 */
struct sf_basis {
	double cpus;
	size_t wall;
	size_t work;
	bool per_s;
	bool unseen;
};

/**
 * struct sf_rule - how a rate is computed
 * @name: of the rate; of those per unit of work the beginning
 * @count: what is counted
 * @less: what is taken from that
 * @by: gives what it is divided by, for a run; not above 0 if it cannot be
 * @needs: without what nothing is counted, for the user; NULL if it always is
 * @hook: nothing is counted without this hook in this state
 * @of_calls: it goes by all newidle calls
 */
struct sf_rule {
	const char *name;
	enum sf_counter count;
	enum sf_counter less;
	double (*by)(const struct sf_run *run, const struct sf_basis *basis);
	const char *needs;
	const char *hook;
	bool of_calls;
};

static double sf_by_wall(const struct sf_run *run, const struct sf_basis *basis)
{
	return run->values[basis->wall];
}

/* In % of the time of all CPUs; counted in ns. */
static double sf_by_cpu_time(const struct sf_run *run,
			     const struct sf_basis *basis)
{
	return run->values[basis->wall] * 1e9 * basis->cpus / 100;
}

/* In %. */
static double sf_by_picks(const struct sf_run *run,
			  const struct sf_basis *basis)
{
	(void)basis;
	return run->counters.value[SF_COUNTER_picks] / 100;
}

static double sf_by_chance(const struct sf_run *run,
			   const struct sf_basis *basis)
{
	(void)basis;
	return run->counters.value[SF_COUNTER_sync_expected_milli] / 1000;
}

static double sf_by_work(const struct sf_run *run, const struct sf_basis *basis)
{
	double work = run->values[basis->work];

	return basis->per_s ? work * run->values[basis->wall] : work;
}

/* In %. */
static double sf_by_calls(const struct sf_run *run,
			  const struct sf_basis *basis)
{
	(void)basis;
	return run->counters.value[SF_COUNTER_calls] / 100;
}

static double sf_by_one(const struct sf_run *run, const struct sf_basis *basis)
{
	(void)run;
	(void)basis;
	return 1;
}

#define SF_RULE(rate, counter, from, divisor, ...)                             \
	{                                                                      \
		.name = (rate), .count = SF_COUNTER_##counter, .less = (from), \
		.by = sf_by_##divisor, __VA_ARGS__                             \
	}

#define SF_NEEDS_SELECT .needs = "--hooks all", .hook = "select:patched"

static const struct sf_rule sf_rules[] = {
	SF_RULE("newidle_calls_per_s", calls, SF_NOTHING, wall,
		.of_calls = true),
	SF_RULE("attempts_per_call_percent", attempts, SF_NOTHING, calls,
		.of_calls = true),
	SF_RULE("attempts_per_s", attempts, SF_NOTHING, wall),
	SF_RULE("failed_attempts_per_s", attempts, SF_COUNTER_pulled, wall),
	SF_RULE("newidle_percent_of_cpu_time", newidle_ns, SF_NOTHING,
		cpu_time),
	SF_RULE("pulled_tasks_per_s", tasks, SF_NOTHING, wall),
	SF_RULE("migrations_per_s", migrations, SF_NOTHING, wall),
	SF_RULE("stale_picks_percent", stale, SF_NOTHING, picks,
		SF_NEEDS_SELECT),
	SF_RULE("burst_moves_per_s", burst_moved, SF_NOTHING, wall,
		SF_NEEDS_SELECT),
	SF_RULE("context_switches_per_s", context_switches, SF_NOTHING, wall),
	SF_RULE("synchrony", sync_pairs, SF_NOTHING, chance,
		.needs = "sync=on"),
	SF_RULE("domains_that_called", called_domains, SF_NOTHING, one,
		.of_calls = true),
	SF_RULE("domains_that_learned", learned_domains, SF_NOTHING, one),
};

static const struct sf_rule sf_work_rules[] = {
	SF_RULE("attempts", attempts, SF_NOTHING, work),
	SF_RULE("failed_attempts", attempts, SF_COUNTER_pulled, work),
	SF_RULE("newidle_ns", newidle_ns, SF_NOTHING, work),
	SF_RULE("pulled_tasks", tasks, SF_NOTHING, work),
	SF_RULE("migrations", migrations, SF_NOTHING, work),
	SF_RULE("context_switches", context_switches, SF_NOTHING, work),
};

#define SF_NR_RULES (sizeof(sf_rules) / sizeof(sf_rules[0]))
#define SF_NR_WORK_RULES (sizeof(sf_work_rules) / sizeof(sf_work_rules[0]))

_Static_assert(SF_NR_RULES + SF_NR_WORK_RULES <= SF_MAX_RATES,
	       "more rates than an analysis has room for");

static bool sf_ends_in_per_s(const char *name)
{
	size_t size = strlen(name), end = strlen(SF_PER_S);

	return size > end && !strcmp(name + size - end, SF_PER_S);
}

static struct sf_basis sf_basis_of(const struct sf_experiment *experiment,
				   size_t policy)
{
	const json_t *cpus = json_object_get(experiment->system, "cpus");

	return (struct sf_basis){
		.cpus = json_is_number(cpus) ? json_number_value(cpus) : NAN,
		.wall = experiment->metric_count - 1,
		.work = 0,
		.per_s = sf_ends_in_per_s(experiment->metrics[0].name),
		.unseen = sf_decisions_unseen(experiment, policy),
	};
}

/* NAN if there is none. */
static double sf_rate_of(const struct sf_rule *rule, const struct sf_run *run,
			 const struct sf_basis *basis)
{
	double count = run->counters.value[rule->count];
	const char *hooks = run->before.hooks;
	double by = rule->by(run, basis);

	if (rule->of_calls && basis->unseen)
		return NAN;
	if (rule->hook && hooks && !strstr(hooks, rule->hook))
		return NAN;
	if (rule->less != SF_NOTHING)
		count -= run->counters.value[rule->less];
	return by > 0 && isfinite(count / by) ? count / by : NAN;
}

/* Over those runs of a policy that have the rate; @values has room for all. */
static void sf_find_rate(const struct sf_rule *rule,
			 const struct sf_blocks *blocks, size_t policy,
			 const struct sf_basis *basis, double *values,
			 struct sf_rate *rate)
{
	size_t i, known = 0;

	for (i = 0; i < blocks->count; i++) {
		values[known] = sf_rate_of(
			rule, sf_blocks_run(blocks, i, policy), basis);
		known += !isnan(values[known]);
	}
	rate->known = known > 0;
	sf_summarize(values, known, &rate->summary);
}

/* Attempts per request, if the metric is requests_per_s or just request. */
static void sf_name_work_rate(const struct sf_rule *rule,
			      const struct sf_metric *metric,
			      struct sf_rate *rate)
{
	size_t size = strlen(metric->name);

	if (sf_ends_in_per_s(metric->name))
		size -= strlen(SF_PER_S);
	snprintf(rate->name, sizeof(rate->name), "%s_per_%.*s", rule->name,
		 (int)size, metric->name);
}

/* A latency does not, nor does wall time. */
static bool sf_says_work(const struct sf_experiment *experiment)
{
	return experiment->metric_count > 1 &&
	       experiment->metrics[0].better == SF_BETTER_HIGHER;
}

static void sf_find_policy_rates(const struct sf_experiment *experiment,
				 const struct sf_blocks *blocks, size_t policy,
				 double *values, struct sf_analysis *analysis)
{
	struct sf_basis basis = sf_basis_of(experiment, policy);
	struct sf_rate *rate = analysis->rates[policy];
	size_t i;

	for (i = 0; i < SF_NR_RULES; i++, rate++) {
		snprintf(rate->name, sizeof(rate->name), "%s",
			 sf_rules[i].name);
		rate->needs = sf_rules[i].needs;
		sf_find_rate(&sf_rules[i], blocks, policy, &basis, values,
			     rate);
	}
	if (sf_says_work(experiment)) {
		for (i = 0; i < SF_NR_WORK_RULES; i++, rate++) {
			sf_name_work_rate(&sf_work_rules[i],
					  &experiment->metrics[0], rate);
			sf_find_rate(&sf_work_rules[i], blocks, policy, &basis,
				     values, rate);
		}
	}
	analysis->rate_count = rate - analysis->rates[policy];
}

/**
 * sf_rates_find - compute the balancer's rates
 * @experiment: with 1 metric or more
 * @blocks: the whole ones, over which rates are taken
 * @analysis: gets rates and rate_count; all policies have the same ones
 * @err: says if memory ran out
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_rates_find(const struct sf_experiment *experiment,
		  const struct sf_blocks *blocks, struct sf_analysis *analysis,
		  struct sf_error *err)
{
	double *values = malloc((blocks->count + 1) * sizeof(*values));
	size_t policy;

	if (!values)
		return sf_fail(err, SF_FAILED, "out of memory");
	for (policy = 0; policy < experiment->policy_count; policy++)
		sf_find_policy_rates(experiment, blocks, policy, values,
				     analysis);
	free(values);
	return SF_OK;
}
