/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The decisions of an experiment's newidle policies: whether they were seen, and had
 * anything learned to go by.
 */
#ifndef SCHEDFLIP_DECISIONS_H
#define SCHEDFLIP_DECISIONS_H

#include "experiment.h"
#include "policy.h"

bool sf_decisions_policy(const struct sf_experiment *experiment, size_t index,
			 struct sf_policy *policy);
bool sf_decisions_unseen(const struct sf_experiment *experiment, size_t policy);
bool sf_decisions_unlearned(const struct sf_experiment *experiment,
			    size_t policy);
char *sf_decisions_note(const struct sf_experiment *experiment);

#endif
