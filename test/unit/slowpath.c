// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The slow path's choice among idle CPUs: which are likely, which impossible.
 *
 * Uniformity by chi-square, whose exact tail is below FALSE_ALARM once in a
 * million checks. Each test says how many it makes.
 */
#include "unit.h"

#include <string.h>

#include <schedflip/slowpath.h>

enum {
	CPUS = 160,
	/* A CPU is chosen so often, if all are as likely. */
	TIMES = 1000
};

#define FALSE_ALARM 1e-6

struct offer {
	int cpu;
	u64 key;
};

/* A rule that is given all CPUs and chooses one. */
typedef int (*rule_t)(const struct offer *offers, u32 count,
		      struct sf_rng *rng);

/*
 * Probability that chi-square in @k degrees of freedom is @chi or more: two
 * more degrees add one term.
 */
static double tail(double chi, u32 k)
{
	double half = chi / 2, sum = k % 2 ? erfc(sqrt(half)) : exp(-half), i;

	for (i = k % 2 ? 0.5 : 1; i < k / 2.0; i++)
		sum += exp(i * log(half) - half - lgamma(i + 1));
	return sum;
}

static double chi_square(const u32 *counts, u32 cells, double expected)
{
	double chi = 0;
	u32 i;

	for (i = 0; i < cells; i++)
		chi += pow(counts[i] - expected, 2) / expected;
	return chi;
}

static int reservoir(const struct offer *offers, u32 count, struct sf_rng *rng)
{
	struct sf_reservoir choice;
	u32 i;

	sf_reservoir_init(&choice);
	for (i = 0; i < count; i++)
		sf_reservoir_offer(&choice, offers[i].cpu, offers[i].key, rng);
	return choice.cpu;
}

/* A wrong rule: a coin for each CPU, which favours the last. */
static int coin(const struct offer *offers, u32 count, struct sf_rng *rng)
{
	int cpu = offers[0].cpu;
	u32 i;

	for (i = 1; i < count; i++)
		if (sf_random_below(rng, 2))
			cpu = offers[i].cpu;
	return cpu;
}

/* A wrong rule: a smaller latency does not begin anew to count. */
static int no_restart(const struct offer *offers, u32 count, struct sf_rng *rng)
{
	u64 key = SF_LATENCY_UNKNOWN;
	int cpu = SF_NO_CPU;
	u32 i, seen = 0;

	for (i = 0; i < count; i++) {
		if (offers[i].key > key)
			continue;
		seen++;
		if (offers[i].key < key || !sf_random_below(rng, seen))
			cpu = offers[i].cpu;
		key = offers[i].key;
	}
	return cpu;
}

/* How often each of @likely CPUs is chosen; no other may be. */
static void choose(rule_t rule, const struct offer *offers, u32 count,
		   u32 likely, u64 seed, u32 *counts)
{
	struct sf_rng rng;
	u32 i;
	int cpu;

	sf_random_seed(&rng, seed, count);
	memset(counts, 0, CPUS * sizeof(*counts));
	for (i = 0; i < likely * TIMES; i++) {
		cpu = rule(offers, count, &rng);
		assert_in_range(cpu, 0, likely - 1);
		counts[cpu]++;
	}
}

/* CPUs 0 .. @likely - 1 are to be equally likely, all others never chosen. */
static bool is_uniform(rule_t rule, const struct offer *offers, u32 count,
		       u32 likely, u64 seed)
{
	u32 counts[CPUS];

	choose(rule, offers, count, likely, seed, counts);
	return tail(chi_square(counts, likely, TIMES), likely - 1) >=
	       FALSE_ALARM;
}

static void assert_choice(const struct offer *offers, u32 count, u32 likely,
			  u64 seed)
{
	if (!is_uniform(reservoir, offers, count, likely, seed))
		fail_msg("%u of %u CPUs, seed %llu: not equally likely", likely,
			 count, (unsigned long long)seed);
}

/* The same latency for all, in order of their numbers. */
static void fill(struct offer *offers, u32 count, u64 key)
{
	u32 i;

	for (i = 0; i < count; i++)
		offers[i] = (struct offer){ .cpu = i, .key = key };
}

static void shuffle(struct offer *offers, u32 count, struct sf_rng *rng)
{
	u32 i, other;

	for (i = count - 1; i > 0; i--) {
		struct offer offer = offers[i];

		other = sf_random_below(rng, i + 1);
		offers[i] = offers[other];
		offers[other] = offer;
	}
}

