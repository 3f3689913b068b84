// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "encoding.h"
#include "experiment_words.h"
#include "recording.h"
#include "text.h"

#define SF_SOURCE_BUFFER 65536

/* Digits of SF_MAX_HEADER. */
#define SF_MAX_LENGTH 8

/**
 * struct sf_source - a file that is read
 * @path: it
 * @file: it, open
 * @offset: of @buffer[@start] in it
 * @crc: of all before @offset
 * @start: first byte of @buffer not used yet
 * @end: behind the last one read
 * @buffer: a part of it
 */
struct sf_source {
	const char *path;
	FILE *file;
	u64 offset;
	u32 crc;
	size_t start;
	size_t end;
	u8 buffer[SF_SOURCE_BUFFER];
};

static int sf_fail_source(const struct sf_source *source, const char *why,
			  struct sf_error *err)
{
	return sf_fail(err, SF_FAILED,
		       "%s is damaged: %s at offset %llu; record it again",
		       source->path, why, (unsigned long long)source->offset);
}

/* Return: bytes there are; fewer than @size only at the end of the file. */
static size_t sf_source_fill(struct sf_source *source, size_t size)
{
	size_t left = source->end - source->start;

	if (left >= size)
		return left;
	memmove(source->buffer, source->buffer + source->start, left);
	source->start = 0;
	source->end = left + fread(source->buffer + left, 1,
				   SF_SOURCE_BUFFER - left, source->file);
	return source->end;
}

static void sf_source_skip(struct sf_source *source, size_t size)
{
	source->crc = crc32(source->crc, source->buffer + source->start, size);
	source->start += size;
	source->offset += size;
}

static bool sf_source_starts(const struct sf_source *source, const char *text)
{
	return !strncmp((const char *)source->buffer + source->start, text,
			strlen(text));
}

/* An experiment's kind stands in its first lines; it is JSON all through. */
static bool sf_source_is_experiment(const struct sf_source *source)
{
	const u8 *start = source->buffer + source->start;

	return source->end > source->start && *start == '{' &&
	       memmem(start, source->end - source->start,
		      "\"" SF_EXPERIMENT_KIND "\"",
		      strlen(SF_EXPERIMENT_KIND) + 2);
}

/* The magic line: what it is, and of which version. */
static int sf_source_magic(struct sf_source *source, struct sf_error *err)
{
	static const char magic[] = SF_RECORDING_NAME SF_RECORDING_VERSION "\n";
	size_t size = sf_source_fill(source, sizeof(magic) - 1);

	if (size >= strlen(magic) && sf_source_starts(source, magic)) {
		sf_source_skip(source, strlen(magic));
		return SF_OK;
	}
	if (sf_source_is_experiment(source))
		return sf_fail(
			err, SF_FAILED,
			"%s is an experiment of ab; use: schedflip report %s",
			source->path, source->path);
	if (size < strlen(magic) ||
	    !sf_source_starts(source, SF_RECORDING_NAME))
		return sf_fail(
			err, SF_FAILED,
			"%s is no recording; make one: schedflip record -o FILE",
			source->path);
	return sf_fail(
		err, SF_FAILED,
		"%s is a recording of another version than " SF_RECORDING_VERSION
		", the only one that this schedflip reads",
		source->path);
}

/* The line with the number of bytes of JSON that follow. */
static int sf_source_length(struct sf_source *source, size_t *length,
			    struct sf_error *err)
{
	size_t size = sf_source_fill(source, SF_MAX_LENGTH + 1), len;
	char text[SF_MAX_LENGTH + 1];
	u64 number;

	if (size > SF_MAX_LENGTH + 1)
		size = SF_MAX_LENGTH + 1;
	for (len = 0; len < size; len++)
		if (source->buffer[source->start + len] == '\n')
			break;
	if (len == size)
		return sf_fail_source(source, "no length of a header", err);
	memcpy(text, source->buffer + source->start, len);
	text[len] = '\0';
	if (!sf_parse_number(text, &number) || number > SF_MAX_HEADER)
		return sf_fail_source(source, "a bad length of the header",
				      err);
	sf_source_skip(source, len + 1);
	*length = number;
	return SF_OK;
}

