// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "interval.h"

static int sf_compare_number(u64 a, u64 b)
{
	return (a > b) - (a < b);
}

/* (cpu, level) names a domain for good; the index does not. */
static int sf_compare_domains(const void *a, const void *b)
{
	const struct sf_domain *left = *(const struct sf_domain *const *)a;
	const struct sf_domain *right = *(const struct sf_domain *const *)b;
	int by_cpu = sf_compare_number(left->cpu, right->cpu);

	return by_cpu ? by_cpu : sf_compare_number(left->level, right->level);
}

/**
 * sf_state_by_level - the domains of a state, to be searched
 * @state: it
 *
 * Return: an array by CPU and level, to be freed; NULL if it does not fit in memory.
 */
const struct sf_domain **sf_state_by_level(const struct sf_state *state)
{
	const struct sf_domain **sorted =
		calloc(state->count + 1, sizeof(*sorted));
	size_t i;

	if (!sorted)
		return NULL;
	for (i = 0; i < state->count; i++)
		sorted[i] = &state->domains[i];
	qsort(sorted, state->count, sizeof(*sorted), sf_compare_domains);
	return sorted;
}

/**
 * sf_state_find - the same domain at another time
 * @sorted: from sf_state_by_level()
 * @count: number of its domains
 * @like: the domain
 *
 * Return: NULL if it was not there.
 */
const struct sf_domain *sf_state_find(const struct sf_domain **sorted,
				      size_t count,
				      const struct sf_domain *like)
{
	const struct sf_domain **found = bsearch(
		&like, sorted, count, sizeof(*sorted), sf_compare_domains);

	return found ? *found : NULL;
}

static double sf_grown(u64 before, u64 after)
{
	return after < before ? NAN : (double)(after - before);
}

/* One of them that went back has been restarted, and the others with it. */
static void sf_row_newidle(struct sf_row *row, const struct sf_domain *before)
{
	const struct sf_domain *after = row->domain;

	row->calls = sf_grown(before->calls, after->calls);
	row->attempts = sf_grown(before->attempts, after->attempts);
	row->skipped = sf_grown(before->skipped, after->skipped);
	row->pulled = sf_grown(before->pulled, after->pulled);
	row->newidle_ns = sf_grown(before->newidle_ns, after->newidle_ns);
	if (isnan(row->calls + row->attempts + row->skipped + row->pulled +
		  row->newidle_ns))
		row->calls = row->attempts = row->skipped = row->pulled =
			row->newidle_ns = NAN;
}

static void sf_row_placement(struct sf_row *row, const struct sf_domain *before)
{
	const struct sf_domain *after = row->domain;

	row->stale = sf_grown(before->stale, after->stale);
	row->moved = sf_grown(before->wake_moved, after->wake_moved) +
		     sf_grown(before->fork_moved, after->fork_moved) +
		     sf_grown(before->exec_moved, after->exec_moved);
}

static void sf_row_set(struct sf_row *row, const struct sf_domain *before,
		       const struct sf_domain *after)
{
	row->domain = after;
	if (before && before->changes == after->changes) {
		sf_row_newidle(row, before);
		sf_row_placement(row, before);
		return;
	}
	row->calls = row->attempts = row->skipped = row->pulled = NAN;
	row->newidle_ns = row->stale = row->moved = NAN;
}

static double sf_interval_length(const struct sf_glance *before,
				 const struct sf_glance *after)
{
	double seconds = after->seconds - before->seconds;

	if (!before->present || before->load != after->load || seconds <= 0)
		return NAN;
	return seconds;
}

/**
 * sf_interval_take - what happened between two looks?
 * @interval: set to it; to be freed also after an error
 * @before: the first look; one that is not present is none
 * @after: the second; has to outlive @interval
 * @filter: the domains that are of interest
 * @err: says if it does not fit in memory
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_interval_take(struct sf_interval *interval,
		     const struct sf_glance *before,
		     const struct sf_glance *after,
		     const struct sf_filter *filter, struct sf_error *err)
{
	const struct sf_domain **sorted = sf_state_by_level(&before->state);
	const struct sf_state *state = &after->state;
	size_t i, known;

	memset(interval, 0, sizeof(*interval));
	interval->seconds = sf_interval_length(before, after);
	interval->rows = calloc(state->count + 1, sizeof(*interval->rows));
	if (!sorted || !interval->rows) {
		free(sorted);
		return sf_fail(err, SF_FAILED, "out of memory");
	}
	known = isnan(interval->seconds) ? 0 : before->state.count;
	for (i = 0; i < state->count; i++) {
		const struct sf_domain *domain = &state->domains[i];

		if (sf_filter_matches(filter, domain))
			sf_row_set(&interval->rows[interval->count++],
				   sf_state_find(sorted, known, domain),
				   domain);
	}
	free(sorted);
	return SF_OK;
}

/**
 * sf_interval_free - forget it
 * @interval: as sf_interval_take() left it
 */
void sf_interval_free(struct sf_interval *interval)
{
	free(interval->rows);
	memset(interval, 0, sizeof(*interval));
}

static const char *sf_common_word(const char *so_far, const char *word)
{
	return !so_far || !strcmp(so_far, word) ? word : "mixed";
}

static void sf_figures_settings(struct sf_figures *figures,
				const struct sf_row *const *rows, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		const struct sf_domain *domain = rows[i]->domain;

		figures->newidle =
			sf_common_word(figures->newidle, domain->newidle);
		figures->slowpath =
			sf_common_word(figures->slowpath, domain->slowpath);
		figures->burst = sf_common_word(figures->burst, domain->burst);
		figures->pinned |= domain->pinned;
		figures->ratio += (double)domain->ratio / count;
		figures->learned += (double)domain->learned / count;
		figures->cost_us += domain->cost_ns / 1e3 / count;
	}
}

/* 0 of 0 is not known. */
static double sf_percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : NAN;
}

/**
 * sf_figures_sum - sum rows up
 * @figures: set to the sums
 * @rows: of an interval
 * @count: number of them, at least one
 * @seconds: the interval's length
 */
void sf_figures_sum(struct sf_figures *figures,
		    const struct sf_row *const *rows, size_t count,
		    double seconds)
{
	struct sf_row sum = { .domain = NULL };
	size_t i;

	memset(figures, 0, sizeof(*figures));
	sf_figures_settings(figures, rows, count);
	for (i = 0; i < count; i++) {
		sum.calls += rows[i]->calls;
		sum.attempts += rows[i]->attempts;
		sum.skipped += rows[i]->skipped;
		sum.pulled += rows[i]->pulled;
		sum.newidle_ns += rows[i]->newidle_ns;
		sum.stale += rows[i]->stale;
		sum.moved += rows[i]->moved;
	}
	figures->calls_s = sum.calls / seconds;
	figures->attempts_s = sum.attempts / seconds;
	figures->skip_percent = sf_percent(sum.skipped, sum.calls);
	figures->hit_percent = sf_percent(sum.pulled, sum.attempts);
	figures->busy_percent =
		sf_percent(sum.newidle_ns / 1e9, seconds * count);
	figures->stale_s = sum.stale / seconds;
	figures->moved_s = sum.moved / seconds;
}
