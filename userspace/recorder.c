// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "encoding.h"
#include "recording.h"
#include "writer.h"

#define SF_RECORDER_BUFFER 65536

/**
 * struct sf_recorder - a recording on its way to a file
 * @writer: of the file
 * @encoding: of its records
 * @count: events written
 * @last_ns: time of the latest
 * @crc: of the bytes written
 * @used: bytes of @buffer
 * @buffer: not written yet
 */
struct sf_recorder {
	struct sf_writer *writer;
	struct sf_encoding *encoding;
	u64 count;
	u64 last_ns;
	u32 crc;
	size_t used;
	u8 buffer[SF_RECORDER_BUFFER];
};

static int sf_recorder_flush(struct sf_recorder *recorder)
{
	int error;

	recorder->crc = crc32(recorder->crc, recorder->buffer, recorder->used);
	error = sf_writer_put(recorder->writer, recorder->buffer,
			      recorder->used);
	recorder->used = 0;
	return error;
}

static void sf_recorder_put(struct sf_recorder *recorder, const void *data,
			    size_t size)
{
	const char *from = data;
	size_t part;

	for (; size; size -= part, from += part) {
		if (recorder->used == SF_RECORDER_BUFFER)
			sf_recorder_flush(recorder);
		part = SF_RECORDER_BUFFER - recorder->used;
		if (part > size)
			part = size;
		memcpy(recorder->buffer + recorder->used, from, part);
		recorder->used += part;
	}
}

/* Return: 0 or a negative errno. */
static int sf_recorder_put_header(struct sf_recorder *recorder, json_t *header)
{
	char *text = json_dumps(header, JSON_COMPACT);
	char line[64];
	size_t size;

	if (!text)
		return -ENOMEM;
	size = strlen(text);
	snprintf(line, sizeof(line),
		 SF_RECORDING_NAME SF_RECORDING_VERSION "\n%zu\n", size);
	sf_recorder_put(recorder, line, strlen(line));
	sf_recorder_put(recorder, text, size);
	sf_recorder_put(recorder, "\n", 1);
	free(text);
	return size > SF_MAX_HEADER ? -EFBIG : sf_recorder_flush(recorder);
}

static void sf_recorder_free(struct sf_recorder *recorder)
{
	if (recorder->writer)
		sf_writer_close(recorder->writer);
	free(recorder->encoding);
	free(recorder);
}

static struct sf_recorder *sf_recorder_new(struct sf_error *err)
{
	struct sf_recorder *recorder = calloc(1, sizeof(*recorder));

	if (recorder)
		recorder->encoding = sf_encoding_new();
	if (recorder && recorder->encoding)
		return recorder;
	free(recorder);
	sf_fail(err, SF_FAILED, "out of memory");
	return NULL;
}

/**
 * sf_recorder_create - begin a recording
 * @path: where it goes once it is finished; until then it is beside it
 * @header: of the recording, see struct sf_recording; the caller's own
 * @err: says what was wrong
 *
 * Return: what takes the events, to be given to sf_recorder_finish() or
 * sf_recorder_abort(); NULL after an error.
 */
struct sf_recorder *sf_recorder_create(const char *path, json_t *header,
				       struct sf_error *err)
{
	struct sf_recorder *recorder = sf_recorder_new(err);
	int error;

	if (!recorder)
		return NULL;
	recorder->writer = sf_writer_open(path, err);
	if (recorder->writer && !sf_writer_begin(recorder->writer, err)) {
		error = sf_recorder_put_header(recorder, header);
		if (!error)
			return recorder;
		sf_fail(err, SF_FAILED, "cannot write %s: %s", path,
			strerror(-error));
	}
	sf_recorder_free(recorder);
	return NULL;
}

/**
 * sf_recorder_write - write an event
 * @recorder: from sf_recorder_create()
 * @event: it; events may come in any order, but those of one CPU one after the
 *	other take less room
 *
 * Return: 0, -EINVAL if a field is out of its range, or why the file cannot be written,
 * a negative errno.
 */
int sf_recorder_write(struct sf_recorder *recorder,
		      const struct sf_event *event)
{
	u8 *end = recorder->buffer + recorder->used;
	int error = 0;
	size_t size;

	if (recorder->used + SF_MAX_RECORD > SF_RECORDER_BUFFER) {
		error = sf_recorder_flush(recorder);
		end = recorder->buffer;
	}
	if (error)
		return error;
	size = sf_encode_event(recorder->encoding, event, end);
	if (!size)
		return -EINVAL;
	recorder->used += size;
	recorder->count++;
	if (event->time_ns > recorder->last_ns)
		recorder->last_ns = event->time_ns;
	return 0;
}

/* The end tells what the CRC of all before it is, itself included. */
static void sf_recorder_put_end(struct sf_recorder *recorder, u64 lost,
				u64 duration_ns)
{
	struct sf_end end = { recorder->count, lost, duration_ns };
	u8 buf[SF_MAX_RECORD], crc[SF_CRC_SIZE];
	size_t size;
	int i;

	/* The kernel's clock and ours are one, but not read at one moment. */
	if (end.duration_ns < recorder->last_ns)
		end.duration_ns = recorder->last_ns;
	size = sf_encode_end(&end, buf);
	sf_recorder_put(recorder, buf, size);
	sf_recorder_flush(recorder);
	for (i = 0; i < SF_CRC_SIZE; i++)
		crc[i] = recorder->crc >> (8 * i);
	sf_recorder_put(recorder, crc, sizeof(crc));
	sf_recorder_flush(recorder);
}

/**
 * sf_recorder_finish - end a recording, and put it in its place
 * @recorder: from sf_recorder_create(); is done with
 * @lost: events that the kernel had no room for
 * @duration_ns: from the start of the recording to its end
 * @err: says what was wrong; then there is no recording
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_recorder_finish(struct sf_recorder *recorder, u64 lost, u64 duration_ns,
		       struct sf_error *err)
{
	sf_recorder_put_end(recorder, lost, duration_ns);
	sf_writer_end(recorder->writer, err);
	sf_recorder_free(recorder);
	return err->code;
}

/**
 * sf_recorder_abort - give a recording up; what was in its place stays
 * @recorder: from sf_recorder_create(); is done with
 */
void sf_recorder_abort(struct sf_recorder *recorder)
{
	sf_recorder_free(recorder);
}
