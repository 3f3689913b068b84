/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the user can ask of the utility itself: its commands, and versions. */
#ifndef SCHEDFLIP_HELP_H
#define SCHEDFLIP_HELP_H

#include "verbs.h"

void sf_help_all(const struct sf_verbs *verbs, struct sf_output *out);
void sf_help_one(const struct sf_verb *verb, enum sf_asked asked,
		 struct sf_output *out);
void sf_help_version(struct sf_output *out);

#endif
