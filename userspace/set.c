// SPDX-License-Identifier: GPL-2.0-or-later
#include "apply.h"
#include "keeper.h"
#include "verbs.h"

enum {
	SF_KEY_TRIP = 0x200,
};

static const struct argp_option sf_set_options[] = {
	SF_OPTION_CPU,
	SF_OPTION_DOMAIN,
	SF_OPTION_FOR,
	SF_OPTION_LEASE,
	{ "trip", SF_KEY_TRIP, "LIST", 0,
	  "Return all to stock if a limit is reached, such as depth=64,newidle_share=10%,run_delay=20ms",
	  0 },
	SF_OPTION_JSON,
	{ 0 }
};

/* Options are scanned before there is anything else to put them. */
static struct sf_terms sf_set_terms;

static error_t sf_set_option(int key, char *arg, struct sf_error *err)
{
	if (key == SF_KEY_TRIP)
		return sf_trips_parse(arg, &sf_set_terms.trips, err);
	return sf_terms_option(&sf_set_terms, key, arg, err);
}

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
	       "With --for the kernel returns to what was before, by itself, also if no\n"
	       "program runs any more; `schedflip confirm` lets it stay, and `schedflip\n"
	       "return` does not wait. Whatever is set while a lease is pending returns with\n"
	       "it. With --lease this command renews it, until Ctrl-C or a signal ends it,\n"
	       "which returns at once.\n"
	       "\n"
	       "Tripwires are the machine's, and need no KIND; the kernel looks once a second:\n"
	       "  --trip depth=1..65535            tasks on the deepest CPU\n"
	       "  --trip newidle_share=0.1%..100%  of the CPUs' time in newidle balance\n"
	       "  --trip run_delay=1us..60s        mean wait of tasks for a CPU\n"
	       "  --trip NAME=off, or off for all\n"
	       "\n"
	       "Examples:\n"
	       "  schedflip set newidle=jitter\n"
	       "  schedflip set newidle=jitter --for 60s --trip depth=64\n"
	       "  schedflip set burst=spread --lease\n"
	       "  schedflip set newidle=accumulator,start=stagger --domain MC\n"
	       "  schedflip set slowpath=random burst=nearest learn=reset\n"
	       "  schedflip set ratio=31 --cpu 0-3\n"
	       "\n" SF_EXIT_CODES,
	.max_args = SF_MAX_ARGS,
	.option = sf_set_option,
};

static int sf_set_check(const struct sf_options *options,
			struct sf_terms *terms, struct sf_error *err)
{
	bool trips = sf_trips_given(&terms->trips);

	sf_terms_complete(terms);
	if (!options->arg_count && !trips)
		return sf_fail(err, SF_USAGE, "%s is missing",
			       sf_set_usage.args);
	if (!options->arg_count &&
	    (options->filter.cpu || options->filter.domain))
		return sf_fail(
			err, SF_USAGE,
			"tripwires are the machine's; leave --cpu and --domain out, or give KIND=VALUE as well");
	return SF_OK;
}

/* What could not be verified is not left to the end of the lease. */
static int sf_set_and_keep(const struct sf_policy *policy,
			   const struct sf_options *options,
			   struct sf_terms *terms, struct sf_output *out,
			   struct sf_error *err)
{
	struct sf_keeper keeper;

	sf_keeper_begin(&keeper, terms);
	if (sf_apply(policy, &options->filter, terms, out, err))
		sf_keeper_drop(&keeper);
	else
		sf_keeper_run(&keeper, out, err);
	sf_keeper_end(&keeper);
	return err->code;
}

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
	struct sf_terms *terms = &sf_set_terms;
	int i;

	if (sf_set_check(options, terms, err))
		return err->code;
	for (i = 0; i < options->arg_count; i++)
		if (sf_policy_parse(options->args[i], &policy, err))
			return err->code;
	sf_policy_complete(&policy);
	if (terms->keep)
		return sf_set_and_keep(&policy, options, terms, out, err);
	return sf_apply(&policy, &options->filter, terms, out, err);
}
