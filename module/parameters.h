/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The module parameters policy, seed and off: they are set by insmod before our init
 * runs, and can be read and written through sysfs from then on until after our exit.
 */
#ifndef SCHEDFLIP_PARAMETERS_H
#define SCHEDFLIP_PARAMETERS_H

struct sf_command;

int sf_parameters_init(void);
void sf_parameters_exit(void);
void sf_parameters_open(void);
void sf_parameters_close(void);
struct sf_command *sf_parameters_take_initial(void);

#endif
