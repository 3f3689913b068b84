/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_TERMINFO_H
#define SCHEDFLIP_TERMINFO_H

#include <stdbool.h>

bool sf_terminfo_can_draw(const char **why);

#endif
