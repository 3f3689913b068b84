/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes that a recording is made of: its records, one at a time.
 * docs/recording.md is their format.
 */
#ifndef SCHEDFLIP_ENCODING_H
#define SCHEDFLIP_ENCODING_H

#include "recording.h"

#define SF_RECORDING_NAME "schedflip recording "
#define SF_RECORDING_VERSION "1"

/* CPUs and levels are numbered below these; of levels the module keeps no more. */
#define SF_RECORDING_CPUS 8192
#define SF_RECORDING_LEVELS 16

/* Of the JSON: 8192 CPUs of 16 domains are a third of it. */
#define SF_MAX_HEADER (64u << 20)

/* No record is longer, with that of its CPU before it. */
#define SF_MAX_RECORD 96

/* Behind the end record. */
#define SF_CRC_SIZE 4

/**
 * struct sf_end - what the end record says
 * @count: number of events in the file
 * @lost: of those that are not
 * @duration_ns: of the recording
 */
struct sf_end {
	u64 count;
	u64 lost;
	u64 duration_ns;
};

enum sf_item_type {
	SF_ITEM_NONE,
	SF_ITEM_EVENT,
	SF_ITEM_CPU,
	SF_ITEM_END,
};

/**
 * struct sf_item - one record, read
 * @type: which it is; SF_ITEM_CPU says something to the encoding only
 * @event: one
 * @end: or the end
 */
struct sf_item {
	enum sf_item_type type;
	union {
		struct sf_event event;
		struct sf_end end;
	};
};

struct sf_encoding;

struct sf_encoding *sf_encoding_new(void);
size_t sf_encode_event(struct sf_encoding *encoding,
		       const struct sf_event *event, u8 *buf);
size_t sf_encode_end(const struct sf_end *end, u8 *buf);
size_t sf_decode(struct sf_encoding *encoding, const u8 *buf, size_t size,
		 struct sf_item *item, const char **why);

#endif
