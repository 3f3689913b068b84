// SPDX-License-Identifier: GPL-2.0-or-later
/* Tests which name was meant by one that is not known. */
#include "unit.h"

#include <string.h>

#include "nearest.h"

#define POLICIES "stock dice accumulator jitter always never"

static void test_distance(void **unused)
{
	(void)unused;
	assert_int_equal(sf_nearest_distance("", ""), 0);
	assert_int_equal(sf_nearest_distance("", "dice"), 4);
	assert_int_equal(sf_nearest_distance("dice", ""), 4);
	assert_int_equal(sf_nearest_distance("jitter", "jitter"), 0);
	assert_int_equal(sf_nearest_distance("jiter", "jitter"), 1);
	assert_int_equal(sf_nearest_distance("jittter", "jitter"), 1);
	assert_int_equal(sf_nearest_distance("gitter", "jitter"), 1);
	assert_int_equal(sf_nearest_distance("jtiter", "jitter"), 1);
	assert_int_equal(sf_nearest_distance("tijter", "jitter"), 2);
	assert_int_equal(sf_nearest_distance("JITTER", "jitter"), 0);
	assert_int_equal(sf_nearest_distance("kitten", "sitting"), 3);
	/* Nothing is written between two that were exchanged. */
	assert_int_equal(sf_nearest_distance("ca", "abc"), 3);
}

/* It is the same from both sides, and a triangle's side is not longer than two. */
static void test_is_a_distance(void **unused)
{
	static const char *const words[] = { "stock",	    "dice",
					     "stcok",	    "",
					     "accumulator", "acumulator" };
	size_t i, j;

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(words); i++)
		for (j = 0; j < ARRAY_SIZE(words); j++) {
			assert_int_equal(
				sf_nearest_distance(words[i], words[j]),
				sf_nearest_distance(words[j], words[i]));
			assert_true((i == j) ==
				    !sf_nearest_distance(words[i], words[j]));
		}
}

static void test_too_long(void **unused)
{
	char word[49], longer[50];

	(void)unused;
	memset(word, 'x', sizeof(word) - 1);
	word[sizeof(word) - 1] = '\0';
	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	assert_int_equal(sf_nearest_distance(word, word), 0);
	assert_true(sf_nearest_distance(word, longer) == SIZE_MAX);
	assert_true(sf_nearest_distance(longer, longer) == SIZE_MAX);
}

static void assert_meant(const char *word, const char *known, const char *meant)
{
	size_t len = 0;
	const char *found = sf_nearest_find(word, known, &len);

	if (!meant) {
		assert_null(found);
		return;
	}
	if (!found)
		fail_msg("nothing is near \"%s\"", word);
	assert_int_equal(len, strlen(meant));
	assert_memory_equal(found, meant, len);
}

static void test_find(void **unused)
{
	(void)unused;
	assert_meant("jiter", POLICIES, "jitter");
	assert_meant("dcie", POLICIES, "dice");
	assert_meant("Accumulater", POLICIES, "accumulator");
	assert_meant("acumulater", POLICIES, "accumulator");
	assert_meant("nver", POLICIES, "never");
	assert_meant("stok", "  stock ", "stock");
	assert_meant("numa", "SMT MC NUMA", "NUMA");
	assert_meant("of", "off, on", "off");
	assert_meant("no", "off, on", "on");
	assert_meant("shwo", " check load unload show", "show");
}

/* Of two that are equally near the first, and the nearer before that. */
static void test_one_only(void **unused)
{
	(void)unused;
	assert_meant("bat", "cat rat", "cat");
	assert_meant("laod", "loads unload load", "load");
	assert_meant("loadd", "lo load", "load");
}

static void test_nothing_near(void **unused)
{
	(void)unused;
	assert_meant("random", POLICIES, NULL);
	assert_meant("", POLICIES, NULL);
	assert_meant("x", "y z", NULL);
	assert_meant("xy", "MC", NULL);
	assert_meant("jitter", "", NULL);
	assert_meant("jitter", " , ", NULL);
	assert_meant("jitter", "jittery jitter", NULL);
	assert_meant("di", POLICIES, NULL);
	assert_meant(
		"no-such-policy-can-be-as-long-as-this-one-which-is-too-long",
		POLICIES, NULL);
}

static void test_add(void **unused)
{
	struct sf_error err = { .code = SF_OK };

	(void)unused;
	sf_fail(&err, SF_USAGE, "no policy \"jiter\"; known: " POLICIES);
	assert_int_equal(sf_nearest_add(&err, "jiter", POLICIES), SF_USAGE);
	assert_string_equal(err.message, "no policy \"jiter\"; known: " POLICIES
					 "; did you mean \"jitter\"?");
	sf_fail(&err, SF_FAILED, "no domain");
	assert_int_equal(sf_nearest_add(&err, "NUMA", "SMT MC"), SF_FAILED);
	assert_string_equal(err.message, "no domain");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_distance),
		cmocka_unit_test(test_is_a_distance),
		cmocka_unit_test(test_too_long),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_one_only),
		cmocka_unit_test(test_nothing_near),
		cmocka_unit_test(test_add),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
