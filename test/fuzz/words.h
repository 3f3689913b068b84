/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An input as a command line: words, each with a newline at its end. */
#ifndef SCHEDFLIP_FUZZ_WORDS_H
#define SCHEDFLIP_FUZZ_WORDS_H

#include "fuzz.h"

#define FUZZ_MAX_WORDS 40

/**
 * struct fuzz_words - a command line
 * @count: of @argv
 * @argv: a name, the words and NULL
 * @text: what the words are in
 */
struct fuzz_words {
	int count;
	char *argv[FUZZ_MAX_WORDS + 2];
	char *text;
};

/* --help, --usage and --version end the program, as does -? and -V among letters. */
static inline bool fuzz_word_ends(const char *word)
{
	if (word[0] != '-')
		return false;
	if (word[1] != '-')
		return strpbrk(word, "?V");
	word += 2;
	return !strcmp(word, "h") || !strcmp(word, "u") || !strcmp(word, "v") ||
	       !strncmp(word, "he", 2) || !strncmp(word, "us", 2) ||
	       !strncmp(word, "ve", 2);
}

/* Return: false if it is none that can be run here. */
static inline bool fuzz_words_read(struct fuzz_words *words, const u8 *data,
				   size_t size)
{
	static char name[] = "schedflip fuzz";
	char *rest, *word;

	words->text = fuzz_text(data, size);
	words->argv[0] = name;
	words->count = 1;
	rest = words->text;
	while (words->count <= FUZZ_MAX_WORDS && (word = sf_next_line(&rest))) {
		if (fuzz_word_ends(word)) {
			free(words->text);
			return false;
		}
		words->argv[words->count++] = word;
	}
	words->argv[words->count] = NULL;
	return true;
}

/* What the user typed may be in the message, and is the user's own affair. */
static inline void fuzz_usage_error(int code, const struct sf_error *err)
{
	fuzz_check(code == err->code, "the code returned is that of the error");
	fuzz_check(!code == !*err->message, "an error has a message");
}

#endif
