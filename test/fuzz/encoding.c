// SPDX-License-Identifier: GPL-2.0-or-later
/* The records of a recording, without the file around them. */
#include "fuzz.h"

#include "encoding.h"

static struct sf_encoding *encoding_new(void)
{
	struct sf_encoding *encoding = sf_encoding_new();

	fuzz_check(encoding, "memory is enough");
	return encoding;
}

/* What can be read can be written, and is then read as the same. */
static void check_event(const struct sf_event *event,
			struct sf_encoding *writer, struct sf_encoding *reader)
{
	u8 buf[SF_MAX_RECORD];
	size_t size = sf_encode_event(writer, event, buf), at = 0;
	struct sf_item item;
	const char *why;

	fuzz_check(size && size <= sizeof(buf), "the event can be written");
	do {
		at += sf_decode(reader, buf + at, size - at, &item, &why);
		fuzz_check(!why, "there is nothing wrong with it");
	} while (item.type == SF_ITEM_CPU);
	fuzz_check(item.type == SF_ITEM_EVENT && at == size,
		   "it is one event, and no more");
	fuzz_check(!memcmp(&item.event, event, sizeof(*event)),
		   "it is the same event");
}

static void check_end(const struct sf_end *end, struct sf_encoding *reader)
{
	u8 buf[SF_MAX_RECORD];
	size_t size = sf_encode_end(end, buf);
	struct sf_item item;
	const char *why;

	fuzz_check(sf_decode(reader, buf, size, &item, &why) == size && !why &&
			   item.type == SF_ITEM_END &&
			   !memcmp(&item.end, end, sizeof(*end)),
		   "it is the same end");
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct sf_encoding *encoding = encoding_new();
	struct sf_encoding *writer = encoding_new(), *reader = encoding_new();
	struct sf_item item = { .type = SF_ITEM_CPU };
	const char *why = NULL;
	size_t len;

	while (size && !why && item.type != SF_ITEM_NONE) {
		len = sf_decode(encoding, data, size, &item, &why);
		fuzz_check(len && len <= size, "it reads what there is");
		if (!why && item.type == SF_ITEM_EVENT)
			check_event(&item.event, writer, reader);
		if (!why && item.type == SF_ITEM_END)
			check_end(&item.end, reader);
		data += len;
		size -= len;
	}
	free(encoding);
	free(writer);
	free(reader);
	return 0;
}