struct sf_header {
	struct sf_source *source;
	size_t left;
};

/* For jansson; what it is not given it does not allocate. */
static size_t sf_header_read(void *buf, size_t size, void *data)
{
	struct sf_header *header = data;
	struct sf_source *source = header->source;
	size_t there;

	if (size > header->left)
		size = header->left;
	there = size ? sf_source_fill(source, 1) : 0;
	if (size > there)
		size = there;
	memcpy(buf, source->buffer + source->start, size);
	sf_source_skip(source, size);
	header->left -= size;
	return size;
}

static int sf_source_header(struct sf_source *source, json_t **json,
			    struct sf_error *err)
{
	struct sf_header header = { .source = source };
	json_error_t error;

	if (sf_source_magic(source, err) ||
	    sf_source_length(source, &header.left, err))
		return err->code;
	*json = json_load_callback(sf_header_read, &header, 0, &error);
	if (header.left && !sf_source_fill(source, 1))
		return sf_fail_source(source, "the header's end is missing",
				      err);
	if (!json_is_object(*json))
		return sf_fail_source(
			source, "a header that is no JSON object, which ends",
			err);
	if (!sf_source_fill(source, 1) || source->buffer[source->start] != '\n')
		return sf_fail_source(source, "no end of the header", err);
	sf_source_skip(source, 1);
	return SF_OK;
}

static int sf_recording_add(struct sf_recording *recording,
			    const struct sf_event *event, struct sf_error *err)
{
	size_t count = recording->count;
	struct sf_event *events = recording->events;

	/* Double at each power of two. */
	if (!(count & (count - 1))) {
		events = reallocarray(events, count ? 2 * count : 1,
				      sizeof(*events));
		if (!events)
			return sf_fail(err, SF_FAILED, "out of memory");
		recording->events = events;
	}
	events[count] = *event;
	recording->count++;
	if (event->time_ns > recording->duration_ns)
		recording->duration_ns = event->time_ns;
	return SF_OK;
}

/* The source stands behind the end record. */
static int sf_recording_end(struct sf_recording *recording,
			    struct sf_source *source, const struct sf_end *end,
			    struct sf_error *err)
{
	u32 crc = source->crc, told = 0;
	int i;

	if (sf_source_fill(source, SF_CRC_SIZE + 1) < SF_CRC_SIZE)
		return SF_OK;
	for (i = 0; i < SF_CRC_SIZE; i++)
		told |= (u32)source->buffer[source->start + i] << (8 * i);
	if (told != crc)
		return sf_fail_source(source, "the wrong checksum", err);
	if (end->count != recording->count ||
	    end->duration_ns < recording->duration_ns)
		return sf_fail_source(
			source, "an end that does not fit the events", err);
	sf_source_skip(source, SF_CRC_SIZE);
	if (sf_source_fill(source, 1))
		return sf_fail_source(source, "bytes behind the end", err);
	recording->lost = end->lost;
	recording->duration_ns = end->duration_ns;
	recording->complete = true;
	return SF_OK;
}

static int sf_recording_read_items(struct sf_recording *recording,
				   struct sf_encoding *encoding,
				   struct sf_source *source,
				   struct sf_error *err)
{
	struct sf_item item;
	const char *why;
	size_t size;

	for (;;) {
		size = sf_source_fill(source, SF_MAX_RECORD);
		size = sf_decode(encoding, source->buffer + source->start, size,
				 &item, &why);
		if (why)
			return sf_fail_source(source, why, err);
		if (item.type == SF_ITEM_NONE)
			return SF_OK;
		sf_source_skip(source, size);
		if (item.type == SF_ITEM_END)
			return sf_recording_end(recording, source, &item.end,
						err);
		if (item.type == SF_ITEM_EVENT &&
		    sf_recording_add(recording, &item.event, err))
			return err->code;
	}
}

