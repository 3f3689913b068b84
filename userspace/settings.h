/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A configuration: all that is to be in force, as docs/config.md has it. What it does not
 * name is at stock.
 */
#ifndef SCHEDFLIP_SETTINGS_H
#define SCHEDFLIP_SETTINGS_H

#include <jansson.h>

#include "filter.h"
#include "policy.h"
#include "trip.h"

#define SF_SETTINGS_FILE "/etc/schedflip.conf"

/**
 * struct sf_setting - a line that sets policies
 * @number: of the line
 * @filter: the domains it is for
 * @policy: what it sets
 * @missing: there are no such domains, and the user knows
 */
struct sf_setting {
	size_t number;
	struct sf_filter filter;
	struct sf_policy policy;
	bool missing;
};

/**
 * struct sf_settings - all of it
 * @name: of the file, for the user
 * @text: what the strings point into
 * @lines: those that set policies, in their order
 * @count: number of @lines
 * @trips: tripwires
 * @hooks_all: the group of select must be loaded
 */
struct sf_settings {
	const char *name;
	char *text;
	struct sf_setting *lines;
	size_t count;
	struct sf_trips trips;
	bool hooks_all;
};

int sf_settings_parse(const char *name, char *text, size_t size,
		      struct sf_settings *settings, json_t *errors,
		      struct sf_error *err);
int sf_settings_read(const char *file, struct sf_settings *settings,
		     json_t *errors, struct sf_error *err);
int sf_settings_blame(const struct sf_settings *settings, size_t number,
		      struct sf_error *err);
int sf_settings_check(struct sf_settings *settings,
		      const struct sf_state *state, bool skip,
		      struct sf_error *err);
bool sf_settings_is_general(const struct sf_setting *line);
bool sf_settings_need_all(const struct sf_settings *settings);
void sf_settings_policy(const struct sf_settings *settings,
			const struct sf_domain *domain,
			struct sf_policy *policy);
void sf_settings_free(struct sf_settings *settings);

#endif
