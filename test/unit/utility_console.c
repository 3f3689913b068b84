// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What keys do in watch: select, fold, sort, filter, and make up a set command.
 */
#include "glances.h"

#include "console.h"

/**
 * struct desk - a console with a machine
 */
struct desk {
	struct sf_domain first[DOMAINS];
	struct sf_domain second[DOMAINS];
	struct sf_glance before;
	struct sf_glance after;
	struct sf_interval interval;
	struct sf_outline outline;
	struct sf_console console;
	struct sf_error err;
};

static struct desk desk;

static void lay_out(void)
{
	sf_outline_free(&desk.outline);
	sf_interval_free(&desk.interval);
	assert_int_equal(sf_interval_take(&desk.interval, &desk.before,
					  &desk.after, &desk.console.filter,
					  &desk.err),
			 SF_OK);
	assert_int_equal(sf_outline_make(&desk.outline, &desk.interval,
					 &desk.console.folds, desk.console.sort,
					 &desk.err),
			 SF_OK);
	sf_console_follow(&desk.console, &desk.outline);
}

static int setup(void **state)
{
	static const struct sf_filter all;
	size_t i;

	memset(&desk, 0, sizeof(desk));
	glance_at(&desk.before, 10, desk.first);
	glance_at(&desk.after, 11, desk.second);
	for (i = 0; i < DOMAINS; i++)
		work(&desk.second[i], 100 * (1 + desk.second[i].cpu));
	sf_console_begin(&desk.console, 1, &all);
	desk.console.page = 4;
	if (tree_setup(state))
		return -1;
	lay_out();
	return 0;
}

static int teardown(void **state)
{
	sf_outline_free(&desk.outline);
	sf_interval_free(&desk.interval);
	return tree_teardown(state);
}

static enum sf_act press(int key)
{
	enum sf_act act = sf_console_key(&desk.console, key, &desk.outline);

	if (act == SF_ACT_LAY_OUT || act == SF_ACT_FILTER)
		lay_out();
	return act;
}

static enum sf_act type(const char *text)
{
	enum sf_act act = SF_ACT_NONE;

	for (; *text; text++)
		act = press(*text);
	return act;
}

/* All lines, such as "NUMA 0-7, MC 0-3, cpu2". */
static const char *lines(void)
{
	static char text[1024];
	size_t i, used = 0;

	text[0] = '\0';
	for (i = 0; i < desk.outline.count; i++) {
		const struct sf_line *line = &desk.outline.lines[i];
		const struct sf_domain *first = line->group->first;

		used += line->row ?
				snprintf(text + used, sizeof(text) - used,
					 "cpu%d ",
					 (int)line->row->domain->cpu) :
				snprintf(text + used, sizeof(text) - used,
					 "%s:%s ", first->name, first->span);
	}
	if (used)
		text[used - 1] = '\0';
	return text;
}

#define LOWER "MC:0-3 SMT:0-1 SMT:2-3"
#define UPPER "MC:4-7 SMT:4-5 SMT:6-7"

static void test_tree(void **unused)
{
	(void)unused;
	assert_string_equal(lines(), "NUMA:0-7 " LOWER " " UPPER);
	assert_int_equal(desk.outline.lines[0].depth, 0);
	assert_int_equal(desk.outline.lines[1].depth, 1);
	assert_int_equal(desk.outline.lines[2].depth, 2);
	assert_int_equal(desk.outline.lines[4].depth, 1);
}

static void test_fold(void **unused)
{
	(void)unused;
	press(SF_KEY_DOWN);
	press(' ');
	assert_string_equal(lines(), "NUMA:0-7 MC:0-3 cpu0 cpu1 cpu2 cpu3 "
				     "SMT:0-1 SMT:2-3 " UPPER);
	assert_int_equal(desk.console.selected, 1);
	/* From one of its CPUs, the span is folded, and selected. */
	type("jj");
	assert_int_equal(desk.console.selected, 3);
	press(SF_KEY_ENTER);
	assert_string_equal(lines(), "NUMA:0-7 " LOWER " " UPPER);
	assert_int_equal(desk.console.selected, 1);
	press(SF_KEY_RIGHT);
	press(SF_KEY_RIGHT);
	assert_int_equal(desk.outline.count, 11);
	press(SF_KEY_LEFT);
	press(SF_KEY_LEFT);
	assert_int_equal(desk.outline.count, 7);
}

static void test_too_many_folds(void **unused)
{
	struct sf_folds folds = { .count = 0 };
	char key[16];
	size_t i;

	(void)unused;
	for (i = 0; i < SF_MAX_OPEN; i++) {
		snprintf(key, sizeof(key), "%zu", i);
		assert_true(sf_folds_set(&folds, key, true));
		assert_true(sf_folds_set(&folds, key, true));
	}
	assert_int_equal(folds.count, SF_MAX_OPEN);
	assert_false(sf_folds_set(&folds, "more", true));
	assert_true(sf_folds_set(&folds, "more", false));
	assert_true(sf_folds_set(&folds, "5", false));
	assert_false(sf_folds_has(&folds, "5"));
	assert_true(sf_folds_has(&folds, "63"));
	assert_true(sf_folds_set(&folds, "63", false));
	assert_false(sf_folds_has(&folds, "63"));
	assert_true(sf_folds_set(&folds, "more", true));
}

