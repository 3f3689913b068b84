/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_TRANSITION_H
#define SCHEDFLIP_TRANSITION_H

#include <schedflip/types.h>

#include "error.h"
#include "output.h"
#include "progress.h"

int sf_transition_patch(u64 limit_ms, struct sf_output *out,
			struct sf_error *err);
int sf_transition_unpatch(u64 limit_ms, struct sf_output *out,
			  struct sf_error *err);
int sf_transition_check_users(struct sf_error *err);
int sf_transition_remove(struct sf_error *err);

#endif
