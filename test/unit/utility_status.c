// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The module's status, as the utility reads it, and what it becomes in JSON.
 */
#include "utility.h"

#include "notice.h"
#include "terms.h"

#define HOOKS "hooks=live\noff_reason=-\nshadowed_by=-\ndrift=4\n"
#define LEASE_IDLE "lease=none\nlease_id=7\nlease_left_ms=0\n"
#define LEASE_PENDING "lease=pending\nlease_id=8\nlease_left_ms=42000\n"
#define LEASE_ENDED "lease_ended=expired\nlease_late_us=310\n"
#define LIMITS "trip_depth=64\ntrip_newidle=off\ntrip_delay_us=20000\n"
#define FIGURES "depth=3\nnewidle=12\ndelay_us=-\nlooks=9\n"
#define TRIPS "trips=2\ntrip_reason=70 runnable tasks = too many\n"
#define TAIL LEASE_ENDED LIMITS FIGURES TRIPS
#define STATUS HOOKS LEASE_PENDING TAIL

static int parse(const char *text, struct sf_status *status,
		 struct sf_error *err)
{
	char *copy = strdup(text);
	int code;

	assert_non_null(copy);
	err->code = SF_OK;
	code = sf_status_parse(copy, status, err);
	free(copy);
	return code;
}

static void assert_bad(const char *text, const char *message)
{
	struct sf_status status;
	struct sf_error err;

	assert_int_equal(parse(text, &status, &err), SF_FAILED);
	assert_string_equal(err.message, message);
	assert_false(status.present);
}

static void test_all_fields(void **unused)
{
	struct sf_status status;
	struct sf_error err;

	(void)unused;
	assert_int_equal(parse(STATUS, &status, &err), SF_OK);
	assert_true(status.present);
	assert_string_equal(status.hooks, "live");
	assert_string_equal(status.off_reason, "-");
	assert_false(sf_status_is_off(&status));
	assert_true(sf_status_has_lease(&status));
	assert_int_equal(status.lease_id, 8);
	assert_int_equal(status.lease_left_ms, 42000);
	assert_string_equal(status.lease_ended, "expired");
	assert_int_equal(status.lease_late_us, 310);
	assert_int_equal(status.trips.trips[SF_TRIP_DEPTH].limit, 64);
	assert_int_equal(status.trips.trips[SF_TRIP_NEWIDLE].limit,
			 SF_TRIP_OFF);
	assert_int_equal(status.trips.trips[SF_TRIP_DELAY].limit, 20000);
	assert_false(sf_trips_given(&status.trips));
	assert_int_equal(status.depth, 3);
	assert_int_equal(status.newidle, 12);
	assert_true(status.delay_us == SF_NO_NUMBER);
	assert_int_equal(status.looks, 9);
	assert_int_equal(status.trip_count, 2);
	assert_string_equal(status.trip_reason, "70 runnable tasks = too many");
}

static void test_off(void **unused)
{
	struct sf_status status = { .present = false };
	struct sf_error err;

	(void)unused;
	assert_false(sf_status_is_off(&status));
	assert_false(sf_status_has_lease(&status));
	assert_int_equal(parse("hooks=off\noff_reason=sysrq\n"
			       "shadowed_by=-\ndrift=0\n" LEASE_IDLE TAIL,
			       &status, &err),
			 SF_OK);
	assert_true(sf_status_is_off(&status));
	assert_false(sf_status_has_lease(&status));
}

static void test_new_keys_are_skipped(void **unused)
{
	struct sf_status status;
	struct sf_error err;

	(void)unused;
	assert_int_equal(parse("first=1\n" STATUS "watchdog=bite\nempty=\n"
			       "equals=a=b\n",
			       &status, &err),
			 SF_OK);
	assert_int_equal(status.trip_count, 2);
}

#define BAD "the module's status is not of ABI 1: "

