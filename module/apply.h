/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_APPLY_H
#define SCHEDFLIP_APPLY_H

#include "command.h"

int sf_apply(struct sf_command *command);
void sf_apply_stock(void);
void sf_capture_all(struct sf_change *saved);
void sf_restore_all(const struct sf_change *saved);

#endif
