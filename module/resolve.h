/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_RESOLVE_H
#define SCHEDFLIP_RESOLVE_H

#include <schedflip/needs.h>
#include <linux/types.h>

/* A member that this kernel does not have. */
#define SF_NO_MEMBER (-1)

/* Offsets in the running kernel's structs, -1 for an optional one that is not there. */
#define SF_OFFSET(struct_, member, bytes) int struct_##__##member;
struct sf_layout {
	SF_MEMBERS(SF_OFFSET, SF_OFFSET, SF_OFFSET)
};
#undef SF_OFFSET

/* Addresses of the kernel's variables, NULL for an optional one that is not there. */
#define SF_ADDRESS(name) void *name;
struct sf_variables {
	SF_VARIABLES(SF_ADDRESS)
	SF_OPTIONAL_VARIABLES(SF_ADDRESS)
};
#undef SF_ADDRESS

extern struct sf_layout sf_layout;
extern struct sf_variables sf_variables;

/**
 * sf_resolve - find all that needs.h lists, hooks apart
 *
 * Logs what is missing or differs.
 *
 * Return: 0, or -ENOENT for a missing symbol, -EOPNOTSUPP for a kernel without
 * BTF or with another layout.
 */
int sf_resolve(void);

/**
 * sf_resolve_function - find a function to hook and check its prototype
 * @name: exact name of the symbol
 * @prototype: as sf_btf_prototype() prints it
 * @original: set to the address just past the function's ftrace location
 *
 * Logs a difference, but not that there is no such function.
 *
 * Return: 0, -ENOENT if there is none that ftrace can hook, -EOPNOTSUPP if its
 * prototype differs.
 */
int sf_resolve_function(const char *name, const char *prototype,
			unsigned long *original);

/**
 * sf_can_tell_tick - can the kernel tell whether a CPU's tick is stopped?
 */
bool sf_can_tell_tick(void);

/**
 * sf_resolve_size - size of the object at an address
 * @address: from sf_variables
 *
 * Return: bytes, as the distance to the next symbol; 0 if unknown.
 */
unsigned long sf_resolve_size(const void *address);

#endif
