/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The policies that were in force, each domain's own, and the way back to them.
 */
#ifndef SCHEDFLIP_SNAPSHOT_H
#define SCHEDFLIP_SNAPSHOT_H

#include "policy.h"

void sf_snapshot_policy(const struct sf_domain *domain,
			struct sf_policy *policy);
char *sf_snapshot_commands(const struct sf_state *before);
int sf_snapshot_restore(const struct sf_state *before, struct sf_error *err);

#endif
