// SPDX-License-Identifier: GPL-2.0-or-later
#include "utility.h"

#include <errno.h>
#include <sys/mman.h>
#include <schedflip/random.h>

#include "recording.h"

#define FILE_NAME "/run.sfr"
#define MANY 100000

static struct sf_rng rng;

static u32 draw(u32 below)
{
	return sf_random_below(&rng, below);
}

/* Of any length in bytes. */
static u64 draw_number(unsigned int bits)
{
	u64 number = sf_random64(&rng);

	return number >> (64 - bits) >> draw(bits);
}

static void draw_newidle(struct sf_event *event)
{
	event->policy = draw(6);
	event->newidle.weight = draw(2) ? 226 : draw(1025);
	event->newidle.attempt = draw(2);
	if (!event->newidle.attempt)
		return;
	event->newidle.tasks = draw_number(32);
	event->newidle.ns = draw_number(64);
}

static void draw_burst(struct sf_event *event)
{
	event->policy = draw(4);
	event->burst.pid = draw_number(31);
	event->burst.kind = draw(3);
	event->burst.depth = draw_number(32);
	event->burst.average_milli = draw_number(32);
	event->burst.to = draw(8192);
	event->burst.idle = draw(2);
}

static void draw_event(struct sf_event *event)
{
	memset(event, 0, sizeof(*event));
	event->type = 1 + draw(3);
	event->level = draw(16);
	event->cpu = draw(2) ? draw(8192) : draw(4);
	event->time_ns = draw_number(62);
	if (event->type == SF_EVENT_NEWIDLE) {
		draw_newidle(event);
	} else if (event->type == SF_EVENT_BURST) {
		draw_burst(event);
	} else {
		event->policy = draw(2);
		event->slowpath.pid = draw_number(31);
		event->slowpath.to = draw(8192);
		event->slowpath.stale = draw(2);
	}
}

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

static struct sf_recorder *create(void)
{
	json_t *header = json_pack("{s:s}", "kernel", "7.3.4-test");
	struct sf_error err = { .code = SF_OK };
	struct sf_recorder *recorder;

	recorder = sf_recorder_create(tree_path(FILE_NAME), header, &err);
	json_decref(header);
	assert_non_null(recorder);
	return recorder;
}

static void finish(struct sf_recorder *recorder, u64 lost, u64 duration_ns)
{
	struct sf_error err = { .code = SF_OK };

	assert_int_equal(sf_recorder_finish(recorder, lost, duration_ns, &err),
			 SF_OK);
}

static void load(struct sf_recording *recording)
{
	struct sf_error err = { .code = SF_OK };

	assert_int_equal(sf_recording_load(tree_path(FILE_NAME), recording,
					   &err),
			 SF_OK);
}

/* Of a file of three events of each type. */
static void write_small(void)
{
	struct sf_recorder *recorder = create();
	struct sf_event event;
	int i, found[4] = { 0 };

	sf_random_seed(&rng, 3, 0);
	for (i = 0; i < 9;) {
		draw_event(&event);
		if (found[event.type]++ >= 3)
			continue;
		assert_int_equal(sf_recorder_write(recorder, &event), 0);
		i++;
	}
	finish(recorder, 7, 1000000);
}

static size_t read_file(u8 *buf, size_t size)
{
	FILE *file = fopen(tree_path(FILE_NAME), "r");
	size_t len;

	assert_non_null(file);
	len = fread(buf, 1, size, file);
	assert_true(len < size);
	fclose(file);
	return len;
}

/* In memory: a file system may write out each file that replaces another. */
static int load_bytes(const void *bytes, size_t size,
		      struct sf_recording *recording, struct sf_error *err)
{
	int fd = memfd_create("recording", MFD_CLOEXEC);
	char path[64];

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, size), size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	err->code = SF_OK;
	sf_recording_load(path, recording, err);
	close(fd);
	return err->code;
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

/* Cut anywhere behind the header, what is there can be read. */
static void test_truncated(void **unused)
{
	struct sf_recording whole, part;
	struct sf_error err;
	size_t size, len, head, i, last = 0;
	u8 buf[1024];

	(void)unused;
	write_small();
	load(&whole);
	size = read_file(buf, sizeof(buf));
	head = (u8 *)memmem(buf, size, "}\n", 2) + 2 - buf;
	for (len = 0; len < size; len++) {
		load_bytes(buf, len, &part, &err);
		assert_false(part.complete);
		assert_int_equal(part.lost, 0);
		/* More bytes, more events. */
		assert_true(part.count >= last && part.count <= whole.count);
		last = part.count;
		for (i = 0; !err.code && i < part.count; i++)
			assert_true(part.events[i].time_ns <= part.duration_ns);
		assert_int_equal(err.code, len < head ? SF_FAILED : SF_OK);
		sf_recording_free(&part);
	}
	assert_int_equal(last, whole.count);
	sf_recording_free(&whole);
}

