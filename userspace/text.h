/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_TEXT_H
#define SCHEDFLIP_TEXT_H

#include <stddef.h>

#include <schedflip/names.h>

#define SF_ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

bool sf_parse_number(const char *text, u64 *number);
bool sf_parse_real(const char *text, double *number);
void sf_append_text(char *buf, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void sf_clean_text(char *text);
size_t sf_control_size(const char *text);
const char *sf_plural(u64 count);
char *sf_next_line(char **text);
const char *sf_find_name(const struct sf_name *names, size_t count,
			 const char *name);
void sf_list_names(const struct sf_name *names, size_t count, char *buf,
		   size_t size);

#endif
