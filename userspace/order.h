/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In which order the policies of a block run. A drift of the machine must not
 * favour one of them.
 */
#ifndef SCHEDFLIP_ORDER_H
#define SCHEDFLIP_ORDER_H

#include <schedflip/names.h>

enum sf_order {
	SF_ORDER_RANDOM,
	SF_ORDER_ABBA,
	SF_NR_ORDERS,
};

extern const struct sf_name sf_order_names[SF_NR_ORDERS];

void sf_order_block(enum sf_order order, u64 seed, size_t block, size_t count,
		    size_t *sequence);

#endif