static void test_bad(void **unused)
{
	(void)unused;
	assert_bad("", BAD "hooks is missing");
	assert_bad(HOOKS TAIL, BAD "lease is missing");
	assert_bad(HOOKS LEASE_IDLE LEASE_ENDED LIMITS FIGURES "trips=0\n",
		   BAD "trip_reason is missing");
	assert_bad(STATUS "lease=none\n", BAD "lease is there twice");
	assert_bad(STATUS "\n", BAD " is not key=value");
	assert_bad("hooks live\n", BAD "hooks live is not key=value");
	assert_bad("=live\n", BAD "=live is not key=value");
	assert_bad("\033[2J\n", BAD "?[2J is not key=value");
	assert_bad("lease_id=-1\n", BAD "lease_id is no number");
	assert_bad("lease_id=\n", BAD "lease_id is no number");
	assert_bad("lease_id=1 \n", BAD "lease_id is no number");
	assert_bad("depth=18446744073709551616\n", BAD "depth is no number");
	assert_bad("trip_depth=on\n", BAD "trip_depth is no number");
	assert_bad(STATUS "rest", BAD "it is cut off");
}

/* Cut anywhere, the text is refused. */
static void test_truncated(void **unused)
{
	char text[] = STATUS;
	struct sf_status status;
	struct sf_error err;
	size_t len;

	(void)unused;
	for (len = strlen(text) - 1; len; len--) {
		text[len] = '\0';
		assert_int_equal(parse(text, &status, &err), SF_FAILED);
	}
}

/* Any byte in any place: it is read or refused, and nothing of it is a terminal's. */
static void test_hostile_bytes(void **unused)
{
	static const char bytes[] = { 1,      '\n',   '\033', '=',
				      '\x7f', '\x9b', '\xff' };
	char text[] = STATUS;
	struct sf_status status;
	struct sf_error err;
	size_t i, j;
	char kept;

	(void)unused;
	for (i = 0; i < strlen(text); i++) {
		kept = text[i];
		for (j = 0; j < sizeof(bytes); j++) {
			text[i] = bytes[j];
			if (parse(text, &status, &err))
				assert_null(strpbrk(err.message, "\033\x9b"));
			assert_null(strpbrk(status.hooks, "\033\x9b"));
			assert_null(strpbrk(status.trip_reason, "\033\x9b"));
		}
		text[i] = kept;
	}
}

static void test_long_values(void **unused)
{
	char text[3000], value[1000];
	struct sf_status status;
	struct sf_error err;

	(void)unused;
	memset(value, 'x', sizeof(value) - 1);
	value[sizeof(value) - 1] = '\0';
	snprintf(text, sizeof(text),
		 "hooks=%s\noff_reason=-\nshadowed_by=-\ndrift=0\n" LEASE_IDLE
			 LEASE_ENDED LIMITS FIGURES "trips=1\ntrip_reason=%s\n",
		 value, value);
	assert_int_equal(parse(text, &status, &err), SF_OK);
	assert_int_equal(strlen(status.hooks), sizeof(status.hooks) - 1);
	assert_int_equal(strlen(status.trip_reason),
			 sizeof(status.trip_reason) - 1);
	snprintf(text, sizeof(text), "%s\n", value);
	assert_int_equal(parse(text, &status, &err), SF_FAILED);
	assert_true(strlen(err.message) < 120);
}

static void assert_number(const json_t *object, const char *key, int value)
{
	assert_true(json_is_integer(json_object_get(object, key)));
	assert_int_equal(json_integer_value(json_object_get(object, key)),
			 value);
}

static void test_json(void **unused)
{
	struct sf_status status;
	struct sf_error err;
	json_t *json;

	(void)unused;
	assert_int_equal(parse(STATUS, &status, &err), SF_OK);
	json = sf_notice_json(&status);
	assert_string_equal(json_string_value(json_object_get(json, "hooks")),
			    "live");
	assert_true(json_is_null(json_object_get(json, "off_reason")));
	assert_true(json_is_null(json_object_get(json, "shadowed_by")));
	assert_number(json, "lease_left_ms", 42000);
	assert_number(json, "trip_depth_tasks", 64);
	assert_true(
		json_is_null(json_object_get(json, "trip_newidle_permille")));
	assert_number(json, "trip_delay_us", 20000);
	assert_number(json, "depth_tasks", 3);
	assert_number(json, "newidle_permille", 12);
	assert_true(json_is_null(json_object_get(json, "delay_us")));
	assert_number(json, "trips", 2);
	assert_number(json, "ni_random_drift", 4);
	json_decref(json);
	assert_int_equal(parse(HOOKS LEASE_IDLE TAIL, &status, &err), SF_OK);
	json = sf_notice_json(&status);
	assert_true(json_is_null(json_object_get(json, "lease_left_ms")));
	json_decref(json);
	memset(&status, 0, sizeof(status));
	json = sf_notice_json(&status);
	assert_true(json_is_null(json));
	json_decref(json);
}

