// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the user types: the argument of set, lists of CPUs, domains.
 */
#include "utility.h"

#include <schedflip/burst.h>
#include <schedflip/cost.h>
#include <schedflip/learn.h>
#include <schedflip/newidle.h>
#include <schedflip/slowpath.h>

#include "filter.h"
#include "options.h"
#include "policy.h"

/* What one argument of set asks for. */
static int parse(const char *text, struct sf_policy *policy,
		 struct sf_error *err)
{
	memset(policy, 0, sizeof(*policy));
	err->code = SF_OK;
	return sf_policy_parse(text, policy, err);
}

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
		{ "burst=idle,burst_nohz=on,slowpath=random",
		  "slowpath=random burst=idle burst_nohz=on" },
		{ "burst_depth=1,burst_factor=64",
		  "burst_depth=1 burst_factor=64" },
		{ "burst_depth=4096,burst_factor=1",
		  "burst_depth=4096 burst_factor=1" },
		{ "sync=on,learn=restore,cost=bump",
		  "cost=bump learn=restore sync=on" },
		{ "sync=off,burst_nohz=off", "burst_nohz=off sync=off" },
	};
	struct sf_policy policy;
	struct sf_error err;
	char words[SF_POLICY_SIZE];
	size_t i;

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(good); i++) {
		assert_int_equal(parse(good[i].text, &policy, &err), SF_OK);
		sf_policy_format(&policy, words, sizeof(words));
		assert_string_equal(words, good[i].words);
	}
}

/* Each kind takes each of its words, and gives it to the module. */
static void test_every_name(void **unused)
{
	struct sf_policy policy;
	struct sf_error err;
	char text[64], words[SF_POLICY_SIZE];
	size_t i, j, count = 0;

	(void)unused;
	for (i = 0; i < SF_NR_KINDS; i++) {
		for (j = 0; j < sf_kinds[i].name_count; j++, count++) {
			snprintf(text, sizeof(text), "%s=%s", sf_kinds[i].name,
				 sf_kinds[i].names[j].name);
			assert_int_equal(parse(text, &policy, &err), SF_OK);
			sf_policy_format(&policy, words, sizeof(words));
			assert_string_equal(words, text);
		}
	}
	assert_int_equal(count, SF_NR_NEWIDLE + SF_NR_START + SF_NR_SLOWPATH +
					SF_NR_BURST + SF_NR_COST + SF_NR_LEARN +
					1 + 2 + 2);
}

/* The longest words of every kind, though start and window_pos exclude each other. */
static void test_room_for_all_kinds(void **unused)
{
	size_t i, j, size = 0;

	(void)unused;
	for (i = 0; i < SF_NR_KINDS; i++) {
		size_t longest = strlen("18446744073709551615");

		for (j = 0; j < sf_kinds[i].name_count; j++)
			if (strlen(sf_kinds[i].names[j].name) > longest)
				longest = strlen(sf_kinds[i].names[j].name);
		size += strlen(sf_kinds[i].name) + strlen("= ") + longest;
	}
	assert_true(size < SF_POLICY_SIZE);
}

static void test_several_arguments(void **unused)
{
	struct sf_error err = { .code = SF_OK };
	struct sf_policy policy;
	char words[SF_POLICY_SIZE];

	(void)unused;
	assert_int_equal(parse("newidle=jitter,burst=nearest", &policy, &err),
			 SF_OK);
	assert_int_equal(
		sf_policy_parse("learn=reset,cost=bump", &policy, &err), SF_OK);
	sf_policy_format(&policy, words, sizeof(words));
	assert_string_equal(
		words, "newidle=jitter burst=nearest cost=bump learn=reset");
	assert_int_equal(sf_policy_parse("burst=nearest", &policy, &err),
			 SF_USAGE);
	assert_string_equal(err.message, "burst is given twice");
	assert_int_equal(parse("start=half", &policy, &err), SF_OK);
	assert_int_equal(sf_policy_parse("window_pos=7", &policy, &err),
			 SF_USAGE);
	assert_string_equal(
		err.message,
		"start and window_pos exclude each other; give one of them");
}

/* A start is added where the module would take one by itself. */
static void test_default_start(void **unused)
{
	static const struct {
		const char *text;
		const char *words;
	} cases[] = {
		{ "newidle=dice", "newidle=dice start=zero" },
		{ "newidle=dice,start=half", "newidle=dice start=half" },
		{ "newidle=dice,window_pos=7", "newidle=dice window_pos=7" },
		{ "ratio=31", "ratio=31" },
		{ "burst=idle", "burst=idle" },
	};
	struct sf_policy policy;
	struct sf_error err;
	char words[SF_POLICY_SIZE];
	size_t i;

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(parse(cases[i].text, &policy, &err), SF_OK);
		sf_policy_complete(&policy);
		sf_policy_format(&policy, words, sizeof(words));
		assert_string_equal(words, cases[i].words);
	}
}

