// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The cost of failed attempts, beside the two rules that it must agree with:
 * the kernel's own, which a restore brings back, and Mason's.
 */
#include "unit.h"

#include <schedflip/cost.h>

/* The kernel's default, 500 us. */
/* In the tests' unit of time. */
#define SECOND 50

static const u64 usual_cap = 500000 + SF_COST_ABOVE;

/* sysctl_sched_migration_cost has 32 bits. */
static const u64 largest_cap = (u64)UINT32_MAX + SF_COST_ABOVE;

static u64 decayed(u64 cost)
{
	return cost * 253 / 256;
}

static struct sf_cost begun(u64 now, u64 cap)
{
	struct sf_cost cost;

	sf_cost_begin(&cost, now, 0);
	sf_cost_follow(&cost, now, cap, 0);
	return cost;
}

/* Half as much again with every failure, to the cap and not a ns above it. */
static void test_bump(void **arg)
{
	u64 start, want, got;
	u32 i;

	(void)arg;
	for (start = 2; start < usual_cap; start = start * 9 / 8 + 1) {
		struct sf_cost cost = begun(start, usual_cap);

		for (i = 0, want = start; i < 50; i++) {
			want += want / 2;
			if (want > usual_cap)
				want = usual_cap;
			got = sf_cost_bump(&cost, usual_cap);
			assert_true(got == want && cost.left == want);
			got = sf_cost_follow(&cost, got, usual_cap, 0);
			assert_true(got == want && cost.own == start);
		}
		assert_true(want == usual_cap);
	}
}

/* The last step lands on the cap from just below and just at it. */
static void test_cap_edge(void **arg)
{
	struct sf_cost cost;

	(void)arg;
	cost = begun(1000, 1501);
	assert_int_equal(sf_cost_bump(&cost, 1501), 1500);
	cost = begun(1000, 1500);
	assert_int_equal(sf_cost_bump(&cost, 1500), 1500);
	cost = begun(1000, 1499);
	assert_int_equal(sf_cost_bump(&cost, 1499), 1499);
	cost = begun(1000, 1000);
	assert_int_equal(sf_cost_bump(&cost, 1000), 1000);
}

/* What is above the cap when bump begins is kept to be restored. */
static void test_begin_above_cap(void **arg)
{
	struct sf_cost cost;

	(void)arg;
	sf_cost_begin(&cost, 3000000, 0);
	assert_int_equal(cost.own, 3000000);
	assert_int_equal(sf_cost_follow(&cost, 3000000, usual_cap, 0),
			 usual_cap);
	assert_int_equal(cost.left, usual_cap);
	assert_int_equal(sf_cost_bump(&cost, usual_cap), usual_cap);
	assert_int_equal(cost.own, 3000000);
}

/* Half as much as nothing is nothing, of one too: so it is in the patch. */
static void test_zero(void **arg)
{
	struct sf_cost cost;
	u64 start;
	u32 i;

	(void)arg;
	for (start = 0; start <= 1; start++) {
		cost = begun(start, usual_cap);
		for (i = 0; i < 100; i++) {
			assert_int_equal(sf_cost_bump(&cost, usual_cap), start);
			assert_int_equal(sf_cost_follow(&cost, start, usual_cap,
							0),
					 start);
			assert_int_equal(cost.own, start);
		}
	}
}

/* The kernel's raise after a success, and without any attempt of ours. */
static void test_raise_success(void **arg)
{
	struct sf_cost cost = begun(1000, usual_cap);

	(void)arg;
	assert_int_equal(sf_cost_follow(&cost, 1001, usual_cap, 0), 1001);
	assert_int_equal(cost.own, 1001);
	sf_cost_bump(&cost, usual_cap);
	assert_int_equal(sf_cost_follow(&cost, 1501, usual_cap, 0), 1501);
	assert_int_equal(cost.own, 1001);
	assert_int_equal(sf_cost_follow(&cost, 1502, usual_cap, 0), 1502);
	assert_int_equal(cost.own, 1502);
	assert_int_equal(sf_cost_follow(&cost, 700000, usual_cap, 0),
			 usual_cap);
	/* Above the cap, but less than its own was. */
	assert_int_equal(sf_cost_follow(&cost, 600000, usual_cap, 0),
			 usual_cap);
	assert_int_equal(cost.own, 700000);
}