static int sf_compare_times(const void *a, const void *b, void *data)
{
	const struct sf_event *events = data;
	size_t i = *(const size_t *)a, j = *(const size_t *)b;

	if (events[i].time_ns != events[j].time_ns)
		return events[i].time_ns < events[j].time_ns ? -1 : 1;
	/* Those of one CPU are in order in the file. */
	return i < j ? -1 : i > j;
}

/* In the file events are in order on each CPU; afterwards they all are. */
static int sf_recording_sort(struct sf_recording *recording,
			     struct sf_error *err)
{
	size_t count = recording->count, i;
	struct sf_event *sorted;
	size_t *order;

	if (!count)
		return SF_OK;
	order = calloc(count, sizeof(*order));
	sorted = calloc(count, sizeof(*sorted));
	if (!order || !sorted) {
		free(order);
		free(sorted);
		return sf_fail(err, SF_FAILED, "out of memory");
	}
	for (i = 0; i < count; i++)
		order[i] = i;
	qsort_r(order, count, sizeof(*order), sf_compare_times,
		recording->events);
	for (i = 0; i < count; i++)
		sorted[i] = recording->events[order[i]];
	free(order);
	free(recording->events);
	recording->events = sorted;
	return SF_OK;
}

static int sf_recording_read(struct sf_recording *recording,
			     struct sf_source *source, struct sf_error *err)
{
	struct sf_encoding *encoding = sf_encoding_new();

	if (!encoding)
		return sf_fail(err, SF_FAILED, "out of memory");
	if (!sf_source_header(source, &recording->header, err) &&
	    !sf_recording_read_items(recording, encoding, source, err))
		sf_recording_sort(recording, err);
	free(encoding);
	/* A file that could not be read looks as if it was cut off. */
	if (ferror(source->file))
		sf_fail(err, SF_FAILED, "cannot read %s: %s", source->path,
			strerror(EIO));
	return err->code;
}

/* Return: the file, open for reading; a pipe or a device has no end. */
static FILE *sf_recording_open(const char *path, struct sf_error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat stat;
	FILE *file;
	int error = 0;

	if (fd < 0 || fstat(fd, &stat))
		error = errno;
	else if (S_ISDIR(stat.st_mode))
		error = EISDIR;
	else if (!S_ISREG(stat.st_mode))
		error = ESPIPE;
	file = error ? NULL : fdopen(fd, "r");
	if (file)
		return file;
	sf_fail(err, SF_FAILED, "cannot read %s: %s", path,
		strerror(error ? error : errno));
	if (fd >= 0)
		close(fd);
	return NULL;
}

/**
 * sf_recording_load - read a recording
 * @path: of the file
 * @recording: set to it, with the events in order of time; to be freed also after an
 *	error
 * @err: says what was wrong, and where in the file
 *
 * One that was cut off is read up to there, and is not complete; then it is not known
 * how many events were lost.
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_recording_load(const char *path, struct sf_recording *recording,
		      struct sf_error *err)
{
	struct sf_source *source;
	FILE *file;

	memset(recording, 0, sizeof(*recording));
	file = sf_recording_open(path, err);
	if (!file)
		return err->code;
	source = calloc(1, sizeof(*source));
	if (source) {
		source->path = path;
		source->file = file;
		sf_recording_read(recording, source, err);
	} else {
		sf_fail(err, SF_FAILED, "out of memory");
	}
	free(source);
	fclose(file);
	return err->code;
}

/**
 * sf_recording_free - forget a recording
 * @recording: as sf_recording_load() left it
 */
void sf_recording_free(struct sf_recording *recording)
{
	json_decref(recording->header);
	free(recording->events);
	memset(recording, 0, sizeof(*recording));
}
