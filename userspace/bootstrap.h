/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the mean of a sample may be, by drawing from the sample itself.
 */
#ifndef SCHEDFLIP_BOOTSTRAP_H
#define SCHEDFLIP_BOOTSTRAP_H

#include <schedflip/types.h>

/**
 * struct sf_tails - how far the mean of a sample may be from the true one
 * @low: 2.5 % of the samples have a mean that is lower, in standard errors
 * @high: 2.5 % have one that is higher
 */
struct sf_tails {
	double low;
	double high;
};

struct sf_tails sf_bootstrap_tails(const double *scores, size_t count,
				   double same, size_t resamples, u64 seed);

#endif
