// SPDX-License-Identifier: GPL-2.0-or-later
/* The command line of `ab`. */
#include "words.h"

#include "options.h"
#include "plan.h"

static struct sf_plan plan;

/* glibc takes any time and memory for a regular expression like (a{999}){999}. */
static bool is_simple(const char *arg)
{
	return strlen(arg) < 64 && !strpbrk(arg, "{*+");
}

static error_t option(int key, char *arg, struct sf_error *err)
{
	if (arg && strchr(arg, '=') && !is_simple(arg))
		return 0;
	return sf_plan_option(&plan, key, arg, err);
}

static const struct sf_usage usage = {
	.options = sf_plan_options,
	.args = "COMMAND [ARG...]",
	.doc = "",
	.option = option,
	.takes_command = true,
};

static void check_plan(void)
{
	size_t i;

	fuzz_check(plan.contender_count >= 2 &&
			   plan.contender_count <= SF_MAX_POLICIES &&
			   plan.metric_count <= SF_MAX_OWN_METRICS,
		   "policies and metrics have room");
	fuzz_check(plan.blocks || plan.precision > 0, "it ends");
	fuzz_check(sf_plan_needed(&plan), "a verdict needs blocks");
	for (i = 0; i < plan.contender_count; i++)
		fuzz_check(strchr(plan.contenders[i].command, '\n') &&
				   *plan.contenders[i].label.text,
			   "policies have a whole command and a label");
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct sf_options options = { .json = false };
	struct sf_error err = { .code = SF_OK };
	struct fuzz_words words;
	int code;

	fuzz_tree_make();
	if (!fuzz_words_read(&words, data, size))
		return 0;
	sf_plan_init(&plan);
	code = sf_options_scan(&usage, words.count, words.argv, &options, &err);
	fuzz_usage_error(code, &err);
	if (!code) {
		code = sf_plan_check(&plan, options.command, &err);
		fuzz_usage_error(code, &err);
		if (!code)
			check_plan();
	}
	sf_plan_free(&plan);
	free(words.text);
	return 0;
}
