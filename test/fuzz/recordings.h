/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An input as a recording. Chance does not find checksums: if the first byte of the input
 * is a dot, what follows is a whole file; otherwise it lacks the magic line and the end,
 * which are added, so that the recording is complete if its records are good.
 */
#ifndef SCHEDFLIP_FUZZ_RECORDINGS_H
#define SCHEDFLIP_FUZZ_RECORDINGS_H

#include "fuzz.h"

#include <zlib.h>

#include "encoding.h"

/* Behind the header: a line with its length, and the header itself. */
static inline size_t fuzz_records(const u8 *data, size_t size)
{
	const u8 *line = memchr(data, '\n', size);
	size_t at = line ? (size_t)(line + 1 - data) : size;
	char text[16] = "";
	u64 length;

	if (at && at <= sizeof(text))
		memcpy(text, data, at - 1);
	if (!sf_parse_number(text, &length) || length >= size - at)
		return size;
	return at + length + 1;
}

/* The end, for events as far as they are good; time and number are theirs. */
static inline size_t fuzz_end(const u8 *records, size_t size, u8 *buf)
{
	struct sf_encoding *encoding = sf_encoding_new();
	struct sf_item item = { .type = SF_ITEM_CPU };
	struct sf_end end = { .lost = size % 3 };
	const char *why = NULL;
	size_t len;

	fuzz_check(encoding, "memory is enough");
	while (size && !why && item.type != SF_ITEM_NONE) {
		len = sf_decode(encoding, records, size, &item, &why);
		if (!why && item.type == SF_ITEM_EVENT) {
			end.count++;
			if (item.event.time_ns > end.duration_ns)
				end.duration_ns = item.event.time_ns;
		}
		records += len;
		size -= len;
	}
	free(encoding);
	return sf_encode_end(&end, buf);
}

/* Return: the path of the file. */
static inline const char *fuzz_recording(const u8 *data, size_t size)
{
	static const char magic[] = SF_RECORDING_NAME SF_RECORDING_VERSION "\n";
	size_t at = strlen(magic), head;
	const char *path;
	u32 crc, i;
	u8 *buf;

	if (size && *data == '.')
		return fuzz_path(data + 1, size - 1);
	buf = malloc(at + size + SF_MAX_RECORD + SF_CRC_SIZE);
	fuzz_check(buf != NULL, "memory is enough");
	memcpy(buf, magic, at);
	memcpy(buf + at, data, size);
	at += size;
	head = fuzz_records(data, size);
	at += fuzz_end(data + head, size - head, buf + at);
	crc = crc32(0, buf, at);
	for (i = 0; i < SF_CRC_SIZE; i++)
		buf[at++] = crc >> (8 * i);
	path = fuzz_path(buf, at);
	free(buf);
	return path;
}

#endif
