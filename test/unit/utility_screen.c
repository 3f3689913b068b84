// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The screens of watch, drawn without a terminal, in three sizes.
 */
#include "screens.h"

/* All that can be shown at once. */
static void decorate(void)
{
	struct sf_status *status = &watcher.now.status;
	size_t i;

	for (i = 0; i < CPUS; i++) {
		struct sf_domain *numa = &second[i * LEVELS + 2];

		numa->newidle = "jitter";
		numa->window_pos = 120 * i;
		numa->ratio = 31;
	}
	second[2].pinned = 1;
	second[1].newidle = "dice";
	add_select_hook(&watcher.now);
	*status = (struct sf_status){ .present = true,
				      .hooks = "live",
				      .off_reason = "-",
				      .shadowed_by = "-",
				      .lease = "pending",
				      .lease_left_ms = 42000,
				      .drift = 2,
				      .depth = 3,
				      .newidle = 12,
				      .delay_us = 1500 };
	status->trips.trips[SF_TRIP_DEPTH].limit = 64;
	watcher.now.info.held = 1;
	sf_journal_say(&watcher.journal, 1764590580, "hooks patching -> live");
	sf_journal_say(&watcher.journal, 1764590587,
		       "newidle stock -> jitter on NUMA (8 domains)");
	lay_out();
}

static void test_small(void **unused)
{
	(void)unused;
	decorate();
	assert_screen(10, 40,
		      "12:03:18 Linux 7.3.4-test, every 1 s (1.\n"
		      "hooks live, lease 42 s left, NI_RANDOM o\n"
		      "12:03:07 newidle stock -> jitter on NUMA\n"
		      "DOMAIN    CPUS NEWIDLE       ATT/s  HIT%\n"
		      "+ NUMA    0-7  jitter       1800.0  24.9\n"
		      "  + MC    0-3  mixed         500.0  24.8\n"
		      "    + SMT 0-1  stock         150.0  24.7\n"
		      "    + SMT 2-3  stock         350.0  24.9\n"
		      "  + MC    4-7  stock        1300.0  24.9\n"
		      "q quit ? help h heat p flip s sort / fil\n");
}

static void test_usual(void **unused)
{
	(void)unused;
	decorate();
	assert_true(sf_folds_set(&console.folds, "1 MC 0-3", true));
	lay_out();
	assert_screen(
		24, 80,
		"12:03:18 Linux 7.3.4-test, every 1 s (1.000), by name\n"
		"hooks live, lease 42 s left, NI_RANDOM on (held off), drift 2\n"
		"trips at depth 64 tasks; now depth 3 tasks\n"
		"12:03:07 newidle stock -> jitter on NUMA (8 domains) | 12:03:00 hooks patching -\n"
		"DOMAIN    CPUS NEWIDLE     CALLS/s   ATT/s SKIP%  HIT% RATIO OF 1024  COST us\n"
		"+ NUMA    0-7  jitter       3600.0  1800.0  50.0  24.9   31* ....|...     4.5\n"
		"  - MC    0-3  mixed        1000.0   500.0  50.0  24.8   512 ====....     3.0\n"
		"     cpu0      dice          100.0    50.0  50.0  24.0   512 ====....     3.0\n"
		"     cpu1      stock         200.0   100.0  50.0  25.0   512 ====....     3.0\n"
		"     cpu2      stock         300.0   150.0  50.0  24.7   512 ====....     3.0\n"
		"     cpu3      stock         400.0   200.0  50.0  25.0   512 ====....     3.0\n"
		"    + SMT 0-1  stock         300.0   150.0  50.0  24.7   512 ====....     1.5\n"
		"    + SMT 2-3  stock         700.0   350.0  50.0  24.9   512 ====....     1.5\n"
		"  + MC    4-7  stock        2600.0  1300.0  50.0  24.9   512 ====....     3.0\n"
		"    + SMT 4-5  stock        1100.0   550.0  50.0  24.9   512 ====....     1.5\n"
		"    + SMT 6-7  stock        1500.0   750.0  50.0  24.9   512 ====....     1.5\n"
		"\n"
		"q quit ? help h heat p flip s sort / filter space fold m metric +- pace\n");
}