static void test_move(void **unused)
{
	(void)unused;
	press('k');
	assert_int_equal(desk.console.selected, 0);
	press(SF_KEY_PAGE_DOWN);
	assert_int_equal(desk.console.selected, 4);
	press(SF_KEY_PAGE_DOWN);
	assert_int_equal(desk.console.selected, 6);
	press(SF_KEY_UP);
	assert_int_equal(desk.console.selected, 5);
	press(SF_KEY_HOME);
	assert_int_equal(desk.console.selected, 0);
	press(SF_KEY_END);
	assert_int_equal(desk.console.selected, 6);
}

/* What is selected stays so when the order changes, or another domain goes. */
static void test_sort(void **unused)
{
	(void)unused;
	type("jj");
	press('s');
	assert_int_equal(desk.console.sort, SF_SORT_RATE);
	assert_string_equal(lines(),
			    "NUMA:0-7 MC:4-7 SMT:6-7 SMT:4-5 MC:0-3 SMT:2-3 "
			    "SMT:0-1");
	assert_int_equal(desk.console.selected, 6);
	desk.second[4 * LEVELS].pulled = desk.second[4 * LEVELS].attempts;
	press('s');
	assert_int_equal(desk.console.sort, SF_SORT_HIT);
	assert_string_equal(lines(),
			    "NUMA:0-7 MC:4-7 SMT:4-5 SMT:6-7 MC:0-3 SMT:2-3 "
			    "SMT:0-1");
	desk.second[6 * LEVELS].ratio = 1024;
	press('s');
	assert_int_equal(desk.console.sort, SF_SORT_RATIO);
	assert_string_equal(lines(),
			    "NUMA:0-7 " LOWER " MC:4-7 SMT:6-7 SMT:4-5");
	press('s');
	assert_int_equal(desk.console.sort, SF_SORT_NAME);
	press(SF_KEY_END);
	/* The one that is selected is gone itself. */
	desk.after.state.count -= 2 * LEVELS;
	lay_out();
	assert_string_equal(lines(), "NUMA:0-7 " LOWER " MC:4-7 SMT:4-5");
	assert_int_equal(desk.console.selected, 5);
}

/* What is not known comes last, in every order. */
static void test_sort_unknown(void **unused)
{
	(void)unused;
	desk.second[7 * LEVELS].changes = 1;
	press('s');
	assert_string_equal(lines(),
			    "NUMA:0-7 MC:4-7 SMT:4-5 SMT:6-7 MC:0-3 SMT:2-3 "
			    "SMT:0-1");
}

static void test_filter(void **unused)
{
	(void)unused;
	assert_int_equal(type("/MC\n"), SF_ACT_FILTER);
	assert_string_equal(lines(), "MC:0-3 MC:4-7");
	assert_int_equal(type("/2-4\n"), SF_ACT_FILTER);
	assert_string_equal(lines(), "NUMA:0-7 MC:0-3 SMT:2-3 MC:4-7 SMT:4-5");
	assert_int_equal(desk.outline.lines[0].group->count, 3);
	type("/NUMA 5\n");
	assert_string_equal(lines(), "NUMA:0-7");
	assert_int_equal(desk.outline.lines[0].group->count, 1);
	type("/none\n");
	assert_string_equal(lines(), "");
	/* No line is selected: none of these has anything to work on. */
	type(" \njjkp");
	assert_int_equal(desk.console.prompt, SF_PROMPT_NONE);
	type("/\n");
	assert_int_equal(desk.outline.count, 7);
}

static void test_filter_refused(void **unused)
{
	(void)unused;
	assert_int_equal(type("/1-x\n"), SF_ACT_NONE);
	assert_true(*desk.console.message);
	assert_int_equal(desk.console.prompt, SF_PROMPT_FILTER);
	assert_string_equal(desk.console.typed, "1-x");
	press(SF_KEY_BACKSPACE);
	assert_string_equal(desk.console.message, "");
	assert_int_equal(type("3\n"), SF_ACT_FILTER);
	type("/MC NUMA\n");
	assert_string_equal(
		desk.console.message,
		"one list of CPUs and one domain at most, such as 0-3 NUMA");
	press(SF_KEY_ESCAPE);
	assert_int_equal(desk.console.prompt, SF_PROMPT_NONE);
	assert_string_equal(desk.console.filter.cpu, "1-3");
}

static const char *command(void)
{
	static char text[512];

	sf_request_format(&desk.console.request, text, sizeof(text));
	return text;
}

