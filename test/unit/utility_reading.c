// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is read beside a run: all that tells policies apart, and what must not change.
 */
#include "utility.h"

#include "reading.h"

#define DEBUGFS "/sys/kernel/debug/schedflip"
#define FEATURES "/sys/kernel/debug/sched/features"

#define SETTINGS "newidle=jitter start=zero start_pos=0 pinned=0 ratio=31"
#define BURST "burst=idle burst_depth=2 burst_factor=3 burst_nohz=0"
#define REST "slowpath=stock cost=stock sync=0"

/* Fields that no test is about. */
#define ZEROES                                                            \
	"window_pos=0 learned=0 calls=0 attempts=0 skipped=0 pulled=0 "   \
	"tasks=0 weight_sum=0 newidle_ns=0 hits=0 chosen=0 picks=0 "      \
	"stale=0 avg_depth_milli=0 wake_seen=0 wake_over=0 wake_moved=0 " \
	"wake_idle=0 fork_seen=0 fork_over=0 fork_moved=0 fork_idle=0 "   \
	"exec_seen=0 exec_over=0 exec_moved=0 exec_idle=0 cost_ns=0 "     \
	"own_cost_ns=0 bumps=0 sync_pairs=0 sync_expected_milli=0 changes=0"

static void write_state(const char *settings, const char *others)
{
	static const char format[] =
		"cpu=%d domain=0 name=MC level=1 span=0-1 %s " ZEROES "\n";
	char text[4096];
	int len;

	len = snprintf(text, sizeof(text), format, 0, settings);
	snprintf(text + len, sizeof(text) - len, format, 1, others);
	tree_write(DEBUGFS "/state", text);
}

static void write_hooks(const char *state, unsigned int calls)
{
	char text[512];

	snprintf(
		text, sizeof(text),
		"hook=balance group=newidle symbol=x state=%s calls=%u ns=1\n"
		"hook=select group=select symbol=y state=patched calls=5 ns=0\n",
		state, calls);
	tree_write(DEBUGFS "/hooks", text);
}

static void write_all(void)
{
	tree_write("/proc/mounts",
		   "debugfs /sys/kernel/debug debugfs rw 0 0\n");
	tree_write(DEBUGFS "/abi", "1\n");
	tree_write(DEBUGFS "/version", "0.1\n");
	tree_write(DEBUGFS "/features", "NI_RANDOM=on held=0\n");
	tree_write(FEATURES, "TTWU_QUEUE NI_RATE \n");
	write_hooks("patched", 12);
	write_state(SETTINGS " " BURST " " REST, SETTINGS " " BURST " " REST);
}

static int setup(void **state)
{
	if (tree_setup(state))
		return -1;
	write_all();
	return 0;
}

static void take(struct sf_reading *reading)
{
	struct sf_error err = { .code = SF_OK };

	if (sf_reading_take(reading, &err))
		fail_msg("%s", err.message);
}

static void assert_words(const char *expected)
{
	struct sf_reading reading;
	char *words;

	take(&reading);
	words = sf_reading_words(&reading);
	assert_non_null(words);
	assert_string_equal(words, expected);
	free(words);
	sf_reading_free(&reading);
}

static void test_words(void **unused)
{
	(void)unused;
	assert_words(
		"newidle=jitter start=zero ratio=learned slowpath=stock burst=idle burst_depth=2 burst_factor=3 burst_nohz=off cost=stock sync=off");
}

/* What two policies differ in must be there, or they leave the same evidence. */
static void test_each_kind(void **unused)
{
	static const char *const changes[][3] = {
		{ SETTINGS,
		  "burst=idle burst_depth=5 burst_factor=3 burst_nohz=0",
		  "burst_depth=5" },
		{ SETTINGS,
		  "burst=idle burst_depth=2 burst_factor=7 burst_nohz=0",
		  "burst_factor=7" },
		{ SETTINGS,
		  "burst=idle burst_depth=2 burst_factor=3 burst_nohz=1",
		  "burst_nohz=on" },
		{ "newidle=jitter start=zero start_pos=0 pinned=1 ratio=31",
		  BURST, "ratio=31" },
		{ "newidle=jitter start=set start_pos=77 pinned=0 ratio=31",
		  BURST, "window_pos=77" },
	};
	char settings[512], *words;
	struct sf_reading reading;
	size_t i;

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(changes); i++) {
		snprintf(settings, sizeof(settings), "%s %s %s", changes[i][0],
			 changes[i][1], REST);
		write_state(settings, settings);
		take(&reading);
		words = sf_reading_words(&reading);
		assert_non_null(strstr(words, changes[i][2]));
		free(words);
		sf_reading_free(&reading);
	}
	write_state(SETTINGS " " BURST " slowpath=stock cost=stock sync=1",
		    SETTINGS " " BURST " slowpath=stock cost=stock sync=1");
	assert_words(
		"newidle=jitter start=zero ratio=learned slowpath=stock burst=idle burst_depth=2 burst_factor=3 burst_nohz=off cost=stock sync=on");
}

