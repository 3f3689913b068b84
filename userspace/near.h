/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The word that was meant, if one was mistyped. */
#ifndef SCHEDFLIP_NEAR_H
#define SCHEDFLIP_NEAR_H

#include <stddef.h>

/**
 * struct sf_near - the search for it
 * @word: as the user wrote it
 * @best: the nearest so far, or NULL if none is near
 * @distance: letters of @best that are wrong, missing or too many
 */
struct sf_near {
	const char *word;
	const char *best;
	size_t distance;
};

void sf_near_offer(struct sf_near *near, const char *name);

#endif
