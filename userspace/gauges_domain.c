// SPDX-License-Identifier: GPL-2.0-or-later
#include <stddef.h>
#include <stdio.h>

#include "gauges.h"
#include "text.h"

/**
 * struct sf_gauge - a family of one sample a domain
 * @family: its head
 * @offset: of the number in struct sf_domain
 * @scale: what it is divided by
 */
struct sf_gauge {
	struct sf_family family;
	size_t offset;
	enum sf_scale scale;
};

#define SF_GAUGE(name, type, help, field, scale)                 \
	{                                                        \
		{ "schedflip_domain_" name, type, help },        \
			offsetof(struct sf_domain, field), scale \
	}
#define SF_COUNTED(name, field, help) \
	SF_GAUGE(name "_total", "counter", help, field, SF_SCALE_ONE)
#define SF_SET(name, field, help) \
	SF_GAUGE(name, "gauge", help, field, SF_SCALE_ONE)

static const struct sf_gauge sf_gauge_table[] = {
	SF_COUNTED("calls", calls, "Newidle calls that reached the hook."),
	SF_COUNTED("attempts", attempts,
		   "Newidle calls that ran the kernel's balance."),
	SF_COUNTED("skipped", skipped, "Newidle calls that did not."),
	SF_COUNTED("pulled", pulled, "Attempts that brought a task."),
	SF_COUNTED("pulled_tasks", tasks, "Tasks that attempts brought."),
	SF_GAUGE("weight_calls_total", "counter",
		 "Sum of the weights of the calls, in calls.", weight_sum,
		 SF_SCALE_CELL),
	SF_GAUGE("newidle_seconds_total", "counter",
		 "Time inside newidle attempts.", newidle_ns, SF_SCALE_NANO),
	SF_COUNTED("balance_calls", hits, "Balance calls of any kind."),
	SF_COUNTED("chosen", chosen, "CPUs that slowpath=random chose."),
	SF_COUNTED("picks", picks, "Tasks whose CPU was idle when chosen."),
	SF_COUNTED("stale", stale, "Picks that were busy by then."),
	SF_COUNTED("bumps", bumps, "Attempts that failed under cost=bump."),
	SF_COUNTED("sync_pairs", sync_pairs,
		   "Pairs of CPUs that attempted within the same 131 us."),
	SF_GAUGE("sync_expected_pairs_total", "counter",
		 "Such pairs, if each call had decided on its own.",
		 sync_expected_milli, SF_SCALE_MILLI),
	SF_COUNTED("changes", changes, "Commands that named the domain."),
	SF_GAUGE("ratio", "gauge",
		 "Share of calls that pulled, by which policies decide.", ratio,
		 SF_SCALE_CELL),
	SF_GAUGE("learned_ratio", "gauge", "The learned one.", learned,
		 SF_SCALE_CELL),
	SF_SET("ratio_pinned", pinned, "Whether the ratio is pinned."),
	SF_GAUGE("window_position_ratio", "gauge",
		 "Where in its window the domain is.", window_pos,
		 SF_SCALE_CELL),
	SF_SET("burst_depth_tasks", burst_depth,
	       "Runnable tasks from which on a CPU is deep."),
	SF_SET("burst_factor_ratio", burst_factor,
	       "How many times the average a deep CPU has."),
	SF_SET("burst_nohz", burst_nohz,
	       "Whether burst=idle takes only CPUs with a stopped tick."),
	SF_GAUGE("average_depth_tasks", "gauge",
		 "Average number of runnable tasks of a CPU.", avg_depth_milli,
		 SF_SCALE_MILLI),
	SF_GAUGE("cost_seconds", "gauge", "The domain's max_newidle_lb_cost.",
		 cost_ns, SF_SCALE_NANO),
	SF_GAUGE("own_cost_seconds", "gauge", "What it would be without bump.",
		 own_cost_ns, SF_SCALE_NANO),
	SF_SET("sync_measured", sync, "Whether the synchrony meter is on."),
};

