// SPDX-License-Identifier: GPL-2.0-or-later
#include <schedflip/random.h>

#include "order.h"

const struct sf_name sf_order_names[SF_NR_ORDERS] = {
	{ "random", SF_ORDER_RANDOM },
	{ "abba", SF_ORDER_ABBA },
};

static void sf_order_swap(size_t *one, size_t *other)
{
	size_t kept = *one;

	*one = *other;
	*other = kept;
}

static void sf_order_shuffle(u64 seed, size_t block, size_t count,
			     size_t *sequence)
{
	struct sf_rng rng;
	size_t i;

	sf_random_seed(&rng, seed, block);
	for (i = count; i > 1; i--)
		sf_order_swap(&sequence[i - 1],
			      &sequence[sf_random_below(&rng, i)]);
}

static void sf_order_reverse(size_t count, size_t *sequence)
{
	size_t i;

	for (i = 0; i < count / 2; i++)
		sf_order_swap(&sequence[i], &sequence[count - 1 - i]);
}

/**
 * sf_order_block - put the policies of a block in order
 * @order: random draws each block anew; abba turns every other block round
 * @seed: the same one gives the same orders
 * @block: its number, from 0
 * @count: number of policies
 * @sequence: set to their indexes, each once
 */
void sf_order_block(enum sf_order order, u64 seed, size_t block, size_t count,
		    size_t *sequence)
{
	size_t i;

	for (i = 0; i < count; i++)
		sequence[i] = i;
	if (order == SF_ORDER_RANDOM)
		sf_order_shuffle(seed, block, count, sequence);
	else if (block % 2)
		sf_order_reverse(count, sequence);
}
