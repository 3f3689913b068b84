// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What becomes of two looks at the module: rates, groups, the journal and the history.
 */
#include "glances.h"

#include "groups.h"
#include "history.h"
#include "journal.h"

static const struct sf_filter all;

/**
 * struct looks - two looks at the machine, two seconds apart
 */
struct looks {
	struct sf_domain first[DOMAINS];
	struct sf_domain second[DOMAINS];
	struct sf_glance before;
	struct sf_glance after;
	struct sf_interval interval;
	struct sf_error err;
};

static void look_twice(struct looks *looks)
{
	size_t i;

	memset(looks, 0, sizeof(*looks));
	glance_at(&looks->before, 10, looks->first);
	glance_at(&looks->after, 12, looks->second);
	for (i = 0; i < DOMAINS; i++) {
		work(&looks->first[i], 1000);
		work(&looks->second[i], 1000 + 800);
	}
}

static const struct sf_row *take(struct looks *looks,
				 const struct sf_filter *filter)
{
	sf_interval_free(&looks->interval);
	assert_int_equal(sf_interval_take(&looks->interval, &looks->before,
					  &looks->after, filter, &looks->err),
			 SF_OK);
	return looks->interval.rows;
}

static void assert_real(double seen, double wanted)
{
	if (isnan(wanted) ? !isnan(seen) : fabs(seen - wanted) > 1e-9)
		fail_msg("%.12g instead of %.12g", seen, wanted);
}

static struct sf_figures sum(const struct looks *looks, size_t begin,
			     size_t count)
{
	const struct sf_row *rows[DOMAINS];
	struct sf_figures figures;
	size_t i;

	for (i = 0; i < count; i++)
		rows[i] = &looks->interval.rows[begin + i];
	sf_figures_sum(&figures, rows, count, looks->interval.seconds);
	return figures;
}

static void test_rates(void **unused)
{
	struct sf_figures figures;
	struct looks looks;

	(void)unused;
	look_twice(&looks);
	take(&looks, &all);
	assert_int_equal(looks.interval.count, DOMAINS);
	assert_real(looks.interval.seconds, 2);
	figures = sum(&looks, 0, 1);
	assert_real(figures.calls_s, 400);
	assert_real(figures.attempts_s, 200);
	assert_real(figures.skip_percent, 50);
	assert_real(figures.hit_percent, 25);
	assert_real(figures.stale_s, 4);
	assert_real(figures.moved_s, 4);
	assert_real(figures.ratio, 512);
	assert_real(figures.cost_us, 1.5);
	/* 800 calls of 500 ns in 2 s of one CPU, and in those of three. */
	assert_real(figures.busy_percent, 0.02);
	figures = sum(&looks, 0, 3);
	assert_real(figures.calls_s, 1200);
	assert_real(figures.hit_percent, 25);
	assert_real(figures.busy_percent, 0.02);
	assert_real(figures.cost_us, 3);
	sf_interval_free(&looks.interval);
}

/* It is the real time that counts, also if it is nothing like what was asked for. */
static void test_real_time(void **unused)
{
	struct looks looks;

	(void)unused;
	look_twice(&looks);
	looks.after.seconds = 10.5;
	take(&looks, &all);
	assert_real(sum(&looks, 0, 1).calls_s, 1600);
	looks.after.seconds = 10;
	take(&looks, &all);
	assert_real(sum(&looks, 0, 1).calls_s, NAN);
	looks.after.seconds = 9;
	take(&looks, &all);
	assert_real(sum(&looks, 0, 1).calls_s, NAN);
	sf_interval_free(&looks.interval);
}

static void test_no_work(void **unused)
{
	struct sf_figures figures;
	struct looks looks;

	(void)unused;
	look_twice(&looks);
	looks.second[0] = looks.first[0];
	take(&looks, &all);
	figures = sum(&looks, 0, 1);
	assert_real(figures.calls_s, 0);
	assert_real(figures.skip_percent, NAN);
	assert_real(figures.hit_percent, NAN);
	sf_interval_free(&looks.interval);
}

