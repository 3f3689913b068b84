// SPDX-License-Identifier: GPL-2.0-or-later
#include "recordings.h"

#include <sys/mman.h>

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
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_corrupted),
		cmocka_unit_test(test_bad_headers),
		cmocka_unit_test(test_bad_records),
		cmocka_unit_test(test_unreadable),
	};

	return cmocka_run_group_tests(tests, tree_setup, tree_teardown);
}
