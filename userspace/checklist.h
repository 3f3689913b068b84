/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_CHECKLIST_H
#define SCHEDFLIP_CHECKLIST_H

#include "output.h"

enum sf_status {
	SF_STATUS_OK,
	SF_STATUS_WARNING,
	SF_STATUS_UNKNOWN,
	SF_STATUS_MISSING,
	SF_NR_STATUS,
};

/* The requirement of which the verdict is told apart. */
#define SF_REQUIRED_ROOT "root"

/**
 * struct sf_checklist - requirements, and whether they are met
 * @rows: a JSON object each: requirement, status, found, remedy; first those
 *	of what is missing
 * @count: rows of each status
 * @code: exit code that the missing ones come to
 * @missing: names of those that come to @code
 * @incomplete: a row did not fit in memory
 */
struct sf_checklist {
	json_t *rows;
	unsigned int count[SF_NR_STATUS];
	enum sf_exit code;
	char missing[1024];
	bool incomplete;
};

void sf_checklist_init(struct sf_checklist *list);
void sf_checklist_free(struct sf_checklist *list);
void sf_checklist_add(struct sf_checklist *list, enum sf_status status,
		      enum sf_exit code, const char *requirement,
		      const char *remedy, const char *format, ...)
	__attribute__((format(printf, 6, 7)));
void sf_checklist_print(const struct sf_checklist *list, struct sf_output *out);
int sf_checklist_verdict(const struct sf_checklist *list, struct sf_output *out,
			 struct sf_error *err);

#endif
