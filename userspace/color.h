/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When the text has colours, and which. */
#ifndef SCHEDFLIP_COLOR_H
#define SCHEDFLIP_COLOR_H

#include <stdbool.h>

#include "error.h"

/* Few, and such as can be read on a dark and on a bright ground. */
#define SF_COLOR_HEAD "\033[1m"
#define SF_COLOR_ALERT "\033[1;31m"
#define SF_COLOR_NOTICE "\033[33m"
#define SF_COLOR_POLICY "\033[36m"
#define SF_COLOR_END "\033[0m"

int sf_color_check(const char *when, struct sf_error *err);
bool sf_color_wanted(const char *when);

#endif
