// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "label.h"
#include "text.h"

/* Longer words are cut. */
#define SF_MAX_WORDS 280

/**
 * sf_label_make - what to call one of several policies
 * @words: of all of them
 * @count: number of them
 * @index: of the one
 *
 * Return: its words; if several have the same, with its number among those behind.
 */
struct sf_label sf_label_make(const char *const *words, size_t count,
			      size_t index)
{
	size_t i, same = 0, number = 0;
	struct sf_label label;

	for (i = 0; i < count; i++) {
		if (strcmp(words[i], words[index]))
			continue;
		same++;
		number += i <= index;
	}
	snprintf(label.text, sizeof(label.text), "%.*s%s", SF_MAX_WORDS,
		 words[index],
		 strlen(words[index]) > SF_MAX_WORDS ? "..." : "");
	if (same > 1)
		sf_append_text(label.text, sizeof(label.text), " (%zu)",
			       number);
	return label;
}
