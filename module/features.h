/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_FEATURES_H
#define SCHEDFLIP_FEATURES_H

#include <linux/seq_file.h>

int sf_features_init(void);
void sf_features_hold(bool hold);
void sf_features_recheck(void);
void sf_features_write_begin(void);
void sf_features_write_end(void);
u64 sf_features_drift(void);
void sf_features_show(struct seq_file *m);

#endif
