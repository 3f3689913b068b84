/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_TRUST_H
#define SCHEDFLIP_TRUST_H

#include "checklist.h"
#include "image.h"

void sf_trust_check(struct sf_checklist *list, const struct sf_image *image);

#endif
