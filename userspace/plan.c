// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include <schedflip/learn.h>

#include "comparison.h"
#include "experiment_words.h"
#include "gnuplot.h"
#include "nearest.h"
#include "options.h"
#include "plan.h"
#include "text.h"

#define SF_MAX_BLOCKS 10000
#define SF_MAX_WARMUPS 100
#define SF_MAX_SECONDS 604800
#define SF_MAX_PRECISION 100

#define SF_DEFAULT_SECONDS 600
#define SF_DEFAULT_PRECISION 1

enum {
	SF_KEY_BLOCKS = 0x200,
	SF_KEY_PRECISION,
	SF_KEY_MAX_TIME,
	SF_KEY_ORDER,
	SF_KEY_LEARN,
	SF_KEY_WARMUP,
	SF_KEY_METRIC,
	SF_KEY_SEED,
	SF_KEY_PLOT,
	SF_KEY_AS_ROOT,
	SF_KEY_QUIET,
	SF_KEY_TIMEOUT,
};

const struct argp_option sf_plan_options[] = {
	{ "policy", 'p', "SET", 0,
	  "Policy to compare, as the argument of set, or stock; the first is the baseline (2 to 8)",
	  0 },
	{ "metric", SF_KEY_METRIC, "NAME[:lower|:higher]=REGEX", 0,
	  "What to measure (up to 8); without it, wall time", 0 },
	{ "blocks", SF_KEY_BLOCKS, "N", 0,
	  "So many blocks, each of a run of every policy (1 to 10000)", 0 },
	{ "precision", SF_KEY_PRECISION, "PCT", 0,
	  "Without --blocks: stop once all differences are known to about +-PCT % (default 1)",
	  0 },
	{ "max-time", SF_KEY_MAX_TIME, "SEC", 0,
	  "Begin no block that would end later, but one at least (default 600 without --blocks)",
	  0 },
	{ "warmup", SF_KEY_WARMUP, "N", 0,
	  "Runs of each policy that do not count, before (0 to 100, default 1)",
	  0 },
	{ "order", SF_KEY_ORDER, "random|abba", 0,
	  "Of a block's runs (default random, which p assumes)", 0 },
	{ "learn", SF_KEY_LEARN, "keep|reset|restore", 0,
	  "What becomes of what domains have learned, before each run (default reset)",
	  0 },
	{ "seed", SF_KEY_SEED, "N", 0,
	  "Of the order and of the resampling (default random)", 0 },
	{ "timeout", SF_KEY_TIMEOUT, "SEC", 0,
	  "Kill a run that takes longer, and give up", 0 },
	{ "as-root", SF_KEY_AS_ROOT, NULL, 0,
	  "Run the command as root, and not as the user who called sudo", 0 },
	{ "output", 'o', "FILE", 0,
	  "Keep the experiment, for report; an older FILE is replaced", 0 },
	{ "plot", SF_KEY_PLOT, "FILE", 0, "Draw a picture (.svg or .png)", 0 },
	{ "quiet", SF_KEY_QUIET, NULL, 0,
	  "Do not warn of a noisy machine; the report does all the same", 0 },
	SF_OPTION_JSON,
	{ 0 },
};

/**
 * sf_plan_init - begin with what holds where the user says nothing
 * @plan: to set
 */
void sf_plan_init(struct sf_plan *plan)
{
	memset(plan, 0, sizeof(*plan));
	plan->warmups = 1;
	plan->order = SF_ORDER_RANDOM;
	plan->learn = "reset";
}

/* What holds is what the user gives over stock. */
static int sf_parse_contender(const char *text, struct sf_policy *policy,
			      struct sf_error *err)
{
	struct sf_policy given = { .values = { { false } } };

	sf_policy_stock(policy);
	if (!strcmp(text, "stock"))
		return SF_OK;
	if (sf_policy_parse(text, &given, err))
		return err->code;
	if (given.values[SF_KIND_LEARN].given)
		return sf_fail(
			err, SF_USAGE,
			"learn is the same for all policies; give it by --learn");
	sf_policy_complete(&given);
	sf_policy_overlay(policy, &given);
	return SF_OK;
}

static int sf_add_contender(struct sf_plan *plan, const char *text,
			    struct sf_error *err)
{
	struct sf_contender *contender =
		&plan->contenders[plan->contender_count];

	if (plan->contender_count == SF_MAX_POLICIES)
		return sf_fail(
			err, SF_USAGE,
			"ab compares 2 to %d policies; \"%.400s\" is one more",
			SF_MAX_POLICIES, text);
	contender->text = text;
	if (sf_parse_contender(text, &contender->policy, err))
		return err->code;
	plan->contender_count++;
	return SF_OK;
}

