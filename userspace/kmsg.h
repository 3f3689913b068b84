/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_KMSG_H
#define SCHEDFLIP_KMSG_H

#include <stddef.h>

int sf_kmsg_open(void);
void sf_kmsg_reasons(int fd, char *buf, size_t size);

#endif
