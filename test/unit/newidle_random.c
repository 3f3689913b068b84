// SPDX-License-Identifier: GPL-2.0-or-later
/* The generator: known outputs, uniformity, independence of its streams. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#define STREAMS 256

/*
 * From the authors' own splitmix64.c (Vigna's public-domain text), seeded with
 * 1234567: the 64-bit outputs, of which sf_random() gives the upper half.
 */
static void test_reference(void **arg)
{
	static const u64 outputs[] = {
		6457827717110365317u,  3203168211198807973u,
		9817491932198370423u,  4593380528125082431u,
		16408922859458223821u,
	};
	struct sf_rng rng = { .state = 1234567 };
	size_t i;

	(void)arg;
	for (i = 0; i < ARRAY_SIZE(outputs); i++)
		assert_int_equal(sf_random(&rng), outputs[i] >> 32);
}

/* A seed that somebody noted must give the same numbers for ever. */
static void test_same_seed(void **arg)
{
	struct sf_rng one, two;
	u32 stream, i;

	(void)arg;
	sf_random_seed(&one, 1234567, 0);
	assert_int_equal(one.state >> 32, 6457827717110365317u >> 32);
	assert_int_equal((u32)one.state, 3203168211198807973u >> 32);
	for (stream = 0; stream < STREAMS; stream++) {
		sf_random_seed(&one, 42, stream);
		sf_random_seed(&two, 42, stream);
		for (i = 0; i < 100; i++)
			assert_int_equal(sf_random(&one), sf_random(&two));
	}
}

/* The bits in which two sequences agree must be half of all. */
static void assert_unrelated(const char *what, struct sf_rng one,
			     struct sf_rng two)
{
	const u32 numbers = 1000;
	u64 differ = 0;
	u32 i;

	for (i = 0; i < numbers; i++)
		differ += __builtin_popcount(sf_random(&one) ^ sf_random(&two));
	assert_rate(what, differ, numbers * 32, 0.5);
}

/* 1020 checks of 1 in 1.7 million: 1 false alarm in 1700. */
static void test_streams_unrelated(void **arg)
{
	struct sf_rng one, two;
	u32 stream;

	(void)arg;
	for (stream = 0; stream + 1 < STREAMS; stream++) {
		sf_random_seed(&one, 1, stream);
		sf_random_seed(&two, 1, stream + 1);
		assert_unrelated("neighbouring streams", one, two);
		sf_random(&two);
		assert_unrelated("neighbouring streams, shifted", one, two);
		sf_random_seed(&two, 2, stream);
		assert_unrelated("neighbouring seeds", one, two);
		sf_random_seed(&one, 1, stream + 1);
		assert_unrelated("neighbouring seeds and streams", one, two);
	}
}

/* 64 checks of 1 in 1.7 million: 1 false alarm in 27000. */
static void test_lags(void **arg)
{
	struct sf_rng one, two;
	u32 lag;

	(void)arg;
	sf_random_seed(&one, 3, 0);
	two = one;
	for (lag = 1; lag <= 64; lag++) {
		sf_random(&two);
		assert_unrelated("a stream and itself, shifted", one, two);
	}
}

static int compare(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return (x > y) - (x < y);
}

/*
 * 8192 CPUs with 8 levels: all start elsewhere. Random 64-bit states would
 * collide once in 8 thousand million.
 */
static void test_streams_distinct(void **arg)
{
	enum {
		COUNT = 8192 * 8
	};
	static u64 states[COUNT];
	static const u64 seeds[] = { 0, 1, 1234567, UINT64_MAX };
	struct sf_rng rng;
	size_t s;
	u32 i;

	(void)arg;
	for (s = 0; s < ARRAY_SIZE(seeds); s++) {
		for (i = 0; i < COUNT; i++) {
			sf_random_seed(&rng, seeds[s], i);
			states[i] = rng.state;
		}
		qsort(states, COUNT, sizeof(states[0]), compare);
		for (i = 1; i < COUNT; i++)
			assert_true(states[i] != states[i - 1]);
	}
}

/* 1 false alarm in 3.5 million for each of the bounds. */
static void test_below_uniform(void **arg)
{
	static const u32 bounds[] = { 11, 64, 100, 1000, 1023, 1024 };
	static u32 counts[1024];
	struct sf_rng rng;
	u32 i, number;
	size_t b;

	(void)arg;
	for (b = 0; b < ARRAY_SIZE(bounds); b++) {
		memset(counts, 0, sizeof(counts));
		sf_random_seed(&rng, 5, bounds[b]);
		for (i = 0; i < bounds[b] * 1000; i++) {
			number = sf_random_below(&rng, bounds[b]);
			assert_true(number < bounds[b]);
			counts[number]++;
		}
		assert_uniform("sf_random_below", counts, bounds[b]);
	}
}

/* Pairs of successive numbers fill the square. 1 false alarm in 3.5 million. */
static void test_below_pairs(void **arg)
{
	static u32 counts[32 * 32];
	struct sf_rng rng;
	u32 i, first;

	(void)arg;
	sf_random_seed(&rng, 6, 0);
	for (i = 0; i < ARRAY_SIZE(counts) * 1000; i++) {
		first = sf_random_below(&rng, 32);
		counts[first * 32 + sf_random_below(&rng, 32)]++;
	}
	assert_uniform("pairs", counts, ARRAY_SIZE(counts));
}

/* One number is drawn and scaled, whatever the bound; 64 bits hold it all. */
static void test_below_edges(void **arg)
{
	static const u32 bounds[] = { 1, 2, 1024, 0x80000000, UINT32_MAX };
	struct sf_rng rng, copy;
	u32 i, number;
	size_t b;

	(void)arg;
	sf_random_seed(&rng, 7, 0);
	for (b = 0; b < ARRAY_SIZE(bounds); b++) {
		for (i = 0; i < 1000; i++) {
			copy = rng;
			number = sf_random_below(&rng, bounds[b]);
			assert_true(number < bounds[b]);
			assert_int_equal(number,
					 (u32)(ldexpl(sf_random(&copy), -32) *
					       bounds[b]));
			assert_true(copy.state == rng.state);
		}
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reference),
		cmocka_unit_test(test_same_seed),
		cmocka_unit_test(test_streams_unrelated),
		cmocka_unit_test(test_lags),
		cmocka_unit_test(test_streams_distinct),
		cmocka_unit_test(test_below_uniform),
		cmocka_unit_test(test_below_pairs),
		cmocka_unit_test(test_below_edges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
