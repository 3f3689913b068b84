/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_LOCK_H
#define SCHEDFLIP_LOCK_H

#include "error.h"

int sf_lock(struct sf_error *err);
int sf_lock_ab(struct sf_error *err);
int sf_lock_check_ab(struct sf_error *err);

#endif
