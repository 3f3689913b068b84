// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Is what set asked for in force? What the utility compares, kind by kind, and
 * what it knows of stock.
 */
#include "utility.h"

#include "policy.h"

/* All is as set below asks for. */
static const struct sf_domain obedient = {
	.newidle = "jitter",
	.start = "stagger",
	.start_pos = 768,
	.ratio = 31,
	.pinned = 1,
	.slowpath = "random",
	.burst = "nearest",
	.burst_depth = 4,
	.burst_factor = 5,
	.burst_nohz = 1,
	.cost = "bump",
	.sync = 1,
};

static void parse(const char *text, struct sf_policy *policy)
{
	struct sf_error err = { .code = SF_OK };

	memset(policy, 0, sizeof(*policy));
	assert_int_equal(sf_policy_parse(text, policy, &err), SF_OK);
	sf_policy_complete(policy);
}

static void assert_in_force(const char *text, const struct sf_domain *domain)
{
	struct sf_policy policy;
	char found[64];

	parse(text, &policy);
	assert_null(sf_policy_differs(&policy, domain, found, sizeof(found)));
}

static void assert_differs(const char *text, const struct sf_domain *domain,
			   const char *field, const char *value)
{
	const struct sf_kind *kind;
	struct sf_policy policy;
	char found[64];

	parse(text, &policy);
	kind = sf_policy_differs(&policy, domain, found, sizeof(found));
	assert_non_null(kind);
	assert_string_equal(kind->field, field);
	assert_string_equal(found, value);
}

static void test_all_in_force(void **unused)
{
	(void)unused;
	assert_in_force("newidle=jitter,start=stagger,ratio=31,slowpath=random,"
			"burst=nearest,burst_depth=4,burst_factor=5,"
			"burst_nohz=on,cost=bump,sync=on",
			&obedient);
}

static void test_each_kind_differs(void **unused)
{
	static const struct {
		const char *text;
		const char *field;
		const char *found;
	} bad[] = {
		{ "newidle=dice", "newidle", "jitter" },
		{ "start=half", "start", "stagger" },
		{ "ratio=30", "ratio", "31" },
		{ "ratio=learned", "ratio", "31 pinned" },
		{ "slowpath=stock", "slowpath", "random" },
		{ "burst=idle", "burst", "nearest" },
		{ "burst_depth=2", "burst_depth", "4" },
		{ "burst_factor=3", "burst_factor", "5" },
		{ "burst_nohz=off", "burst_nohz", "on" },
		{ "cost=stock", "cost", "bump" },
		{ "sync=off", "sync", "on" },
	};
	size_t i;

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		assert_differs(bad[i].text, &obedient, bad[i].field,
			       bad[i].found);
}

static void test_switches_differ(void **unused)
{
	struct sf_domain domain = obedient;

	(void)unused;
	domain.burst_nohz = 0;
	domain.sync = 0;
	assert_differs("burst_nohz=on", &domain, "burst_nohz", "off");
	assert_differs("sync=on", &domain, "sync", "off");
	assert_in_force("burst_nohz=off,sync=off", &domain);
}

static void test_ratio(void **unused)
{
	struct sf_domain domain = obedient;

	(void)unused;
	domain.pinned = 0;
	assert_differs("ratio=31", &domain, "ratio", "31 learned");
	assert_in_force("ratio=learned", &domain);
}

/* A flip that does not name a start starts at zero; one that is none does not. */
static void test_start(void **unused)
{
	struct sf_domain domain = obedient;

	(void)unused;
	assert_differs("newidle=jitter", &domain, "start", "stagger");
	assert_in_force("burst=nearest", &domain);
	assert_differs("window_pos=768", &domain, "start", "stagger");
	domain.start = "set";
	assert_in_force("newidle=jitter,window_pos=768", &domain);
	assert_differs("window_pos=7", &domain, "start_pos", "768");
	domain.start = "zero";
	assert_in_force("newidle=jitter", &domain);
}

/* It is done once, and leaves nothing to read back. */
static void test_learn(void **unused)
{
	(void)unused;
	assert_in_force("learn=keep", &obedient);
	assert_in_force("learn=reset", &obedient);
	assert_in_force("learn=restore", &obedient);
}

static void test_stock(void **unused)
{
	struct sf_policy policy;
	char words[SF_POLICY_SIZE];
	size_t i;

	(void)unused;
	sf_policy_stock(&policy);
	sf_policy_format(&policy, words, sizeof(words));
	assert_string_equal(
		words,
		"newidle=stock start=zero ratio=learned slowpath=stock burst=stock "
		"burst_depth=2 burst_factor=3 burst_nohz=off cost=stock sync=off");
	for (i = 0; i < SF_NR_KINDS; i++)
		if (sf_kinds[i].stock.given)
			assert_non_null(sf_kinds[i].differs);
}

static void test_hooked(void **unused)
{
	static const struct {
		const char *text;
		const char *kind;
	} cases[] = {
		{ "newidle=jitter,cost=bump,sync=on,learn=reset", NULL },
		{ "slowpath=stock,burst=stock,burst_depth=9", NULL },
		{ "slowpath=random", "slowpath" },
		{ "newidle=jitter,burst=idle", "burst" },
		{ "slowpath=stock,burst=spread", "burst" },
	};
	const struct sf_kind *kind;
	struct sf_policy policy;
	size_t i;

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		parse(cases[i].text, &policy);
		kind = sf_policy_hooked(&policy);
		assert_int_equal(!kind, !cases[i].kind);
		if (!kind)
			continue;
		assert_string_equal(kind->name, cases[i].kind);
		assert_string_equal(kind->hook, "select");
	}
	sf_policy_stock(&policy);
	assert_null(sf_policy_hooked(&policy));
}

/* Each row is whole: a kind that was forgotten has no name. */
static void test_rows(void **unused)
{
	size_t i;

	(void)unused;
	for (i = 0; i < SF_NR_KINDS; i++) {
		assert_non_null(sf_kinds[i].name);
		assert_non_null(sf_kinds[i].parse);
		assert_int_equal(!sf_kinds[i].field, !sf_kinds[i].differs);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_in_force),
		cmocka_unit_test(test_each_kind_differs),
		cmocka_unit_test(test_switches_differ),
		cmocka_unit_test(test_ratio),
		cmocka_unit_test(test_start),
		cmocka_unit_test(test_learn),
		cmocka_unit_test(test_stock),
		cmocka_unit_test(test_hooked),
		cmocka_unit_test(test_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
