// SPDX-License-Identifier: GPL-2.0-or-later
/* Configurations; what they make of some domains is printed as one, and read again. */
#include "fuzz.h"

#include "condense.h"
#include "settings.h"

#define CPUS 3

static const char *const names[] = { "SMT", "MC", "NUMA", "NUMA" };

/* A domain to which the module has done what the policy says. */
static void set_domain(struct sf_domain *domain, const struct sf_policy *policy)
{
	const struct sf_value *values = policy->values;

	domain->newidle = values[SF_KIND_NEWIDLE].word;
	domain->start = values[SF_KIND_START].word;
	if (values[SF_KIND_WINDOW_POS].given) {
		domain->start = "set";
		domain->start_pos = values[SF_KIND_WINDOW_POS].number;
	}
	domain->pinned = !values[SF_KIND_RATIO].word;
	domain->ratio = values[SF_KIND_RATIO].number;
	domain->slowpath = values[SF_KIND_SLOWPATH].word;
	domain->burst = values[SF_KIND_BURST].word;
	domain->burst_depth = values[SF_KIND_BURST_DEPTH].number;
	domain->burst_factor = values[SF_KIND_BURST_FACTOR].number;
	domain->burst_nohz = !strcmp(values[SF_KIND_BURST_NOHZ].word, "on");
	domain->cost = values[SF_KIND_COST].word;
	domain->sync = !strcmp(values[SF_KIND_SYNC].word, "on");
}

static void make_state(const struct sf_settings *settings,
		       struct sf_domain *domains)
{
	struct sf_policy policy;
	size_t i;

	for (i = 0; i < CPUS * SF_ARRAY_SIZE(names); i++) {
		memset(&domains[i], 0, sizeof(domains[i]));
		domains[i].cpu = i / SF_ARRAY_SIZE(names);
		domains[i].domain = i % SF_ARRAY_SIZE(names);
		domains[i].name = names[domains[i].domain];
		sf_settings_policy(settings, &domains[i], &policy);
		set_domain(&domains[i], &policy);
	}
}

static void check_state(const struct sf_settings *settings,
			const struct sf_state *state)
{
	struct sf_policy policy;
	char found[64];
	size_t i;

	for (i = 0; i < state->count; i++) {
		sf_settings_policy(settings, &state->domains[i], &policy);
		fuzz_check(!sf_policy_differs(&policy, &state->domains[i],
					      found, sizeof(found)),
			   "a configuration makes the state it describes");
	}
}

static void check_round_trip(const struct sf_settings *settings)
{
	struct sf_domain domains[CPUS * SF_ARRAY_SIZE(names)];
	struct sf_state state = { domains, SF_ARRAY_SIZE(domains), NULL };
	struct sf_error err = { .code = SF_OK };
	struct sf_settings again;
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	make_state(settings, domains);
	check_state(settings, &state);
	fuzz_check(to && sf_condense(&state, to) && !fclose(to),
		   "memory is enough");
	fuzz_check(!sf_settings_parse("again", text, size, &again, NULL, &err),
		   "what is printed can be read");
	check_state(&again, &state);
	sf_settings_free(&again);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct sf_error err = { .code = SF_OK };
	json_t *errors = json_array();
	struct sf_settings settings;
	int code;

	if (!*fuzz_tree)
		fuzz_tree_write("/sys/devices/system/cpu/possible", "0-7\n", 4);
	code = sf_settings_parse("fuzz.conf", fuzz_text(data, size), size,
				 &settings, errors, &err);
	fuzz_error(code, &err);
	if (!code) {
		fuzz_check(!json_array_size(errors), "nothing was wrong");
		check_round_trip(&settings);
	}
	json_decref(errors);
	sf_settings_free(&settings);
	return 0;
}
