// SPDX-License-Identifier: GPL-2.0-or-later
/* The reader of recordings, and `record --print`. */
#include "recordings.h"

#include "dump.h"

static void check_recording(const struct sf_recording *recording)
{
	u64 time_ns = 0;
	size_t i;

	fuzz_check(json_is_object(recording->header), "there is a header");
	for (i = 0; i < recording->count; i++) {
		fuzz_check(recording->events[i].time_ns >= time_ns,
			   "events are in order of time");
		time_ns = recording->events[i].time_ns;
	}
	fuzz_check(recording->duration_ns >= time_ns,
		   "the last event is not behind the end");
	fuzz_check(recording->complete || !recording->lost,
		   "of one that was cut off it is not known what was lost");
}

static void dump(const char *path, bool json)
{
	struct sf_error err = { .code = SF_OK };
	struct sf_output out;
	int code;

	sf_output_init(&out, json);
	code = sf_dump(path, &out, &err);
	fuzz_error(code, &err);
	fuzz_check(!out.incomplete, "all of it is printed");
	json_dumpf(out.root, stdout, 0);
	json_decref(out.root);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	const char *path = fuzz_recording(data, size);
	struct sf_error err = { .code = SF_OK };
	struct sf_recording recording;
	int code = sf_recording_load(path, &recording, &err);

	fuzz_error(code, &err);
	if (!code)
		check_recording(&recording);
	sf_recording_free(&recording);
	if (code)
		return 0;
	fuzz_quiet();
	dump(path, false);
	dump(path, true);
	return 0;
}
