/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_APPLY_H
#define SCHEDFLIP_APPLY_H

#include "filter.h"
#include "output.h"
#include "policy.h"
#include "terms.h"

int sf_apply(const struct sf_policy *policy, const struct sf_filter *filter,
	     struct sf_terms *terms, struct sf_output *out,
	     struct sf_error *err);
int sf_check_hook(const struct sf_policy *policy, struct sf_error *err);
int sf_verify(const struct sf_policy *policy, const struct sf_filter *filter,
	      const char *tail, struct sf_output *out, struct sf_error *err);

#endif
