// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tripwires: what --trip takes, what the module is told of it, and what the user reads.
 */
#include "utility.h"

#include "trip.h"

static void parse(const char *text, struct sf_trips *trips)
{
	struct sf_error err = { .code = SF_OK };

	memset(trips, 0, sizeof(*trips));
	assert_int_equal(sf_trips_parse(text, trips, &err), SF_OK);
}

static void test_command(void **unused)
{
	static const struct {
		const char *text;
		const char *command;
	} rows[] = {
		{ "depth=64", "trip_depth=64" },
		{ "depth=1", "trip_depth=1" },
		{ "depth=65535", "trip_depth=65535" },
		{ "newidle_share=10%", "trip_newidle=100" },
		{ "newidle_share=0.1%", "trip_newidle=1" },
		{ "newidle_share=12.5%", "trip_newidle=125" },
		{ "newidle_share=100%", "trip_newidle=1000" },
		{ "newidle_share=100.0%", "trip_newidle=1000" },
		{ "run_delay=20ms", "trip_delay_us=20000" },
		{ "run_delay=1us", "trip_delay_us=1" },
		{ "run_delay=60s", "trip_delay_us=60000000" },
		{ "run_delay=1m", "trip_delay_us=60000000" },
		{ "depth=off", "trip_depth=off" },
		{ "run_delay=1s,depth=2,newidle_share=off",
		  "trip_depth=2 trip_newidle=off trip_delay_us=1000000" },
		{ "off", "trip_depth=off trip_newidle=off trip_delay_us=off" },
	};
	struct sf_trips trips;
	char command[256];
	size_t i;

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		parse(rows[i].text, &trips);
		command[0] = '\0';
		sf_trips_format(&trips, command, sizeof(command));
		assert_string_equal(command, rows[i].command);
		assert_true(sf_trips_given(&trips));
	}
}

static void test_translated(void **unused)
{
	static const struct {
		const char *reason;
		const char *told;
	} rows[] = {
		{ "a mean wait of 12 us per switch reached trip_delay_us=1500",
		  "a mean wait of 12 us per switch reached run_delay 1.5 ms" },
		{ "130/1000 of the time reached trip_newidle=125",
		  "130/1000 of the time reached newidle_share 12.5 %" },
		{ "4 tasks reached trip_depth=2",
		  "4 tasks reached depth 2 tasks" },
		{ "4 tasks reached trip_depths=2",
		  "4 tasks reached trip_depths=2" },
		{ "4 tasks reached trip_depth", "4 tasks reached trip_depth" },
		{ "4 tasks reached trip_depth=x",
		  "4 tasks reached trip_depth=x" },
		{ "too deep", "too deep" },
		{ "", "" },
	};
	char told[256];
	size_t i;

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		sf_trips_translate(rows[i].reason, told, sizeof(told));
		assert_string_equal(told, rows[i].told);
	}
}

static void test_behind_a_policy(void **unused)
{
	char command[256] = "newidle=dice";
	struct sf_trips trips;

	(void)unused;
	parse("depth=3,run_delay=off", &trips);
	sf_trips_format(&trips, command, sizeof(command));
	assert_string_equal(command,
			    "newidle=dice trip_depth=3 trip_delay_us=off");
}

static void test_several(void **unused)
{
	struct sf_error err = { .code = SF_OK };
	struct sf_trips trips;
	char command[256] = "";

	(void)unused;
	parse("depth=3", &trips);
	assert_int_equal(sf_trips_parse("run_delay=2ms", &trips, &err), SF_OK);
	sf_trips_format(&trips, command, sizeof(command));
	assert_string_equal(command, "trip_depth=3 trip_delay_us=2000");
	assert_int_equal(sf_trips_parse("depth=4", &trips, &err), SF_USAGE);
	assert_string_equal(err.message, "tripwire depth is given twice");
	err.code = SF_OK;
	assert_int_equal(sf_trips_parse("off", &trips, &err), SF_USAGE);
	assert_string_equal(
		err.message,
		"--trip off is for all tripwires; switch one off by its name, such as depth=off");
}

#define NONE "no tripwire "
#define KNOWN "; known: depth newidle_share run_delay; or off for all"
#define DEPTH "; allowed: 1 to 65535 tasks, or off"
#define SHARE                                                              \
	"; allowed: 0.1% to 100% of the CPUs' time, in steps of 0.1%; or " \
	"off"
#define DELAY "; allowed: 1us to 60s, in us, ms, s or m, such as 20ms; or off"

