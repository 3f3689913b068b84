// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include "glance.h"
#include "terminfo.h"
#include "text.h"
#include "verbs.h"
#include "watch.h"

#define SF_MIN_INTERVAL_S 0.1
#define SF_MAX_INTERVAL_S 3600

enum {
	SF_KEY_PLAIN = 0x200,
};

static const struct argp_option sf_watch_options[] = {
	{ "interval", 'i', "SEC", 0,
	  "Time between two looks, 0.1 to 3600 (default 1)", 0 },
	{ "count", 'n', "COUNT", 0, "End after COUNT intervals", 0 },
	{ "plain", SF_KEY_PLAIN, NULL, 0, "Print lines, also on a terminal",
	  0 },
	SF_OPTION_CPU,
	SF_OPTION_DOMAIN,
	{ "json", 'j', NULL, 0, "Print one JSON object a line and interval",
	  0 },
	{ 0 }
};

/* Options are scanned before there is anything else to put them. */
static struct sf_vigil sf_watch_vigil = { .interval_s = 1 };

static error_t sf_watch_option(int key, char *arg, struct sf_error *err)
{
	double seconds;

	switch (key) {
	case 'i':
		if (!sf_parse_real(arg, &seconds) ||
		    seconds < SF_MIN_INTERVAL_S || seconds > SF_MAX_INTERVAL_S)
			return sf_fail(
				err, SF_USAGE,
				"no interval \"%.40s\"; allowed: 0.1 to 3600 seconds",
				arg);
		sf_watch_vigil.interval_s = seconds;
		return 0;
	case 'n':
		if (!sf_parse_number(arg, &sf_watch_vigil.count) ||
		    !sf_watch_vigil.count)
			return sf_fail(
				err, SF_USAGE,
				"no number of intervals \"%.40s\"; allowed: 1 and more",
				arg);
		return 0;
	case SF_KEY_PLAIN:
		sf_watch_vigil.plain = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct sf_usage sf_watch_usage = {
	.options = sf_watch_options,
	.doc = "Show what the domains do, live: calls, attempts, what they pull, the ratio\n"
	       "learned, placements. On a terminal keys fold, sort, filter, and flip the\n"
	       "policy of a domain; ? lists them. Otherwise, or with --plain, a line a level\n"
	       "of domains and interval is printed.\n"
	       "\vRates are those of the time that really passed between two looks. - is what\n"
	       "is not known, as counters were restarted or the domain was not there before;\n"
	       "lines that begin with # say what changed. While the module is not there,\n"
	       "watch says so and waits.\n"
	       "\n"
	       "It reads `state` once an interval and keeps no file open, so it holds up no\n"
	       "unload. Nothing is changed but by the keys p and P, which show the command\n"
	       "and ask first.\n"
	       "\n"
	       "Examples:\n"
	       "  schedflip watch\n"
	       "  schedflip watch -i 0.5 --domain NUMA\n"
	       "  schedflip watch --plain -n 60 >watch.txt\n"
	       "  schedflip watch -j -n 10 | jq .domains[].attempts_per_s\n"
	       "\n" SF_EXIT_CODES,
	.option = sf_watch_option,
};

/* What is wrong from the start is an error, and not something to wait for. */
static int sf_watch_try(const struct sf_filter *filter, struct sf_error *err)
{
	struct sf_glance glance;

	if (!sf_glance_take(&glance, err))
		sf_filter_check(filter, &glance.state, err);
	sf_glance_free(&glance);
	return err->code;
}

static bool sf_watch_is_plain(void)
{
	const char *why;

	if (sf_watch_vigil.plain || sf_watch_vigil.json)
		return true;
	if (sf_terminfo_can_draw(&why))
		return false;
	if (why)
		fprintf(stderr, "schedflip: %s; printing lines\n", why);
	return true;
}

/**
 * sf_watch - show what the domains do, live
 * @options: the user's
 * @out: its own object is for errors only
 * @err: says what was wrong
 *
 * Return: SF_OK, or the code in @err.
 */
int sf_watch(const struct sf_options *options, struct sf_output *out,
	     struct sf_error *err)
{
	if (sf_watch_try(&options->filter, err))
		return err->code;
	sf_watch_vigil.json = out->json;
	sf_watch_vigil.color = out->color;
	sf_watch_vigil.filter = &options->filter;
	/* Its objects have been printed, one a line. */
	out->json = false;
	if (sf_watch_is_plain())
		return sf_ticker_run(&sf_watch_vigil, err);
	return sf_live_run(&sf_watch_vigil, err);
}
