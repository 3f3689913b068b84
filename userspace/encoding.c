// SPDX-License-Identifier: GPL-2.0-or-later
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <schedflip/burst.h>
#include <schedflip/newidle.h>
#include <schedflip/slowpath.h>

#include "encoding.h"

/* The first byte of a record. */
#define SF_TAG_TYPE 0x03
#define SF_TAG_LEVEL 0x3c
#define SF_TAG_LEVEL_SHIFT 2
/* The event's bool. */
#define SF_TAG_YES 0x40
/* newidle: policy and weight follow, as they are not the domain's last. */
#define SF_TAG_CHANGED 0x80
/* No event, so the type is 0. */
#define SF_TAG_CPU 0x04
#define SF_TAG_END 0x08

#define SF_MAX_KIND 2

/**
 * struct sf_encoding - what a record leaves out, because one before it has it
 * @time_ns: of the last event
 * @cpu: of newidle and slowpath events
 * @domains: policy of the domain's last newidle event, and what its weight lacked of
 *	1024; at first those are zero: stock's
 */
struct sf_encoding {
	u64 time_ns;
	u32 cpu;
	struct sf_last {
		u8 policy;
		uint16_t lack;
	} domains[SF_RECORDING_CPUS][SF_RECORDING_LEVELS];
};

/**
 * sf_encoding_new - begin to write or read records
 *
 * Return: what sf_encode_event() or sf_decode() go by, to be freed with free();
 * NULL if it does not fit in memory.
 */
struct sf_encoding *sf_encoding_new(void)
{
	return calloc(1, sizeof(struct sf_encoding));
}

static u8 *sf_put_number(u8 *at, u64 number)
{
	for (; number >= 0x80; number >>= 7)
		*at++ = number | 0x80;
	*at++ = number;
	return at;
}

/* A difference either way, with its sign in the lowest bit. */
static u8 *sf_put_time(struct sf_encoding *encoding, u64 time_ns, u8 *at)
{
	u64 forth = time_ns - encoding->time_ns;

	encoding->time_ns = time_ns;
	return sf_put_number(at, forth >> 63 ? ~(forth << 1) : forth << 1);
}

static u8 *sf_put_cpu(struct sf_encoding *encoding, u32 cpu, u8 *at)
{
	if (encoding->cpu == cpu)
		return at;
	encoding->cpu = cpu;
	*at++ = SF_TAG_CPU;
	return sf_put_number(at, cpu);
}

static u8 *sf_put_newidle(struct sf_encoding *encoding,
			  const struct sf_event *event, u8 tag, u8 *at)
{
	struct sf_last *last = &encoding->domains[event->cpu][event->level];
	u32 lack = SF_CELL - event->newidle.weight;
	bool changed = event->policy != last->policy || lack != last->lack;

	if (changed)
		tag |= SF_TAG_CHANGED;
	if (event->newidle.attempt)
		tag |= SF_TAG_YES;
	*at++ = tag;
	at = sf_put_time(encoding, event->time_ns, at);
	if (changed) {
		last->policy = event->policy;
		last->lack = lack;
		*at++ = event->policy;
		at = sf_put_number(at, event->newidle.weight);
	}
	if (!event->newidle.attempt)
		return at;
	at = sf_put_number(at, event->newidle.ns);
	return sf_put_number(at, event->newidle.tasks);
}

static u8 *sf_put_slowpath(struct sf_encoding *encoding,
			   const struct sf_event *event, u8 tag, u8 *at)
{
	*at++ = tag | (event->slowpath.stale ? SF_TAG_YES : 0);
	at = sf_put_time(encoding, event->time_ns, at);
	*at++ = event->policy;
	at = sf_put_number(at, event->slowpath.pid);
	return sf_put_number(at, event->slowpath.to);
}

/* Its CPU is the chosen one, not the one it happens on, so it has its own. */
static u8 *sf_put_burst(struct sf_encoding *encoding,
			const struct sf_event *event, u8 tag, u8 *at)
{
	*at++ = tag | (event->burst.idle ? SF_TAG_YES : 0);
	at = sf_put_time(encoding, event->time_ns, at);
	*at++ = event->policy;
	*at++ = event->burst.kind;
	at = sf_put_number(at, event->cpu);
	at = sf_put_number(at, event->burst.to);
	at = sf_put_number(at, event->burst.pid);
	at = sf_put_number(at, event->burst.depth);
	return sf_put_number(at, event->burst.average_milli);
}

