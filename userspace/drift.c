// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "color.h"
#include "drift.h"
#include "text.h"

/* A message has room for so many; the JSON object has them all. */
#define SF_MAX_NAMED 6

/**
 * struct sf_difference - one of them
 * @domain: that differs, or NULL for the machine
 * @setting: what differs
 * @wanted: what the configuration has
 * @found: what is in force
 */
struct sf_difference {
	const struct sf_domain *domain;
	const char *setting;
	const char *wanted;
	const char *found;
};

static json_t *sf_difference_json(const struct sf_difference *difference)
{
	const struct sf_domain *domain = difference->domain;
	struct sf_output row = { .root = json_object() };

	sf_output_set(&row, "cpu",
		      domain ? sf_json_number(domain->cpu) : json_null());
	sf_output_set(&row, "domain",
		      domain ? sf_json_number(domain->domain) : json_null());
	sf_output_set(&row, "name",
		      sf_json_maybe_text(domain ? domain->name : NULL));
	sf_output_set(&row, "setting", sf_json_text(difference->setting));
	sf_output_set(&row, "wanted", sf_json_text(difference->wanted));
	sf_output_set(&row, "found", sf_json_text(difference->found));
	if (!row.incomplete)
		return row.root;
	json_decref(row.root);
	return NULL;
}

static void sf_drift_add(struct sf_drift *drift,
			 const struct sf_difference *difference)
{
	const struct sf_domain *domain = difference->domain;
	char place[64] = "the machine";

	json_array_append_new(drift->all, sf_difference_json(difference));
	if (drift->count++ >= SF_MAX_NAMED)
		return;
	if (domain) {
		place[0] = '\0';
		sf_append_text(place, sizeof(place), "cpu%llu/domain%llu",
			       (unsigned long long)domain->cpu,
			       (unsigned long long)domain->domain);
	}
	sf_append_text(drift->first, sizeof(drift->first),
		       "%s %s has %s=%s and not %s",
		       drift->count > 1 ? "," : "", place, difference->setting,
		       difference->found, difference->wanted);
}

static void sf_compare_domain(const struct sf_settings *settings,
			      const struct sf_domain *domain,
			      struct sf_drift *drift)
{
	const struct sf_kind *kind = NULL;
	struct sf_policy policy;
	struct sf_value value;
	char found[64], wanted[64];

	sf_settings_policy(settings, domain, &policy);
	while ((kind = sf_policy_next_difference(&policy, domain, kind, &value,
						 found, sizeof(found)))) {
		wanted[0] = '\0';
		sf_value_format(&value, wanted, sizeof(wanted));
		sf_drift_add(drift, &(struct sf_difference){ domain, kind->name,
							     wanted, found });
	}
}

static void sf_compare_trips(const struct sf_settings *settings,
			     const struct sf_status *status,
			     struct sf_drift *drift)
{
	size_t i;

	for (i = 0; i < SF_NR_TRIPS; i++) {
		u64 limit = settings->trips.trips[i].limit;
		u64 armed = status->trips.trips[i].limit;
		char wanted[48] = "", found[48] = "";

		if (limit == armed)
			continue;
		sf_trip_write(i, limit, wanted, sizeof(wanted));
		sf_trip_write(i, armed, found, sizeof(found));
		sf_drift_add(drift, &(struct sf_difference){ NULL, "trip",
							     wanted, found });
	}
}

static void sf_compare_hooks(const struct sf_settings *settings,
			     const struct sf_status *status,
			     const struct sf_info *info, struct sf_drift *drift)
{
	const struct sf_hook *hook = sf_info_find_hook(info, "select");

	if (settings->hooks_all && hook && !strcmp(hook->state, "off"))
		sf_drift_add(drift, &(struct sf_difference){
					    NULL, "hooks", "all", "newidle" });
	/* For a moment, an expired lease is being carried out. */
	if (status->present && strcmp(status->hooks, "live") &&
	    strcmp(status->hooks, "lease"))
		sf_drift_add(drift, &(struct sf_difference){
					    NULL, "state of the hooks", "live",
					    status->hooks });
}

/**
 * sf_drift_find - compare what is in force with a configuration
 * @settings: the configuration
 * @state: the domains
 * @status: of the module
 * @info: its hooks
 * @drift: set to the differences; the array is the caller's to free
 */
void sf_drift_find(const struct sf_settings *settings,
		   const struct sf_state *state, const struct sf_status *status,
		   const struct sf_info *info, struct sf_drift *drift)
{
	struct sf_cpulist cpus = { .bits = { 0 } };
	size_t i;

	memset(drift, 0, sizeof(*drift));
	drift->all = json_array();
	drift->domains = state->count;
	sf_compare_hooks(settings, status, info, drift);
	sf_compare_trips(settings, status, drift);
	for (i = 0; i < state->count; i++) {
		sf_cpulist_add(&cpus, state->domains[i].cpu);
		sf_compare_domain(settings, &state->domains[i], drift);
	}
	drift->cpus = sf_cpulist_count(&cpus);
	if (drift->count > SF_MAX_NAMED)
		sf_append_text(drift->first, sizeof(drift->first),
			       " and %zu more", drift->count - SF_MAX_NAMED);
}

static const char *sf_text_of(const json_t *row, const char *key)
{
	return json_string_value(json_object_get(row, key));
}

static long long sf_number_of(const json_t *row, const char *key)
{
	return json_integer_value(json_object_get(row, key));
}

/**
 * sf_drift_print - a line for each difference
 * @drift: from sf_drift_find()
 * @out: gets them
 */
void sf_drift_print(const struct sf_drift *drift, struct sf_output *out)
{
	const json_t *row;
	char place[96];
	size_t i;

	json_array_foreach(drift->all, i, row) {
		place[0] = '\0';
		if (json_is_null(json_object_get(row, "cpu")))
			sf_append_text(place, sizeof(place), "machine");
		else
			sf_append_text(place, sizeof(place),
				       "cpu%lld/domain%lld (%s)",
				       sf_number_of(row, "cpu"),
				       sf_number_of(row, "domain"),
				       sf_text_of(row, "name"));
		sf_output_stress(out, SF_COLOR_NOTICE,
				 "%s: %s: wanted %s, found %s", place,
				 sf_text_of(row, "setting"),
				 sf_text_of(row, "wanted"),
				 sf_text_of(row, "found"));
	}
}