/* A wrong byte is never taken for a good recording. */
static void test_corrupted(void **unused)
{
	struct sf_recording recording;
	struct sf_error err;
	u8 buf[1024], good;
	size_t size, i;
	int value;

	(void)unused;
	write_small();
	size = read_file(buf, sizeof(buf));
	for (i = 0; i < size; i++) {
		good = buf[i];
		for (value = 0; value < 256; value++) {
			buf[i] = value;
			load_bytes(buf, size, &recording, &err);
			assert_int_equal(!err.code && recording.complete,
					 value == good);
			sf_recording_free(&recording);
		}
		buf[i] = good;
	}
}

static void assert_bad(const char *text, size_t size, const char *message)
{
	struct sf_recording recording;
	struct sf_error err;

	assert_int_equal(load_bytes(text, size, &recording, &err), SF_FAILED);
	if (!strstr(err.message, message))
		fail_msg("\"%s\" is not in: %s", message, err.message);
	sf_recording_free(&recording);
}

#define BAD(text, message) assert_bad(text, sizeof(text) - 1, message)
#define MAGIC "schedflip recording 1\n"
#define HEADER MAGIC "2\n{}\n"

static void test_bad_headers(void **unused)
{
	(void)unused;
	BAD("", "is no recording");
	BAD("schedflip", "is no recording");
	BAD("\177ELF...................................", "is no recording");
	BAD("schedflip recording 2\n2\n{}\n", "of another version than 1");
	BAD(MAGIC, "no length of a header at offset 22");
	BAD(MAGIC "x\n{}\n", "a bad length of the header at offset 22");
	BAD(MAGIC "123456789\n{}\n", "no length of a header at offset 22");
	BAD(MAGIC "99999999\n{}\n", "a bad length of the header at offset 22");
	BAD(MAGIC "60000000\n{}\n", "the header's end is missing at offset 34");
	BAD(MAGIC "1\n{}\n", "no JSON object, which ends at offset 25");
	BAD(MAGIC "9\n{\"a\":", "the header's end is missing at offset 29");
	BAD(MAGIC "2\n[]\n", "no JSON object");
	BAD(MAGIC "2\n{}", "no end of the header at offset 26");
	BAD(MAGIC "3\n{}\n", "no end of the header at offset 27");
}

static void test_bad_records(void **unused)
{
	(void)unused;
	BAD(HEADER "\x0c", "a tag that no record has at offset 27");
	BAD(HEADER "\x04\x80\x40", "a CPU above 8191 at offset 27");
	BAD(HEADER "\x81\x00\x06\x00", "no such policy at offset 27");
	BAD(HEADER "\x81\x00\x00\x81\x08", "a weight above 1024 at offset 27");
	BAD(HEADER "\x01\x00\x82\x00\x00\x00\x00",
	    "a tag that no event has at offset 29");
	BAD(HEADER "\x02\x00\x00\xff\xff\xff\xff\x08\x00", "no such task");
	BAD(HEADER "\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02",
	    "a number of more than 64 bits at offset 27");
	BAD(HEADER "\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
	    "a number of more than 64 bits at offset 27");
	BAD(HEADER "\x41\x00\x00\xff\xff\xff\xff\x10",
	    "a number of more than 32 bits at offset 27");
	BAD(HEADER "\x08\x00\x00\x00....", "the wrong checksum at offset 31");
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

static void test_unreadable(void **unused)
{
	struct sf_error err = { .code = SF_OK };
	struct sf_recording recording;

	(void)unused;
	assert_int_equal(sf_recording_load("/dev/null", &recording, &err),
			 SF_FAILED);
	assert_string_equal(err.message, "cannot read /dev/null: Illegal seek");
	assert_int_equal(sf_recording_load("/", &recording, &err), SF_FAILED);
	assert_string_equal(err.message, "cannot read /: Is a directory");
	sf_recording_load("/no/such", &recording, &err);
	assert_string_equal(err.message,
			    "cannot read /no/such: No such file or directory");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_extremes),
		cmocka_unit_test(test_one_time),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_refuses_events),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_corrupted),
		cmocka_unit_test(test_bad_headers),
		cmocka_unit_test(test_bad_records),
		cmocka_unit_test(test_size),
		cmocka_unit_test(test_aborted),
		cmocka_unit_test(test_unreadable),
	};

	return cmocka_run_group_tests(tests, tree_setup, tree_teardown);
}
