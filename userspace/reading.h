/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the module and the kernel say at one moment: the policies in force, the
 * counters, and what must not change while policies are compared.
 */
#ifndef SCHEDFLIP_READING_H
#define SCHEDFLIP_READING_H

#include <jansson.h>

#include "counters.h"
#include "info.h"
#include "policy.h"

/* What must not change; each is a text of words. */
enum sf_fact {
	SF_FACT_LAYOUT,
	SF_FACT_HOOKS,
	SF_FACT_FEATURES,
	SF_NR_FACTS,
};

/**
 * struct sf_reading - all that was read
 * @state: the domains
 * @counters: of them and of the machine
 * @info: what the module says about itself
 * @features: sched features, as the kernel prints them; NULL if they cannot be read
 * @facts: by enum sf_fact
 */
struct sf_reading {
	struct sf_state state;
	struct sf_counters counters;
	struct sf_info info;
	char *features;
	char *facts[SF_NR_FACTS];
};

int sf_reading_take(struct sf_reading *reading, struct sf_error *err);
void sf_reading_free(struct sf_reading *reading);
char *sf_reading_words(const struct sf_reading *reading);
json_t *sf_reading_hook_calls(const struct sf_reading *before,
			      const struct sf_reading *after);
bool sf_reading_has(const struct sf_reading *reading,
		    const struct sf_policy *policy, char *found, size_t size);
bool sf_reading_changed(const struct sf_reading *before,
			const struct sf_reading *after, char *what,
			size_t size);
bool sf_reading_meddled(const struct sf_reading *before,
			const struct sf_reading *after, char *what,
			size_t size);

#endif
