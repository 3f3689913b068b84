// SPDX-License-Identifier: GPL-2.0-or-later
/* The arguments of `set`, each a line. */
#include "words.h"

#include "policy.h"

/* The module's words are the user's, but for what separates them. */
static void check_policy(const struct sf_policy *policy)
{
	struct sf_policy again = { .values = { { false } } };
	char command[SF_POLICY_SIZE], *at, text[SF_POLICY_SIZE];
	struct sf_error err = { .code = SF_OK };

	sf_policy_format(policy, command, sizeof(command));
	fuzz_check(strlen(command) < sizeof(command) - 1,
		   "there is room for all words");
	for (at = command; (at = strchr(at, ' '));)
		*at = ',';
	fuzz_check(!*command || !sf_policy_parse(command, &again, &err),
		   "what is printed is understood");
	sf_policy_format(&again, text, sizeof(text));
	for (at = text; (at = strchr(at, ' '));)
		*at = ',';
	fuzz_check(!strcmp(text, command), "it is the same policy");
	sf_policy_hooked(policy);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct sf_policy policy = { .values = { { false } } }, all;
	struct sf_error err = { .code = SF_OK };
	struct fuzz_words words;
	int i, code = SF_OK;

	if (!fuzz_words_read(&words, data, size))
		return 0;
	for (i = 1; !code && i < words.count; i++)
		code = sf_policy_parse(words.argv[i], &policy, &err);
	fuzz_usage_error(code, &err);
	if (!code) {
		check_policy(&policy);
		sf_policy_complete(&policy);
		check_policy(&policy);
		sf_policy_stock(&all);
		sf_policy_overlay(&all, &policy);
		check_policy(&all);
	}
	free(words.text);
	return 0;
}
