/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How hooks get into the kernel: the seam behind which another engine than
 * livepatch could stand. Knows nothing of what the wrappers do, but tells
 * control.c when they are all in place and when they are about to go.
 */
#ifndef SCHEDFLIP_ATTACH_H
#define SCHEDFLIP_ATTACH_H

#include <linux/types.h>

enum sf_attach_state {
	SF_ATTACH_UNKNOWN,
	SF_ATTACH_KEPT,
	SF_ATTACH_LOST,
};

int sf_attach_check(void);
int sf_attach(void);
void sf_attach_exit(void);
bool sf_attach_is_dead(void);
void sf_attach_freeze(void);
enum sf_attach_state sf_attach_look(char *shadow, size_t size);

#endif