static void test_large(void **unused)
{
	(void)unused;
	decorate();
	assert_screen(
		50, 200,
		"12:03:18 Linux 7.3.4-test, every 1 s (1.000), by name\n"
		"hooks live, lease 42 s left, NI_RANDOM on (held off), drift 2\n"
		"trips at depth 64 tasks; now depth 3 tasks\n"
		"12:03:07 newidle stock -> jitter on NUMA (8 domains) | 12:03:00 hooks patching -> live\n"
		"DOMAIN    CPUS FIRST NEWIDLE     CALLS/s   ATT/s SKIP%  HIT% RATIO OF 1024                          WINDOW                           COST us STALE/s MOVED/s\n"
		"+ NUMA    0-7      0 jitter       3600.0  1800.0  50.0  24.9   31* =...............|............... |..|...|...|...|..|...|...|.....     4.5    36.0    32.0\n"
		"  + MC    0-3      0 mixed        1000.0   500.0  50.0  24.8   512 ================................ -                                    3.0    10.0     8.0\n"
		"    + SMT 0-1      0 stock         300.0   150.0  50.0  24.7   512 ================................ -                                    1.5     3.0     2.0\n"
		"    + SMT 2-3      2 stock         700.0   350.0  50.0  24.9   512 ================................ -                                    1.5     7.0     6.0\n"
		"  + MC    4-7      4 stock        2600.0  1300.0  50.0  24.9   512 ================................ -                                    3.0    26.0    24.0\n"
		"    + SMT 4-5      4 stock        1100.0   550.0  50.0  24.9   512 ================................ -                                    1.5    11.0    10.0\n"
		"    + SMT 6-7      6 stock        1500.0   750.0  50.0  24.9   512 ================................ -                                    1.5    15.0    14.0\n"
		"\n"
		"q quit ? help h heat p flip s sort / filter space fold m metric +- pace\n");
}

/* As the module is loaded by default, there is nothing to say of placement. */
static void test_newidle_only(void **unused)
{
	(void)unused;
	assert_screen(
		14, 100,
		"12:03:18 Linux 7.3.4-test, every 1 s (1.000), by name\n"
		"hooks loaded, NI_RANDOM on\n"
		"tripwires off\n"
		"no change seen yet\n"
		"DOMAIN    CPUS FIRST NEWIDLE     CALLS/s   ATT/s SKIP%  HIT% RATIO OF 1024  WINDOW   COST us\n"
		"+ NUMA    0-7      0 stock        3600.0  1800.0  50.0  24.9   512 ====.... -            4.5\n"
		"  + MC    0-3      0 stock        1000.0   500.0  50.0  24.8   512 ====.... -            3.0\n"
		"    + SMT 0-1      0 stock         300.0   150.0  50.0  24.7   512 ====.... -            1.5\n"
		"    + SMT 2-3      2 stock         700.0   350.0  50.0  24.9   512 ====.... -            1.5\n"
		"  + MC    4-7      4 stock        2600.0  1300.0  50.0  24.9   512 ====.... -            3.0\n"
		"    + SMT 4-5      4 stock        1100.0   550.0  50.0  24.9   512 ====.... -            1.5\n"
		"    + SMT 6-7      6 stock        1500.0   750.0  50.0  24.9   512 ====.... -            1.5\n"
		"\n"
		"q quit ? help h heat p flip s sort / filter space fold m metric +- pace\n");
}

static void test_trouble(void **unused)
{
	(void)unused;
	memset(&watcher.now, 0, sizeof(watcher.now));
	watcher.now.wall = 1764590587;
	snprintf(watcher.trouble, sizeof(watcher.trouble),
		 "the module is not loaded any more; load it: schedflip load");
	lay_out();
	assert_screen(10, 40,
		      "12:03:07 Linux 7.3.4-test, every 1 s, by\n"
		      "no module\n"
		      "no change seen yet\n"
		      "the module is not loaded any more; load\n"
		      "it: schedflip load\n"
		      "waiting for the module\n"
		      "\n"
		      "q quit ? help h heat p flip s sort / fil\n");
}

static void test_hooks(void **unused)
{
	struct sf_status *status = &watcher.now.status;
	char *text;
	size_t i;
	static const struct {
		const char *hooks;
		const char *off;
		const char *shadow;
		const char *wanted;
	} rows[] = {
		{ "off", "sysrq", "-", "\nhooks off by sysrq, NI" },
		{ "shadowed", "-", "fix", "\nhooks shadowed by fix, NI" },
		{ "detached", "-", "-", "\nhooks detached, NI" },
		{ "dead", "-", "-", "\nhooks dead, NI" },
	};

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		status->present = true;
		strcpy(status->hooks, rows[i].hooks);
		strcpy(status->off_reason, rows[i].off);
		strcpy(status->shadowed_by, rows[i].shadow);
		strcpy(status->lease, "none");
		text = draw(24, 80);
		assert_non_null(strstr(text, rows[i].wanted));
		free(text);
	}
	status->trip_count = 2;
	strcpy(status->trip_reason, "70 runnable tasks");
	text = draw(24, 80);
	assert_non_null(strstr(
		text,
		"\ntripwires off; tripped 2 times, last: 70 runnable tasks\n"));
	free(text);
}

