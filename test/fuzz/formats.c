// SPDX-License-Identifier: GPL-2.0-or-later
/* Records of the kernel's, as the loaded module's events lay them out. */
#include "fuzz.h"

#include "encoding.h"
#include "formats.h"

#define TRACEFS "/tracing"
#define EVENTS TRACEFS "/events/" SF_SYSTEM
#define PAGE                                                        \
	"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"  \
	"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n" \
	"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n"

/* Of any record here. */
#define RECORD_SIZE 64

static const char *const fields[][10] = {
	{ "newidle", "cpu", "level", "policy", "weight", "attempt", "tasks",
	  "ns" },
	{ "slowpath", "cpu", "level", "policy", "pid", "to", "stale" },
	{ "burst", "cpu", "level", "policy", "pid", "kind", "depth",
	  "average_milli", "to", "idle" },
};

static void write_format(size_t which)
{
	char path[128], text[2048];
	size_t i, offset = 8;

	snprintf(
		text, sizeof(text),
		"name: %s\nID: %zu\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n",
		fields[which][0], 1001 + which);
	for (i = 1; i < 10 && fields[which][i]; i++) {
		size_t bytes = strcmp(fields[which][i], "ns") ? 4 : 8;

		sf_append_text(
			text, sizeof(text),
			"\tfield:u%zu %s;\toffset:%zu;\tsize:%zu;\tsigned:0;\n",
			8 * bytes, fields[which][i], offset, bytes);
		offset += bytes;
	}
	sf_append_text(text, sizeof(text),
		       "\nprint fmt: \"cpu=%%u\", REC->cpu\n");
	snprintf(path, sizeof(path), EVENTS "/%s/format", fields[which][0]);
	fuzz_tree_write(path, text, strlen(text));
}

static struct sf_formats *formats;

/* Before the first input, as libtracefs reads the symbols of this kernel, too. */
__attribute__((constructor)) static void formats_make(void)
{
	struct sf_error err = { .code = SF_OK };
	char dir[PATH_MAX];
	size_t i;

	fuzz_tree_write(TRACEFS "/events/header_page", PAGE, strlen(PAGE));
	fuzz_tree_write(EVENTS "/enable", "0\n", 2);
	for (i = 0; i < SF_ARRAY_SIZE(fields); i++)
		write_format(i);
	snprintf(dir, sizeof(dir), "%s" TRACEFS, fuzz_tree);
	formats = sf_formats_new(dir, ~0u, &err);
	fuzz_check(formats, "the formats are right");
}

/* What is written of it, if it can be, is no other event. */
static void check_event(const struct sf_event *event)
{
	struct sf_encoding *encoding = sf_encoding_new();
	u8 buf[SF_MAX_RECORD];

	fuzz_check(encoding, "memory is enough");
	fuzz_check(sf_encode_event(encoding, event, buf) <= sizeof(buf),
		   "a record has room");
	free(encoding);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct sf_event event;
	u8 *record;

	for (; size >= RECORD_SIZE; data += RECORD_SIZE, size -= RECORD_SIZE) {
		record = malloc(RECORD_SIZE);
		fuzz_check(record, "memory is enough");
		memcpy(record, data, RECORD_SIZE);
		if (sf_formats_read(formats, record, &event)) {
			event.time_ns = 0;
			check_event(&event);
		}
		free(record);
	}
	return 0;
}
