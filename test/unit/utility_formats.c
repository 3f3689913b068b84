// SPDX-License-Identifier: GPL-2.0-or-later
#include "utility.h"

#include "formats.h"

#define TRACEFS "/sys/kernel/tracing"
#define EVENTS TRACEFS "/events/schedflip"

#define COMMON                                                                         \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"         \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"         \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

#define ALL                                                 \
	(1u << SF_EVENT_NEWIDLE | 1u << SF_EVENT_SLOWPATH | \
	 1u << SF_EVENT_BURST)

/* The kernel's records, in layouts of their own: a field is found by its name. */
struct record {
	uint16_t type;
	uint16_t flags;
	int pid;
	u32 words[16];
};

static void write_format(const char *name, int id, const char *const *fields)
{
	char path[128], text[4096], line[128];
	size_t i;

	snprintf(text, sizeof(text), "name: %s\nID: %d\nformat:\n" COMMON, name,
		 id);
	for (i = 0; fields[i]; i++) {
		snprintf(line, sizeof(line),
			 "\tfield:u32 %s;\toffset:%zu;\tsize:4;\tsigned:0;\n",
			 fields[i], 8 + 4 * i);
		/* The only one of 64 bits. */
		if (!strcmp(fields[i], "ns"))
			snprintf(
				line, sizeof(line),
				"\tfield:u64 ns;\toffset:%zu;\tsize:8;\tsigned:0;\n",
				8 + 4 * i);
		strcat(text, line);
	}
	strcat(text, "\nprint fmt: \"cpu=%u\", REC->cpu\n");
	snprintf(path, sizeof(path), EVENTS "/%s/format", name);
	tree_write(path, text);
}

static int setup(void **state)
{
	static const char *const newidle[] = { "ns",	  "high",   "tasks",
					       "attempt", "weight", "policy",
					       "level",	  "cpu",    NULL };
	static const char *const slowpath[] = { "cpu", "level", "policy", "pid",
						"to",  "stale", NULL };
	static const char *const burst[] = { "cpu",	      "level", "policy",
					     "pid",	      "kind",  "depth",
					     "average_milli", "to",    "idle",
					     "later",	      NULL };

	if (tree_setup(state))
		return -1;
	tree_write(TRACEFS "/events/header_page",
		   "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		   "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
		   "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n");
	tree_write(EVENTS "/enable", "0\n");
	write_format("newidle", 1001, newidle);
	write_format("slowpath", 1002, slowpath);
	write_format("burst", 1003, burst);
	return 0;
}

static struct sf_formats *formats_of(unsigned int events)
{
	struct sf_error err = { .code = SF_OK };
	struct sf_formats *formats;

	formats = sf_formats_new(tree_path(TRACEFS), events, &err);
	if (!formats)
		fail_msg("%s", err.message);
	return formats;
}

static void test_newidle(void **unused)
{
	struct record record = { .type = 1001,
				 .words = { 0x89abcdef, 0x01234567, 3, 1, 226,
					    4, 5, 6 } };
	struct sf_formats *formats = formats_of(ALL);
	struct sf_event event;

	(void)unused;
	assert_true(sf_formats_read(formats, &record, &event));
	assert_int_equal(event.type, SF_EVENT_NEWIDLE);
	assert_int_equal(event.cpu, 6);
	assert_int_equal(event.level, 5);
	assert_int_equal(event.policy, 4);
	assert_int_equal(event.newidle.weight, 226);
	assert_true(event.newidle.attempt);
	assert_int_equal(event.newidle.tasks, 3);
	assert_true(event.newidle.ns == 0x0123456789abcdef);
	sf_formats_free(formats);
}

static void test_placements(void **unused)
{
	struct record slowpath = { .type = 1002,
				   .words = { 1, 2, 1, 1234, 5, 1 } };
	struct record burst = { .type = 1003,
				.words = { 1, 2, 3, 1234, 2, 6, 1500, 7, 1 } };
	struct sf_formats *formats = formats_of(ALL);
	struct sf_event event;

	(void)unused;
	assert_true(sf_formats_read(formats, &slowpath, &event));
	assert_int_equal(event.type, SF_EVENT_SLOWPATH);
	assert_int_equal(event.cpu, 1);
	assert_int_equal(event.slowpath.pid, 1234);
	assert_int_equal(event.slowpath.to, 5);
	assert_true(event.slowpath.stale);
	assert_true(sf_formats_read(formats, &burst, &event));
	assert_int_equal(event.type, SF_EVENT_BURST);
	assert_int_equal(event.policy, 3);
	assert_int_equal(event.burst.pid, 1234);
	assert_int_equal(event.burst.kind, 2);
	assert_int_equal(event.burst.depth, 6);
	assert_int_equal(event.burst.average_milli, 1500);
	assert_int_equal(event.burst.to, 7);
	assert_true(event.burst.idle);
	sf_formats_free(formats);
}

/* What does not fit must not become another number that does. */
static void test_too_large(void **unused)
{
	struct record record = { .type = 1001,
				 .words = { 0, 0, 0, 0, 0, 256, 261, 70000 } };
	struct sf_formats *formats = formats_of(ALL);
	struct sf_event event;

	(void)unused;
	assert_true(sf_formats_read(formats, &record, &event));
	assert_int_equal(event.policy, 255);
	assert_int_equal(event.level, 255);
	assert_int_equal(event.cpu, 70000);
	sf_formats_free(formats);
}

static void test_others(void **unused)
{
	struct record record = { .type = 1002 };
	struct sf_formats *formats = formats_of(1u << SF_EVENT_NEWIDLE);
	struct sf_event event;

	(void)unused;
	assert_false(sf_formats_read(formats, &record, &event));
	record.type = 5;
	assert_false(sf_formats_read(formats, &record, &event));
	sf_formats_free(formats);
}

static void test_missing(void **unused)
{
	static const char *const fields[] = { "cpu", "level", "policy",
					      "pid", "stale", NULL };
	struct sf_error err = { .code = SF_OK };

	(void)unused;
	write_format("slowpath", 1002, fields);
	assert_null(sf_formats_new(tree_path(TRACEFS), ALL, &err));
	assert_non_null(strstr(err.message, "has no field \"to\""));
	tree_remove(EVENTS "/slowpath");
	err.code = SF_OK;
	assert_null(sf_formats_new(tree_path(TRACEFS), ALL, &err));
	assert_non_null(
		strstr(err.message, "the format of the event slowpath"));
	sf_formats_free(formats_of(1u << SF_EVENT_BURST));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_newidle),
		cmocka_unit_test(test_placements),
		cmocka_unit_test(test_too_large),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_missing),
	};

	return cmocka_run_group_tests(tests, setup, tree_teardown);
}
