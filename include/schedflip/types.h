/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Integer types for the headers that the module, the utility and the tests
 * share. The kernel has no stdint.h, so this is the one place that asks where
 * it is being compiled.
 */
#ifndef SCHEDFLIP_TYPES_H
#define SCHEDFLIP_TYPES_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t s64;
#endif

#endif