static const u32 sizes[] = { 2, 3, 8, 80, 160 };

/* Critical values of 5%, 0.1% and 1e-6 as tables have them. */
static void test_tail(void **arg)
{
	(void)arg;
	assert_float_equal(tail(3.8415, 1), 0.05, 1e-5);
	assert_float_equal(tail(7.8147, 3), 0.05, 1e-5);
	assert_float_equal(tail(24.3219, 7), 0.001, 1e-6);
	assert_float_equal(tail(29.5883, 10), 0.001, 1e-6);
	assert_float_equal(tail(124.3421, 100), 0.05, 1e-5);
	assert_float_equal(tail(23.9281, 1) * 1e6, 1, 1e-3);
	assert_float_equal(tail(27.6310, 2) * 1e6, 1, 1e-3);
}

/* 5 sizes, 3 latencies, 4 seeds: 1 false alarm in 16,000. */
static void test_uniform(void **arg)
{
	static const u64 keys[] = { 0, 133, SF_LATENCY_UNKNOWN };
	struct offer offers[CPUS];
	size_t s, k;
	u64 seed;

	(void)arg;
	for (s = 0; s < ARRAY_SIZE(sizes); s++) {
		for (k = 0; k < ARRAY_SIZE(keys); k++) {
			fill(offers, sizes[s], keys[k]);
			for (seed = 1; seed <= 4; seed++)
				assert_choice(offers, sizes[s], sizes[s], seed);
		}
	}
}

/* The check must be able to fail. A coin is right for two CPUs only. */
static void test_control_coin(void **arg)
{
	struct offer offers[CPUS];
	size_t s;
	u64 seed;

	(void)arg;
	for (s = 0; s < ARRAY_SIZE(sizes); s++) {
		fill(offers, sizes[s], 0);
		for (seed = 1; seed <= 4; seed++)
			assert_int_equal(is_uniform(coin, offers, sizes[s],
						    sizes[s], seed),
					 sizes[s] == 2);
	}
}

/* So must the tests of several latencies: what came before may not count. */
static void test_control_restart(void **arg)
{
	struct offer offers[CPUS];
	u32 i, before;
	u64 seed;

	(void)arg;
	for (before = 1; before <= 80; before += 4) {
		for (i = 0; i < before + 8; i++) {
			offers[i].cpu = (i + 8) % (before + 8);
			offers[i].key = i < before ? SF_LATENCY_UNKNOWN : 7;
		}
		for (seed = 1; seed <= 2; seed++) {
			assert_false(is_uniform(no_restart, offers, before + 8,
						8, seed));
			/* 40 checks: 1 false alarm in 25,000. */
			assert_choice(offers, before + 8, 8, seed);
		}
	}
}

/* Neither the first nor the last has an advantage. 40 checks, 1 in 43,000. */
static void test_ends(void **arg)
{
	struct offer offers[CPUS];
	u32 counts[CPUS], n;
	size_t s;
	u64 seed;

	(void)arg;
	for (s = 0; s < ARRAY_SIZE(sizes); s++) {
		n = sizes[s];
		fill(offers, n, 5);
		for (seed = 11; seed <= 14; seed++) {
			choose(reservoir, offers, n, n, seed, counts);
			assert_rate("first", counts[0], n * TIMES, 1.0 / n);
			assert_rate("last", counts[n - 1], n * TIMES, 1.0 / n);
		}
	}
}

/*
 * CPUs 0 .. @likely - 1 with the smallest latency, others with all larger ones;
 * a third of them with none. By the way, UNKNOWN - 1 is a latency like others.
 */
static void draw_offers(struct offer *offers, u32 count, u32 likely,
			struct sf_rng *rng)
{
	static const u64 keys[] = { 3,
				    10,
				    1000,
				    SF_LATENCY_UNKNOWN - 1,
				    SF_LATENCY_UNKNOWN,
				    SF_LATENCY_UNKNOWN };
	u32 i;

	fill(offers, count, 2);
	for (i = likely; i < count; i++)
		offers[i].key = keys[sf_random_below(rng, ARRAY_SIZE(keys))];
	shuffle(offers, count, rng);
}

