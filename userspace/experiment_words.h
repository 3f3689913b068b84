/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words of an experiment's file, which are written in one place and read in another.
 */
#ifndef SCHEDFLIP_EXPERIMENT_WORDS_H
#define SCHEDFLIP_EXPERIMENT_WORDS_H

#include <schedflip/types.h>

#include "experiment.h"

#define SF_EXPERIMENT_KIND "schedflip-experiment"

/* Whole numbers of JSON have a sign. */
#define SF_MAX_SEED ((u64)INT64_MAX)

/* By enum sf_better; NULL for unsaid. */
extern const char *const sf_better_words[SF_NR_BETTER];

#endif