/* Each counter that went back makes its group unknown, and no other. */
static void test_back(void **unused)
{
	static const size_t newidle[] = {
		offsetof(struct sf_domain, calls),
		offsetof(struct sf_domain, attempts),
		offsetof(struct sf_domain, skipped),
		offsetof(struct sf_domain, pulled),
		offsetof(struct sf_domain, newidle_ns),
	};
	struct sf_figures figures;
	struct looks looks;
	size_t i;

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(newidle); i++) {
		look_twice(&looks);
		*(u64 *)((char *)&looks.second[0] + newidle[i]) = 3;
		take(&looks, &all);
		figures = sum(&looks, 0, 1);
		assert_real(figures.calls_s, NAN);
		assert_real(figures.attempts_s, NAN);
		assert_real(figures.skip_percent, NAN);
		assert_real(figures.hit_percent, NAN);
		assert_real(figures.busy_percent, NAN);
		assert_real(figures.stale_s, 4);
		/* A sum with a part that is not known is not known. */
		assert_real(sum(&looks, 0, 3).calls_s, NAN);
		assert_real(sum(&looks, 1, 2).calls_s, 800);
		sf_interval_free(&looks.interval);
	}
	look_twice(&looks);
	looks.second[0].stale = 0;
	looks.second[0].exec_moved = 0;
	looks.first[0].exec_moved = 1;
	take(&looks, &all);
	assert_real(sum(&looks, 0, 1).stale_s, NAN);
	assert_real(sum(&looks, 0, 1).moved_s, NAN);
	assert_real(sum(&looks, 0, 1).calls_s, 400);
	sf_interval_free(&looks.interval);
}

/* Counters that were restarted may have overtaken what they were. */
static void test_flipped(void **unused)
{
	struct looks looks;

	(void)unused;
	look_twice(&looks);
	looks.second[0].changes = 1;
	take(&looks, &all);
	assert_real(sum(&looks, 0, 1).calls_s, NAN);
	assert_real(sum(&looks, 1, 1).calls_s, 400);
	sf_interval_free(&looks.interval);
}

/* A CPU goes, another one comes, and the index of a domain is another one's. */
static void test_hotplug(void **unused)
{
	struct looks looks;

	(void)unused;
	look_twice(&looks);
	looks.before.state.count -= LEVELS;
	take(&looks, &all);
	assert_int_equal(looks.interval.count, DOMAINS);
	assert_real(sum(&looks, 0, 1).calls_s, 400);
	assert_real(sum(&looks, DOMAINS - 1, 1).calls_s, NAN);
	sf_interval_free(&looks.interval);
	look_twice(&looks);
	looks.after.state.count = DOMAINS - LEVELS;
	take(&looks, &all);
	assert_int_equal(looks.interval.count, DOMAINS - LEVELS);
	/* Without SMT, MC is the first; its level is what it was. */
	sf_interval_free(&looks.interval);
	look_twice(&looks);
	work(&looks.second[1], 200);
	looks.second[0] = looks.second[1];
	looks.second[0].domain = 0;
	looks.after.state.count = 1;
	take(&looks, &all);
	assert_real(sum(&looks, 0, 1).calls_s, 500);
	sf_interval_free(&looks.interval);
}

/* Counters of another load of the module are others, also if they are larger. */
static void test_reload(void **unused)
{
	struct looks looks;

	(void)unused;
	look_twice(&looks);
	looks.after.load = 2;
	take(&looks, &all);
	assert_real(looks.interval.seconds, NAN);
	assert_real(sum(&looks, 0, 1).calls_s, NAN);
	sf_interval_free(&looks.interval);
	look_twice(&looks);
	memset(&looks.before, 0, sizeof(looks.before));
	take(&looks, &all);
	assert_int_equal(looks.interval.count, DOMAINS);
	assert_real(sum(&looks, 0, 1).calls_s, NAN);
	sf_interval_free(&looks.interval);
	look_twice(&looks);
	memset(&looks.after, 0, sizeof(looks.after));
	take(&looks, &all);
	assert_int_equal(looks.interval.count, 0);
	sf_interval_free(&looks.interval);
}

static void test_mixed(void **unused)
{
	struct sf_figures figures;
	struct looks looks;

	(void)unused;
	look_twice(&looks);
	looks.second[0].newidle = "jitter";
	looks.second[0].ratio = 0;
	looks.second[0].pinned = 1;
	take(&looks, &all);
	figures = sum(&looks, 0, 2);
	assert_string_equal(figures.newidle, "mixed");
	assert_string_equal(figures.burst, "stock");
	assert_real(figures.ratio, 256);
	assert_true(figures.pinned);
	assert_string_equal(sum(&looks, 0, 1).newidle, "jitter");
	assert_false(sum(&looks, 1, 1).pinned);
	sf_interval_free(&looks.interval);
}

