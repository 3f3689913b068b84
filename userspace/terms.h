/* SPDX-License-Identifier: GPL-2.0-or-later */
/* On what terms a policy is set: for how long, and within which limits. */
#ifndef SCHEDFLIP_TERMS_H
#define SCHEDFLIP_TERMS_H

#include "output.h"
#include "status.h"

/* Room for what is said of a lease behind a command. */
#define SF_TAIL_SIZE 160

/**
 * struct sf_terms - what a command says beside the policy
 * @for_ms: all returns after so many; 0 if it has no lease of its own
 * @keep: somebody renews the lease meanwhile, who has to have begun it
 * @settle: a pending lease and all tripwires end by the command, so that nothing of what
 *	it sets returns
 * @trips: tripwires to set
 * @before: the status before the command
 * @given: the module has carried it out
 */
struct sf_terms {
	u64 for_ms;
	bool keep;
	bool settle;
	struct sf_trips trips;
	struct sf_status before;
	bool given;
};

int sf_terms_begin(struct sf_terms *terms, struct sf_error *err);
void sf_terms_format(const struct sf_terms *terms, char *buf, size_t size);
bool sf_terms_outdated(struct sf_terms *terms, struct sf_error *err);
bool sf_terms_holds(const struct sf_terms *terms,
		    const struct sf_status *status);
int sf_terms_verify(const struct sf_terms *terms, char *tail, size_t size,
		    struct sf_output *out, struct sf_error *err);
void sf_terms_excuse(const struct sf_terms *terms, struct sf_error *err);

#endif
