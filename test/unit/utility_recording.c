// SPDX-License-Identifier: GPL-2.0-or-later
#include "recordings.h"

#include <errno.h>

#define MANY 100000

static void assert_same_details(const struct sf_event *a,
				const struct sf_event *b)
{
	if (a->type == SF_EVENT_NEWIDLE) {
		assert_int_equal(a->newidle.weight, b->newidle.weight);
		assert_int_equal(a->newidle.attempt, b->newidle.attempt);
		assert_int_equal(a->newidle.tasks, b->newidle.tasks);
		assert_true(a->newidle.ns == b->newidle.ns);
	} else if (a->type == SF_EVENT_SLOWPATH) {
		assert_int_equal(a->slowpath.pid, b->slowpath.pid);
		assert_int_equal(a->slowpath.to, b->slowpath.to);
		assert_int_equal(a->slowpath.stale, b->slowpath.stale);
	} else {
		assert_int_equal(a->burst.pid, b->burst.pid);
		assert_int_equal(a->burst.kind, b->burst.kind);
		assert_int_equal(a->burst.depth, b->burst.depth);
		assert_int_equal(a->burst.average_milli,
				 b->burst.average_milli);
		assert_int_equal(a->burst.to, b->burst.to);
		assert_int_equal(a->burst.idle, b->burst.idle);
	}
}

static void assert_same(const struct sf_event *a, const struct sf_event *b)
{
	assert_int_equal(a->type, b->type);
	assert_int_equal(a->cpu, b->cpu);
	assert_int_equal(a->level, b->level);
	assert_int_equal(a->policy, b->policy);
	assert_true(a->time_ns == b->time_ns);
	assert_same_details(a, b);
}

static int compare_times(const void *a, const void *b)
{
	u64 s = ((const struct sf_event *)a)->time_ns;
	u64 t = ((const struct sf_event *)b)->time_ns;

	return s < t ? -1 : s > t;
}

static void test_round_trip(void **unused)
{
	struct sf_event *events = calloc(MANY, sizeof(*events));
	struct sf_recorder *recorder = create();
	struct sf_recording recording;
	size_t i;

	(void)unused;
	assert_non_null(events);
	sf_random_seed(&rng, 1, 0);
	for (i = 0; i < MANY; i++) {
		draw_event(&events[i]);
		assert_int_equal(sf_recorder_write(recorder, &events[i]), 0);
	}
	finish(recorder, 12345678901234, UINT64_MAX);
	load(&recording);
	assert_int_equal(recording.count, MANY);
	assert_true(recording.complete);
	assert_true(recording.lost == 12345678901234);
	assert_true(recording.duration_ns == UINT64_MAX);
	assert_string_equal(
		json_string_value(json_object_get(recording.header, "kernel")),
		"7.3.4-test");
	/* No two of them are at one time. */
	qsort(events, MANY, sizeof(*events), compare_times);
	for (i = 0; i < MANY; i++)
		assert_same(&events[i], &recording.events[i]);
	sf_recording_free(&recording);
	free(events);
}

static void test_extremes(void **unused)
{
	struct sf_event first = { .type = SF_EVENT_NEWIDLE,
				  .time_ns = UINT64_MAX,
				  .cpu = 8191,
				  .level = 15,
				  .policy = 5,
				  .newidle = { 0, true, UINT32_MAX,
					       UINT64_MAX } };
	struct sf_event second = { .type = SF_EVENT_BURST,
				   .cpu = 8191,
				   .policy = 3,
				   .burst = { INT32_MAX, 2, UINT32_MAX,
					      UINT32_MAX, 8191, true } };
	struct sf_recorder *recorder = create();
	struct sf_recording recording;

	(void)unused;
	assert_int_equal(sf_recorder_write(recorder, &first), 0);
	assert_int_equal(sf_recorder_write(recorder, &second), 0);
	/* No recording ends before its last event. */
	finish(recorder, UINT64_MAX, 5);
	load(&recording);
	assert_int_equal(recording.count, 2);
	assert_same(&recording.events[0], &second);
	assert_same(&recording.events[1], &first);
	assert_true(recording.lost == UINT64_MAX);
	assert_true(recording.duration_ns == UINT64_MAX);
	sf_recording_free(&recording);
}

static void test_one_time(void **unused)
{
	struct sf_event event = { .type = SF_EVENT_NEWIDLE, .time_ns = 5 };
	struct sf_recorder *recorder = create();
	struct sf_recording recording;
	int i;

	(void)unused;
	for (i = 0; i < 1000; i++) {
		event.newidle.weight = i;
		assert_int_equal(sf_recorder_write(recorder, &event), 0);
	}
	finish(recorder, 0, 5);
	load(&recording);
	for (i = 0; i < 1000; i++)
		assert_int_equal(recording.events[i].newidle.weight, i);
	sf_recording_free(&recording);
}

static void test_empty(void **unused)
{
	struct sf_recording recording;

	(void)unused;
	finish(create(), 0, 17);
	load(&recording);
	assert_int_equal(recording.count, 0);
	assert_true(recording.complete);
	assert_true(recording.duration_ns == 17);
	sf_recording_free(&recording);
}

