/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_APPLY_H
#define SCHEDFLIP_APPLY_H

#include "command.h"

int sf_apply(struct sf_command *command);

#endif
