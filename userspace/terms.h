/* SPDX-License-Identifier: GPL-2.0-or-later */
/* On what terms a policy is set: for how long, and within which limits. */
#ifndef SCHEDFLIP_TERMS_H
#define SCHEDFLIP_TERMS_H

#include <argp.h>

#include "output.h"
#include "status.h"

/* Keys of the options, beyond those that commands have of their own. */
enum {
	SF_KEY_FOR_TIME = 0x400,
	SF_KEY_KEEP,
};

#define SF_FOR_HELP \
	"Return to what was before after TIME (100ms to 24h, such as 60s), unless it is confirmed"
#define SF_LEASE_HELP \
	"Stay, and return as this ends, however it does; --for says how long after at most (default 5s)"

/* Options of commands that can have a lease. */
#define SF_OPTION_FOR                                             \
	{                                                         \
		"for", SF_KEY_FOR_TIME, "TIME", 0, SF_FOR_HELP, 0 \
	}
#define SF_OPTION_LEASE                                         \
	{                                                       \
		"lease", SF_KEY_KEEP, NULL, 0, SF_LEASE_HELP, 0 \
	}

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

error_t sf_terms_option(struct sf_terms *terms, int key, const char *arg,
			struct sf_error *err);
void sf_terms_complete(struct sf_terms *terms);
int sf_terms_begin(struct sf_terms *terms, struct sf_error *err);
void sf_terms_format(const struct sf_terms *terms, char *buf, size_t size);
bool sf_terms_outdated(struct sf_terms *terms, struct sf_error *err);
bool sf_terms_holds(const struct sf_terms *terms,
		    const struct sf_status *status);
int sf_terms_verify(const struct sf_terms *terms, char *tail, size_t size,
		    struct sf_output *out, struct sf_error *err);
void sf_terms_excuse(const struct sf_terms *terms, struct sf_error *err);

#endif
