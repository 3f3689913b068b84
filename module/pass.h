/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why all wrappers are pass-throughs: one word, a bit a reason.
 */
#ifndef SCHEDFLIP_PASS_H
#define SCHEDFLIP_PASS_H

#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/types.h>

/**
 * enum sf_pass - a reason
 * @SF_PASS_PATCHING: some tasks run the kernel's own code yet, or again
 * @SF_PASS_OFF: somebody has used the kill switch
 * @SF_PASS_LEASE: a lease has expired, and what was before it is not back yet
 * @SF_PASS_SHADOWED: a later livepatch replaces a function that we wrap
 * @SF_PASS_DETACHED: no task runs the wrappers any more; for good
 * @SF_PASS_DEAD: the kernel has switched ftrace off; for good
 */
enum sf_pass {
	SF_PASS_PATCHING,
	SF_PASS_OFF,
	SF_PASS_LEASE,
	SF_PASS_SHADOWED,
	SF_PASS_DETACHED,
	SF_PASS_DEAD,
};

/*
 * Read without a lock by every wrapper, and set by the kill switch from any context;
 * nothing is published with it, so no barrier is needed.
 */
extern unsigned long sf_passing;

/**
 * sf_pass_any - is there a reason?
 */
static __always_inline bool sf_pass_any(void)
{
	return READ_ONCE(sf_passing);
}

void sf_pass_set(enum sf_pass why, bool on);
bool sf_pass_is_set(enum sf_pass why);
bool sf_pass_lasts(void);
bool sf_pass_ever(void);
const char *sf_pass_word(void);

#endif
