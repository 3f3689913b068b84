/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the unit tests share: cmocka with the headers it wants, and statistics.
 *
 * All seeds are fixed, so a test that has passed once does so for ever. The rate
 * of false alarms says how likely other seeds, or another but right order of
 * random numbers, would have made it fail.
 */
#ifndef SCHEDFLIP_UNIT_H
#define SCHEDFLIP_UNIT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include <schedflip/newidle.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* A normal variable is farther out than this once in 1.7 million. */
#define SIGMAS 5.0

/* Fail unless a sum of many independent terms is where it should be. */
static inline void assert_near(const char *what, double seen, double mean,
			       double variance)
{
	double sigmas = fabs(seen - mean) / sqrt(variance);

	if (seen == mean || sigmas <= SIGMAS)
		return;
	fail_msg("%s: %.6g instead of %.6g, %.1f standard deviations off", what,
		 seen, mean, sigmas);
}

/* Binomial probability of @k in @n; logarithms, so that no term overflows. */
static inline double binomial(double n, double k, double p)
{
	if (p <= 0 || p >= 1)
		return k == (p <= 0 ? 0 : n);
	return exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) +
		   k * log(p) + (n - k) * log1p(-p));
}

/* Probability of @hits in @trials, or of any number farther out that way. */
static inline double binomial_tail(u64 hits, u64 trials, double p)
{
	double k = hits, n = trials, step = k < n * p ? -1 : 1, term, sum = 0;

	for (; k >= 0 && k <= n; k += step) {
		term = binomial(n, k, p);
		sum += term;
		if (term <= sum * 1e-9)
			break;
	}
	return sum;
}

/*
 * Fail if @hits of @trials, each with probability @p, are too many or too few:
 * by the exact tail, one false alarm in 1.7 million at most.
 */
static inline void assert_rate(const char *what, u64 hits, u64 trials, double p)
{
	double n = trials;

	/* No tail from so near the middle is as thin as that. */
	if (fabs(hits - n * p) <= 3 * sqrt(n * p * (1 - p)))
		return;
	if (binomial_tail(hits, trials, p) < 2.87e-7)
		fail_msg("%s: %.0f of %.0f instead of %.1f", what, (double)hits,
			 n, n * p);
}

/*
 * Fail if counts differ too much from a uniform distribution. Chi-square, made
 * normal as Wilson and Hilferty do. Only too much is an error, so false alarms
 * are one in 3.5 million for many cells; the approximation makes that one in 6
 * million for 11.
 */
static inline void assert_uniform(const char *what, const u32 *counts,
				  u32 cells)
{
	double total = 0, chi = 0, k = cells - 1, sigmas;
	u32 i;

	for (i = 0; i < cells; i++)
		total += counts[i];
	for (i = 0; i < cells; i++)
		chi += pow(counts[i] - total / cells, 2) / (total / cells);
	sigmas = (cbrt(chi / k) - (1 - 2 / (9 * k))) / sqrt(2 / (9 * k));
	if (sigmas > SIGMAS)
		fail_msg(
			"%s: not uniform, chi-square %.1f in %.0f degrees of freedom",
			what, chi, k);
}

/* A window that starts at @pos and has random numbers of its own. */
static inline struct sf_window window(u64 seed, u32 stream, u32 pos)
{
	struct sf_window win;

	sf_random_seed(&win.rng, seed, stream);
	sf_window_start(&win, pos);
	return win;
}

#endif