/* Return: NULL, or what is wrong with an event. */
static const char *sf_event_flaw(const struct sf_event *event)
{
	static const u8 policies[SF_NR_EVENT_TYPES] = {
		[SF_EVENT_NEWIDLE] = SF_NR_NEWIDLE,
		[SF_EVENT_SLOWPATH] = SF_NR_SLOWPATH,
		[SF_EVENT_BURST] = SF_NR_BURST,
	};
	u32 to = 0, pid = 0;

	if (!event->type || event->type >= SF_NR_EVENT_TYPES)
		return "no event of such a type";
	if (event->type == SF_EVENT_SLOWPATH) {
		to = event->slowpath.to;
		pid = event->slowpath.pid;
	} else if (event->type == SF_EVENT_BURST) {
		to = event->burst.to;
		pid = event->burst.pid;
		if (event->burst.kind > SF_MAX_KIND)
			return "no such kind of placement";
	} else if (event->newidle.weight > SF_CELL) {
		return "a weight above 1024";
	} else if (!event->newidle.attempt &&
		   (event->newidle.tasks || event->newidle.ns)) {
		return "a skip that took time or pulled tasks";
	}
	if (event->cpu >= SF_RECORDING_CPUS || to >= SF_RECORDING_CPUS)
		return "a CPU above 8191";
	if (event->level >= SF_RECORDING_LEVELS)
		return "a level above 15";
	if (event->policy >= policies[event->type])
		return "no such policy";
	return pid > INT_MAX ? "no such task" : NULL;
}

/**
 * sf_encode_event - write an event
 * @encoding: of this file
 * @event: it
 * @buf: for the bytes, SF_MAX_RECORD of them
 *
 * Return: number of bytes; 0 if a field is out of its range.
 */
size_t sf_encode_event(struct sf_encoding *encoding,
		       const struct sf_event *event, u8 *buf)
{
	u8 tag = event->type | event->level << SF_TAG_LEVEL_SHIFT;
	u8 *end;

	if (sf_event_flaw(event))
		return 0;
	if (event->type == SF_EVENT_BURST)
		return sf_put_burst(encoding, event, tag, buf) - buf;
	end = sf_put_cpu(encoding, event->cpu, buf);
	if (event->type == SF_EVENT_NEWIDLE)
		end = sf_put_newidle(encoding, event, tag, end);
	else
		end = sf_put_slowpath(encoding, event, tag, end);
	return end - buf;
}

/**
 * sf_encode_end - write the end
 * @end: what it says
 * @buf: for the bytes, SF_MAX_RECORD of them
 *
 * Return: number of bytes.
 */
size_t sf_encode_end(const struct sf_end *end, u8 *buf)
{
	u8 *at = buf;

	*at++ = SF_TAG_END;
	at = sf_put_number(at, end->count);
	at = sf_put_number(at, end->lost);
	at = sf_put_number(at, end->duration_ns);
	return at - buf;
}

/**
 * struct sf_reader - the bytes of a record
 * @at: the next
 * @end: behind the last there is
 * @cut: more were asked for
 * @why: what is wrong, or NULL
 */
struct sf_reader {
	const u8 *at;
	const u8 *end;
	bool cut;
	const char *why;
};

static u8 sf_get_byte(struct sf_reader *reader)
{
	if (reader->at < reader->end)
		return *reader->at++;
	reader->cut = true;
	return 0;
}

static u64 sf_get_number(struct sf_reader *reader)
{
	u64 number = 0;
	u8 byte = 0x80;
	int shift;

	for (shift = 0; byte & 0x80 && shift < 64; shift += 7) {
		byte = sf_get_byte(reader);
		number |= (u64)(byte & 0x7f) << shift;
	}
	/* Of the tenth byte 64 bits have room for one bit. */
	if (byte & 0x80 || (shift > 64 && byte > 1))
		reader->why = "a number of more than 64 bits";
	return number;
}

static u32 sf_get_u32(struct sf_reader *reader)
{
	u64 number = sf_get_number(reader);

	if (number > UINT32_MAX)
		reader->why = "a number of more than 32 bits";
	return number;
}

static u64 sf_get_time(struct sf_encoding *encoding, struct sf_reader *reader)
{
	u64 number = sf_get_number(reader);
	u64 forth = number >> 1 ^ (number & 1 ? UINT64_MAX : 0);

	return encoding->time_ns + forth;
}