static void test_refused(void **unused)
{
	static const struct {
		const char *text;
		const char *message;
	} rows[] = {
		{ "", NONE "\"\"" KNOWN },
		{ "depth", NONE "\"depth\"" KNOWN },
		{ "trip_depth=3", NONE "\"trip_depth\"" KNOWN },
		{ "depth=3,", NONE "\"\"" KNOWN },
		{ "=3", NONE "\"\"" KNOWN },
		{ "depth=3,off", NONE "\"off\"" KNOWN },
		{ "depth=", "no depth \"\"" DEPTH },
		{ "depth=0", "no depth \"0\"" DEPTH },
		{ "depth=65536", "no depth \"65536\"" DEPTH },
		{ "depth=-1", "no depth \"-1\"" DEPTH },
		{ "depth=0x10", "no depth \"0x10\"" DEPTH },
		{ "newidle_share=10", "no newidle_share \"10\"" SHARE },
		{ "newidle_share=0%", "no newidle_share \"0%\"" SHARE },
		{ "newidle_share=0.05%", "no newidle_share \"0.05%\"" SHARE },
		{ "newidle_share=100.1%", "no newidle_share \"100.1%\"" SHARE },
		{ "newidle_share=1000%", "no newidle_share \"1000%\"" SHARE },
		{ "newidle_share=5.%", "no newidle_share \"5.%\"" SHARE },
		{ "newidle_share=%", "no newidle_share \"%\"" SHARE },
		{ "newidle_share=5%%", "no newidle_share \"5%%\"" SHARE },
		{ "newidle_share=-5%", "no newidle_share \"-5%\"" SHARE },
		{ "run_delay=20", "no run_delay \"20\"" DELAY },
		{ "run_delay=0us", "no run_delay \"0us\"" DELAY },
		{ "run_delay=61s", "no run_delay \"61s\"" DELAY },
	};
	struct sf_trips trips;
	struct sf_error err;
	size_t i;

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		memset(&trips, 0, sizeof(trips));
		err.code = SF_OK;
		assert_int_equal(sf_trips_parse(rows[i].text, &trips, &err),
				 SF_USAGE);
		assert_string_equal(err.message, rows[i].message);
	}
}

static void test_words(void **unused)
{
	const u64 figures[] = { [SF_TRIP_DEPTH] = 0,
				[SF_TRIP_NEWIDLE] = 15,
				[SF_TRIP_DELAY] = SF_TRIP_UNKNOWN };
	struct sf_trips trips;
	char words[SF_TRIPS_SIZE];

	(void)unused;
	parse("depth=1,newidle_share=12.5%,run_delay=20ms", &trips);
	assert_true(sf_trips_armed(&trips));
	sf_trips_describe(&trips, words, sizeof(words));
	assert_string_equal(
		words, "depth 1 task, newidle_share 12.5 %, run_delay 20 ms");
	sf_trips_measure(&trips, figures, words, sizeof(words));
	assert_string_equal(
		words, "depth 0 tasks, newidle_share 1.5 %, run_delay unknown");
	parse("off", &trips);
	assert_false(sf_trips_armed(&trips));
	sf_trips_describe(&trips, words, sizeof(words));
	assert_string_equal(words, "off");
	sf_trips_measure(&trips, figures, words, sizeof(words));
	assert_string_equal(words, "");
}

static void test_longest_words(void **unused)
{
	struct sf_trips trips;
	char words[SF_TRIPS_SIZE];
	size_t i;

	(void)unused;
	for (i = 0; i < SF_NR_TRIPS; i++)
		trips.trips[i] = (struct sf_trip){ true, UINT64_MAX - 1 };
	sf_trips_describe(&trips, words, sizeof(words));
	assert_true(strlen(words) < sizeof(words) - 1);
}

static void test_differ(void **unused)
{
	struct sf_trips wanted, found;

	(void)unused;
	parse("depth=3", &wanted);
	parse("depth=3,run_delay=1s", &found);
	assert_false(sf_trips_differ(&wanted, &found));
	parse("depth=4", &found);
	assert_true(sf_trips_differ(&wanted, &found));
	parse("depth=off", &wanted);
	assert_true(sf_trips_differ(&wanted, &found));
	parse("off", &found);
	assert_false(sf_trips_differ(&wanted, &found));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_command),
		cmocka_unit_test(test_translated),
		cmocka_unit_test(test_behind_a_policy),
		cmocka_unit_test(test_several),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_longest_words),
		cmocka_unit_test(test_differ),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
