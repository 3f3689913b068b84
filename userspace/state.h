/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_STATE_H
#define SCHEDFLIP_STATE_H

#include <schedflip/abi.h>

#include "error.h"

/**
 * struct sf_domain - one line of the module's state
 *
 * The fields are those of docs/debugfs.md.
 */
#define SF_STRING(field) const char *field;
#define SF_NUMBER(field) u64 field;
struct sf_domain {
	SF_STATE_FIELDS(SF_STRING, SF_NUMBER)
};
#undef SF_STRING
#undef SF_NUMBER

/**
 * struct sf_state - all domains at one moment
 * @domains: in the module's order, by CPU and index
 * @count: number of @domains
 * @text: what their strings point into
 */
struct sf_state {
	struct sf_domain *domains;
	size_t count;
	char *text;
};

int sf_state_parse(char *text, struct sf_state *state, struct sf_error *err);
int sf_state_read(struct sf_state *state, struct sf_error *err);
void sf_state_free(struct sf_state *state);

#endif
