/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How to watch. */
#ifndef SCHEDFLIP_WATCH_H
#define SCHEDFLIP_WATCH_H

#include "filter.h"

/**
 * struct sf_vigil - what the user asked for
 * @interval_s: nominal time between two looks
 * @count: intervals after which it ends; 0 for never
 * @plain: lines, also on a terminal
 * @json: objects in place of lines
 * @color: the screen has colours, if the terminal does
 * @filter: the domains
 */
struct sf_vigil {
	double interval_s;
	u64 count;
	bool plain;
	bool json;
	bool color;
	const struct sf_filter *filter;
};

int sf_live_run(const struct sf_vigil *vigil, struct sf_error *err);
int sf_ticker_run(const struct sf_vigil *vigil, struct sf_error *err);

#endif
