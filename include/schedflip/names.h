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

#endif
