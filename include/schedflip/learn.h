/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a flip does with what the balancer has learned in a domain.
 */
#ifndef SCHEDFLIP_LEARN_H
#define SCHEDFLIP_LEARN_H

#include "names.h"

enum sf_learn {
	SF_LEARN_KEEP,
	SF_LEARN_RESET,
	SF_LEARN_RESTORE,
	SF_NR_LEARN,
};

/* One row a way. */
static const struct sf_name sf_learn_names[SF_NR_LEARN] = {
	{ "keep", SF_LEARN_KEEP },
	{ "reset", SF_LEARN_RESET },
	{ "restore", SF_LEARN_RESTORE },
};

#endif