/* What a failed attempt took: for own, and for this attempt only. */
static void test_raise_failed(void **arg)
{
	struct sf_cost cost = begun(1000, usual_cap);

	(void)arg;
	assert_int_equal(sf_cost_bump(&cost, usual_cap), 1500);
	assert_true(cost.failed);
	assert_int_equal(sf_cost_follow(&cost, 9000, usual_cap, 0), 1500);
	assert_false(cost.failed);
	assert_int_equal(cost.own, 9000);
	assert_int_equal(sf_cost_bump(&cost, usual_cap), 2250);
	assert_int_equal(sf_cost_follow(&cost, 8000, usual_cap, 0), 2250);
	assert_int_equal(cost.own, 9000);
	assert_int_equal(sf_cost_follow(&cost, 2251, usual_cap, 0), 2251);
	assert_int_equal(cost.own, 9000);
}

/* Once a second and not sooner; a raise puts it off. What is left decays by itself. */
static void test_age(void **arg)
{
	struct sf_cost cost;

	(void)arg;
	sf_cost_begin(&cost, 256000, 100);
	sf_cost_age(&cost, 150, SECOND);
	assert_int_equal(cost.own, 256000);
	sf_cost_age(&cost, 151, SECOND);
	assert_int_equal(cost.own, 253000);
	sf_cost_age(&cost, 201, SECOND);
	assert_int_equal(cost.own, 253000);
	sf_cost_took(&cost, 253000, 201);
	sf_cost_age(&cost, 202, SECOND);
	assert_int_equal(cost.own, 250035);
	sf_cost_took(&cost, 256000, 210);
	sf_cost_age(&cost, 260, SECOND);
	assert_int_equal(cost.own, 256000);
	assert_int_equal(cost.left, 256000);
}

/* One long attempt is forgotten, also while all later ones fail and bump. */
static void test_outlier(void **arg)
{
	struct sf_cost cost;
	u64 time = 0;
	int n;

	(void)arg;
	sf_cost_begin(&cost, 0, time);
	sf_cost_took(&cost, 5000000, time);
	for (n = 0; n < 600; n++) {
		time += SECOND + 1;
		sf_cost_follow(&cost, cost.left, usual_cap, time);
		sf_cost_age(&cost, time, SECOND);
		sf_cost_took(&cost, 15000, time);
		sf_cost_bump(&cost, usual_cap);
	}
	assert_int_equal(cost.own, 15000);
}

/* A new domain begins at nothing. */
static void test_rebuilt(void **arg)
{
	struct sf_cost cost = { .own = 300000, .left = 400000 };

	(void)arg;
	sf_cost_follow(&cost, 0, usual_cap, 0);
	assert_true(cost.left == 0 && cost.own == 0);
}

/*
 * A domain with all that is said of it: the cost in the kernel, ours, and two
 * models side by side: Mason's rule and the kernel's own.
 */
struct domain {
	u64 now;
	struct sf_cost cost;
	u64 time;
	u64 cap;
	u64 mason;
	u64 stock;
};

static u64 larger(u64 one, u64 two)
{
	return one > two ? one : two;
}

static struct domain start_domain(u64 now, u64 cap)
{
	struct domain domain = {
		.now = now,
		.cap = cap,
		.mason = sf_cost_capped(now, cap),
		.stock = now,
	};

	sf_cost_begin(&domain.cost, now, 0);
	domain.now = sf_cost_follow(&domain.cost, now, cap, 0);
	return domain;
}

static void follow(struct domain *domain)
{
	domain->now = sf_cost_follow(&domain->cost, domain->now, domain->cap,
				     domain->time);
	sf_cost_age(&domain->cost, domain->time, SECOND);
}

/* The module comes first, then the kernel adds up what it took. */
static void attempt(struct domain *domain, bool failed, u64 took)
{
	sf_cost_took(&domain->cost, took, domain->time);
	if (failed) {
		domain->now = sf_cost_bump(&domain->cost, domain->cap);
		domain->mason =
			sf_cost_capped(domain->mason * 3 / 2, domain->cap);
	} else {
		domain->mason = larger(domain->mason,
				       sf_cost_capped(took, domain->cap));
	}
	domain->now = larger(domain->now, took);
	domain->stock = larger(domain->stock, took);
	follow(domain);
}

static void decay(struct domain *domain)
{
	domain->time += SECOND + 1;
	domain->now = decayed(domain->now);
	domain->mason = decayed(domain->mason);
	domain->stock = decayed(domain->stock);
	follow(domain);
}

/* Half a us, and up to @most, all magnitudes down to 1/1000 as likely. */
static u64 draw_took(struct sf_rng *rng, u64 most)
{
	return 500 +
	       (u64)(most * exp2(-(double)sf_random_below(rng, 1000) / 100));
}

