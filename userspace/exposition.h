/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text format of Prometheus, and the same samples as JSON. A family's head comes once,
 * before its samples.
 */
#ifndef SCHEDFLIP_EXPOSITION_H
#define SCHEDFLIP_EXPOSITION_H

#include <jansson.h>
#include <stdio.h>

#include <schedflip/types.h>

/* By what a number is divided, which is printed exactly. */
enum sf_scale {
	SF_SCALE_ONE,
	SF_SCALE_MILLI,
	SF_SCALE_CELL,
	SF_SCALE_MICRO,
	SF_SCALE_NANO,
};

/**
 * struct sf_family - what all samples of one name are
 * @name: ends in _total if it is a counter
 * @type: gauge or counter
 * @help: one line
 */
struct sf_family {
	const char *name;
	const char *type;
	const char *help;
};

/**
 * struct sf_pair - a label
 * @name: NULL behind the last
 * @value: anything
 */
struct sf_pair {
	const char *name;
	const char *value;
};

/**
 * struct sf_exposition - the text on its way
 * @to: gets it
 * @family: that is being printed, or NULL
 * @samples: the same
 */
struct sf_exposition {
	FILE *to;
	const struct sf_family *family;
	json_t *samples;
};

void sf_exposition_family(struct sf_exposition *text,
			  const struct sf_family *family);
void sf_exposition_sample(struct sf_exposition *text,
			  const struct sf_pair *labels, u64 number,
			  enum sf_scale scale);

#endif
