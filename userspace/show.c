// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "info.h"
#include "kernel.h"
#include "text.h"
#include "verbs.h"

static const struct argp_option sf_show_options[] = {
	SF_OPTION_CPU, SF_OPTION_DOMAIN, SF_OPTION_JSON, { 0 }
};

const struct sf_usage sf_show_usage = {
	.options = sf_show_options,
	.doc = "Show each domain's policy, and what it did since its last flip.\n"
	       "\vCALLS are newidle balance calls, ATTEMPTS those that ran the\n"
	       "kernel's balance, PULLED those that brought a task, HIT is\n"
	       "pulled/attempts, and TIME was spent in the attempts.\n"
	       "\n"
	       "Examples:\n"
	       "  schedflip\n"
	       "  schedflip show --cpu 0-3 --domain MC\n"
	       "  schedflip show --json | jq '.domains[].hit_rate_percent'\n"
	       "\n" SF_EXIT_CODES,
};

enum {
	SF_COL_DOMAIN,
	SF_COL_NEWIDLE,
	SF_COL_START,
	SF_COL_RATIO,
	SF_COL_WINDOW,
	SF_COL_CALLS,
	SF_COL_ATTEMPTS,
	SF_COL_PULLED,
	SF_COL_HIT,
	SF_COL_TIME,
	SF_NR_COLS,
};

