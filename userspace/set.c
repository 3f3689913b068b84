// SPDX-License-Identifier: GPL-2.0-or-later
#include "apply.h"
#include "verbs.h"

static const struct argp_option sf_set_options[] = {
	SF_OPTION_CPU, SF_OPTION_DOMAIN, SF_OPTION_JSON, { 0 }
};

_Static_assert(SF_NR_KINDS <= SF_MAX_ARGS, "each kind may have an argument");

const struct sf_usage sf_set_usage = {
	.options = sf_set_options,
	.args = "KIND=VALUE...",
	.doc = "Set the policy of domains, read it back and compare. Several kinds are\n"
	       "separated by commas or blanks.\n"
	       "\v  newidle=stock|dice|accumulator|jitter|always|never\n"
	       "  start=zero|half|random|stagger   where the window starts; zero if\n"
	       "                                     newidle is given without it\n"
	       "  ratio=0..1024|learned            pin the ratio, or let it go\n"
	       "  window_pos=0..1023               restart the counters from here\n"
	       "  slowpath=stock|random            which idle CPU gets a new task\n"
	       "  burst=stock|idle|spread|nearest  where tasks go if the CPU is deep:\n"
	       "  burst_depth=1..4096                it has so many tasks (default 2)\n"
	       "  burst_factor=1..64                 and, but for idle, so many times\n"
	       "                                     the average (default 3)\n"
	       "  burst_nohz=on|off                  idle: stopped ticks only\n"
	       "  cost=stock|bump                  what a failed newidle balance costs\n"
	       "  sync=on|off                      measure if CPUs attempt together\n"
	       "\n"
	       "What a domain has learned (its success ratio and balance cost) is kept,\n"
	       "unless this command says otherwise, for once:\n"
	       "  learn=keep     keep it (default)\n"
	       "  learn=reset    as in a fresh domain\n"
	       "  learn=restore  as it was when it last ran this newidle policy, or\n"
	       "                 fresh if it never did\n"
	       "\n"
	       "slowpath and burst need `schedflip load --hooks all`. Without --cpu and\n"
	       "--domain it holds for all domains, also those of CPUs that come online\n"
	       "later. With --cpu 6,7, and 7 offline, 7 takes it when it comes, unless\n"
	       "--domain is given too.\n"
	       "\n"
	       "Examples:\n"
	       "  schedflip set newidle=jitter\n"
	       "  schedflip set newidle=accumulator,start=stagger --domain MC\n"
	       "  schedflip set slowpath=random burst=nearest learn=reset\n"
	       "  schedflip set ratio=31 --cpu 0-3\n"
	       "\n" SF_EXIT_CODES,
	.min_args = 1,
	.max_args = SF_MAX_ARGS,
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
	struct sf_policy policy = { .values = { { false } } };
	int i;

	for (i = 0; i < options->arg_count; i++)
		if (sf_policy_parse(options->args[i], &policy, err))
			return err->code;
	sf_policy_complete(&policy);
	return sf_apply(&policy, &options->filter, out, err);
}
