// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "near.h"

/* Longer than any name there is. */
#define SF_MAX_NAME 24

/* More slips than these make another word. */
#define SF_MAX_SLIPS 2

static size_t sf_least(size_t one, size_t two, size_t three)
{
	size_t least = one < two ? one : two;

	return least < three ? least : three;
}

/* Row by row: what it costs to make the first letters of one word those of the other. */
static size_t sf_distance(const char *one, const char *other)
{
	size_t row[SF_MAX_NAME + 1], len = strlen(other), i, j, corner, above;

	for (j = 0; j <= len; j++)
		row[j] = j;
	for (i = 0; one[i]; i++) {
		corner = row[0];
		row[0] = i + 1;
		for (j = 0; j < len; j++) {
			above = row[j + 1];
			row[j + 1] = sf_least(above + 1, row[j] + 1,
					      corner + (one[i] != other[j]));
			corner = above;
		}
	}
	return row[len];
}

/**
 * sf_near_offer - is this the word that was meant?
 * @near: begins with @word, and nothing else
 * @name: a word that is known; must outlive @near
 */
void sf_near_offer(struct sf_near *near, const char *name)
{
	size_t distance, len = strlen(near->word);

	if (len > SF_MAX_NAME || strlen(name) > SF_MAX_NAME)
		return;
	distance = sf_distance(near->word, name);
	/* Of a short word little is left after two slips. */
	if (distance > SF_MAX_SLIPS || 2 * distance >= len ||
	    (near->best && distance >= near->distance))
		return;
	near->best = name;
	near->distance = distance;
}