static void refuses(struct sf_event event)
{
	struct sf_recorder *recorder = create();

	assert_int_equal(sf_recorder_write(recorder, &event), -EINVAL);
	sf_recorder_abort(recorder);
}

static void test_refuses_events(void **unused)
{
	(void)unused;
	refuses((struct sf_event){ .type = 0 });
	refuses((struct sf_event){ .type = 4 });
	refuses((struct sf_event){ .type = 1, .cpu = 8192 });
	refuses((struct sf_event){ .type = 1, .level = 16 });
	refuses((struct sf_event){ .type = 1, .policy = 6 });
	refuses((struct sf_event){ .type = 1, .newidle.weight = 1025 });
	refuses((struct sf_event){ .type = 1, .newidle.ns = 1 });
	refuses((struct sf_event){ .type = 1, .newidle.tasks = 1 });
	refuses((struct sf_event){ .type = 2, .policy = 2 });
	refuses((struct sf_event){ .type = 2, .slowpath.to = 8192 });
	refuses((struct sf_event){ .type = 2, .slowpath.pid = 1u << 31 });
	refuses((struct sf_event){ .type = 3, .policy = 4 });
	refuses((struct sf_event){ .type = 3, .burst.kind = 3 });
	refuses((struct sf_event){ .type = 3, .burst.to = 8192 });
}

/* docs/recording.md shows these bytes. */
static void test_example(void **unused)
{
	static const char bytes[] =
		"schedflip recording 1\n23\n{\"kernel\":\"7.3.4-test\"}\n"
		"\x04\x03\xc9\xd0\x0f\x04\x80\x08\xac\x02\x01"
		"\x89\xc0\x9a\x0c\x02\x20\x09\xc0\x9a\x0c\x04\x00"
		"\x4a\xef\x9c\x06\x01\xd2\x09\x05\x57\xa0\x9c\x01\x03\x00"
		"\x06\x07\xd2\x09\x04\xe2\x09\x08\x05\x0c\x90\xa1\x0f";
	struct sf_event attempt = { 1, 2, 4, 3, 1000, { { 1024, 1, 1, 300 } } };
	struct sf_event skip = { 1, 2, 2, 3, 101000, { { 32, 0, 0, 0 } } };
	struct sf_event again = { 1, 2, 2, 3, 201000, { { 32, 0, 0, 0 } } };
	struct sf_event slowpath = { 2, 2,	1,
				     0, 150000, .slowpath = { 1234, 5, true } };
	struct sf_event burst = {
		3, 5, 3, 6, 160000, .burst = { 1234, 0, 4, 1250, 7, true }
	};
	struct sf_recorder *recorder = create();
	u8 buf[256];

	(void)unused;
	assert_int_equal(sf_recorder_write(recorder, &attempt), 0);
	assert_int_equal(sf_recorder_write(recorder, &skip), 0);
	assert_int_equal(sf_recorder_write(recorder, &again), 0);
	assert_int_equal(sf_recorder_write(recorder, &slowpath), 0);
	assert_int_equal(sf_recorder_write(recorder, &burst), 0);
	finish(recorder, 12, 250000);
	assert_int_equal(read_file(buf, sizeof(buf)), sizeof(bytes) - 1 + 4);
	assert_memory_equal(buf, bytes, sizeof(bytes) - 1);
}

/* What a newidle event takes: of a CPU with 1000 to 10000 calls a second. */
static void test_size(void **unused)
{
	struct sf_event event = { .type = SF_EVENT_NEWIDLE };
	struct sf_recorder *recorder = create();
	static u8 buf[MANY * 10];
	size_t size, head;
	int i;

	(void)unused;
	finish(recorder, 0, 0);
	head = read_file(buf, sizeof(buf));
	recorder = create();
	sf_random_seed(&rng, 2, 0);
	for (i = 0; i < MANY; i++) {
		event.cpu = i / 100 % 8;
		event.time_ns += 100000 + draw(900000);
		event.newidle.weight = 1 + i / 512;
		event.newidle.attempt = true;
		event.newidle.tasks = !draw(4);
		event.newidle.ns = 1000 + draw(15000);
		assert_int_equal(sf_recorder_write(recorder, &event), 0);
	}
	finish(recorder, 0, 0);
	size = read_file(buf, sizeof(buf)) - head;
	print_message("%.2f bytes an attempt\n", (double)size / MANY);
	assert_true(size <= 8 * MANY);
}

static void test_aborted(void **unused)
{
	struct sf_recording recording;
	char name[64];

	(void)unused;
	write_small();
	sf_recorder_abort(create());
	load(&recording);
	assert_int_equal(recording.count, 9);
	sf_recording_free(&recording);
	snprintf(name, sizeof(name), FILE_NAME ".%d.part", (int)getpid());
	assert_int_equal(access(tree_path(name), F_OK), -1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_extremes),
		cmocka_unit_test(test_one_time),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_refuses_events),
		cmocka_unit_test(test_example),
		cmocka_unit_test(test_size),
		cmocka_unit_test(test_aborted),
	};

	return cmocka_run_group_tests(tests, tree_setup, tree_teardown);
}
