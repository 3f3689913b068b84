// SPDX-License-Identifier: GPL-2.0-or-later
/* Command lines. The first byte chooses the command. */
#include "words.h"

#include "verbs.h"

static const struct sf_usage *const usages[] = {
	&sf_check_usage, &sf_load_usage,    &sf_unload_usage, &sf_show_usage,
	&sf_set_usage,	 &sf_reset_usage,   &sf_report_usage, &sf_record_usage,
	&sf_sim_usage,	 &sf_confirm_usage, &sf_return_usage, &sf_off_usage,
	&sf_on_usage,
};

static void scan(const struct sf_usage *usage, struct fuzz_words *words)
{
	struct sf_options options = { .json = false };
	struct sf_error err = { .code = SF_OK };
	int code;

	code = sf_options_scan(usage, words->count, words->argv, &options,
			       &err);
	fuzz_usage_error(code, &err);
	if (code)
		return;
	fuzz_check(options.arg_count <= SF_MAX_ARGS, "arguments have room");
	code = sf_options_check(&options, &err);
	fuzz_usage_error(code, &err);
	fuzz_check(code || (options.timeout_ms >= 1000 &&
			    options.timeout_ms <= 86400000),
		   "a timeout is one that is allowed");
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct fuzz_words words;

	fuzz_tree_make();
	if (!size || !fuzz_words_read(&words, data + 1, size - 1))
		return 0;
	scan(usages[*data % SF_ARRAY_SIZE(usages)], &words);
	free(words.text);
	return 0;
}
