// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the user types: the argument of set, lists of CPUs, domains.
 */
#include "utility.h"

#include "filter.h"
#include "options.h"
#include "policy.h"

static void test_good_policies(void **unused)
{
	static const struct {
		const char *text;
		const char *words;
	} good[] = {
		{ "newidle=jitter", "newidle=jitter" },
		{ "newidle=jitter,start=stagger",
		  "newidle=jitter start=stagger" },
		{ "start=random,newidle=dice", "newidle=dice start=random" },
		{ "ratio=0", "ratio=0" },
		{ "ratio=1024", "ratio=1024" },
		{ "ratio=learned", "ratio=learned" },
		{ "window_pos=1023", "window_pos=1023" },
		{ "newidle=never,ratio=007,window_pos=0",
		  "newidle=never ratio=7 window_pos=0" },
	};
	struct sf_error err = { .code = SF_OK };
	struct sf_policy policy;
	char words[128];
	size_t i;

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(good); i++) {
		assert_int_equal(sf_policy_parse(good[i].text, &policy, &err),
				 SF_OK);
		sf_policy_format(&policy, words, sizeof(words));
		assert_string_equal(words, good[i].words);
	}
}

static void test_every_name(void **unused)
{
	struct sf_error err = { .code = SF_OK };
	struct sf_policy policy;
	char text[64];
	size_t i;

	(void)unused;
	for (i = 0; i < SF_NR_NEWIDLE; i++) {
		snprintf(text, sizeof(text), "newidle=%s",
			 sf_newidle_names[i].name);
		assert_int_equal(sf_policy_parse(text, &policy, &err), SF_OK);
		assert_string_equal(policy.newidle, sf_newidle_names[i].name);
	}
	for (i = 0; i < SF_NR_START; i++) {
		snprintf(text, sizeof(text), "start=%s",
			 sf_start_names[i].name);
		assert_int_equal(sf_policy_parse(text, &policy, &err), SF_OK);
		assert_string_equal(policy.start, sf_start_names[i].name);
	}
}

#define KNOWN "stock dice accumulator jitter always never"
#define NO_KIND "such as newidle=jitter"

static void test_bad_policies(void **unused)
{
	static const struct {
		const char *text;
		const char *message;
	} bad[] = {
		{ "newidle=jiter",
		  "no policy \"jiter\" for newidle; known: " KNOWN },
		{ "newidle=", "no policy \"\" for newidle; known: " KNOWN },
		{ "newidle=JITTER",
		  "no policy \"JITTER\" for newidle; known: " KNOWN },
		{ "start=one",
		  "no start \"one\"; known: zero half random stagger" },
		{ "ratio=1025",
		  "no ratio \"1025\"; allowed: 0 to 1024, or learned" },
		{ "ratio=-1",
		  "no ratio \"-1\"; allowed: 0 to 1024, or learned" },
		{ "ratio=18446744073709551617",
		  "no ratio \"18446744073709551617\"; allowed: 0 to 1024, or learned" },
		{ "window_pos=1024",
		  "no window_pos \"1024\"; allowed: 0 to 1023" },
		{ "window_pos=learned",
		  "no window_pos \"learned\"; allowed: 0 to 1023" },
		{ "cost=bump",
		  "no kind \"cost\"; known: newidle start ratio window_pos" },
		{ "jitter", "\"jitter\" is not KIND=POLICY, " NO_KIND },
		{ "", "\"\" is not KIND=POLICY, " NO_KIND },
		{ "newidle=jitter,", "\"\" is not KIND=POLICY, " NO_KIND },
		{ "newidle=jitter newidle=dice",
		  "no policy \"jitter newidle=dice\" for newidle; known: " KNOWN },
		{ "newidle=jitter,newidle=dice", "newidle is given twice" },
		{ "start=zero,window_pos=0",
		  "start and window_pos exclude each other; give one of them" },
	};
	struct sf_policy policy;
	struct sf_error err;
	size_t i;

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		err.code = SF_OK;
		assert_int_equal(sf_policy_parse(bad[i].text, &policy, &err),
				 SF_USAGE);
		assert_int_equal(err.code, SF_USAGE);
		assert_string_equal(err.message, bad[i].message);
	}
}

static void test_long_policy(void **unused)
{
	struct sf_error err = { .code = SF_OK };
	struct sf_policy policy;
	char text[8192] = "newidle=";

	(void)unused;
	memset(text + 8, 'x', sizeof(text) - 9);
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(sf_policy_parse(text, &policy, &err), SF_USAGE);
}

static void test_good_lists(void **unused)
{
	static const struct {
		const char *text;
		unsigned int count;
		unsigned int last;
	} good[] = {
		{ "0", 1, 0 },
		{ "0-3,6", 5, 6 },
		{ "7,7,7", 1, 7 },
		{ "8191", 1, 8191 },
		{ "0-8191", 8192, 8191 },
		{ "63-64", 2, 64 },
		{ "5-5", 1, 5 },
	};
	struct sf_error err = { .code = SF_OK };
	struct sf_cpulist list;
	size_t i;

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(good); i++) {
		assert_int_equal(sf_cpulist_parse(good[i].text, &list, &err),
				 SF_OK);
		assert_int_equal(sf_cpulist_count(&list), good[i].count);
		assert_true(sf_cpulist_has(&list, good[i].last));
		assert_false(sf_cpulist_has(&list, good[i].last + 1));
	}
}

