/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_TREE_H
#define SCHEDFLIP_TREE_H

int sf_tree_init(void);
void sf_tree_exit(void);

#endif
