// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The module's state, hooks and features, as the utility reads them.
 */
#include "utility.h"

#include "info.h"
#include "state.h"

#define LINE_HEAD "cpu=3 domain=1 name=MC level=2 span=0-3,8 "
#define LINE_POLICY "newidle=jitter start=stagger start_pos=768 "
#define LINE_RATIO "window_pos=17 ratio=31 learned=40 pinned=1 "
#define LINE_COUNTS "calls=100 attempts=10 skipped=90 pulled=3 tasks=4 "
#define LINE_SUMS "weight_sum=3200 newidle_ns=123456 "
#define LINE_PICKS "slowpath=random chosen=9 picks=8 stale=7 "
#define LINE_BURST "burst=nearest burst_depth=4 burst_factor=5 burst_nohz=1 "
#define LINE_DEPTH "avg_depth_milli=1500 "
#define LINE_WAKE "wake_seen=11 wake_over=12 wake_moved=13 wake_idle=14 "
#define LINE_FORK "fork_seen=21 fork_over=22 fork_moved=23 fork_idle=24 "
#define LINE_EXEC "exec_seen=31 exec_over=32 exec_moved=33 exec_idle=34 "
#define LINE_COST "cost=bump cost_ns=9000 own_cost_ns=5000 bumps=6 "
#define LINE_SYNC "sync=1 sync_pairs=41 sync_expected_milli=4200 changes=9 "
#define LINE_NEWIDLE LINE_POLICY LINE_RATIO LINE_COUNTS LINE_SUMS
#define LINE_PLACE \
	LINE_PICKS LINE_BURST LINE_DEPTH LINE_WAKE LINE_FORK LINE_EXEC
#define LINE_TAIL "hits=250"
#define LINE_MOST LINE_HEAD LINE_NEWIDLE LINE_PLACE LINE_COST LINE_SYNC
#define LINE LINE_MOST LINE_TAIL "\n"

static int parse(const char *text, struct sf_state *state, struct sf_error *err)
{
	char *copy = strdup(text);

	assert_non_null(copy);
	err->code = SF_OK;
	return sf_state_parse(copy, state, err);
}

static void assert_bad(const char *text, const char *message)
{
	struct sf_state state;
	struct sf_error err;

	assert_int_equal(parse(text, &state, &err), SF_FAILED);
	assert_int_equal(err.code, SF_FAILED);
	assert_string_equal(err.message, message);
	sf_state_free(&state);
}

static void test_all_fields(void **unused)
{
	const struct sf_domain *domain;
	struct sf_state state;
	struct sf_error err;

	(void)unused;
	assert_int_equal(parse(LINE, &state, &err), SF_OK);
	assert_int_equal(state.count, 1);
	domain = state.domains;
	assert_int_equal(domain->cpu, 3);
	assert_int_equal(domain->domain, 1);
	assert_string_equal(domain->name, "MC");
	assert_int_equal(domain->level, 2);
	assert_string_equal(domain->span, "0-3,8");
	assert_string_equal(domain->newidle, "jitter");
	assert_string_equal(domain->start, "stagger");
	assert_int_equal(domain->start_pos, 768);
	assert_int_equal(domain->ratio, 31);
	assert_int_equal(domain->learned, 40);
	assert_int_equal(domain->pinned, 1);
	assert_int_equal(domain->newidle_ns, 123456);
	assert_int_equal(domain->hits, 250);
	sf_state_free(&state);
}

