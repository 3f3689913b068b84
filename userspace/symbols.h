/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The running kernel's symbols. */
#ifndef SCHEDFLIP_SYMBOLS_H
#define SCHEDFLIP_SYMBOLS_H

#include <stddef.h>

unsigned int sf_symbols_count(const char *text, const char *name);
void sf_symbols_variant(const char *text, const char *name, char *buf,
			size_t size);

#endif
