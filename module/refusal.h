/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why the last refused write was refused, for `last_error`.
 */
#ifndef SCHEDFLIP_REFUSAL_H
#define SCHEDFLIP_REFUSAL_H

#include <linux/compiler.h>
#include <linux/seq_file.h>

int sf_refuse(int err, const char *fmt, ...) __printf(2, 3);
void sf_refusal_show(struct seq_file *m);

#endif
