// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Times with their units: what the utility takes, and how it prints them.
 */
#include "utility.h"

#include "duration.h"

static const struct sf_duration lease = {
	.what = "time",
	.finest_us = 1000,
	.min_us = 100000,
	.max_us = 86400000000,
	.allowed = "100ms to 24h",
};

static const struct sf_duration any = {
	.what = "delay",
	.finest_us = 1,
	.min_us = 0,
	.max_us = UINT64_MAX,
	.allowed = "any",
};

static void test_taken(void **unused)
{
	static const struct {
		const char *text;
		u64 us;
	} good[] = {
		{ "100ms", 100000 },	  { "1000ms", 1000000 },
		{ "60s", 60000000 },	  { "1s", 1000000 },
		{ "90m", 5400000000 },	  { "24h", 86400000000 },
		{ "1440m", 86400000000 }, { "086400s", 86400000000 },
	};
	struct sf_error err = { .code = SF_OK };
	size_t i;
	u64 us;

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(good); i++) {
		us = 0;
		assert_int_equal(sf_duration_parse(&lease, good[i].text, &us,
						   &err),
				 SF_OK);
		assert_true(us == good[i].us);
	}
}

static void test_refused(void **unused)
{
	static const char *const bad[] = {
		"",
		"60",
		"s",
		"99ms",
		"86400001ms",
		"25h",
		"1441m",
		"-1s",
		"+1s",
		"1.5s",
		" 1s",
		"1 s",
		"1s ",
		"1S",
		"1min",
		"0x10s",
		"100000us",
		"1d",
		"0s",
		"1s1s",
		"1,5s",
		"infs",
		"\xd9\xa1s",
		"1\ns",
		"18446744073709551616s",
		"18446744073709551615h",
		"000000000000000000000000000001s",
	};
	char message[128];
	struct sf_error err;
	size_t i;
	u64 us;

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		err.code = SF_OK;
		assert_int_equal(sf_duration_parse(&lease, bad[i], &us, &err),
				 SF_USAGE);
		snprintf(message, sizeof(message),
			 "no time \"%s\"; allowed: 100ms to 24h", bad[i]);
		assert_string_equal(err.message, message);
	}
}

/* What does not fit in 64 bits is refused also where there is no limit. */
static void test_overflow(void **unused)
{
	struct sf_error err = { .code = SF_OK };
	u64 us;

	(void)unused;
	assert_int_equal(sf_duration_parse(&any, "18446744073709551615us", &us,
					   &err),
			 SF_OK);
	assert_true(us == UINT64_MAX);
	assert_int_equal(sf_duration_parse(&any, "18446744073709552ms", &us,
					   &err),
			 SF_USAGE);
}

static void test_long_word(void **unused)
{
	struct sf_error err = { .code = SF_OK };
	char text[5000];
	u64 us;

	(void)unused;
	memset(text, '9', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(sf_duration_parse(&lease, text, &us, &err), SF_USAGE);
	assert_true(strlen(err.message) < 500);
	assert_non_null(strstr(err.message, "\"; allowed: 100ms to 24h"));
}

static void test_words(void **unused)
{
	static const struct {
		u64 us;
		const char *words;
	} rows[] = {
		{ 0, "0 us" },
		{ 999, "999 us" },
		{ 1000, "1 ms" },
		{ 1500, "1.5 ms" },
		{ 99999, "99 ms" },
		{ 100000, "100 ms" },
		{ 999999, "999 ms" },
		{ 1000000, "1 s" },
		{ 4200000, "4.2 s" },
		{ 4999999, "4.9 s" },
		{ 10900000, "10 s" },
		{ 60000000, "60 s" },
		{ 119999999, "119 s" },
		{ 120000000, "2 min" },
		{ 125000000, "2 min 5 s" },
		{ 7199999999, "119 min 59 s" },
		{ 7200000000, "2 h" },
		{ 9000000000, "2 h 30 min" },
		{ 86400000000, "24 h" },
	};
	char words[SF_DURATION_SIZE];
	size_t i;

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		assert_string_equal(sf_duration_format(rows[i].us, words,
						       sizeof(words)),
				    rows[i].words);
	assert_true(
		strlen(sf_duration_format(UINT64_MAX, words, sizeof(words))) <
		sizeof(words) - 1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_taken),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_overflow),
		cmocka_unit_test(test_long_word),
		cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
