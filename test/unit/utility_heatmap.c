// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The heat map of watch, drawn without a terminal, in three sizes.
 */
#include "screens.h"

/* Seven intervals, a flip in the fifth, and a CPU that was offline in the first two. */
static void remember(void)
{
	size_t i, cpu;

	for (i = 0; i < 7; i++) {
		for (cpu = 0; cpu < CPUS; cpu++) {
			second[cpu * LEVELS] = first[cpu * LEVELS];
			work(&second[cpu * LEVELS], 2 * i * cpu * 20);
			work(&second[cpu * LEVELS], i * cpu * cpu);
		}
		watcher.now.state.count = DOMAINS - (i < 2) * LEVELS;
		lay_out();
		sf_history_add(&watcher.history, &watcher.interval,
			       1764590580 + i, i == 4);
	}
	console.screen = SF_SCREEN_HEAT;
}

static void test_heat_small(void **unused)
{
	(void)unused;
	remember();
	assert_screen(10, 40,
		      "12:03:18 Linux 7.3.4-test, every 1 s (1.\n"
		      "hooks loaded, NI_RANDOM on\n"
		      "no change seen yet\n"
		      "newidle attempts/s: 0 .:-=+*#%@ 1787.0 (\n"
		      "flips                                v\n"
		      "cpu0                             .......\n"
		      "cpu1                             ..:::::\n"
		      "cpu2                             ::::---\n"
		      "                                12:03:06\n"
		      "q quit ? help h heat p flip s sort / fil\n");
	console.top[SF_SCREEN_HEAT] = 99;
	assert_screen(10, 40,
		      "12:03:18 Linux 7.3.4-test, every 1 s (1.\n"
		      "hooks loaded, NI_RANDOM on\n"
		      "no change seen yet\n"
		      "newidle attempts/s: 0 .:-=+*#%@ 1787.0 (\n"
		      "flips                                v\n"
		      "cpu5                             -==++**\n"
		      "cpu6                             ==++*##\n"
		      "cpu7                             ??**#%@\n"
		      "                                12:03:06\n"
		      "q quit ? help h heat p flip s sort / fil\n");
}

static void test_heat_usual(void **unused)
{
	(void)unused;
	remember();
	console.heat = SF_HEAT_MOVED;
	assert_screen(
		24, 80,
		"12:03:18 Linux 7.3.4-test, every 1 s (1.000), by name\n"
		"hooks loaded, NI_RANDOM on\n"
		"tripwires off\n"
		"no change seen yet\n"
		"burst moves/s: 0 .:-=+*#%@ 34.0 (? not known)\n"
		"flips                                                                        v\n"
		"cpu0\n"
		"cpu1                                                                     .....::\n"
		"cpu2                                                                     ...::::\n"
		"cpu3                                                                     ::---==\n"
		"cpu4                                                                     ::--===\n"
		"cpu5                                                                     -==++**\n"
		"cpu6                                                                     -==++*#\n"
		"cpu7                                                                     ??+*#%@\n"
		"\n"
		"                                                                        12:03:06\n"
		"q quit ? help h heat p flip s sort / filter space fold m metric +- pace\n");
}

static void test_heat_large(void **unused)
{
	struct sf_error err = { .code = SF_OK };
	size_t i;

	(void)unused;
	for (i = 0; i < 30; i++)
		remember();
	console.heat = SF_HEAT_STALE;
	console.filter.cpu = "2,5-6";
	assert_int_equal(sf_filter_parse(&console.filter, &err), SF_OK);
	lay_out();
	assert_screen(
		50, 200,
		"12:03:18 Linux 7.3.4-test, every 1 s (1.000), by name, only CPUs 2,5-6\n"
		"hooks loaded, NI_RANDOM on\n"
		"tripwires off\n"
		"no change seen yet\n"
		"stale picks/s: 0 .:-=+*#%@ 30.0 (? not known)\n"
		"flips   v      v      v      v      v      v      v      v      v      v      v      v      v      v      v      v      v      v      v      v      v      v      v      v      v      v      v      v\n"
		"cpu2    ---:::----:::----:::----:::----:::----:::----:::----:::----:::----:::----:::----:::----:::----:::----:::----:::----:::----:::----:::----:::----:::----:::----:::----:::----:::----:::----:::----\n"
		"cpu5    *##==++*##==++*##==++*##==++*##==++*##==++*##==++*##==++*##==++*##==++*##==++*##==++*##==++*##==++*##==++*##==++*##==++*##==++*##==++*##==++*##==++*##==++*##==++*##==++*##==++*##==++*##==++*##\n"
		"cpu6    #%@=++*#%@=++*#%@=++*#%@=++*#%@=++*#%@=++*#%@=++*#%@=++*#%@=++*#%@=++*#%@=++*#%@=++*#%@=++*#%@=++*#%@=++*#%@=++*#%@=++*#%@=++*#%@=++*#%@=++*#%@=++*#%@=++*#%@=++*#%@=++*#%@=++*#%@=++*#%@=++*#%@\n"
		"\n"
		"        12:03:04                                                                                                                                                                                12:03:06\n"
		"q quit ? help h heat p flip s sort / filter space fold m metric +- pace\n");
}

/* Any size is drawn, within its edges. */
static void test_heat_any_size(void **unused)
{
	size_t rows, columns;

	(void)unused;
	remember();
	for (rows = 0; rows < 20; rows++)
		for (columns = 0; columns < 40; columns++)
			free(draw(rows, columns));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		screen_test(test_heat_small),
		screen_test(test_heat_usual),
		screen_test(test_heat_large),
		screen_test(test_heat_any_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
