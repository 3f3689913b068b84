/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The signals that would end us, from a user, a limit or a timer: what was begun has to be
 * taken back first.
 */
#ifndef SCHEDFLIP_SIGNALS_H
#define SCHEDFLIP_SIGNALS_H

#include <signal.h>

void sf_signals_ending(sigset_t *set);

#endif
