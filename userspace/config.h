/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_CONFIG_H
#define SCHEDFLIP_CONFIG_H

#include "checklist.h"

void sf_config_check(struct sf_checklist *list);

#endif
