/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often a command was moved between CPUs.
 */
#ifndef SCHEDFLIP_MIGRATIONS_H
#define SCHEDFLIP_MIGRATIONS_H

#include <sys/types.h>

int sf_migrations_open(pid_t pid);
double sf_migrations_read(int fd);

#endif
