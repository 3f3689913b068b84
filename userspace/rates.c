// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
 */
struct sf_basis {
	double cpus;
	size_t wall;
	size_t work;
	bool per_s;
};

/**
 * struct sf_rule - how a rate is computed
 * @name: of the rate; of those per unit of work the beginning
 * @count: what is counted
 * @less: what is taken from that
 * @by: gives what it is divided by, for a run; not above 0 if it cannot be
 */
struct sf_rule {
	const char *name;
	enum sf_counter count;
	enum sf_counter less;
	double (*by)(const struct sf_run *run, const struct sf_basis *basis);
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

static const struct sf_rule sf_rules[] = {
	{ "attempts_per_s", SF_COUNTER_attempts, SF_NOTHING, sf_by_wall },
	{ "failed_attempts_per_s", SF_COUNTER_attempts, SF_COUNTER_pulled,
	  sf_by_wall },
	{ "newidle_share_percent", SF_COUNTER_newidle_ns, SF_NOTHING,
	  sf_by_cpu_time },
	{ "pulled_tasks_per_s", SF_COUNTER_tasks, SF_NOTHING, sf_by_wall },
	{ "migrations_per_s", SF_COUNTER_migrations, SF_NOTHING, sf_by_wall },
	{ "stale_picks_percent", SF_COUNTER_stale, SF_NOTHING, sf_by_picks },
	{ "burst_moves_per_s", SF_COUNTER_burst_moved, SF_NOTHING, sf_by_wall },
	{ "context_switches_per_s", SF_COUNTER_context_switches, SF_NOTHING,
	  sf_by_wall },
	{ "synchrony", SF_COUNTER_sync_pairs, SF_NOTHING, sf_by_chance },
};

static const struct sf_rule sf_work_rules[] = {
	{ "attempts", SF_COUNTER_attempts, SF_NOTHING, sf_by_work },
	{ "failed_attempts", SF_COUNTER_attempts, SF_COUNTER_pulled,
	  sf_by_work },
	{ "newidle_ns", SF_COUNTER_newidle_ns, SF_NOTHING, sf_by_work },
	{ "pulled_tasks", SF_COUNTER_tasks, SF_NOTHING, sf_by_work },
	{ "migrations", SF_COUNTER_migrations, SF_NOTHING, sf_by_work },
	{ "context_switches", SF_COUNTER_context_switches, SF_NOTHING,
	  sf_by_work },
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

static struct sf_basis sf_basis_of(const struct sf_experiment *experiment)
{
	const json_t *cpus = json_object_get(experiment->system, "cpus");

	return (struct sf_basis){
		.cpus = json_is_number(cpus) ? json_number_value(cpus) : NAN,
		.wall = experiment->metric_count - 1,
		.work = 0,
		.per_s = sf_ends_in_per_s(experiment->metrics[0].name),
	};
}

/* NAN if there is none. */
static double sf_rate_of(const struct sf_rule *rule, const struct sf_run *run,
			 const struct sf_basis *basis)
{
	double count = run->counters.value[rule->count];
	double by = rule->by(run, basis);

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

static void sf_find_policy_rates(const struct sf_experiment *experiment,
				 const struct sf_blocks *blocks, size_t policy,
				 double *values, struct sf_analysis *analysis)
{
	struct sf_basis basis = sf_basis_of(experiment);
	struct sf_rate *rate = analysis->rates[policy];
	size_t i;

	for (i = 0; i < SF_NR_RULES; i++, rate++) {
		snprintf(rate->name, sizeof(rate->name), "%s",
			 sf_rules[i].name);
		sf_find_rate(&sf_rules[i], blocks, policy, &basis, values,
			     rate);
	}
	/* Only a metric of the user's says how much was done. */
	if (basis.wall > 0) {
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
