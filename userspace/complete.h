/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the shells offer when the user presses Tab. */
#ifndef SCHEDFLIP_COMPLETE_H
#define SCHEDFLIP_COMPLETE_H

#include "verbs.h"

int sf_complete(const struct sf_verbs *verbs, int count, char **words);

#endif