/* What burst counts of each way in which a task is placed. */
static const struct sf_placement {
	struct sf_family family;
	size_t wake;
	size_t fork;
	size_t exec;
} sf_placements[] = {
#define SF_PLACEMENT(what, help)                                               \
	{                                                                      \
		{ "schedflip_domain_burst_" #what "_total", "counter", help }, \
			offsetof(struct sf_domain, wake_##what),               \
			offsetof(struct sf_domain, fork_##what),               \
			offsetof(struct sf_domain, exec_##what)                \
	}
	SF_PLACEMENT(seen, "Placements that the burst policy looked at."),
	SF_PLACEMENT(over, "Those at a CPU that was deep."),
	SF_PLACEMENT(moved, "Those that were given to another CPU."),
	SF_PLACEMENT(idle, "Those that were given to an idle CPU."),
};

/**
 * struct sf_place - the labels that name a domain
 * @cpu: in words
 * @domain: in words
 */
struct sf_place {
	char cpu[24];
	char domain[24];
};

static void sf_place_make(const struct sf_domain *domain,
			  struct sf_place *place)
{
	snprintf(place->cpu, sizeof(place->cpu), "%llu",
		 (unsigned long long)domain->cpu);
	snprintf(place->domain, sizeof(place->domain), "%llu",
		 (unsigned long long)domain->domain);
}

/* More labels may stand behind these. */
#define SF_PLACE_LABELS(place, row)                           \
	{ "cpu", (place).cpu }, { "domain", (place).domain }, \
	{                                                     \
		"name", (row)->name                           \
	}

static u64 sf_number_at(const struct sf_domain *domain, size_t offset)
{
	return *(const u64 *)((const char *)domain + offset);
}

static void sf_print_policies(const struct sf_state *state,
			      struct sf_exposition *text)
{
	static const struct sf_family family = {
		"schedflip_domain_policy_info", "gauge",
		"The policies that are in force."
	};
	struct sf_place place = { .cpu = "" };
	size_t i;

	sf_exposition_family(text, &family);
	for (i = 0; i < state->count; i++) {
		const struct sf_domain *row = &state->domains[i];

		sf_place_make(row, &place);
		sf_exposition_sample(
			text,
			(struct sf_pair[]){ SF_PLACE_LABELS(place, row),
					    { "span", row->span },
					    { "newidle", row->newidle },
					    { "start", row->start },
					    { "slowpath", row->slowpath },
					    { "burst", row->burst },
					    { "cost", row->cost },
					    { NULL, NULL } },
			1, SF_SCALE_ONE);
	}
}

static void sf_print_gauge(const struct sf_state *state,
			   const struct sf_gauge *gauge,
			   struct sf_exposition *text)
{
	struct sf_place place = { .cpu = "" };
	size_t i;

	sf_exposition_family(text, &gauge->family);
	for (i = 0; i < state->count; i++) {
		const struct sf_domain *row = &state->domains[i];

		sf_place_make(row, &place);
		sf_exposition_sample(
			text,
			(struct sf_pair[]){ SF_PLACE_LABELS(place, row),
					    { NULL, NULL } },
			sf_number_at(row, gauge->offset), gauge->scale);
	}
}

static void sf_print_kind(const struct sf_domain *row, const char *kind,
			  u64 number, struct sf_exposition *text)
{
	struct sf_place place = { .cpu = "" };

	sf_place_make(row, &place);
	sf_exposition_sample(text,
			     (struct sf_pair[]){ SF_PLACE_LABELS(place, row),
						 { "kind", kind },
						 { NULL, NULL } },
			     number, SF_SCALE_ONE);
}

static void sf_print_placements(const struct sf_state *state,
				const struct sf_placement *placement,
				struct sf_exposition *text)
{
	size_t i;

	sf_exposition_family(text, &placement->family);
	for (i = 0; i < state->count; i++) {
		const struct sf_domain *row = &state->domains[i];

		sf_print_kind(row, "wake", sf_number_at(row, placement->wake),
			      text);
		sf_print_kind(row, "fork", sf_number_at(row, placement->fork),
			      text);
		sf_print_kind(row, "exec", sf_number_at(row, placement->exec),
			      text);
	}
}

/**
 * sf_gauges_print_domains - print the metrics of all domains
 * @state: the domains; a kernel without any has none of the families
 * @text: gets them
 */
void sf_gauges_print_domains(const struct sf_state *state,
			     struct sf_exposition *text)
{
	size_t i;

	if (!state->count)
		return;
	sf_print_policies(state, text);
	for (i = 0; i < SF_ARRAY_SIZE(sf_gauge_table); i++)
		sf_print_gauge(state, &sf_gauge_table[i], text);
	for (i = 0; i < SF_ARRAY_SIZE(sf_placements); i++)
		sf_print_placements(state, &sf_placements[i], text);
}
