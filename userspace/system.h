/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_SYSTEM_H
#define SCHEDFLIP_SYSTEM_H

#include "checklist.h"

void sf_system_check(struct sf_checklist *list);

#endif
