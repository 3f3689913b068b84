/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which name was meant? */
#ifndef SCHEDFLIP_NEAREST_H
#define SCHEDFLIP_NEAREST_H

#include <stddef.h>

#include "error.h"

size_t sf_nearest_distance(const char *one, const char *other);
const char *sf_nearest_find(const char *word, const char *known, size_t *len);
int sf_nearest_add(struct sf_error *err, const char *word, const char *known);

#endif
