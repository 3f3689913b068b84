// SPDX-License-Identifier: GPL-2.0-or-later
/* The module's state: the reader, what it is compared with, and the way back to it. */
#include "fuzz.h"

#include "counters.h"
#include "filter.h"
#include "snapshot.h"

static void check_word(const char *word)
{
	fuzz_check(word, "no word is missing");
	for (; *word; word++)
		fuzz_check(*word > ' ' && *word <= '~',
			   "words are of printable ASCII");
}

static void check_domain(const struct sf_domain *domain)
{
	struct sf_policy policy;
	char found[64];

	check_word(domain->name);
	check_word(domain->span);
	check_word(domain->newidle);
	check_word(domain->start);
	check_word(domain->slowpath);
	check_word(domain->burst);
	check_word(domain->cost);
	sf_snapshot_policy(domain, &policy);
	fuzz_check(!sf_policy_differs(&policy, domain, found, sizeof(found)),
		   "a domain is as it is");
}

static void check_commands(const struct sf_state *state)
{
	char *commands = sf_snapshot_commands(state);

	fuzz_check(commands, "there are commands");
	fuzz_check(!*commands == !state->count,
		   "without domains there is nothing to set");
	free(commands);
}

static void check_filters(const struct sf_state *state)
{
	struct sf_filter filter = { .cpu = "0-3,6", .domain = "MC" };
	struct sf_error err = { .code = SF_OK };
	int code;

	fuzz_check(!sf_filter_parse(&filter, &err), "the filter is right");
	code = sf_filter_check(&filter, state, &err);
	fuzz_error(code, &err);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct sf_error err = { .code = SF_OK };
	struct sf_counters counters = { .value = { 0 } };
	struct sf_state state;
	size_t i;
	int code;

	fuzz_tree_make();
	code = sf_state_parse(fuzz_text(data, size), &state, &err);
	fuzz_error(code, &err);
	if (!code) {
		for (i = 0; i < state.count; i++)
			check_domain(&state.domains[i]);
		check_commands(&state);
		check_filters(&state);
		sf_counters_take(&state, &counters);
		sf_counters_compare(&state, &state, &counters);
	}
	sf_state_free(&state);
	return 0;
}
