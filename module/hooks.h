/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The wrappers around the kernel's decision points, and the table of them.
 */
#ifndef SCHEDFLIP_HOOKS_H
#define SCHEDFLIP_HOOKS_H

#include <linux/seq_file.h>
#include <linux/types.h>

#include <schedflip/needs.h>

enum sf_group {
	SF_GROUP_NEWIDLE,
	SF_GROUP_SELECT,
	SF_GROUP_FEATURES,
};

#define SF_HOOK_ID(id, ...) SF_HOOK_##id,
enum sf_hook_id {
	SF_HOOKS(SF_HOOK_ID) SF_NR_HOOKS,
};
#undef SF_HOOK_ID

/**
 * struct sf_hook - a function of the kernel that we wrap
 * @name: ours for it
 * @group: hooks that are attached together
 * @symbols: the kernel's name, and an older one or NULL
 * @required: refuse a kernel that does not have it
 * @prototype: as sf_btf_prototype() prints it
 * @wrapper: what is to run instead
 * @symbol: the name this kernel has, NULL if none
 * @original: where the kernel's own code begins, past the ftrace location
 * @wanted: to be attached
 */
struct sf_hook {
	const char *name;
	enum sf_group group;
	const char *symbols[2];
	bool required;
	const char *prototype;
	void *wrapper;
	const char *symbol;
	unsigned long original;
	bool wanted;
};

int sf_hooks_init(void);
const struct sf_hook *sf_hook(enum sf_hook_id id);
u64 sf_hooks_newidle_ns(void);
void sf_hooks_show(struct seq_file *m);

#endif
