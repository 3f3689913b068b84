/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All access to the running kernel's files goes through here. Paths are those
 * of a real system; the environment variable SCHEDFLIP_SYSROOT puts another
 * tree in their place, for the tests.
 */
#ifndef SCHEDFLIP_KERNEL_H
#define SCHEDFLIP_KERNEL_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "error.h"

#define SF_DEBUGFS_ROOT "/sys/kernel/debug"
#define SF_DEBUGFS SF_DEBUGFS_ROOT "/schedflip"
#define SF_MODULE "/sys/module/schedflip"
#define SF_PARAMETER SF_MODULE "/parameters/policy"

/* What lockdown forbids; each includes the one before. */
enum sf_lockdown {
	SF_LOCKDOWN_NONE,
	SF_LOCKDOWN_INTEGRITY,
	SF_LOCKDOWN_CONFIDENTIALITY,
};

const char *sf_kernel_path(const char *path, char *buf, size_t size);
bool sf_kernel_is_real(void);
bool sf_kernel_exists(const char *path);
int sf_kernel_open(const char *path, int flags);
DIR *sf_kernel_opendir(const char *path);
ssize_t sf_kernel_read_fd(int fd, char **text);
int sf_kernel_read(const char *path, char **text, size_t *size);
int sf_kernel_read_word(const char *path, char *buf, size_t size);
int sf_kernel_write(const char *path, const char *text);

const char *sf_kernel_release(void);
enum sf_lockdown sf_kernel_lockdown(void);
bool sf_kernel_has_debugfs(void);
bool sf_kernel_has_module(void);

int sf_kernel_check_root(struct sf_error *err);
int sf_kernel_check_module(struct sf_error *err);
int sf_kernel_read_debugfs(const char *name, char **text, struct sf_error *err);
int sf_kernel_command(const char *command, bool *by_parameter,
		      struct sf_error *err);

#endif
