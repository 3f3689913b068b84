/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_DUMP_H
#define SCHEDFLIP_DUMP_H

#include "output.h"

int sf_dump(const char *path, struct sf_output *out, struct sf_error *err);

#endif