static void test_groups(void **unused)
{
	struct sf_filter filter = { .cpu = "2-5" };
	struct sf_groups groups;
	struct looks looks;

	(void)unused;
	look_twice(&looks);
	take(&looks, &all);
	assert_int_equal(sf_groups_make(&groups, &looks.interval, true,
					&looks.err),
			 SF_OK);
	assert_int_equal(groups.count, 7);
	assert_string_equal(groups.groups[1].first->span, "2-3");
	assert_int_equal(groups.groups[1].parent, 4);
	assert_int_equal(groups.groups[3].parent, 5);
	assert_int_equal(groups.groups[4].parent, 6);
	assert_true(groups.groups[6].parent == SF_NO_GROUP);
	assert_int_equal(groups.groups[6].count, CPUS);
	assert_real(groups.groups[6].figures.calls_s, 8 * 400);
	sf_groups_free(&groups);
	assert_int_equal(sf_groups_make(&groups, &looks.interval, false,
					&looks.err),
			 SF_OK);
	assert_int_equal(groups.count, LEVELS);
	assert_int_equal(groups.groups[0].count, CPUS);
	sf_groups_free(&groups);
	assert_int_equal(sf_filter_parse(&filter, &looks.err), SF_OK);
	take(&looks, &filter);
	assert_int_equal(sf_groups_make(&groups, &looks.interval, true,
					&looks.err),
			 SF_OK);
	assert_int_equal(groups.count, 5);
	assert_int_equal(groups.groups[2].count, 2);
	sf_groups_free(&groups);
	sf_interval_free(&looks.interval);
}

static void test_journal(void **unused)
{
	struct sf_journal journal = { .count = 0 };
	struct looks looks;
	size_t i;

	(void)unused;
	look_twice(&looks);
	assert_int_equal(
		sf_journal_compare(&journal, &looks.before, &looks.after), 0);
	assert_null(sf_journal_get(&journal, 0));
	for (i = 0; i < CPUS; i++)
		looks.second[i * LEVELS + 2].newidle = "jitter";
	looks.second[0].burst = "nearest";
	looks.second[1].burst = "nearest";
	snprintf(looks.after.status.hooks, sizeof(looks.after.status.hooks),
		 "off");
	snprintf(looks.before.status.hooks, sizeof(looks.before.status.hooks),
		 "live");
	assert_int_equal(
		sf_journal_compare(&journal, &looks.before, &looks.after), 2);
	assert_int_equal(journal.count, 3);
	assert_string_equal(sf_journal_get(&journal, 2)->text,
			    "hooks live -> off");
	assert_string_equal(sf_journal_get(&journal, 1)->text,
			    "burst stock -> nearest on SMT MC (2 domains)");
	assert_string_equal(sf_journal_get(&journal, 0)->text,
			    "newidle stock -> jitter on NUMA (8 domains)");
	assert_int_equal(sf_journal_get(&journal, 0)->wall, looks.after.wall);
	for (i = 0; i < SF_JOURNAL_SIZE; i++)
		sf_journal_say(&journal, i, "line %zu", i);
	assert_string_equal(sf_journal_get(&journal, SF_JOURNAL_SIZE - 1)->text,
			    "line 0");
	assert_null(sf_journal_get(&journal, SF_JOURNAL_SIZE));
}

static void test_history(void **unused)
{
	static struct sf_history history;
	struct looks looks;
	size_t i;

	(void)unused;
	look_twice(&looks);
	looks.second[LEVELS].calls = looks.second[LEVELS].attempts = 0;
	take(&looks, &all);
	assert_null(sf_history_get(&history, 0));
	sf_history_add(&history, &looks.interval, 77, 2);
	assert_int_equal(sf_history_get(&history, 0)->changes, 2);
	assert_int_equal(sf_history_get(&history, 0)->wall, 77);
	/* Three domains of 200 attempts a second. */
	assert_real(sf_moment_rate(sf_history_get(&history, 0),
				   SF_HEAT_ATTEMPTS, 0),
		    600);
	assert_real(sf_moment_rate(sf_history_get(&history, 0),
				   SF_HEAT_ATTEMPTS, 1),
		    NAN);
	assert_real(sf_moment_rate(sf_history_get(&history, 0), SF_HEAT_STALE,
				   1),
		    12);
	assert_real(sf_moment_rate(sf_history_get(&history, 0), SF_HEAT_MOVED,
				   7),
		    12);
	assert_real(sf_moment_rate(sf_history_get(&history, 0), SF_HEAT_MOVED,
				   CPUS),
		    NAN);
	sf_interval_free(&looks.interval);
	for (i = 0; i < SF_HISTORY_SIZE; i++)
		sf_history_add(&history, &looks.interval, i, 0);
	assert_int_equal(sf_history_get(&history, SF_HISTORY_SIZE - 1)->wall,
			 0);
	assert_null(sf_history_get(&history, SF_HISTORY_SIZE));
	assert_real(sf_moment_rate(sf_history_get(&history, 0), SF_HEAT_MOVED,
				   0),
		    NAN);
	sf_history_free(&history);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rates),
		cmocka_unit_test(test_real_time),
		cmocka_unit_test(test_no_work),
		cmocka_unit_test(test_back),
		cmocka_unit_test(test_flipped),
		cmocka_unit_test(test_hotplug),
		cmocka_unit_test(test_reload),
		cmocka_unit_test(test_mixed),
		tree_test(test_groups),
		cmocka_unit_test(test_journal),
		cmocka_unit_test(test_history),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