static int sf_add_metric(struct sf_plan *plan, const char *text,
			 struct sf_error *err)
{
	struct sf_metric metric;
	size_t i;

	if (plan->metric_count == SF_MAX_OWN_METRICS)
		return sf_fail(
			err, SF_USAGE,
			"ab measures up to %d metrics; \"%.400s\" is one more",
			SF_MAX_OWN_METRICS, text);
	sf_metric_parse(text, &metric, err);
	for (i = 0; !err->code && i < plan->metric_count; i++)
		if (!strcmp(plan->metrics[i].name, metric.name))
			sf_fail(err, SF_USAGE, "metric %s is given twice",
				metric.name);
	if (err->code)
		sf_metric_free(&metric);
	else
		plan->metrics[plan->metric_count++] = metric;
	return err->code;
}

static int sf_set_count(const char *what, const char *arg, u64 min, u64 max,
			u64 *count, struct sf_error *err)
{
	if (sf_parse_number(arg, count) && *count >= min && *count <= max)
		return SF_OK;
	return sf_fail(err, SF_USAGE, "no %s \"%.400s\"; allowed: %llu to %llu",
		       what, arg, (unsigned long long)min,
		       (unsigned long long)max);
}

static int sf_set_precision(struct sf_plan *plan, const char *arg,
			    struct sf_error *err)
{
	if (sf_parse_real(arg, &plan->precision) && plan->precision > 0 &&
	    plan->precision <= SF_MAX_PRECISION)
		return SF_OK;
	return sf_fail(
		err, SF_USAGE,
		"no precision \"%.400s\"; allowed: more than 0, to %d %%", arg,
		SF_MAX_PRECISION);
}

static int sf_set_order(struct sf_plan *plan, const char *arg,
			struct sf_error *err)
{
	char known[64];
	size_t i;

	for (i = 0; i < SF_NR_ORDERS; i++) {
		if (strcmp(sf_order_names[i].name, arg))
			continue;
		plan->order = sf_order_names[i].id;
		return SF_OK;
	}
	sf_list_names(sf_order_names, SF_NR_ORDERS, known, sizeof(known));
	sf_fail(err, SF_USAGE, "no order \"%.400s\"; known: %s", arg, known);
	return sf_nearest_add(err, arg, known);
}

static int sf_set_learn(struct sf_plan *plan, const char *arg,
			struct sf_error *err)
{
	size_t count = SF_ARRAY_SIZE(sf_learn_names);
	const char *word = sf_find_name(sf_learn_names, count, arg);
	char known[64];

	if (word) {
		plan->learn = word;
		return SF_OK;
	}
	sf_list_names(sf_learn_names, count, known, sizeof(known));
	sf_fail(err, SF_USAGE, "no learn \"%.400s\"; known: %s", arg, known);
	return sf_nearest_add(err, arg, known);
}

static int sf_set_seconds(const char *what, const char *arg, u64 *seconds,
			  struct sf_error *err)
{
	if (sf_parse_number(arg, seconds) && *seconds >= 1 &&
	    *seconds <= SF_MAX_SECONDS)
		return SF_OK;
	return sf_fail(err, SF_USAGE,
		       "no %s \"%.400s\"; allowed: 1 to %d seconds", what, arg,
		       SF_MAX_SECONDS);
}

static int sf_set_timeout(struct sf_plan *plan, const char *arg,
			  struct sf_error *err)
{
	u64 seconds;

	if (sf_set_seconds("timeout", arg, &seconds, err))
		return err->code;
	plan->workload.timeout_ms = seconds * 1000;
	return SF_OK;
}

/**
 * sf_plan_option - take one option of the user's
 * @plan: to change
 * @key: of sf_plan_options, or any other of argp's
 * @arg: of the option; must outlive @plan
 * @err: says what was wrong and what is allowed
 *
 * Return: SF_OK, SF_USAGE, SF_FAILED if out of memory, or ARGP_ERR_UNKNOWN for a key
 * that is none of these.
 */
