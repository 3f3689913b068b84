/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The test of paired differences by flipping their signs: if the two of a pair
 * were alike, either could have come first.
 */
#ifndef SCHEDFLIP_FLIPS_H
#define SCHEDFLIP_FLIPS_H

#include <schedflip/types.h>

double sf_flips_p(const double *differences, size_t count, double tolerance,
		  u64 seed, bool *exact);

#endif
