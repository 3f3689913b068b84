/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose the user's commands and files are: under sudo not root's, but those of
 * the user who called it.
 */
#ifndef SCHEDFLIP_PRIVILEGE_H
#define SCHEDFLIP_PRIVILEGE_H

#include <stdbool.h>
#include <sys/types.h>

#include "error.h"

/**
 * struct sf_privilege - what root was before it acted as somebody else
 * @lowered: it does
 * @gid: effective group
 * @groups: supplementary ones
 * @group_count: number of @groups
 */
struct sf_privilege {
	bool lowered;
	gid_t gid;
	gid_t *groups;
	int group_count;
};

const char *sf_privilege_user(void);
int sf_privilege_check(struct sf_error *err);
int sf_privilege_drop(bool as_root, struct sf_error *err);
int sf_privilege_lower(struct sf_privilege *kept, struct sf_error *err);
int sf_privilege_raise(struct sf_privilege *kept, struct sf_error *err);

#endif
