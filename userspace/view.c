// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The tables of show: one of all domains, and one a subject of those domains where
 * it is not at stock. A table of everything would be too wide for a terminal.
 */
#include <string.h>

#include "color.h"
#include "text.h"
#include "view.h"

/* The first column of every table. */
#define SF_COL_DOMAIN 0

/**
 * struct sf_view - a table of show
 * @has: domains that are in it; NULL for all
 * @fill: fills all columns but the first
 * @count: number of @columns
 * @columns: their heads
 */
struct sf_view {
	bool (*has)(const struct sf_domain *domain);
	void (*fill)(struct libscols_line *line,
		     const struct sf_domain *domain);
	size_t count;
	const struct sf_column *columns;
};

/**
 * sf_hit_rate - percentage of a domain's attempts that pulled a task
 * @domain: with attempts
 */
double sf_hit_rate(const struct sf_domain *domain)
{
	return 100.0 * domain->pulled / domain->attempts;
}

/**
 * sf_stale_rate - percentage of the idle CPUs picked that were busy right after
 * @domain: with picks
 */
double sf_stale_rate(const struct sf_domain *domain)
{
	return 100.0 * domain->stale / domain->picks;
}

/**
 * sf_has_synchrony - has the synchrony of a domain been measured?
 * @domain: any
 */
bool sf_has_synchrony(const struct sf_domain *domain)
{
	return domain->sync && domain->sync_expected_milli;
}

/**
 * sf_synchrony - how many times as many pairs of CPUs attempted together as chance
 *	would have
 * @domain: for which sf_has_synchrony()
 */
double sf_synchrony(const struct sf_domain *domain)
{
	return 1e3 * domain->sync_pairs / domain->sync_expected_milli;
}

static void sf_fill_counter(struct libscols_line *line, size_t column,
			    u64 value)
{
	sf_table_cell(line, column, "%llu", (unsigned long long)value);
}

/* @known: there is a value. */
static void sf_fill_real(struct libscols_line *line, size_t column, bool known,
			 int digits, double value)
{
	if (known)
		sf_table_cell(line, column, "%.*f", digits, value);
	else
		sf_table_cell(line, column, "-");
}

static void sf_fill_policy(struct libscols_line *line, size_t column,
			   const char *policy)
{
	sf_table_cell(line, column, "%s", policy);
	if (strcmp(policy, "stock"))
		sf_table_color(line, column, SF_COLOR_POLICY);
}

enum {
	SF_COL_NEWIDLE = 1,
	SF_COL_START,
	SF_COL_RATIO,
	SF_COL_WINDOW,
	SF_COL_CALLS,
	SF_COL_ATTEMPTS,
	SF_COL_PULLED,
	SF_COL_HIT,
	SF_COL_TIME,
	SF_NR_NEWIDLE_COLS,
};

static const struct sf_column sf_newidle_columns[SF_NR_NEWIDLE_COLS] = {
	[SF_COL_DOMAIN] = { "DOMAIN", SCOLS_FL_TREE },
	[SF_COL_NEWIDLE] = { "NEWIDLE", 0 },
	[SF_COL_START] = { "START", 0 },
	[SF_COL_RATIO] = { "RATIO", SCOLS_FL_RIGHT },
	[SF_COL_WINDOW] = { "POS", SCOLS_FL_RIGHT },
	[SF_COL_CALLS] = { "CALLS", SCOLS_FL_RIGHT },
	[SF_COL_ATTEMPTS] = { "ATTEMPTS", SCOLS_FL_RIGHT },
	[SF_COL_PULLED] = { "PULLED", SCOLS_FL_RIGHT },
	[SF_COL_HIT] = { "HIT [%]", SCOLS_FL_RIGHT },
	[SF_COL_TIME] = { "TIME [ms]", SCOLS_FL_RIGHT },
};

/* Only these go along a window. */
static bool sf_has_window(const struct sf_domain *domain)
{
	return !strcmp(domain->newidle, "accumulator") ||
	       !strcmp(domain->newidle, "jitter");
}

static void sf_fill_window(struct libscols_line *line,
			   const struct sf_domain *domain)
{
	bool has = sf_has_window(domain);

	sf_table_cell(line, SF_COL_START, "%s", has ? domain->start : "-");
	if (has)
		sf_fill_counter(line, SF_COL_WINDOW, domain->window_pos);
	else
		sf_table_cell(line, SF_COL_WINDOW, "-");
}