#define KNOWN "stock dice accumulator jitter always never"
#define MEANT "; did you mean \"jitter\"?"
#define NO_KIND "such as newidle=jitter"

static void test_bad_policies(void **unused)
{
	static const struct {
		const char *text;
		const char *message;
	} bad[] = {
		{ "newidle=jiter",
		  "no policy \"jiter\" for newidle; known: " KNOWN MEANT },
		{ "newidle=", "no policy \"\" for newidle; known: " KNOWN },
		{ "newidle=JITTER",
		  "no policy \"JITTER\" for newidle; known: " KNOWN MEANT },
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
		{ "slowpath=fast",
		  "no policy \"fast\" for slowpath; known: stock random" },
		{ "burst=far",
		  "no policy \"far\" for burst; known: stock idle spread nearest" },
		{ "burst_depth=0", "no burst_depth \"0\"; allowed: 1 to 4096" },
		{ "burst_depth=4097",
		  "no burst_depth \"4097\"; allowed: 1 to 4096" },
		{ "burst_factor=0", "no burst_factor \"0\"; allowed: 1 to 64" },
		{ "burst_factor=65",
		  "no burst_factor \"65\"; allowed: 1 to 64" },
		{ "burst_factor=", "no burst_factor \"\"; allowed: 1 to 64" },
		{ "burst_nohz=maybe",
		  "no burst_nohz \"maybe\"; allowed: on, off" },
		{ "burst_nohz=1", "no burst_nohz \"1\"; allowed: on, off" },
		{ "cost=dump",
		  "no policy \"dump\" for cost; known: stock bump; did you mean \"bump\"?" },
		{ "learn=forget",
		  "no learn \"forget\"; known: keep reset restore" },
		{ "sync=yes", "no sync \"yes\"; allowed: on, off" },
		{ "price=bump", "no kind \"price\"; known: newidle start ratio "
				"window_pos slowpath burst burst_depth "
				"burst_factor burst_nohz cost learn sync" },
		{ "jitter", "\"jitter\" is not KIND=VALUE, " NO_KIND },
		{ "", "\"\" is not KIND=VALUE, " NO_KIND },
		{ "newidle=jitter,", "\"\" is not KIND=VALUE, " NO_KIND },
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
		assert_int_equal(parse(bad[i].text, &policy, &err), SF_USAGE);
		assert_int_equal(err.code, SF_USAGE);
		assert_string_equal(err.message, bad[i].message);
	}
}

static void test_long_policy(void **unused)
{
	struct sf_policy policy;
	struct sf_error err;
	char text[8192] = "newidle=";

	(void)unused;
	memset(text + 8, 'x', sizeof(text) - 9);
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(parse(text, &policy, &err), SF_USAGE);
	assert_non_null(strstr(err.message, "known: stock dice"));
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

/* The kernel says how many CPUs there can be, or is not asked. */
static void test_filter_possible(void **unused)
{
	static const char *const good[] = { "0", "0-7", "8,9", "3,8-9" };
	static const char *const bad[] = { "10", "6-8,10", "8191" };
	struct sf_filter filter = { .cpu = NULL };
	struct sf_error err = { .code = SF_OK };
	size_t i;

	(void)unused;
	tree_write("/sys/devices/system/cpu/possible", "0-9\n");
	for (i = 0; i < ARRAY_SIZE(good); i++) {
		filter.cpu = good[i];
		assert_int_equal(sf_filter_parse(&filter, &err), SF_OK);
	}
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		filter.cpu = bad[i];
		assert_int_equal(sf_filter_parse(&filter, &err), SF_USAGE);
		assert_string_equal(err.message, "there are only CPUs 0-9");
	}
	tree_write("/sys/devices/system/cpu/possible", "all\n");
	err.code = SF_OK;
	assert_int_equal(sf_filter_parse(&filter, &err), SF_OK);
	tree_remove("/sys/devices/system/cpu/possible");
	assert_int_equal(sf_filter_parse(&filter, &err), SF_OK);
	assert_int_equal(err.code, SF_OK);
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
					 "allowed: 1 to 86400 seconds");
	options.timeout = "0";
	assert_int_equal(sf_options_check(&options, &err), SF_USAGE);
	options.timeout = "86401";
	assert_int_equal(sf_options_check(&options, &err), SF_USAGE);
	err.code = SF_OK;
	options.timeout = "86400";
	assert_int_equal(sf_options_check(&options, &err), SF_OK);
	assert_int_equal(options.timeout_ms, 86400000);
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
		cmocka_unit_test(test_room_for_all_kinds),
		cmocka_unit_test(test_several_arguments),
		cmocka_unit_test(test_default_start),
		cmocka_unit_test(test_bad_policies),
		cmocka_unit_test(test_long_policy),
		cmocka_unit_test(test_good_lists),
		cmocka_unit_test(test_bad_lists),
		tree_test(test_filter_matches),
		tree_test(test_filter_messages),
		tree_test(test_filter_possible),
		tree_test(test_filter_too_long),
		cmocka_unit_test(test_options),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
