/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is in force, in as few lines of a configuration as will do. */
#ifndef SCHEDFLIP_CONDENSE_H
#define SCHEDFLIP_CONDENSE_H

#include <stdio.h>

#include "state.h"

bool sf_condense(const struct sf_state *state, FILE *to);

#endif
