// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "nearest.h"
#include "text.h"

/* No name of ours is as long; what is longer is near none. */
#define SF_MAX_NEAR 48

/* One typing error is pardoned for so many letters. */
#define SF_LETTERS_AN_ERROR 3

#define SF_BETWEEN " ,"

static size_t sf_least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static bool sf_same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* @last and @before: the two rows above. */
static void sf_fill_row(const char *one, size_t at, const char *other,
			size_t len, const size_t *before, const size_t *last,
			size_t *row)
{
	size_t j;

	row[0] = at;
	for (j = 1; j <= len; j++) {
		row[j] = last[j - 1] + !sf_same(one[at - 1], other[j - 1]);
		row[j] = sf_least(row[j], last[j] + 1);
		row[j] = sf_least(row[j], row[j - 1] + 1);
		if (at > 1 && j > 1 && sf_same(one[at - 1], other[j - 2]) &&
		    sf_same(one[at - 2], other[j - 1]))
			row[j] = sf_least(row[j], before[j - 2] + 1);
	}
}

static size_t sf_distance(const char *one, size_t one_len, const char *other,
			  size_t other_len)
{
	size_t rows[3][SF_MAX_NEAR + 1];
	size_t i;

	if (one_len > SF_MAX_NEAR || other_len > SF_MAX_NEAR)
		return SIZE_MAX;
	for (i = 0; i <= other_len; i++)
		rows[0][i] = i;
	for (i = 1; i <= one_len; i++)
		sf_fill_row(one, i, other, other_len, rows[(i + 1) % 3],
			    rows[(i - 1) % 3], rows[i % 3]);
	return rows[one_len % 3][other_len];
}

/**
 * sf_nearest_distance - how many typing errors make one word of another?
 * @one: a word
 * @other: a word
 *
 * An error is a letter that is wrong, missing or too many, or two neighbours in the
 * wrong order. Capitals are none.
 *
 * Return: the least number; SIZE_MAX if one of them is too long for a name.
 */
size_t sf_nearest_distance(const char *one, const char *other)
{
	return sf_distance(one, strlen(one), other, strlen(other));
}

/**
 * sf_nearest_find - the name that was probably meant
 * @word: the user's
 * @known: names, separated by blanks or commas
 * @len: set to the length of what is returned
 *
 * Return: where it is in @known, the first of several that are equally near; NULL if
 * none is near, or @word is one of them.
 */
const char *sf_nearest_find(const char *word, const char *known, size_t *len)
{
	const char *found = NULL;
	size_t size, distance, allowed, word_len = strlen(word);
	size_t best = SIZE_MAX;

	for (known += strspn(known, SF_BETWEEN); *known;
	     known += size, known += strspn(known, SF_BETWEEN)) {
		size = strcspn(known, SF_BETWEEN);
		/* It was refused for another reason than a typing error. */
		if (size == word_len && !memcmp(word, known, size))
			return NULL;
		distance = sf_distance(word, word_len, known, size);
		allowed = (word_len > size ? word_len : size) /
			  SF_LETTERS_AN_ERROR;
		/* A word that shares no letter was not mistyped. */
		if (distance >= best || distance > (allowed ? allowed : 1) ||
		    distance >= sf_least(word_len, size))
			continue;
		best = distance;
		found = known;
		*len = size;
	}
	return found;
}

/**
 * sf_nearest_add - let an error ask for the name that was probably meant
 * @err: that no such name is known
 * @word: the user's
 * @known: names, separated by blanks or commas
 *
 * Return: the code in @err.
 */
int sf_nearest_add(struct sf_error *err, const char *word, const char *known)
{
	size_t len = 0;
	const char *name = sf_nearest_find(word, known, &len);

	if (name)
		sf_append_text(err->message, sizeof(err->message),
			       "; did you mean \"%.*s\"?", (int)len, name);
	return err->code;
}
