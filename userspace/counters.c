// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "counters.h"
#include "kernel.h"
#include "text.h"

#define SF_COUNTER_NAME(name, what) #name,
static const char *const sf_counter_names[SF_NR_COUNTERS] = { SF_COUNTERS(
	SF_COUNTER_NAME) };

/**
 * sf_counter_name - what a counter is called in files
 * @counter: which
 */
const char *sf_counter_name(enum sf_counter counter)
{
	return sf_counter_names[counter];
}

/* All CPUs of a span show the one meter of its first. */
static bool sf_has_meter(const struct sf_domain *domain)
{
	return strtoull(domain->span, NULL, 10) == domain->cpu;
}

#define SF_PLACEMENTS(domain, what) \
	((domain)->wake_##what + (domain)->fork_##what + (domain)->exec_##what)

static void sf_counters_add(const struct sf_domain *domain, double *value)
{
	value[SF_COUNTER_hits] += domain->hits;
	value[SF_COUNTER_calls] += domain->calls;
	value[SF_COUNTER_attempts] += domain->attempts;
	value[SF_COUNTER_pulled] += domain->pulled;
	value[SF_COUNTER_tasks] += domain->tasks;
	value[SF_COUNTER_newidle_ns] += domain->newidle_ns;
	value[SF_COUNTER_bumps] += domain->bumps;
	value[SF_COUNTER_chosen] += domain->chosen;
	value[SF_COUNTER_picks] += domain->picks;
	value[SF_COUNTER_stale] += domain->stale;
	value[SF_COUNTER_burst_seen] += SF_PLACEMENTS(domain, seen);
	value[SF_COUNTER_burst_over] += SF_PLACEMENTS(domain, over);
	value[SF_COUNTER_burst_moved] += SF_PLACEMENTS(domain, moved);
	value[SF_COUNTER_burst_idle] += SF_PLACEMENTS(domain, idle);
	if (!sf_has_meter(domain))
		return;
	value[SF_COUNTER_sync_pairs] += domain->sync_pairs;
	value[SF_COUNTER_sync_expected_milli] += domain->sync_expected_milli;
}

/* Return: a number of a line of /proc/stat, or NAN. */
static double sf_stat_number(const char *stat, const char *line, size_t index)
{
	size_t len = strlen(line);

	while (strncmp(stat, line, len)) {
		stat = strchr(stat, '\n');
		if (!stat)
			return NAN;
		stat++;
	}
	for (stat += len; index && *stat && *stat != '\n'; index--) {
		stat += strspn(stat, " ");
		stat += strspn(stat, "0123456789");
	}
	stat += strspn(stat, " ");
	return *stat >= '0' && *stat <= '9' ? strtod(stat, NULL) : NAN;
}

/* In the line of all CPUs come user nice system idle iowait irq softirq steal. */
#define SF_STEAL_INDEX 7

/**
 * sf_counters_take - what has been counted until now
 * @state: read just now
 * @counters: set; NAN are the migrations of a command, which are not counted here, and
 *	what only two moments tell
 */
void sf_counters_take(const struct sf_state *state,
		      struct sf_counters *counters)
{
	double *value = counters->value;
	char *stat;
	size_t i;

	memset(counters, 0, sizeof(*counters));
	for (i = 0; i < state->count; i++)
		sf_counters_add(&state->domains[i], value);
	value[SF_COUNTER_migrations] = NAN;
	value[SF_COUNTER_called_domains] = NAN;
	value[SF_COUNTER_learned_domains] = NAN;
	if (sf_kernel_read("/proc/stat", &stat, NULL))
		stat = NULL;
	value[SF_COUNTER_context_switches] =
		stat ? sf_stat_number(stat, "ctxt ", 0) : NAN;
	value[SF_COUNTER_steal_ticks] =
		stat ? sf_stat_number(stat, "cpu ", SF_STEAL_INDEX) : NAN;
	free(stat);
}

/**
 * sf_counters_since - what has been counted between two moments
 * @before: taken first
 * @after: taken later; becomes the difference, which is negative where a counter was
 *	restarted in between
 */
void sf_counters_since(const struct sf_counters *before,
		       struct sf_counters *after)
{
	size_t i;

	for (i = 0; i < SF_NR_COUNTERS; i++)
		after->value[i] -= before->value[i];
}

/**
 * sf_counters_compare - count the domains that did something between two moments
 * @before: read first
 * @after: read later
 * @counters: gets how many made newidle calls and how many have learned another ratio;
 *	NAN if the domains are not the same
 */
void sf_counters_compare(const struct sf_state *before,
			 const struct sf_state *after,
			 struct sf_counters *counters)
{
	double called = 0, learned = 0;
	size_t i;

	for (i = 0; i < after->count && i < before->count; i++) {
		const struct sf_domain *was = &before->domains[i];
		const struct sf_domain *is = &after->domains[i];

		if (was->cpu != is->cpu || was->domain != is->domain)
			break;
		called += was->calls != is->calls;
		learned += was->learned != is->learned;
	}
	if (i < after->count || i < before->count)
		called = learned = NAN;
	counters->value[SF_COUNTER_called_domains] = called;
	counters->value[SF_COUNTER_learned_domains] = learned;
}
