/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waiting, until it is time, a key was pressed or a signal ends us. */
#ifndef SCHEDFLIP_PAUSE_H
#define SCHEDFLIP_PAUSE_H

#include <signal.h>

enum sf_pause_end {
	SF_PAUSE_OVER,
	SF_PAUSE_INPUT,
	SF_PAUSE_SIGNAL,
};

double sf_pause_now(void);
void sf_pause_begin(void);
enum sf_pause_end sf_pause_until(double due, int fd);

#endif
