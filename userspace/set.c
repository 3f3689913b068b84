// SPDX-License-Identifier: GPL-2.0-or-later
#include "apply.h"
#include "verbs.h"

static const struct argp_option sf_set_options[] = {
	SF_OPTION_CPU, SF_OPTION_DOMAIN, SF_OPTION_JSON, { 0 }
};

const struct sf_usage sf_set_usage = {
	.options = sf_set_options,
	.args = "KIND=POLICY[,...]",
	.doc = "Set the policy of domains, read it back and compare.\n"
	       "\v  newidle=stock|dice|accumulator|jitter|always|never\n"
	       "  start=zero|half|random|stagger   where the window starts\n"
	       "  ratio=0..1024|learned            pin the ratio, or let it go\n"
	       "  window_pos=0..1023               restart the counters from here\n"
	       "\n"
	       "Without --cpu and --domain it holds for all domains, also those of\n"
	       "CPUs that come online later.\n"
	       "\n"
	       "Examples:\n"
	       "  schedflip set newidle=jitter\n"
	       "  schedflip set newidle=accumulator,start=stagger --domain MC\n"
	       "  schedflip set ratio=31 --cpu 0-3\n"
	       "\n" SF_EXIT_CODES,
	.min_args = 1,
	.max_args = 1,
};

/**
 * sf_set - set the policy of domains
 * @options: the user's
 * @out: gets what was set
 * @err: says what was wrong
 *
 * Return: SF_OK, or the code in @err.
 */
int sf_set(const struct sf_options *options, struct sf_output *out,
	   struct sf_error *err)
{
	struct sf_policy policy;

	if (sf_policy_parse(options->arg, &policy, err))
		return err->code;
	return sf_apply(&policy, &options->filter, out, err);
}
