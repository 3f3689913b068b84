// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "info.h"
#include "kernel.h"
#include "notice.h"
#include "text.h"
#include "verbs.h"
#include "view.h"

static const struct argp_option sf_show_options[] = {
	SF_OPTION_CPU, SF_OPTION_DOMAIN, SF_OPTION_JSON, { 0 }
};

const struct sf_usage sf_show_usage = {
	.options = sf_show_options,
	.doc = "Show each domain's policy, and what it did since its last flip.\n"
	       "\vCALLS are newidle balance calls, ATTEMPTS those that ran the\n"
	       "kernel's balance, PULLED those that brought a task, HIT is\n"
	       "pulled/attempts, and TIME was spent in the attempts. START and POS are\n"
	       "of the policies that have a window. The line of hooks counts calls\n"
	       "since the load; those of balance are balance calls of all kinds, of\n"
	       "which CALLS are the newidle ones.\n"
	       "\n"
	       "Further tables have only the domains that are not at stock there, or had\n"
	       "PICKS: those are idle CPUs that fork and exec chose, STALE those of them that\n"
	       "were busy before the task came. BURST has burst_depth and burst_factor;\n"
	       "AVG DEPTH is that of a CPU, SEEN are placements of tasks, OVER those at\n"
	       "a CPU that was deep, MOVED those given to another CPU, TO IDLE those to\n"
	       "an idle one. COST [us] is the most a newidle balance took of late, and\n"
	       "in parentheses what it would be without the BUMPS. SYNC is how often two\n"
	       "CPUs attempted together, compared with chance, which is 1.00.\n"
	       "\n"
	       "Above the tables is told if schedflip is switched off, if a lease is pending,\n"
	       "which tripwires are armed, and which was crossed last.\n"
	       "\n"
	       "Examples:\n"
	       "  schedflip\n"
	       "  schedflip show --cpu 0-3 --domain MC\n"
	       "  schedflip show --json | jq '.domains[].hit_rate_percent'\n"
	       "\n" SF_EXIT_CODES,
};

/* @known: there is a value. */
static json_t *sf_real_json(bool known, double value)
{
	return known ? json_real(value) : json_null();
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
	sf_output_set(&row, "burst_nohz", json_boolean(domain->burst_nohz));
	sf_output_set(&row, "sync", json_boolean(domain->sync));
	sf_output_set(&row, "hit_rate_percent",
		      sf_real_json(domain->attempts, sf_hit_rate(domain)));
	sf_output_set(&row, "stale_rate_percent",
		      sf_real_json(domain->picks, sf_stale_rate(domain)));
	sf_output_set(&row, "avg_depth",
		      json_real(domain->avg_depth_milli / 1e3));
	sf_output_set(&row, "synchrony",
		      sf_real_json(sf_has_synchrony(domain),
				   sf_synchrony(domain)));
	if (row.incomplete) {
		json_decref(row.root);
		return NULL;
	}
	return row.root;
}
#undef SF_STRING
#undef SF_NUMBER

/*
 * Return: the name of the sched_ext scheduler that is in charge, in @name; NULL if fair
 * is.
 */
static const char *sf_sched_ext(char *name, size_t size)
{
	char state[32];

	if (sf_kernel_read_word("/sys/kernel/sched_ext/state", state,
				sizeof(state)) ||
	    strcmp(state, "enabled"))
		return NULL;
	sf_kernel_read_word("/sys/kernel/sched_ext/root/ops", name, size);
	sf_clean_text(name);
	return name;
}

/* Its tasks are neither placed nor balanced by what we hook. */
static void sf_show_sched_ext(struct sf_output *out)
{
	char name[128], all[8];

	if (!sf_sched_ext(name, sizeof(name)))
		return;
	sf_kernel_read_word("/sys/kernel/sched_ext/switch_all", all,
			    sizeof(all));
	if (strcmp(all, "1"))
		sf_output_say(
			out,
			"sched_ext: %s schedules some tasks, of which the hooks see nothing",
			name);
	else
		sf_output_say(
			out,
			"sched_ext: %s schedules all tasks, so the hooks see no calls and no policy acts",
			name);
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
	sf_show_sched_ext(out);
	if (info->held)
		sf_output_say(
			out,
			"NI_RANDOM: your setting is %s; schedflip holds it off",
			info->ni_random);
	else
		sf_output_say(out, "NI_RANDOM: %s", info->ni_random);
}

/* The kernel throws its own dice, of which a stock domain's hook sees nothing. */
static bool sf_stock_is_blind(const struct sf_info *info)
{
	return !info->held && !strcmp(info->ni_random, "on");
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
			 const struct sf_status *status,
			 const struct sf_state *state,
			 const struct sf_filter *filter, struct sf_output *out)
{
	json_t *array = json_array();
	char name[128];
	const char *sched_ext = sf_sched_ext(name, sizeof(name));
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
	sf_output_set(out, "status", sf_notice_json(status));
	sf_output_set(out, "sched_ext",
		      sched_ext ? sf_json_text(sched_ext) : json_null());
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
	struct sf_status status;
	struct sf_info info;

	if (sf_kernel_check_module(err) || sf_info_read(&info, err) ||
	    sf_status_read(&status, err))
		return err->code;
	if (sf_state_read(&state, err) || sf_filter_check(filter, &state, err))
		goto out_free;
	sf_show_json(&info, &status, &state, filter, out);
	if (!out->json) {
		sf_show_header(&info, out);
		sf_notice_print(&status, out);
		sf_output_say(out, "%s", "");
		sf_view_print(&state, filter, sf_stock_is_blind(&info), out);
	}
out_free:
	sf_state_free(&state);
	return err->code;
}
