/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was in force before or after a run, for whoever doubts it.
 */
#ifndef SCHEDFLIP_EVIDENCE_H
#define SCHEDFLIP_EVIDENCE_H

#include "reader.h"

/**
 * struct sf_evidence - what was found at one moment
 * @policy: what the domains were set to, as `set` takes it; NULL if unknown
 * @layout: the sched domains, a string of words, which runs share, as it is long and
 *	rarely changes; NULL if unknown
 * @hooks: the module's hooks and their states, in words; NULL if unknown
 * @features: sched features, as the kernel prints them; NULL if unknown
 */
struct sf_evidence {
	char *policy;
	json_t *layout;
	char *hooks;
	char *features;
};

void sf_evidence_free(struct sf_evidence *evidence);
json_t *sf_evidence_json(const struct sf_evidence *evidence, json_t *layouts);
void sf_evidence_parse(struct sf_reader *reader, const json_t *object,
		       const json_t *layouts, struct sf_evidence *evidence);

#endif