static const struct sf_column sf_show_columns[SF_NR_COLS] = {
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

static double sf_hit_rate(const struct sf_domain *domain)
{
	return 100.0 * domain->pulled / domain->attempts;
}

#define SF_STRING(field) \
	sf_output_set(&row, #field, sf_json_text(domain->field));
#define SF_NUMBER(field) \
	sf_output_set(&row, #field, sf_json_number(domain->field));
static json_t *sf_domain_json(const struct sf_domain *domain)
{
	struct sf_output row = { .root = json_object() };

	SF_STATE_FIELDS(SF_STRING, SF_NUMBER)
	sf_output_set(&row, "pinned", json_boolean(domain->pinned));
	sf_output_set(&row, "hit_rate_percent",
		      domain->attempts ? json_real(sf_hit_rate(domain)) :
					 json_null());
	if (row.incomplete) {
		json_decref(row.root);
		return NULL;
	}
	return row.root;
}
#undef SF_STRING
#undef SF_NUMBER

static void sf_show_counter(struct libscols_line *line, size_t column,
			    u64 value)
{
	sf_table_cell(line, column, "%llu", (unsigned long long)value);
}

static void sf_show_domain(struct libscols_table *table,
			   struct libscols_line *cpu,
			   const struct sf_domain *domain)
{
	struct libscols_line *line = scols_table_new_line(table, cpu);

	sf_table_cell(line, SF_COL_DOMAIN, "%llu %s",
		      (unsigned long long)domain->domain, domain->name);
	sf_table_cell(line, SF_COL_NEWIDLE, "%s", domain->newidle);
	sf_table_cell(line, SF_COL_START, "%s", domain->start);
	sf_table_cell(line, SF_COL_RATIO, "%llu%s",
		      (unsigned long long)domain->ratio,
		      domain->pinned ? "*" : "");
	sf_show_counter(line, SF_COL_WINDOW, domain->window_pos);
	sf_show_counter(line, SF_COL_CALLS, domain->calls);
	sf_show_counter(line, SF_COL_ATTEMPTS, domain->attempts);
	sf_show_counter(line, SF_COL_PULLED, domain->pulled);
	if (domain->attempts)
		sf_table_cell(line, SF_COL_HIT, "%.1f", sf_hit_rate(domain));
	else
		sf_table_cell(line, SF_COL_HIT, "-");
	sf_table_cell(line, SF_COL_TIME, "%.3f", domain->newidle_ns / 1e6);
}

/* The module prints the domains of one CPU in a row. */
static void sf_show_table(const struct sf_state *state,
			  const struct sf_filter *filter, struct sf_output *out)
{
	struct libscols_table *table =
		sf_table_new(sf_show_columns, SF_NR_COLS);
	struct libscols_line *cpu = NULL;
	u64 last = 0;
	size_t i;

	for (i = 0; table && i < state->count; i++) {
		const struct sf_domain *domain = &state->domains[i];

		if (!sf_filter_matches(filter, domain))
			continue;
		if (!cpu || last != domain->cpu) {
			cpu = scols_table_new_line(table, NULL);
			sf_table_cell(cpu, SF_COL_DOMAIN, "CPU %llu",
				      (unsigned long long)domain->cpu);
		}
		last = domain->cpu;
		sf_show_domain(table, cpu, domain);
	}
	sf_table_print(out, table);
}

static bool sf_has_pinned(const struct sf_state *state,
			  const struct sf_filter *filter)
{
	size_t i;

	for (i = 0; i < state->count; i++)
		if (state->domains[i].pinned &&
		    sf_filter_matches(filter, &state->domains[i]))
			return true;
	return false;
}

static void sf_show_header(const struct sf_info *info, struct sf_output *out)
{
	char hooks[512] = "";
	size_t i;

	for (i = 0; i < info->hook_count; i++) {
		const struct sf_hook *hook = &info->hooks[i];

		sf_append_text(hooks, sizeof(hooks), "%s %s ", i ? "," : "",
			       hook->hook);
		if (strcmp(hook->state, "patched"))
			sf_append_text(hooks, sizeof(hooks), "%s", hook->state);
		else
			sf_append_text(hooks, sizeof(hooks), "%llu calls",
				       (unsigned long long)hook->calls);
	}
	sf_output_say(out, "schedflip %s on Linux %s", info->version,
		      sf_kernel_release());
	sf_output_say(out, "hooks:%s", hooks);
	sf_output_say(out, "NI_RANDOM: %s%s\n", info->ni_random,
		      info->held ? ", held off by schedflip" : "");
}

static json_t *sf_hooks_json(const struct sf_info *info)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < info->hook_count; i++) {
		const struct sf_hook *hook = &info->hooks[i];
		const char *symbol =
			strcmp(hook->symbol, "-") ? hook->symbol : NULL;

		json_array_append_new(
			array,
			json_pack("{s:s, s:s, s:s?, s:s, s:o, s:o}", "hook",
				  hook->hook, "group", hook->group, "symbol",
				  symbol, "state", hook->state, "calls",
				  sf_json_number(hook->calls), "newidle_ns",
				  sf_json_number(hook->ns)));
	}
	return array;
}

static void sf_show_json(const struct sf_info *info,
			 const struct sf_state *state,
			 const struct sf_filter *filter, struct sf_output *out)
{
	json_t *array = json_array();
	size_t i;

	for (i = 0; i < state->count; i++)
		if (sf_filter_matches(filter, &state->domains[i]) &&
		    json_array_append_new(array,
					  sf_domain_json(&state->domains[i])))
			out->incomplete = true;
	sf_output_set(out, "kernel", sf_json_text(sf_kernel_release()));
	sf_output_set(out, "module_version", sf_json_text(info->version));
	sf_output_set(out, "abi", json_integer(SF_ABI));
	sf_output_set(out, "ni_random", sf_json_text(info->ni_random));
	sf_output_set(out, "ni_random_held", json_boolean(info->held));
	sf_output_set(out, "hooks", sf_hooks_json(info));
	sf_output_set(out, "domains", array);
}

/**
 * sf_show - show the domains
 * @options: the user's
 * @out: gets them
 * @err: says what was wrong
 *
 * Return: SF_OK, or the code in @err.
 */
int sf_show(const struct sf_options *options, struct sf_output *out,
	    struct sf_error *err)
{
	const struct sf_filter *filter = &options->filter;
	struct sf_state state = { .count = 0 };
	struct sf_info info;

	if (sf_kernel_check_module(err) || sf_info_read(&info, err))
		return err->code;
	if (sf_state_read(&state, err) || sf_filter_check(filter, &state, err))
		goto out_free;
	sf_show_json(&info, &state, filter, out);
	if (!out->json) {
		sf_show_header(&info, out);
		sf_show_table(&state, filter, out);
		if (sf_has_pinned(&state, filter))
			sf_output_say(out, "\n* pinned");
	}
out_free:
	sf_state_free(&state);
	return err->code;
}
