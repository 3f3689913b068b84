// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/bitops.h>
#include <linux/cache.h>

#include "pass.h"

#define SF_PASS_FOR_GOOD (BIT(SF_PASS_DETACHED) | BIT(SF_PASS_DEAD))

unsigned long sf_passing __read_mostly = BIT(SF_PASS_PATCHING);

/**
 * sf_pass_set - make all wrappers pass-throughs, or no longer for this reason
 * @why: the reason
 * @on: true to make them so
 *
 * From any context, NMIs included: one atomic operation, no lock.
 */
void sf_pass_set(enum sf_pass why, bool on)
{
	if (on)
		set_bit(why, &sf_passing);
	else
		clear_bit(why, &sf_passing);
}

/**
 * sf_pass_is_set - are all wrappers pass-throughs for this reason?
 * @why: the reason
 */
bool sf_pass_is_set(enum sf_pass why)
{
	return test_bit(why, &sf_passing);
}

/**
 * sf_pass_lasts - are all wrappers pass-throughs, and not only for a moment?
 */
bool sf_pass_lasts(void)
{
	return READ_ONCE(sf_passing) & ~BIT(SF_PASS_LEASE);
}

/**
 * sf_pass_ever - will they be as long as the module is there?
 */
bool sf_pass_ever(void)
{
	return READ_ONCE(sf_passing) & SF_PASS_FOR_GOOD;
}

/**
 * sf_pass_word - what `status` calls the reason that counts most
 */
const char *sf_pass_word(void)
{
	if (sf_pass_is_set(SF_PASS_DEAD))
		return "dead";
	if (sf_pass_is_set(SF_PASS_DETACHED))
		return "detached";
	if (sf_pass_is_set(SF_PASS_OFF))
		return "off";
	if (sf_pass_is_set(SF_PASS_PATCHING))
		return "patching";
	if (sf_pass_is_set(SF_PASS_SHADOWED))
		return "shadowed";
	return sf_pass_is_set(SF_PASS_LEASE) ? "lease" : "live";
}
