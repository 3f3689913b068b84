/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The system calls that put the module into the kernel and take it out. */
#ifndef SCHEDFLIP_MODULE_H
#define SCHEDFLIP_MODULE_H

#include <stddef.h>

int sf_module_insert(int fd, const char *parameters);
int sf_module_remove(void);
int sf_module_probe(char *const argv[], char *log, size_t size);

#endif
