/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kill switch: makes every hook a pass-through at once, on every CPU. What takes
 * locks, NI_RANDOM and the policies, follows from a work item.
 */
#ifndef SCHEDFLIP_OFF_H
#define SCHEDFLIP_OFF_H

#include <linux/types.h>

enum sf_off_reason {
	SF_OFF_SYSRQ,
	SF_OFF_DEBUGFS,
	SF_OFF_PARAMETER,
};

void sf_off_init(void);
void sf_off_exit(void);
void sf_off_at_once(enum sf_off_reason reason);
int sf_off_end(void);
int sf_off_parse(const char *text, bool *off);
bool sf_is_off(void);
bool sf_off_is_news(void);
const char *sf_off_why(void);

#endif
