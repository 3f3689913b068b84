/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_USER_NEEDS_H
#define SCHEDFLIP_USER_NEEDS_H

#include "checklist.h"

bool sf_needs_has_function(const char *name);
void sf_needs_check(struct sf_checklist *list);

#endif