static void test_placement_fields(void **unused)
{
	const struct sf_domain *domain;
	struct sf_state state;
	struct sf_error err;

	(void)unused;
	assert_int_equal(parse(LINE, &state, &err), SF_OK);
	domain = state.domains;
	assert_string_equal(domain->slowpath, "random");
	assert_int_equal(domain->chosen, 9);
	assert_int_equal(domain->picks, 8);
	assert_int_equal(domain->stale, 7);
	assert_string_equal(domain->burst, "nearest");
	assert_int_equal(domain->burst_depth, 4);
	assert_int_equal(domain->burst_factor, 5);
	assert_int_equal(domain->burst_nohz, 1);
	assert_int_equal(domain->avg_depth_milli, 1500);
	assert_int_equal(domain->wake_seen, 11);
	assert_int_equal(domain->fork_over, 22);
	assert_int_equal(domain->exec_moved, 33);
	assert_int_equal(domain->exec_idle, 34);
	assert_string_equal(domain->cost, "bump");
	assert_int_equal(domain->cost_ns, 9000);
	assert_int_equal(domain->own_cost_ns, 5000);
	assert_int_equal(domain->bumps, 6);
	assert_int_equal(domain->sync, 1);
	assert_int_equal(domain->sync_pairs, 41);
	assert_int_equal(domain->sync_expected_milli, 4200);
	assert_int_equal(domain->changes, 9);
	sf_state_free(&state);
}

static void test_no_domains(void **unused)
{
	struct sf_state state;
	struct sf_error err;

	(void)unused;
	assert_int_equal(parse("", &state, &err), SF_OK);
	assert_int_equal(state.count, 0);
	sf_state_free(&state);
}

static void test_many_lines(void **unused)
{
	enum {
		LINES = 1000
	};
	char *text = calloc(LINES, sizeof(LINE));
	struct sf_state state;
	struct sf_error err;
	size_t i;

	(void)unused;
	assert_non_null(text);
	for (i = 0; i < LINES; i++)
		memcpy(text + i * strlen(LINE), LINE, strlen(LINE));
	assert_int_equal(parse(text, &state, &err), SF_OK);
	assert_int_equal(state.count, LINES);
	assert_int_equal(state.domains[LINES - 1].hits, 250);
	sf_state_free(&state);
	free(text);
}

static void test_new_keys_are_skipped(void **unused)
{
	struct sf_state state;
	struct sf_error err;

	(void)unused;
	assert_int_equal(parse(LINE_MOST LINE_TAIL " price=1 x=y=z empty=\n",
			       &state, &err),
			 SF_OK);
	assert_int_equal(state.domains->hits, 250);
	sf_state_free(&state);
}

static void test_huge_numbers(void **unused)
{
	struct sf_state state;
	struct sf_error err;

	(void)unused;
	assert_int_equal(parse(LINE_MOST "hits=18446744073709551615\n", &state,
			       &err),
			 SF_OK);
	assert_true(state.domains->hits == UINT64_MAX);
	sf_state_free(&state);
}

#define BAD "the module's state is not of ABI 1: line "

static void test_bad_numbers(void **unused)
{
	static const char *const numbers[] = {
		"18446744073709551616",
		"99999999999999999999999999",
		"-1",
		"+1",
		"",
		"0x10",
		"12a",
	};
	char text[1024], message[256];
	size_t i;

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		snprintf(text, sizeof(text), "%shits=%s\n", LINE_MOST,
			 numbers[i]);
		snprintf(message, sizeof(message),
			 BAD "1: hits=%s is no number", numbers[i]);
		assert_bad(text, message);
	}
}

static void test_bad_lines(void **unused)
{
	(void)unused;
	assert_bad("\n", BAD "1: \"\" is not key=value");
	assert_bad(LINE "cpu=3 domain=1\n", BAD "2: name is missing");
	assert_bad(LINE_NEWIDLE LINE_PLACE LINE_COST LINE_SYNC LINE_TAIL "\n",
		   BAD "1: cpu is missing");
	assert_bad(LINE_HEAD LINE_NEWIDLE LINE_TAIL "\n",
		   BAD "1: slowpath is missing");
	assert_bad(LINE_HEAD LINE_NEWIDLE LINE_PLACE LINE_COST LINE_TAIL "\n",
		   BAD "1: sync is missing");
	assert_bad("cpu=1 cpu=1\n", BAD "1: cpu is there twice");
	assert_bad("cpu=1 domain\n", BAD "1: \"domain\" is not key=value");
	assert_bad("=1\n", BAD "1: \"=1\" is not key=value");
	assert_bad("cpu=\033[2J\n", BAD "1: cpu=?[2J is no number");
	assert_bad("cpu=1  domain=2\n", BAD "1: \"\" is not key=value");
}