static void test_flip(void **unused)
{
	char asked[512];

	(void)unused;
	type("jp");
	assert_int_equal(desk.console.prompt, SF_PROMPT_POLICY);
	sf_prompt_format(&desk.console, asked, sizeof(asked));
	assert_non_null(strstr(asked, "Policy of MC on CPUs 0-3 (stock dice"));
	assert_int_equal(type("jitter\n"), SF_ACT_NONE);
	assert_int_equal(desk.console.prompt, SF_PROMPT_CONFIRM);
	assert_string_equal(
		command(),
		"schedflip set newidle=jitter --cpu 0-3 --domain MC");
	assert_int_equal(press('y'), SF_ACT_FLIP);
	assert_int_equal(desk.console.prompt, SF_PROMPT_NONE);
	/* Anything else is no. */
	type("pdice\n");
	assert_int_equal(press(SF_KEY_ENTER), SF_ACT_NONE);
	assert_string_equal(desk.console.message, "nothing was changed");
	type("Pburst=idle,burst_depth=4 slowpath=random\n");
	assert_string_equal(
		command(),
		"schedflip set burst=idle,burst_depth=4 slowpath=random");
	assert_int_equal(press('n'), SF_ACT_NONE);
	/* A CPU, and those of a span that a filter leaves. */
	type(" jpnever\n");
	assert_string_equal(command(),
			    "schedflip set newidle=never --cpu 0 --domain MC");
	type("n/0,2-3\n");
	type("kpalways\n");
	assert_string_equal(
		command(),
		"schedflip set newidle=always --cpu 0,2-3 --domain MC");
}

static void test_flip_refused(void **unused)
{
	(void)unused;
	type("pnonsense\n");
	assert_non_null(strstr(desk.console.message, "nonsense"));
	assert_int_equal(desk.console.prompt, SF_PROMPT_POLICY);
	press(SF_KEY_ESCAPE);
	type("pratio=9999\n");
	assert_true(*desk.console.message);
	assert_int_equal(desk.console.prompt, SF_PROMPT_POLICY);
	press(SF_KEY_ESCAPE);
	type("p\n");
	assert_int_equal(desk.console.prompt, SF_PROMPT_NONE);
	type("hp");
	assert_int_equal(desk.console.prompt, SF_PROMPT_NONE);
	assert_string_equal(desk.console.message,
			    "no domain is selected; P flips all of them");
	type("P");
	assert_int_equal(desk.console.prompt, SF_PROMPT_POLICY);
}

static void test_complete(void **unused)
{
	(void)unused;
	type("pji\t");
	assert_string_equal(desk.console.typed, "jitter");
	press('\t');
	assert_string_equal(desk.console.typed, "always");
	type("x\t");
	assert_string_equal(desk.console.typed, "alwaysx");
}

/* A kernel that keeps no names. */
static void test_no_names(void **unused)
{
	size_t i;

	(void)unused;
	for (i = 0; i < DOMAINS; i++)
		desk.second[i].name = "-";
	lay_out();
	type("pdice\n");
	assert_string_equal(command(),
			    "schedflip set newidle=dice --cpu 0-7 --domain 2");
}

static void test_typing(void **unused)
{
	size_t i;

	(void)unused;
	type("/");
	for (i = 0; i < 1000; i++)
		press('1');
	assert_int_equal(strlen(desk.console.typed),
			 sizeof(desk.console.typed) - 1);
	for (i = 0; i < 1000; i++)
		press(SF_KEY_BACKSPACE);
	assert_string_equal(desk.console.typed, "");
	press(SF_KEY_UP);
	press('\x01');
	press(0);
	assert_string_equal(desk.console.typed, "");
}

static void test_modes(void **unused)
{
	(void)unused;
	press('h');
	assert_int_equal(desk.console.screen, SF_SCREEN_HEAT);
	type("mm");
	assert_int_equal(desk.console.heat, SF_HEAT_STALE);
	press('m');
	assert_int_equal(desk.console.heat, SF_HEAT_ATTEMPTS);
	press('?');
	assert_int_equal(desk.console.screen, SF_SCREEN_HELP);
	press('?');
	assert_int_equal(desk.console.screen, SF_SCREEN_TREE);
	press('+');
	assert_true(desk.console.interval_s == 2);
	type("---");
	assert_true(desk.console.interval_s == 0.2);
	type("-----");
	assert_true(desk.console.interval_s == 0.1);
	type("++++++++++++++++");
	assert_true(desk.console.interval_s == 3600);
	desk.console.interval_s = 7;
	press('-');
	assert_true(desk.console.interval_s == 5);
	assert_int_equal(press('q'), SF_ACT_QUIT);
}

#define desk_test(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		desk_test(test_tree),		desk_test(test_fold),
		desk_test(test_too_many_folds), desk_test(test_move),
		desk_test(test_sort),		desk_test(test_sort_unknown),
		desk_test(test_filter),		desk_test(test_filter_refused),
		desk_test(test_flip),		desk_test(test_flip_refused),
		desk_test(test_complete),	desk_test(test_no_names),
		desk_test(test_typing),		desk_test(test_modes),

	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
