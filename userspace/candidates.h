/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words that may stand where the user types one. They go to stdout, one a line, if they
 * begin as the word does.
 */
#ifndef SCHEDFLIP_CANDIDATES_H
#define SCHEDFLIP_CANDIDATES_H

#include "options.h"

/* What no candidate looks like: the shell is to offer files, or commands. */
#define SF_OFFER_FILES "<files>"
#define SF_OFFER_COMMAND "<command>"

/**
 * struct sf_typed - what there is of the word
 * @head: so much of it stays, such as "--hooks=" or "newidle=dice,"
 * @head_len: length of @head
 * @rest: what follows, which candidates begin with
 */
struct sf_typed {
	const char *head;
	size_t head_len;
	const char *rest;
};

struct sf_typed sf_typed_word(const char *word);
struct sf_typed sf_typed_behind(const struct sf_typed *typed,
				const char *separators);
void sf_offer(const struct sf_typed *typed, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void sf_offer_list(const struct sf_typed *typed, const char *list);
void sf_offer_kinds(const struct sf_typed *typed);
void sf_offer_argument(const struct argp_option *option,
		       const struct sf_typed *typed);

#endif
