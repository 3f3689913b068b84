/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs that can be run, by name or by path.
 */
#ifndef SCHEDFLIP_PROGRAM_H
#define SCHEDFLIP_PROGRAM_H

#include "error.h"

int sf_program_find(const char *name, struct sf_error *err);

#endif