static void sf_fill_newidle(struct libscols_line *line,
			    const struct sf_domain *domain)
{
	sf_fill_policy(line, SF_COL_NEWIDLE, domain->newidle);
	sf_table_cell(line, SF_COL_RATIO, "%llu%s",
		      (unsigned long long)domain->ratio,
		      domain->pinned ? "*" : "");
	sf_fill_window(line, domain);
	sf_fill_counter(line, SF_COL_CALLS, domain->calls);
	sf_fill_counter(line, SF_COL_ATTEMPTS, domain->attempts);
	sf_fill_counter(line, SF_COL_PULLED, domain->pulled);
	sf_fill_real(line, SF_COL_HIT, domain->attempts, 1,
		     sf_hit_rate(domain));
	sf_fill_real(line, SF_COL_TIME, true, 3, domain->newidle_ns / 1e6);
}

enum {
	SF_COL_SLOWPATH = 1,
	SF_COL_PICKS,
	SF_COL_STALE,
	SF_NR_SLOWPATH_COLS,
};

static const struct sf_column sf_slowpath_columns[SF_NR_SLOWPATH_COLS] = {
	[SF_COL_DOMAIN] = { "DOMAIN", SCOLS_FL_TREE },
	[SF_COL_SLOWPATH] = { "SLOWPATH", 0 },
	[SF_COL_PICKS] = { "PICKS", SCOLS_FL_RIGHT },
	[SF_COL_STALE] = { "STALE [%]", SCOLS_FL_RIGHT },
};

/* Picks are counted at stock too, to compare with. */
static bool sf_has_slowpath(const struct sf_domain *domain)
{
	return strcmp(domain->slowpath, "stock") || domain->picks;
}

static void sf_fill_slowpath(struct libscols_line *line,
			     const struct sf_domain *domain)
{
	sf_fill_policy(line, SF_COL_SLOWPATH, domain->slowpath);
	sf_fill_counter(line, SF_COL_PICKS, domain->picks);
	sf_fill_real(line, SF_COL_STALE, domain->picks, 3,
		     sf_stale_rate(domain));
}

enum {
	SF_COL_BURST = 1,
	SF_COL_DEPTH,
	SF_COL_SEEN,
	SF_COL_OVER,
	SF_COL_MOVED,
	SF_COL_TO_IDLE,
	SF_NR_BURST_COLS,
};

static const struct sf_column sf_burst_columns[SF_NR_BURST_COLS] = {
	[SF_COL_DOMAIN] = { "DOMAIN", SCOLS_FL_TREE },
	[SF_COL_BURST] = { "BURST", 0 },
	[SF_COL_DEPTH] = { "AVG DEPTH [tasks]", SCOLS_FL_RIGHT },
	[SF_COL_SEEN] = { "SEEN", SCOLS_FL_RIGHT },
	[SF_COL_OVER] = { "OVER", SCOLS_FL_RIGHT },
	[SF_COL_MOVED] = { "MOVED", SCOLS_FL_RIGHT },
	[SF_COL_TO_IDLE] = { "TO IDLE", SCOLS_FL_RIGHT },
};

static bool sf_has_burst(const struct sf_domain *domain)
{
	return strcmp(domain->burst, "stock");
}

/* idle looks at the tick, but not at the average. */
static void sf_fill_burst_policy(struct libscols_line *line,
				 const struct sf_domain *domain)
{
	unsigned long long depth = domain->burst_depth;

	sf_table_color(line, SF_COL_BURST, SF_COLOR_POLICY);
	if (!strcmp(domain->burst, "idle"))
		sf_table_cell(line, SF_COL_BURST, "idle >=%llu%s", depth,
			      domain->burst_nohz ? ", nohz" : "");
	else
		sf_table_cell(line, SF_COL_BURST, "%s >=%llu, %llux",
			      domain->burst, depth,
			      (unsigned long long)domain->burst_factor);
}

static void sf_fill_burst(struct libscols_line *line,
			  const struct sf_domain *domain)
{
	sf_fill_burst_policy(line, domain);
	sf_fill_real(line, SF_COL_DEPTH, true, 2,
		     domain->avg_depth_milli / 1e3);
	sf_fill_counter(line, SF_COL_SEEN,
			domain->wake_seen + domain->fork_seen +
				domain->exec_seen);
	sf_fill_counter(line, SF_COL_OVER,
			domain->wake_over + domain->fork_over +
				domain->exec_over);
	sf_fill_counter(line, SF_COL_MOVED,
			domain->wake_moved + domain->fork_moved +
				domain->exec_moved);
	sf_fill_counter(line, SF_COL_TO_IDLE,
			domain->wake_idle + domain->fork_idle +
				domain->exec_idle);
}

enum {
	SF_COL_COST = 1,
	SF_COL_COST_US,
	SF_COL_BUMPS,
	SF_COL_SYNC,
	SF_NR_COST_COLS,
};

static const struct sf_column sf_cost_columns[SF_NR_COST_COLS] = {
	[SF_COL_DOMAIN] = { "DOMAIN", SCOLS_FL_TREE },
	[SF_COL_COST] = { "COST", 0 },
	[SF_COL_COST_US] = { "COST [us]", SCOLS_FL_RIGHT },
	[SF_COL_BUMPS] = { "BUMPS", SCOLS_FL_RIGHT },
	[SF_COL_SYNC] = { "SYNC", SCOLS_FL_RIGHT },
};

