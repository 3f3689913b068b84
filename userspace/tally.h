/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often each of some words was met.
 */
#ifndef SCHEDFLIP_TALLY_H
#define SCHEDFLIP_TALLY_H

#include <jansson.h>

#include <schedflip/types.h>

/**
 * struct sf_tally - words and their numbers
 * @counts: an object of numbers by word, in the order they were met first
 */
struct sf_tally {
	json_t *counts;
};

bool sf_tally_begin(struct sf_tally *tally);
bool sf_tally_add(struct sf_tally *tally, const char *word);
void sf_tally_end(struct sf_tally *tally);

#endif
