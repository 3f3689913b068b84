/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose the user's commands and files are: under sudo not root's, but those of
 * the user who called it.
 */
#ifndef SCHEDFLIP_PRIVILEGE_H
#define SCHEDFLIP_PRIVILEGE_H

#include <stdbool.h>

#include "error.h"

const char *sf_privilege_user(void);
int sf_privilege_check(struct sf_error *err);
int sf_privilege_drop(bool as_root, struct sf_error *err);
int sf_privilege_give(int fd, const char *path, struct sf_error *err);

#endif
