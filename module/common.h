/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What all domains have in common, in the words of a command.
 */
#ifndef SCHEDFLIP_COMMON_H
#define SCHEDFLIP_COMMON_H

#include <linux/seq_file.h>

void sf_common_show(struct seq_file *m);
int sf_common_emit(char *buffer, bool ready);

#endif
