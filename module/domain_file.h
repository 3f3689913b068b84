/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_DOMAIN_FILE_H
#define SCHEDFLIP_DOMAIN_FILE_H

#include <linux/dcache.h>

int sf_domain_files_add(struct dentry *dir, int cpu, int index);

#endif