/* @last: of the domain */
static void sf_get_newidle(const struct sf_last *last, u8 tag,
			   struct sf_reader *reader, struct sf_event *event)
{
	event->policy = last->policy;
	event->newidle.weight = SF_CELL - last->lack;
	if (tag & SF_TAG_CHANGED) {
		event->policy = sf_get_byte(reader);
		event->newidle.weight = sf_get_u32(reader);
	}
	event->newidle.attempt = tag & SF_TAG_YES;
	if (!event->newidle.attempt)
		return;
	event->newidle.ns = sf_get_number(reader);
	event->newidle.tasks = sf_get_u32(reader);
}

static void sf_get_slowpath(u8 tag, struct sf_reader *reader,
			    struct sf_event *event)
{
	event->policy = sf_get_byte(reader);
	event->slowpath.stale = tag & SF_TAG_YES;
	event->slowpath.pid = sf_get_u32(reader);
	event->slowpath.to = sf_get_u32(reader);
}

static void sf_get_burst(u8 tag, struct sf_reader *reader,
			 struct sf_event *event)
{
	event->policy = sf_get_byte(reader);
	event->burst.idle = tag & SF_TAG_YES;
	event->burst.kind = sf_get_byte(reader);
	event->cpu = sf_get_u32(reader);
	event->burst.to = sf_get_u32(reader);
	event->burst.pid = sf_get_u32(reader);
	event->burst.depth = sf_get_u32(reader);
	event->burst.average_milli = sf_get_u32(reader);
}

/* The encoding must not learn from a record that is bad or not all there. */
static void sf_get_event(struct sf_encoding *encoding, u8 tag,
			 struct sf_reader *reader, struct sf_event *event)
{
	u8 level = (tag & SF_TAG_LEVEL) >> SF_TAG_LEVEL_SHIFT;
	struct sf_last *last = &encoding->domains[encoding->cpu][level];

	event->type = tag & SF_TAG_TYPE;
	event->level = level;
	event->cpu = encoding->cpu;
	event->time_ns = sf_get_time(encoding, reader);
	if (event->type == SF_EVENT_NEWIDLE)
		sf_get_newidle(last, tag, reader, event);
	else if (tag & SF_TAG_CHANGED)
		reader->why = "a tag that no event has";
	else if (event->type == SF_EVENT_SLOWPATH)
		sf_get_slowpath(tag, reader, event);
	else
		sf_get_burst(tag, reader, event);
	if (!reader->why && !reader->cut)
		reader->why = sf_event_flaw(event);
	if (reader->why || reader->cut)
		return;
	encoding->time_ns = event->time_ns;
	if (event->type != SF_EVENT_NEWIDLE)
		return;
	last->policy = event->policy;
	last->lack = SF_CELL - event->newidle.weight;
}

static void sf_get_cpu(struct sf_encoding *encoding, struct sf_reader *reader)
{
	u32 cpu = sf_get_u32(reader);

	if (cpu >= SF_RECORDING_CPUS)
		reader->why = "a CPU above 8191";
	else if (!reader->why && !reader->cut)
		encoding->cpu = cpu;
}

/**
 * sf_decode - read a record
 * @encoding: of this file
 * @buf: its bytes, from the record on
 * @size: number of them
 * @item: set to it; SF_ITEM_NONE if @buf ends before it does
 * @why: set to what is wrong with it, or NULL
 *
 * Return: its bytes, if there is nothing wrong with it.
 */
size_t sf_decode(struct sf_encoding *encoding, const u8 *buf, size_t size,
		 struct sf_item *item, const char **why)
{
	struct sf_reader reader = { .at = buf, .end = buf + size };
	u8 tag = sf_get_byte(&reader);

	memset(item, 0, sizeof(*item));
	if (tag & SF_TAG_TYPE) {
		item->type = SF_ITEM_EVENT;
		sf_get_event(encoding, tag, &reader, &item->event);
	} else if (tag == SF_TAG_CPU) {
		item->type = SF_ITEM_CPU;
		sf_get_cpu(encoding, &reader);
	} else if (tag == SF_TAG_END) {
		item->type = SF_ITEM_END;
		item->end.count = sf_get_number(&reader);
		item->end.lost = sf_get_number(&reader);
		item->end.duration_ns = sf_get_number(&reader);
	} else {
		reader.why = "a tag that no record has";
	}
	/* Where bytes are missing, what is there need not be wrong. */
	*why = reader.cut ? NULL : reader.why;
	if (reader.cut)
		item->type = SF_ITEM_NONE;
	return reader.at - buf;
}
