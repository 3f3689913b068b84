/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_DEBUGFS_H
#define SCHEDFLIP_DEBUGFS_H

#include <linux/debugfs.h>

int sf_debugfs_init(void);
void sf_debugfs_exit(void);
struct dentry *sf_debugfs_root(void);

#endif
