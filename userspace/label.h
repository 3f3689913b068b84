/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What to call a policy, or a metric, in print.
 */
#ifndef SCHEDFLIP_LABEL_H
#define SCHEDFLIP_LABEL_H

#include <stddef.h>

/**
 * struct sf_label - a name, not that of any other
 * @text: it
 */
struct sf_label {
	char text[320];
};

struct sf_label sf_label_make(const char *const *words, size_t count,
			      size_t index);

#endif
