/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pictures are drawn by gnuplot, run as a program.
 */
#ifndef SCHEDFLIP_GNUPLOT_H
#define SCHEDFLIP_GNUPLOT_H

#include <stdio.h>

#include "error.h"
#include "writer.h"

/**
 * struct sf_plot - a picture that is being made
 * @script: gnuplot's commands are printed to it
 * @path: of the picture
 * @writer: of it
 * @text: of the script
 * @size: of @text
 */
struct sf_plot {
	FILE *script;
	const char *path;
	struct sf_writer *writer;
	char *text;
	size_t size;
};

int sf_plot_check(const char *path, struct sf_error *err);
int sf_plot_begin(struct sf_plot *plot, const char *path, unsigned int width,
		  unsigned int height, struct sf_error *err);
void sf_plot_string(struct sf_plot *plot, const char *text);
int sf_plot_end(struct sf_plot *plot, struct sf_error *err);

#endif
