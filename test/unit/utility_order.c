// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The order of the policies in a block.
 */
#include "unit.h"

#include "order.h"

#define MOST 8

static void assert_is_order(const size_t *sequence, size_t count)
{
	bool seen[MOST] = { false };
	size_t i;

	for (i = 0; i < count; i++) {
		assert_true(sequence[i] < count);
		assert_false(seen[sequence[i]]);
		seen[sequence[i]] = true;
	}
}

static void test_each_policy_once(void **unused)
{
	size_t sequence[MOST], count, block;

	(void)unused;
	for (count = 2; count <= MOST; count++)
		for (block = 0; block < 100; block++) {
			sf_order_block(SF_ORDER_RANDOM, 7, block, count,
				       sequence);
			assert_is_order(sequence, count);
			sf_order_block(SF_ORDER_ABBA, 7, block, count,
				       sequence);
			assert_is_order(sequence, count);
		}
}

static void test_abba(void **unused)
{
	size_t sequence[3], block, i;

	(void)unused;
	for (block = 0; block < 6; block++) {
		sf_order_block(SF_ORDER_ABBA, 7, block, 3, sequence);
		for (i = 0; i < 3; i++)
			assert_int_equal(sequence[i], block % 2 ? 2 - i : i);
	}
}

/* Each of three comes as often in each of three places. */
static void test_random_is_fair(void **unused)
{
	enum {
		BLOCKS = 9000
	};
	size_t count[3][3] = { { 0 } }, sequence[3], block, i, place;
	double mean = BLOCKS / 3.0, variance = BLOCKS * 2 / 9.0;

	(void)unused;
	for (block = 0; block < BLOCKS; block++) {
		sf_order_block(SF_ORDER_RANDOM, 1, block, 3, sequence);
		for (place = 0; place < 3; place++)
			count[place][sequence[place]]++;
	}
	for (place = 0; place < 3; place++)
		for (i = 0; i < 3; i++)
			assert_near("times in a place", count[place][i], mean,
				    variance);
}

/* What comes first in one block says nothing of the next. */
static void test_blocks_are_independent(void **unused)
{
	enum {
		BLOCKS = 10000
	};
	size_t last[2], sequence[2], block, same = 0;

	(void)unused;
	sf_order_block(SF_ORDER_RANDOM, 3, 0, 2, last);
	for (block = 1; block <= BLOCKS; block++) {
		sf_order_block(SF_ORDER_RANDOM, 3, block, 2, sequence);
		same += sequence[0] == last[0];
		last[0] = sequence[0];
	}
	assert_near("blocks in the order of the last", same, BLOCKS / 2.0,
		    BLOCKS / 4.0);
}

static void test_seed(void **unused)
{
	size_t one[MOST], again[MOST], other[MOST], block, i, differ = 0;

	(void)unused;
	for (block = 0; block < 50; block++) {
		sf_order_block(SF_ORDER_RANDOM, 11, block, MOST, one);
		sf_order_block(SF_ORDER_RANDOM, 11, block, MOST, again);
		sf_order_block(SF_ORDER_RANDOM, 12, block, MOST, other);
		for (i = 0; i < MOST; i++) {
			assert_int_equal(one[i], again[i]);
			differ += one[i] != other[i];
		}
	}
	assert_true(differ > 50 * MOST / 2);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_policy_once),
		cmocka_unit_test(test_abba),
		cmocka_unit_test(test_random_is_fair),
		cmocka_unit_test(test_blocks_are_independent),
		cmocka_unit_test(test_seed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
