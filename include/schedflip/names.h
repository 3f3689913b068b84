/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of the policies' tables.
 */
#ifndef SCHEDFLIP_NAMES_H
#define SCHEDFLIP_NAMES_H

#include "types.h"

/**
 * struct sf_name - a policy's row
 * @name: as the user writes it
 * @id: of the policy, the row's own number
 */
struct sf_name {
	const char *name;
	u32 id;
};

/* What is not a policy, but on or off. */
static const struct sf_name sf_switch_names[] = { { "off", 0 }, { "on", 1 } };

#endif
