// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdio.h>

#include "figure.h"

/* Of a number without noise. */
#define SF_DIGITS 6

/* More are not read by anybody; then powers of ten are better. */
#define SF_MAX_DECIMALS 9
#define SF_MAX_PLAIN 1e15

/* Less noise, relative to the number, is but that of arithmetic. */
#define SF_MIN_NOISE 1e-12

/* A smaller p is not told from others. */
#define SF_MIN_P 0.0001

/* Return: so many decimals show @digits digits of @value. */
static int sf_decimals_of(double value, int digits)
{
	int decimals = digits - 1 - (int)floor(log10(fabs(value)));

	if (decimals < 0)
		return 0;
	return decimals > SF_MAX_DECIMALS ? -1 : decimals;
}

/**
 * sf_figure_decimals - how many decimals a number deserves
 * @value: the number
 * @noise: its standard deviation, of which two digits are shown; if there is none, or
 *	it is unknown, six digits of @value are
 *
 * Return: number of decimals; -1 if powers of ten are better.
 */
int sf_figure_decimals(double value, double noise)
{
	if (isfinite(noise) && noise > SF_MIN_NOISE * fabs(value))
		return sf_decimals_of(noise, 2);
	if (isfinite(value) && value != 0)
		return sf_decimals_of(value, SF_DIGITS);
	return 0;
}

static struct sf_figure sf_figure_of(double value, int decimals,
				     const char *plain, const char *power)
{
	struct sf_figure figure = { "-" };

	if (!isfinite(value))
		return figure;
	if (decimals < 0 || fabs(value) >= SF_MAX_PLAIN)
		snprintf(figure.text, sizeof(figure.text), power, SF_DIGITS,
			 value);
	else
		snprintf(figure.text, sizeof(figure.text), plain, decimals,
			 value);
	return figure;
}

/**
 * sf_figure - a number
 * @value: it; NAN is none
 * @decimals: from sf_figure_decimals()
 */
struct sf_figure sf_figure(double value, int decimals)
{
	return sf_figure_of(value, decimals, "%.*f", "%.*g");
}

/**
 * sf_figure_signed - a number with its sign, also if it is positive
 * @value: it; NAN is none
 * @decimals: from sf_figure_decimals()
 */
struct sf_figure sf_figure_signed(double value, int decimals)
{
	return sf_figure_of(value, decimals, "%+.*f", "%+.*g");
}

/**
 * sf_figure_p - a probability, for a table
 * @p: 0 .. 1; NAN is none
 */
struct sf_figure sf_figure_p(double p)
{
	struct sf_figure small = { "< 0.0001" };

	return p < SF_MIN_P ? small : sf_figure(p, 4);
}

/**
 * sf_figure_p_is - a probability, for a sentence
 * @p: 0 .. 1; NAN is none
 */
struct sf_figure sf_figure_p_is(double p)
{
	struct sf_figure figure = sf_figure_p(p), is;

	if (p < SF_MIN_P)
		snprintf(is.text, sizeof(is.text), "p %.40s", figure.text);
	else
		snprintf(is.text, sizeof(is.text), "p = %.40s", figure.text);
	return is;
}
