/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `check` finds out of files of the kernel's. */
#ifndef SCHEDFLIP_FUZZ_CHECKS_H
#define SCHEDFLIP_FUZZ_CHECKS_H

#include "fuzz.h"

#include "checklist.h"

#define FUZZ_RELEASE "7.3.4-fuzz"

/* Make the list, print it, and tell the verdict. */
static inline void fuzz_checklist(void (*check)(struct sf_checklist *list))
{
	struct sf_error err = { .code = SF_OK };
	struct sf_checklist list;
	struct sf_output out;
	int code;

	fuzz_quiet();
	sf_checklist_init(&list);
	check(&list);
	fuzz_check(!list.incomplete, "no row is missing");
	sf_output_init(&out, false);
	sf_checklist_print(&list, &out);
	code = sf_checklist_verdict(&list, &out, &err);
	fuzz_error(code, &err);
	fuzz_check(!out.incomplete, "all of it is printed");
	sf_checklist_free(&list);
	json_decref(out.root);
}

#endif