int sf_plan_option(struct sf_plan *plan, int key, const char *arg,
		   struct sf_error *err)
{
	switch (key) {
	case 'p':
		return sf_add_contender(plan, arg, err);
	case SF_KEY_METRIC:
		return sf_add_metric(plan, arg, err);
	case SF_KEY_BLOCKS:
		return sf_set_count("number of blocks", arg, 1, SF_MAX_BLOCKS,
				    &plan->blocks, err);
	case SF_KEY_PRECISION:
		return sf_set_precision(plan, arg, err);
	case SF_KEY_MAX_TIME:
		return sf_set_seconds("time", arg, &plan->max_time_s, err);
	case SF_KEY_WARMUP:
		return sf_set_count("number of warm-up runs", arg, 0,
				    SF_MAX_WARMUPS, &plan->warmups, err);
	case SF_KEY_ORDER:
		return sf_set_order(plan, arg, err);
	case SF_KEY_LEARN:
		return sf_set_learn(plan, arg, err);
	case SF_KEY_SEED:
		plan->seeded = true;
		return sf_set_count("seed", arg, 0, SF_MAX_SEED, &plan->seed,
				    err);
	case SF_KEY_TIMEOUT:
		return sf_set_timeout(plan, arg, err);
	case SF_KEY_AS_ROOT:
		plan->workload.as_root = true;
		return SF_OK;
	case 'o':
		plan->output = arg;
		return SF_OK;
	case SF_KEY_PLOT:
		plan->plot = arg;
		return sf_plot_check(arg, err);
	case SF_KEY_QUIET:
		plan->quiet = true;
		return SF_OK;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void sf_label_contenders(struct sf_plan *plan)
{
	const char *words[SF_MAX_POLICIES];
	size_t i, count = plan->contender_count;

	for (i = 0; i < count; i++)
		words[i] = plan->contenders[i].text;
	for (i = 0; i < count; i++)
		plan->contenders[i].label = sf_label_make(words, count, i);
}

static void sf_complete_contender(const struct sf_plan *plan,
				  struct sf_contender *contender)
{
	char *command = contender->command;

	contender->policy.values[SF_KIND_LEARN] = (struct sf_value){
		.given = true,
		.word = plan->learn,
	};
	sf_policy_format(&contender->policy, command,
			 sizeof(contender->command) - 1);
	sf_append_text(command, sizeof(contender->command), "\n");
}

static void sf_draw_seed(struct sf_plan *plan)
{
	if (!plan->seeded && getrandom(&plan->seed, sizeof(plan->seed), 0) < 0)
		plan->seed = 1;
	plan->seed &= SF_MAX_SEED;
}

/* Policies that were given as the command are the likeliest slip. */
static int sf_fail_contenders(const struct sf_plan *plan, char **command,
			      struct sf_error *err)
{
	struct sf_policy policy = { .values = { { false } } };
	struct sf_error ignored = { .code = SF_OK };

	if (command && *command && strchr(*command, '=') &&
	    !sf_policy_parse(*command, &policy, &ignored))
		return sf_fail(
			err, SF_USAGE,
			"ab compares: before the policy \"%.400s\" -p is missing; ab -p A -p B -- COMMAND",
			*command);
	return sf_fail(err, SF_USAGE,
		       "ab compares: give 2 to %d policies by -p, %zu %s given",
		       SF_MAX_POLICIES, plan->contender_count,
		       plan->contender_count == 1 ? "was" : "were");
}

/**
 * sf_plan_check - is it a plan that can be carried out? Completes it, if it is
 * @plan: with all of the user's options
 * @command: the user's command, or NULL
 * @err: says what is missing
 *
 * Return: SF_OK or SF_USAGE.
 */
int sf_plan_check(struct sf_plan *plan, char **command, struct sf_error *err)
{
	size_t i;

	if (plan->contender_count < 2)
		return sf_fail_contenders(plan, command, err);
	if (!command || !*command || !**command)
		return sf_fail(
			err, SF_USAGE,
			"no command to run; put it last: ab -p A -p B -- COMMAND");
	if (plan->blocks && plan->precision)
		return sf_fail(
			err, SF_USAGE,
			"--blocks and --precision exclude each other; give one of them");
	plan->workload.command = command;
	if (!plan->blocks && !plan->precision)
		plan->precision = SF_DEFAULT_PRECISION;
	if (!plan->blocks && !plan->max_time_s)
		plan->max_time_s = SF_DEFAULT_SECONDS;
	for (i = 0; i < plan->contender_count; i++)
		sf_complete_contender(plan, &plan->contenders[i]);
	sf_label_contenders(plan);
	sf_draw_seed(plan);
	return SF_OK;
}

/**
 * sf_plan_needed - blocks without which there is no verdict
 * @plan: after sf_plan_check()
 */
size_t sf_plan_needed(const struct sf_plan *plan)
{
	size_t judged = plan->metric_count ? plan->metric_count : 1;

	return sf_needed_pairs((plan->contender_count - 1) * judged, SF_LEVEL);
}

/**
 * sf_plan_free - free what a plan holds
 * @plan: from sf_plan_init()
 */
void sf_plan_free(struct sf_plan *plan)
{
	size_t i;

	for (i = 0; i < plan->metric_count; i++)
		sf_metric_free(&plan->metrics[i]);
	if (plan->writer)
		sf_writer_close(plan->writer);
	plan->writer = NULL;
}
