/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers as a few characters. */
#ifndef SCHEDFLIP_GAUGE_H
#define SCHEDFLIP_GAUGE_H

#include "interval.h"

/* What both the ratio and the position in the window are parts of. */
#define SF_GAUGE_FULL 1024

void sf_gauge_number(double value, size_t width, int digits, char *buf,
		     size_t size);
void sf_gauge_ratio(double in_force, double learned, size_t width, char *buf);
void sf_gauge_window(const struct sf_row *const *rows, size_t count,
		     size_t width, char *buf);
unsigned int sf_gauge_shade(double value, double most);
char sf_shade_char(unsigned int shade);

#endif