static void test_bad_lists(void **unused)
{
	static const struct {
		const char *text;
		const char *message;
	} bad[] = {
		{ "", "\"\" is no CPU; give a list such as 0-3,6" },
		{ "0,", "\"\" is no CPU; give a list such as 0-3,6" },
		{ "a", "\"a\" is no CPU; give a list such as 0-3,6" },
		{ "1-", "\"1-\" is no CPU; give a list such as 0-3,6" },
		{ "-1", "\"-1\" is no CPU; give a list such as 0-3,6" },
		{ "1-2-3", "\"1-2-3\" is no CPU; give a list such as 0-3,6" },
		{ "0 1", "\"0 1\" is no CPU; give a list such as 0-3,6" },
		{ "3-1", "CPU range 3-1 runs backwards; write 1-3" },
		{ "8192", "CPU 8192 is out of range; allowed: 0 to 8191" },
		{ "0-18446744073709551615",
		  "CPU 18446744073709551615 is out of range; allowed: 0 to 8191" },
	};
	struct sf_cpulist list;
	struct sf_error err;
	size_t i;

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		err.code = SF_OK;
		assert_int_equal(sf_cpulist_parse(bad[i].text, &list, &err),
				 SF_USAGE);
		assert_string_equal(err.message, bad[i].message);
	}
}

static struct sf_domain domains[] = {
	{ .cpu = 0, .domain = 0, .name = "SMT" },
	{ .cpu = 0, .domain = 1, .name = "MC" },
	{ .cpu = 1, .domain = 0, .name = "SMT" },
};
static const struct sf_state two_cpus = {
	.domains = domains,
	.count = ARRAY_SIZE(domains),
};

static int check_filter(struct sf_filter *filter, struct sf_error *err)
{
	err->code = SF_OK;
	if (sf_filter_parse(filter, err))
		return err->code;
	return sf_filter_check(filter, &two_cpus, err);
}

static void test_filter_matches(void **unused)
{
	struct sf_filter by_name = { .domain = "SMT" };
	struct sf_filter by_index = { .cpu = "0", .domain = "1" };
	struct sf_filter all = { .cpu = NULL };
	struct sf_error err;

	(void)unused;
	assert_int_equal(check_filter(&by_name, &err), SF_OK);
	assert_true(sf_filter_matches(&by_name, &domains[0]));
	assert_false(sf_filter_matches(&by_name, &domains[1]));
	assert_true(sf_filter_matches(&by_name, &domains[2]));
	assert_int_equal(check_filter(&by_index, &err), SF_OK);
	assert_false(sf_filter_matches(&by_index, &domains[0]));
	assert_true(sf_filter_matches(&by_index, &domains[1]));
	assert_int_equal(check_filter(&all, &err), SF_OK);
	assert_true(sf_filter_matches(&all, &domains[2]));
}

static void test_filter_messages(void **unused)
{
	struct sf_filter name = { .domain = "NUMA" };
	struct sf_filter here = { .cpu = "1", .domain = "MC" };
	struct sf_filter cpu = { .cpu = "2-7" };
	struct sf_filter empty = { .domain = "" };
	struct sf_filter blank = { .domain = "MC newidle=never" };
	struct sf_error err;

	(void)unused;
	assert_int_equal(check_filter(&name, &err), SF_FAILED);
	assert_string_equal(err.message, "no domain \"NUMA\"; known: SMT MC");
	assert_int_equal(check_filter(&here, &err), SF_FAILED);
	assert_string_equal(err.message,
			    "no domain \"MC\" on CPUs 1; known: SMT");
	assert_int_equal(check_filter(&cpu, &err), SF_FAILED);
	assert_string_equal(
		err.message,
		"no online CPU of \"2-7\" has a domain; see `schedflip show`");
	assert_int_equal(check_filter(&empty, &err), SF_USAGE);
	assert_int_equal(check_filter(&blank, &err), SF_USAGE);
}

static void test_filter_too_long(void **unused)
{
	char list[8192] = "0", command[4096] = "newidle=dice";
	struct sf_filter filter = { .cpu = list };
	struct sf_error err = { .code = SF_OK };

	(void)unused;
	while (strlen(list) < sizeof(list) - 3)
		strcat(list, ",0");
	assert_int_equal(sf_filter_parse(&filter, &err), SF_OK);
	assert_int_equal(sf_filter_format(&filter, command, sizeof(command),
					  &err),
			 SF_USAGE);
}

static void test_options(void **unused)
{
	struct sf_options options = { .timeout = "7" };
	struct sf_error err = { .code = SF_OK };

	(void)unused;
	assert_int_equal(sf_options_check(&options, &err), SF_OK);
	assert_int_equal(options.timeout_ms, 7000);
	options.timeout = "forever";
	assert_int_equal(sf_options_check(&options, &err), SF_USAGE);
	assert_string_equal(err.message, "no timeout \"forever\"; "
					 "allowed: 0 to 86400 seconds");
	options.timeout = NULL;
	options.hooks = "select";
	assert_int_equal(sf_options_check(&options, &err), SF_USAGE);
	assert_string_equal(err.message,
			    "no hooks \"select\"; known: newidle all");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good_policies),
		cmocka_unit_test(test_every_name),
		cmocka_unit_test(test_bad_policies),
		cmocka_unit_test(test_long_policy),
		cmocka_unit_test(test_good_lists),
		cmocka_unit_test(test_bad_lists),
		cmocka_unit_test(test_filter_matches),
		cmocka_unit_test(test_filter_messages),
		cmocka_unit_test(test_filter_too_long),
		cmocka_unit_test(test_options),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
