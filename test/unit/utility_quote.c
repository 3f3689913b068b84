// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Commands as one would type them: in one line, and safe to paste.
 */
#include "utility.h"

#include "quote.h"

static void assert_quoted(json_t *command, const char *wanted)
{
	char *text;

	assert_non_null(command);
	text = sf_quote_command(command);
	assert_non_null(text);
	assert_string_equal(text, wanted);
	free(text);
	json_decref(command);
}

static void test_quoted(void **unused)
{
	(void)unused;
	assert_quoted(json_pack("[s, s, s]", "a-b", "--c=d/e,f", "1.5%"),
		      "a-b --c=d/e,f 1.5%");
	assert_quoted(json_pack("[s, s, s]", "sh", "-c", "a | b; $(c) `d`"),
		      "sh -c 'a | b; $(c) `d`'");
	assert_quoted(json_pack("[s, s]", "", "~"), "'' '~'");
	assert_quoted(json_pack("[s]", "it's"), "'it'\\''s'");
	assert_quoted(json_pack("[s]", "a\nb\tc\\d'e\033"),
		      "$'a\\nb\\tc\\\\d\\'e\\033'");
	assert_quoted(json_pack("[s]", "a\xc2\x9b"
				       "1m\177"),
		      "$'a\\302\\2331m\\177'");
	assert_quoted(json_pack("[s]", "\xc2\xb5"), "'\xc2\xb5'");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quoted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
