/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_HEADER_H
#define SCHEDFLIP_HEADER_H

#include <jansson.h>

#include "error.h"

json_t *sf_header_new(unsigned int events, char **command,
		      struct sf_error *err);

#endif
