/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_INFO_H
#define SCHEDFLIP_INFO_H

#include <schedflip/types.h>

#include "error.h"

#define SF_MAX_HOOKS 16

/**
 * struct sf_hook - one line of the module's hooks
 *
 * The fields are those of docs/debugfs.md.
 */
struct sf_hook {
	char hook[32];
	char group[32];
	char symbol[64];
	char state[32];
	u64 calls;
	u64 ns;
};

/**
 * struct sf_info - what the module says about itself
 * @version: of the module
 * @ni_random: the user's own NI_RANDOM: on, off or absent
 * @held: schedflip holds NI_RANDOM off now
 * @hooks: its hooks
 * @hook_count: number of them
 */
struct sf_info {
	char version[64];
	char ni_random[16];
	u64 held;
	struct sf_hook hooks[SF_MAX_HOOKS];
	size_t hook_count;
};

int sf_info_parse_features(char *text, struct sf_info *info,
			   struct sf_error *err);
int sf_info_parse_hooks(char *text, struct sf_info *info, struct sf_error *err);
const struct sf_hook *sf_info_find_hook(const struct sf_info *info,
					const char *name);
int sf_info_read_hooks(struct sf_info *info, struct sf_error *err);
int sf_info_read_features(struct sf_info *info, struct sf_error *err);
int sf_info_read(struct sf_info *info, struct sf_error *err);

#endif
