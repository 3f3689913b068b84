// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "tally.h"

/**
 * sf_tally_begin - begin with no words
 * @tally: to set; to be ended also after an error
 *
 * Return: false if it does not fit in memory.
 */
bool sf_tally_begin(struct sf_tally *tally)
{
	tally->counts = json_object();
	return tally->counts;
}

/**
 * sf_tally_add - count a word once more
 * @tally: from sf_tally_begin()
 * @word: printable ASCII
 *
 * Return: false if it does not fit in memory.
 */
bool sf_tally_add(struct sf_tally *tally, const char *word)
{
	json_t *count = json_object_get(tally->counts, word);

	if (count)
		return !json_integer_set(count, json_integer_value(count) + 1);
	return !json_object_set_new(tally->counts, word, json_integer(1));
}

/**
 * sf_tally_end - free what is held
 * @tally: is empty then
 */
void sf_tally_end(struct sf_tally *tally)
{
	json_decref(tally->counts);
	memset(tally, 0, sizeof(*tally));
}