static bool sf_has_cost(const struct sf_domain *domain)
{
	return strcmp(domain->cost, "stock") || domain->sync;
}

static void sf_fill_cost(struct libscols_line *line,
			 const struct sf_domain *domain)
{
	double us = domain->cost_ns / 1e3;

	sf_fill_policy(line, SF_COL_COST, domain->cost);
	if (strcmp(domain->cost, "bump"))
		sf_table_cell(line, SF_COL_COST_US, "%.1f", us);
	else
		sf_table_cell(line, SF_COL_COST_US, "%.1f (%.1f)", us,
			      domain->own_cost_ns / 1e3);
	sf_fill_counter(line, SF_COL_BUMPS, domain->bumps);
	sf_fill_real(line, SF_COL_SYNC, sf_has_synchrony(domain), 2,
		     sf_synchrony(domain));
}

/* One row a table, in the order in which they are printed; that of all is first. */
static const struct sf_view sf_views[] = {
	{ NULL, sf_fill_newidle, SF_NR_NEWIDLE_COLS, sf_newidle_columns },
	{ sf_has_slowpath, sf_fill_slowpath, SF_NR_SLOWPATH_COLS,
	  sf_slowpath_columns },
	{ sf_has_burst, sf_fill_burst, SF_NR_BURST_COLS, sf_burst_columns },
	{ sf_has_cost, sf_fill_cost, SF_NR_COST_COLS, sf_cost_columns },
};

/* The module prints the domains of one CPU in a row. */
static void sf_view_fill(const struct sf_view *view,
			 const struct sf_state *state,
			 const struct sf_filter *filter,
			 struct libscols_table *table)
{
	struct libscols_line *cpu = NULL, *line;
	u64 last = 0;
	size_t i;

	for (i = 0; i < state->count; i++) {
		const struct sf_domain *domain = &state->domains[i];

		if (!sf_filter_matches(filter, domain) ||
		    (view->has && !view->has(domain)))
			continue;
		if (!cpu || last != domain->cpu) {
			cpu = scols_table_new_line(table, NULL);
			sf_table_cell(cpu, SF_COL_DOMAIN, "CPU %llu",
				      (unsigned long long)domain->cpu);
		}
		last = domain->cpu;
		line = scols_table_new_line(table, cpu);
		sf_table_cell(line, SF_COL_DOMAIN, "%llu %s",
			      (unsigned long long)domain->domain, domain->name);
		view->fill(line, domain);
	}
}

static bool sf_is_pinned(const struct sf_domain *domain)
{
	return domain->pinned;
}

static bool sf_is_stock(const struct sf_domain *domain)
{
	return !strcmp(domain->newidle, "stock");
}

static bool sf_any_is(bool (*is)(const struct sf_domain *domain),
		      const struct sf_state *state,
		      const struct sf_filter *filter)
{
	size_t i;

	for (i = 0; i < state->count; i++)
		if (is(&state->domains[i]) &&
		    sf_filter_matches(filter, &state->domains[i]))
			return true;
	return false;
}

static void sf_view_print_notes(const struct sf_state *state,
				const struct sf_filter *filter, bool blind,
				struct sf_output *out)
{
	if (sf_any_is(sf_is_pinned, state, filter))
		sf_output_say(out, "\n* pinned");
	if (blind && sf_any_is(sf_is_stock, state, filter))
		sf_output_say(
			out,
			"\nstock: calls that the kernel's own dice skip are not seen; for a baseline\n"
			"set newidle=dice, which is the same rule");
}

/* A table that has no domain is not worth its head, unless it is that of all. */
static void sf_view_print_one(const struct sf_view *view,
			      const struct sf_state *state,
			      const struct sf_filter *filter,
			      struct sf_output *out)
{
	struct libscols_table *table = sf_table_new(view->columns, view->count);

	if (table)
		sf_view_fill(view, state, filter, table);
	if (view->has && table && !scols_table_get_nlines(table)) {
		scols_unref_table(table);
		return;
	}
	if (view->has)
		sf_output_say(out, "%s", "");
	sf_table_print(out, table);
}

/**
 * sf_view_print - print the tables
 * @state: the domains
 * @filter: those wanted
 * @blind: skips of a domain at stock are not seen
 * @out: gets the table of all, and each of the others that has a domain
 */
void sf_view_print(const struct sf_state *state, const struct sf_filter *filter,
		   bool blind, struct sf_output *out)
{
	size_t i;

	sf_view_print_one(&sf_views[0], state, filter, out);
	sf_view_print_notes(state, filter, blind, out);
	for (i = 1; i < SF_ARRAY_SIZE(sf_views); i++)
		sf_view_print_one(&sf_views[i], state, filter, out);
}
