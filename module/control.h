/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Commands: the words of debugfs' `policy` and of the module parameter of that
 * name, taken whole or refused whole.
 */
#ifndef SCHEDFLIP_CONTROL_H
#define SCHEDFLIP_CONTROL_H

#include <linux/seq_file.h>

/* The longest command, without the NUL behind it. */
#define SF_COMMAND_MAX 4095

void sf_control_open(void);
void sf_control_close(void);
int sf_control_run(const char *text);
int sf_control_run_for(const char *text, int cpu, int index);
void sf_control_show_status(struct seq_file *m);
void sf_control_attached(void);
void sf_control_detaching(void);
void sf_control_detached(bool replaced);
void sf_control_dead(void);
void sf_control_lease_expired(void);
void sf_control_switched_off(void);
void sf_control_recheck(void);

#endif
