// SPDX-License-Identifier: GPL-2.0-or-later
/* The module's features, a NUL, and its hooks. */
#include "fuzz.h"

#include "info.h"

static void check_text(const char *text, size_t size)
{
	fuzz_check(strnlen(text, size) < size, "texts have an end");
	for (; *text; text++)
		fuzz_check(*text >= ' ' && *text <= '~',
			   "texts are of printable ASCII");
}

static void check_hook(const struct sf_info *info, const struct sf_hook *hook)
{
	check_text(hook->hook, sizeof(hook->hook));
	check_text(hook->group, sizeof(hook->group));
	check_text(hook->symbol, sizeof(hook->symbol));
	check_text(hook->state, sizeof(hook->state));
	fuzz_check(sf_info_find_hook(info, hook->hook), "hooks are found");
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct sf_error err = { .code = SF_OK };
	char *features = fuzz_next(&data, &size), *hooks;
	struct sf_info info = { .hook_count = 0 };
	size_t i;
	int code;

	code = sf_info_parse_features(features, &info, &err);
	fuzz_error(code, &err);
	if (!code)
		check_text(info.ni_random, sizeof(info.ni_random));
	err = (struct sf_error){ .code = SF_OK };
	hooks = fuzz_next(&data, &size);
	code = sf_info_parse_hooks(hooks, &info, &err);
	fuzz_error(code, &err);
	for (i = 0; !code && i < info.hook_count; i++)
		check_hook(&info, &info.hooks[i]);
	free(features);
	free(hooks);
	return 0;
}
