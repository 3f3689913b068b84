/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How numbers are written: with as many digits as their noise allows.
 */
#ifndef SCHEDFLIP_FIGURE_H
#define SCHEDFLIP_FIGURE_H

#include <stddef.h>

/* Long enough for a figure of any kind. */
#define SF_FIGURE_SIZE 48

/**
 * struct sf_figure - a number in print
 * @text: of it; "-" if there is none
 */
struct sf_figure {
	char text[SF_FIGURE_SIZE];
};

int sf_figure_decimals(double value, double noise);
struct sf_figure sf_figure(double value, int decimals);
struct sf_figure sf_figure_signed(double value, int decimals);
struct sf_figure sf_figure_p(double p);
struct sf_figure sf_figure_p_is(double p);

#endif
