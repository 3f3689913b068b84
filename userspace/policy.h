/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_POLICY_H
#define SCHEDFLIP_POLICY_H

#include <schedflip/newidle.h>

#include "error.h"

enum sf_ratio_change {
	SF_RATIO_KEEP,
	SF_RATIO_PIN,
	SF_RATIO_LEARN,
};

/**
 * struct sf_policy - what a set command changes
 * @newidle: name of a policy, or NULL to keep it
 * @start: where window_pos starts, or NULL where the user did not say
 * @ratio_change: what becomes of the ratio
 * @ratio: 0 .. 1024, with SF_RATIO_PIN
 * @has_window_pos: the window is started at @window_pos
 * @window_pos: 0 .. 1023
 */
struct sf_policy {
	const char *newidle;
	const char *start;
	enum sf_ratio_change ratio_change;
	u32 ratio;
	bool has_window_pos;
	u32 window_pos;
};

int sf_policy_parse(const char *text, struct sf_policy *policy,
		    struct sf_error *err);
void sf_policy_format(const struct sf_policy *policy, char *buf, size_t size);

#endif