/* Cut anywhere, the text is refused, but at the end of a line. */
static void test_truncated(void **unused)
{
	char text[] = LINE LINE;
	struct sf_state state;
	struct sf_error err;
	size_t len;

	(void)unused;
	for (len = strlen(text) - 1; len; len--) {
		text[len] = '\0';
		assert_int_equal(parse(text, &state, &err),
				 len == strlen(LINE) ? SF_OK : SF_FAILED);
		sf_state_free(&state);
	}
}

static void test_features(void **unused)
{
	char good[] = "NI_RANDOM=absent held=0\n";
	char more[] = "NI_RANDOM=on held=1 NI_RATE=on\n";
	char less[] = "NI_RANDOM=on\n";
	char bad[] = "NI_RANDOM=on held=yes\n";
	struct sf_error err = { .code = SF_OK };
	struct sf_info info;

	(void)unused;
	assert_int_equal(sf_info_parse_features(good, &info, &err), SF_OK);
	assert_string_equal(info.ni_random, "absent");
	assert_int_equal(sf_info_parse_features(more, &info, &err), SF_OK);
	assert_string_equal(info.ni_random, "on");
	assert_int_equal(info.held, 1);
	assert_int_equal(sf_info_parse_features(less, &info, &err), SF_FAILED);
	assert_string_equal(
		err.message,
		"the module's features are not of ABI 1: held is missing");
	assert_int_equal(sf_info_parse_features(bad, &info, &err), SF_FAILED);
	assert_string_equal(err.message,
			    "the module's features are not of ABI 1: bad held");
}

#define HOOK "hook=balance group=newidle symbol=load_balance state=patched "

static void test_hooks(void **unused)
{
	char good[] = HOOK "calls=5 ns=6\n" HOOK "calls=7 ns=8 new=9\n";
	char bad[] = HOOK "calls=5\n";
	struct sf_error err = { .code = SF_OK };
	struct sf_info info;

	(void)unused;
	assert_int_equal(sf_info_parse_hooks(good, &info, &err), SF_OK);
	assert_int_equal(info.hook_count, 2);
	assert_string_equal(info.hooks[0].symbol, "load_balance");
	assert_int_equal(info.hooks[1].calls, 7);
	assert_int_equal(info.hooks[1].ns, 8);
	assert_ptr_equal(sf_info_find_hook(&info, "balance"), &info.hooks[0]);
	assert_null(sf_info_find_hook(&info, "select"));
	assert_int_equal(sf_info_parse_hooks(bad, &info, &err), SF_FAILED);
	assert_string_equal(
		err.message,
		"the module's hooks are not of ABI 1: ns is missing");
}

static void test_too_many_hooks(void **unused)
{
	char text[(SF_MAX_HOOKS + 1) * sizeof(HOOK "calls=5 ns=6\n")] = "";
	struct sf_error err = { .code = SF_OK };
	struct sf_info info;
	int i;

	(void)unused;
	for (i = 0; i <= SF_MAX_HOOKS; i++)
		strcat(text, HOOK "calls=5 ns=6\n");
	assert_int_equal(sf_info_parse_hooks(text, &info, &err), SF_FAILED);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_fields),
		cmocka_unit_test(test_placement_fields),
		cmocka_unit_test(test_no_domains),
		cmocka_unit_test(test_many_lines),
		cmocka_unit_test(test_new_keys_are_skipped),
		cmocka_unit_test(test_huge_numbers),
		cmocka_unit_test(test_bad_numbers),
		cmocka_unit_test(test_bad_lines),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_features),
		cmocka_unit_test(test_hooks),
		cmocka_unit_test(test_too_many_hooks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