/* 100 orders of random offers. 1 false alarm in 10,000. */
static void test_smallest(void **arg)
{
	struct sf_rng rng = { .state = 21 };
	struct offer offers[CPUS];
	u32 round, count, likely;

	(void)arg;
	for (round = 0; round < 100; round++) {
		count = 2 + sf_random_below(&rng, CPUS - 1);
		likely = 2 + sf_random_below(&rng, count / 8 + 1);
		draw_offers(offers, count, likely, &rng);
		assert_choice(offers, count, likely, round);
	}
}

/* A single CPU of the smallest latency is chosen, wherever it stands. */
static void test_single(void **arg)
{
	struct sf_rng rng = { .state = 22 };
	struct offer offers[CPUS];
	u32 round, place;

	(void)arg;
	for (round = 0; round < 100; round++) {
		draw_offers(offers, CPUS, 1, &rng);
		assert_int_equal(reservoir(offers, CPUS, &rng), 0);
	}
	for (place = 0; place < CPUS; place++) {
		fill(offers, CPUS, SF_LATENCY_UNKNOWN);
		offers[place].key = SF_LATENCY_UNKNOWN - 1;
		assert_int_equal(reservoir(offers, CPUS, &rng), place);
	}
}

/*
 * Five that publish after 0 .. 150 that do not: as likely as if those had not
 * been there, and the same if those come after. 62 checks, 1 in 16,000.
 */
static void test_published(void **arg)
{
	struct offer offers[CPUS];
	u32 before, i;

	(void)arg;
	for (before = 0; before <= 150; before += 5) {
		for (i = 0; i < before + 5; i++) {
			offers[i].cpu = (i + 5) % (before + 5);
			offers[i].key = i < before ? SF_LATENCY_UNKNOWN : 0;
		}
		assert_choice(offers, before + 5, 5, 31 + before);
		fill(offers, before + 5, SF_LATENCY_UNKNOWN);
		for (i = 0; i < 5; i++)
			offers[i].key = 0;
		assert_choice(offers, before + 5, 5, 331 + before);
	}
}

static void test_none(void **arg)
{
	struct sf_reservoir choice;
	struct sf_rng rng = { .state = 41 };

	(void)arg;
	sf_reservoir_init(&choice);
	assert_int_equal(choice.cpu, SF_NO_CPU);
	assert_int_equal(choice.count, 0);
	sf_reservoir_offer(&choice, 9, SF_LATENCY_UNKNOWN, &rng);
	assert_int_equal(choice.cpu, 9);
	assert_int_equal(choice.count, 1);
}

/* One number for an offer of the smallest latency so far, none for a larger. */
static void test_draws(void **arg)
{
	struct sf_rng rng = { .state = 51 }, dice = { .state = 52 };
	struct sf_reservoir choice;
	struct offer offers[CPUS];
	u32 round, i, same;

	(void)arg;
	for (round = 0; round < 100; round++) {
		u64 least = SF_LATENCY_UNKNOWN;

		draw_offers(offers, CPUS, 4, &dice);
		sf_reservoir_init(&choice);
		for (i = 0, same = 0; i < CPUS; i++) {
			struct sf_rng copy = rng;

			if (offers[i].key < least)
				same = 0;
			if (offers[i].key <= least) {
				least = offers[i].key;
				same++;
				sf_random(&copy);
			}
			sf_reservoir_offer(&choice, offers[i].cpu,
					   offers[i].key, &rng);
			assert_true(rng.state == copy.state);
			assert_true(choice.key == least);
			assert_int_equal(choice.count, same);
		}
	}
}

/* A seed that somebody noted gives the same CPUs; another gives others. */
static void test_same_seed(void **arg)
{
	struct sf_rng one, two, other;
	struct offer offers[CPUS];
	u32 i, same = 0;
	int cpu;

	(void)arg;
	fill(offers, CPUS, 1);
	sf_random_seed(&one, 61, 0);
	sf_random_seed(&two, 61, 0);
	sf_random_seed(&other, 62, 0);
	for (i = 0; i < 10000; i++) {
		cpu = reservoir(offers, CPUS, &one);
		assert_int_equal(cpu, reservoir(offers, CPUS, &two));
		same += cpu == reservoir(offers, CPUS, &other);
	}
	assert_rate("two seeds", same, 10000, 1.0 / CPUS);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tail),
		cmocka_unit_test(test_uniform),
		cmocka_unit_test(test_control_coin),
		cmocka_unit_test(test_control_restart),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_smallest),
		cmocka_unit_test(test_single),
		cmocka_unit_test(test_published),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_draws),
		cmocka_unit_test(test_same_seed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
