/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The running kernel's BTF. */
#ifndef SCHEDFLIP_KERNELTYPES_H
#define SCHEDFLIP_KERNELTYPES_H

#include <schedflip/types.h>

struct btf;

struct btf *sf_types_open(void);
bool sf_types_prototype(const struct btf *btf, const char *function, char *buf,
			size_t size);
int sf_types_offset(const struct btf *btf, const char *name, const char *member,
		    u32 bytes);

#endif
