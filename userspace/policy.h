/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_POLICY_H
#define SCHEDFLIP_POLICY_H

#include "kind.h"

/* Room for the words of a policy that sets every kind, twice over. */
#define SF_POLICY_SIZE 512

/**
 * struct sf_policy - what a set command changes
 * @values: of each kind
 */
struct sf_policy {
	struct sf_value values[SF_NR_KINDS];
};

int sf_policy_parse(const char *text, struct sf_policy *policy,
		    struct sf_error *err);
bool sf_policy_given(const struct sf_policy *policy);
void sf_policy_complete(struct sf_policy *policy);
void sf_policy_stock(struct sf_policy *policy);
void sf_policy_overlay(struct sf_policy *policy, const struct sf_policy *over);
void sf_value_format(const struct sf_value *value, char *buf, size_t size);
void sf_policy_format(const struct sf_policy *policy, char *buf, size_t size);
const struct sf_kind *sf_policy_hooked(const struct sf_policy *policy);
const struct sf_kind *sf_policy_next_difference(const struct sf_policy *policy,
						const struct sf_domain *domain,
						const struct sf_kind *after,
						struct sf_value *wanted,
						char *found, size_t size);
const struct sf_kind *sf_policy_differs(const struct sf_policy *policy,
					const struct sf_domain *domain,
					char *found, size_t size);

#endif