/* A command that is longer than the screen is wide is shown whole. */
static void test_prompt(void **unused)
{
	(void)unused;
	sf_request_aim(&console.request, &outline.lines[0]);
	snprintf(console.request.words, sizeof(console.request.words),
		 "newidle=accumulator,start=stagger");
	console.prompt = SF_PROMPT_CONFIRM;
	assert_screen(10, 40,
		      "12:03:18 Linux 7.3.4-test, every 1 s (1.\n"
		      "hooks loaded, NI_RANDOM on\n"
		      "no change seen yet\n"
		      "DOMAIN    CPUS NEWIDLE       ATT/s  HIT%\n"
		      "+ NUMA    0-7  stock        1800.0  24.9\n"
		      "  + MC    0-3  stock         500.0  24.8\n"
		      "    + SMT 0-1  stock         150.0  24.7\n"
		      "schedflip set newidle=accumulator,start=\n"
		      "stagger --cpu 0-7 --domain NUMA - carry\n"
		      "it out? y/n\n");
	console.prompt = SF_PROMPT_NONE;
	sf_console_tell(&console, SF_LOOK_BAD,
			"the module refused the command: I/O error");
	assert_screen(10, 40,
		      "12:03:18 Linux 7.3.4-test, every 1 s (1.\n"
		      "hooks loaded, NI_RANDOM on\n"
		      "no change seen yet\n"
		      "DOMAIN    CPUS NEWIDLE       ATT/s  HIT%\n"
		      "+ NUMA    0-7  stock        1800.0  24.9\n"
		      "  + MC    0-3  stock         500.0  24.8\n"
		      "    + SMT 0-1  stock         150.0  24.7\n"
		      "    + SMT 2-3  stock         350.0  24.9\n"
		      "the module refused the command: I/O erro\n"
		      "r\n");
}

static void test_help(void **unused)
{
	(void)unused;
	console.screen = SF_SCREEN_HELP;
	assert_screen(
		30, 80,
		"12:03:18 Linux 7.3.4-test, every 1 s (1.000), by name\n"
		"hooks loaded, NI_RANDOM on\n"
		"tripwires off\n"
		"no change seen yet\n"
		"q           quit\n"
		"up down j k move; page up, page down, home, end\n"
		"space enter unfold a span to its CPUs, or fold it; so do left and right\n"
		"s           sort by name, rate (calls/s), hit rate, ratio\n"
		"/           show one domain (NUMA), some CPUs (0-3), or both; empty: all\n"
		"h           heat map of CPUs over time, and back\n"
		"m           heat map of newidle attempts, burst moves or stale picks\n"
		"+ -         longer or shorter interval\n"
		"p           flip the policy of the selected domain; P: of all\n"
		"?           this help, and back\n"
		"\n"
		"ATT/s  newidle calls that ran the kernel's balance; SKIP% the others\n"
		"HIT%   attempts that brought a task\n"
		"RATIO  in force, mean of the CPUs; * is pinned. The bar's | is the learned\n"
		"WINDOW where the CPUs are in their windows: | one, 2 to 9 so many, + more\n"
		"COST   max_newidle_lb_cost, mean of the CPUs\n"
		"STALE  slow-path picks that were busy before the task came\n"
		"MOVED  tasks moved by burst\n"
		"-      not known: restarted counters, a domain that is new, 0 of 0\n"
		"\n"
		"A narrow screen has no FIRST, then no WINDOW, MOVED, STALE, COST, bar, SKIP%,\n"
		"CALLS, RATIO, HIT%, CPUS, in this order; one below 14 rows no tripwires.\n"
		"At stock with NI_RANDOM on the hook sees attempts only, so SKIP% is 0.\n"
		"\n"
		"q quit ? help h heat p flip s sort / filter space fold m metric +- pace\n");
	console.top[SF_SCREEN_HELP] = 99;
	assert_screen(10, 40,
		      "12:03:18 Linux 7.3.4-test, every 1 s (1.\n"
		      "hooks loaded, NI_RANDOM on\n"
		      "no change seen yet\n"
		      "MOVED  tasks moved by burst\n"
		      "-      not known: restarted counters, a\n"
		      "\n"
		      "A narrow screen has no FIRST, then no WI\n"
		      "CALLS, RATIO, HIT%, CPUS, in this order;\n"
		      "At stock with NI_RANDOM on the hook sees\n"
		      "q quit ? help h heat p flip s sort / fil\n");
}

/* Any size is drawn, within its edges. */
static void test_any_size(void **unused)
{
	size_t rows, columns;

	(void)unused;
	decorate();
	for (rows = 0; rows < 30; rows++)
		for (columns = 0; columns < 90; columns += 1 + columns / 9) {
			console.screen = columns % 3;
			console.prompt = rows % 4;
			free(draw(rows, columns));
		}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		screen_test(test_small),    screen_test(test_usual),
		screen_test(test_large),    screen_test(test_newidle_only),
		screen_test(test_trouble),  screen_test(test_hooks),
		screen_test(test_prompt),   screen_test(test_help),
		screen_test(test_any_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
