// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpulist.h"
#include "history.h"

static size_t sf_count_cpus(const struct sf_interval *interval)
{
	size_t cpus = 0, i;

	for (i = 0; i < interval->count; i++)
		if (interval->rows[i].domain->cpu >= cpus)
			cpus = interval->rows[i].domain->cpu + 1;
	return cpus > SF_MAX_CPUS ? SF_MAX_CPUS : cpus;
}

/* A CPU's first domain makes its rate known; others add to it. */
static void sf_add_rate(float *rate, double count, double seconds, bool first)
{
	*rate = (first ? 0 : *rate) + count / seconds;
}

static void sf_moment_fill(struct sf_moment *moment,
			   const struct sf_interval *interval)
{
	size_t i, seen = SF_MAX_CPUS;
	float *rates = moment->rates;

	for (i = 0; i < SF_NR_HEATS * moment->cpus; i++)
		rates[i] = NAN;
	for (i = 0; i < interval->count; i++) {
		const struct sf_row *row = &interval->rows[i];
		size_t cpu = row->domain->cpu;
		bool first = cpu != seen;

		if (cpu >= moment->cpus)
			continue;
		sf_add_rate(&rates[SF_HEAT_ATTEMPTS * moment->cpus + cpu],
			    row->attempts, interval->seconds, first);
		sf_add_rate(&rates[SF_HEAT_MOVED * moment->cpus + cpu],
			    row->moved, interval->seconds, first);
		sf_add_rate(&rates[SF_HEAT_STALE * moment->cpus + cpu],
			    row->stale, interval->seconds, first);
		seen = cpu;
	}
}

/**
 * sf_history_add - remember an interval
 * @history: forgets the oldest one for it
 * @interval: with the rows of a CPU beside each other; an empty one if nothing is known
 * @wall: its end
 * @changes: number of policies that changed in it
 *
 * One that does not fit in memory is remembered as an empty one.
 */
void sf_history_add(struct sf_history *history,
		    const struct sf_interval *interval, time_t wall,
		    size_t changes)
{
	struct sf_moment *moment =
		&history->moments[history->count++ % SF_HISTORY_SIZE];

	free(moment->rates);
	moment->wall = wall;
	moment->changes = changes;
	moment->cpus = sf_count_cpus(interval);
	moment->rates =
		calloc(SF_NR_HEATS * moment->cpus + 1, sizeof(*moment->rates));
	if (moment->rates)
		sf_moment_fill(moment, interval);
	else
		moment->cpus = 0;
}

/**
 * sf_history_get - an interval
 * @history: it
 * @back: 0 is the last one
 *
 * Return: NULL if there is none, or none any more.
 */
const struct sf_moment *sf_history_get(const struct sf_history *history,
				       size_t back)
{
	if (back >= history->count || back >= SF_HISTORY_SIZE)
		return NULL;
	return &history->moments[(history->count - 1 - back) % SF_HISTORY_SIZE];
}

/**
 * sf_moment_rate - what a CPU did, per second
 * @moment: from sf_history_get()
 * @heat: of this kind
 * @cpu: number of the CPU
 *
 * Return: NAN if it is not known.
 */
double sf_moment_rate(const struct sf_moment *moment, enum sf_heat heat,
		      u64 cpu)
{
	if (cpu >= moment->cpus)
		return NAN;
	return moment->rates[heat * moment->cpus + cpu];
}

/**
 * sf_history_free - forget all
 * @history: it
 */
void sf_history_free(struct sf_history *history)
{
	size_t i;

	for (i = 0; i < SF_HISTORY_SIZE; i++)
		free(history->moments[i].rates);
	memset(history, 0, sizeof(*history));
}
