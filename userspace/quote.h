/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_QUOTE_H
#define SCHEDFLIP_QUOTE_H

#include <jansson.h>
#include <stdio.h>

void sf_quote_word(const char *word, FILE *to);
char *sf_quote_command(const json_t *command);

#endif