static void test_mixed(void **unused)
{
	(void)unused;
	write_state(
		SETTINGS " " BURST " " REST,
		"newidle=jitter start=set start_pos=4 pinned=0 ratio=31 burst=idle burst_depth=9 burst_factor=3 burst_nohz=0 " REST);
	assert_words(
		"newidle=jitter start=mixed ratio=learned window_pos=mixed slowpath=stock burst=idle burst_depth=mixed burst_factor=3 burst_nohz=off cost=stock sync=off");
}

/* Two contenders that differ in burst_depth only: one of them is in force. */
static void test_contenders(void **unused)
{
	struct sf_error err = { .code = SF_OK };
	struct sf_policy two = { .values = { { false } } }, five = two;
	struct sf_reading reading;
	char found[128];

	(void)unused;
	sf_policy_parse("burst=idle,burst_depth=2", &two, &err);
	sf_policy_parse("burst=idle,burst_depth=5", &five, &err);
	assert_int_equal(err.code, SF_OK);
	take(&reading);
	assert_true(sf_reading_has(&reading, &two, found, sizeof(found)));
	assert_false(sf_reading_has(&reading, &five, found, sizeof(found)));
	assert_string_equal(found, "cpu0/domain0 has burst_depth=2");
	sf_reading_free(&reading);
}

static void test_hook_calls(void **unused)
{
	struct sf_reading before, after;
	json_t *calls;

	(void)unused;
	take(&before);
	write_hooks("patched", 42);
	take(&after);
	calls = sf_reading_hook_calls(&before, &after);
	assert_int_equal(json_object_size(calls), 2);
	assert_int_equal(json_integer_value(json_object_get(calls, "balance")),
			 30);
	assert_int_equal(json_integer_value(json_object_get(calls, "select")),
			 0);
	json_decref(calls);
	calls = sf_reading_hook_calls(&after, &before);
	assert_true(json_is_null(json_object_get(calls, "balance")));
	json_decref(calls);
	sf_reading_free(&before);
	sf_reading_free(&after);
}

/* What was written before is the later reading. */
static void assert_changed(const char *expected)
{
	struct sf_reading before, after;
	char what[256];

	take(&after);
	write_all();
	take(&before);
	assert_true(sf_reading_changed(&before, &after, what, sizeof(what)));
	assert_string_equal(what, expected);
	assert_false(sf_reading_changed(&before, &before, what, sizeof(what)));
	sf_reading_free(&before);
	sf_reading_free(&after);
}

/* Each change says what to do. */
static void test_changed(void **unused)
{
	(void)unused;
	tree_write(FEATURES, "TTWU_QUEUE NO_NI_RATE \n");
	assert_changed(
		"sched features changed: \"NI_RATE\" became \"NO_NI_RATE\"; set it back, and run again");
	write_hooks("detached", 12);
	assert_changed(
		"hooks changed: \"balance:patched\" became \"balance:detached\"; load the module again, leave it alone, and run again");
	tree_write(DEBUGFS "/state", "");
	assert_changed(
		"sched domains changed: \"cpu0/domain0:MC(level1):0-1\" became \"\"; leave CPUs online and cpusets alone, and run again");
}

#define reading_test(test) \
	cmocka_unit_test_setup_teardown(test, setup, tree_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		reading_test(test_words),      reading_test(test_each_kind),
		reading_test(test_mixed),      reading_test(test_contenders),
		reading_test(test_hook_calls), reading_test(test_changed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