static void test_read(void **unused)
{
	struct sf_error err = { .code = SF_OK };
	struct sf_status status;

	(void)unused;
	tree_write("/sys/kernel/debug/schedflip/abi", "1\n");
	assert_int_equal(sf_status_read(&status, &err), SF_OK);
	assert_false(status.present);
	assert_int_equal(sf_status_check_quiet(&err), SF_OK);
	assert_int_equal(sf_status_need(&status, &err), SF_FAILED);
	assert_non_null(strstr(err.message, "knows no leases"));
	err.code = SF_OK;
	tree_write("/sys/kernel/debug/schedflip/status", STATUS);
	assert_int_equal(sf_status_need(&status, &err), SF_OK);
	assert_true(status.present);
	assert_int_equal(sf_status_check_quiet(&err), SF_FAILED);
	assert_non_null(strstr(err.message, "would change policies in 42 s"));
	err.code = SF_OK;
	tree_write("/sys/kernel/debug/schedflip/status", HOOKS LEASE_IDLE TAIL);
	assert_int_equal(sf_status_check_quiet(&err), SF_OK);
	tree_write(
		"/sys/kernel/debug/schedflip/status",
		"hooks=shadowed\noff_reason=-\nshadowed_by=fix\ndrift=0\n" LEASE_IDLE
			TAIL);
	assert_int_equal(sf_status_check_quiet(&err), SF_FAILED);
	assert_non_null(
		strstr(err.message, "echo 0 >/sys/kernel/livepatch/fix/"));
}

static struct sf_status status_of(const char *lease, u64 id)
{
	struct sf_status status = { .present = true, .lease_id = id };

	snprintf(status.lease, sizeof(status.lease), "%s", lease);
	return status;
}

/* Whose lease is it that is pending after a command? */
static void test_holds(void **unused)
{
	static const struct {
		const char *before;
		const char *after;
		u64 id;
		bool holds;
	} rows[] = {
		{ "none", "pending", 4, true },
		{ "none", "pending", 3, false },
		{ "none", "pending", 5, false },
		{ "none", "none", 4, false },
		{ "pending", "pending", 3, true },
		{ "pending", "pending", 4, true },
		{ "pending", "none", 3, false },
		{ "pending", "pending", 2, false },
	};
	struct sf_terms terms = { .for_ms = 1000 };
	struct sf_status after;
	size_t i;

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		terms.before = status_of(rows[i].before, 3);
		after = status_of(rows[i].after, rows[i].id);
		assert_int_equal(sf_terms_holds(&terms, &after), rows[i].holds);
	}
}

static void test_terms_command(void **unused)
{
	struct sf_terms terms = { .for_ms = 60000 };
	char command[256] = "newidle=dice";

	(void)unused;
	terms.trips.trips[SF_TRIP_DEPTH] = (struct sf_trip){ true, 5 };
	sf_terms_format(&terms, command, sizeof(command));
	assert_string_equal(command, "newidle=dice for_ms=60000 trip_depth=5");
	memset(&terms, 0, sizeof(terms));
	command[0] = '\0';
	sf_terms_format(&terms, command, sizeof(command));
	assert_string_equal(command, "");
	terms.settle = true;
	terms.before = status_of("pending", 1);
	sf_terms_format(&terms, command, sizeof(command));
	assert_string_equal(command, "lease=confirm");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_fields),
		cmocka_unit_test(test_off),
		cmocka_unit_test(test_new_keys_are_skipped),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_hostile_bytes),
		cmocka_unit_test(test_long_values),
		cmocka_unit_test(test_json),
		tree_test(test_read),
		cmocka_unit_test(test_holds),
		cmocka_unit_test(test_terms_command),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