/* One event in a domain: an attempt, or one decay in @rare events. */
static void happen(struct domain *domain, struct sf_rng *rng, u32 odds,
		   u32 rare, u64 most)
{
	if (sf_random_below(rng, rare) == 0)
		decay(domain);
	else
		attempt(domain, sf_random_below(rng, 1024) < odds,
			draw_took(rng, most));
}

static const u32 odds[] = { 0, 100, 512, 900, 1000, 1024 };
static const u32 rares[] = { 2, 10, 100, 1000 };

typedef void (*check_t)(const struct domain *domain);

/* Long runs from all starts, looked at after each event. */
static void run_domains(u64 seed, size_t first, size_t last, u64 cap, u64 most,
			check_t check)
{
	static const u64 starts[] = { 600, 20000, 500000, 4000000 };
	struct sf_rng rng = { .state = seed };
	struct domain domain;
	size_t o, r, s;
	u32 i;

	for (o = first; o < last; o++)
		for (r = 0; r < ARRAY_SIZE(rares); r++)
			for (s = 0; s < ARRAY_SIZE(starts); s++) {
				domain = start_domain(starts[s], cap);
				for (i = 0; i < 20000; i++) {
					happen(&domain, &rng, odds[o], rares[r],
					       most);
					check(&domain);
				}
			}
}

static void check_mason(const struct domain *domain)
{
	assert_true(domain->cost.left == domain->mason);
	assert_true(domain->now == domain->mason);
	assert_true(domain->now <= domain->cap);
}

/* Not a ns off. */
static void test_mason(void **arg)
{
	(void)arg;
	run_domains(1, 0, ARRAY_SIZE(odds), usual_cap, 2000000, check_mason);
	run_domains(2, 0, ARRAY_SIZE(odds), 200, 2000000, check_mason);
	run_domains(3, 0, ARRAY_SIZE(odds), largest_cap, 1ull << 33,
		    check_mason);
}

static void check_stock(const struct domain *domain)
{
	assert_true(domain->cost.own == domain->stock);
}

/* What a restore brings back is not a ns off either. */
static void test_stock(void **arg)
{
	(void)arg;
	run_domains(4, 0, ARRAY_SIZE(odds), usual_cap, 2000000, check_stock);
	run_domains(5, 0, ARRAY_SIZE(odds), usual_cap, 300000, check_stock);
	run_domains(6, 0, ARRAY_SIZE(odds), 500, 2000000, check_stock);
	run_domains(7, 0, ARRAY_SIZE(odds), largest_cap, 1ull << 33,
		    check_stock);
}

/* Somebody sets the migration cost while bump is on. */
static void test_cap_changes(void **arg)
{
	struct sf_cost cost = begun(400000, usual_cap);

	(void)arg;
	assert_int_equal(sf_cost_follow(&cost, 400000, 100200, 0), 100200);
	assert_int_equal(cost.own, 400000);
	assert_int_equal(sf_cost_bump(&cost, 100200), 100200);
	assert_int_equal(sf_cost_follow(&cost, 100200, usual_cap, 0), 100200);
	assert_int_equal(sf_cost_bump(&cost, usual_cap), 150300);
	assert_int_equal(sf_cost_follow(&cost, 150300, 0, 0), 0);
	assert_int_equal(sf_cost_bump(&cost, 0), 0);
	assert_int_equal(cost.own, 400000);
}

/* More than an hour is an hour; nothing overflows on the way. */
static void test_largest(void **arg)
{
	static const u64 large[] = { SF_COST_MAX - 1, SF_COST_MAX,
				     SF_COST_MAX + 1, 1ull << 63, UINT64_MAX };
	struct sf_cost cost;
	size_t i;

	(void)arg;
	for (i = 0; i < ARRAY_SIZE(large); i++) {
		u64 want = sf_cost_capped(large[i], SF_COST_MAX);

		cost = begun(large[i], largest_cap);
		assert_true(cost.own == want && cost.left == largest_cap);
		assert_true(sf_cost_bump(&cost, largest_cap) == largest_cap);
		cost = begun(1000, largest_cap);
		sf_cost_follow(&cost, large[i], largest_cap, 0);
		assert_true(cost.own == want && cost.left == largest_cap);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bump),
		cmocka_unit_test(test_cap_edge),
		cmocka_unit_test(test_begin_above_cap),
		cmocka_unit_test(test_zero),
		cmocka_unit_test(test_raise_success),
		cmocka_unit_test(test_raise_failed),
		cmocka_unit_test(test_age),
		cmocka_unit_test(test_outlier),
		cmocka_unit_test(test_rebuilt),
		cmocka_unit_test(test_mason),
		cmocka_unit_test(test_stock),
		cmocka_unit_test(test_cap_changes),
		cmocka_unit_test(test_largest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
