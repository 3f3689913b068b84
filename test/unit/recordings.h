/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the tests of recordings share: random events, and files of them.
 */
#ifndef SCHEDFLIP_UNIT_RECORDINGS_H
#define SCHEDFLIP_UNIT_RECORDINGS_H

#include "utility.h"

#include <schedflip/random.h>

#include "recording.h"

#define FILE_NAME "/run.sfr"

static struct sf_rng rng;

static inline u32 draw(u32 below)
{
	return sf_random_below(&rng, below);
}

/* Of any length in bytes. */
static inline u64 draw_number(unsigned int bits)
{
	u64 number = sf_random64(&rng);

	return number >> (64 - bits) >> draw(bits);
}

static inline void draw_newidle(struct sf_event *event)
{
	event->policy = draw(6);
	event->newidle.weight = draw(2) ? 226 : draw(1025);
	event->newidle.attempt = draw(2);
	if (!event->newidle.attempt)
		return;
	event->newidle.tasks = draw_number(32);
	event->newidle.ns = draw_number(64);
}

static inline void draw_burst(struct sf_event *event)
{
	event->policy = draw(4);
	event->burst.pid = draw_number(31);
	event->burst.kind = draw(3);
	event->burst.depth = draw_number(32);
	event->burst.average_milli = draw_number(32);
	event->burst.to = draw(8192);
	event->burst.idle = draw(2);
}

static inline void draw_event(struct sf_event *event)
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

static inline struct sf_recorder *create(void)
{
	json_t *header = json_pack("{s:s}", "kernel", "7.3.4-test");
	struct sf_error err = { .code = SF_OK };
	struct sf_recorder *recorder;

	recorder = sf_recorder_create(tree_path(FILE_NAME), header, &err);
	json_decref(header);
	assert_non_null(recorder);
	return recorder;
}

static inline void finish(struct sf_recorder *recorder, u64 lost,
			  u64 duration_ns)
{
	struct sf_error err = { .code = SF_OK };

	assert_int_equal(sf_recorder_finish(recorder, lost, duration_ns, &err),
			 SF_OK);
}

static inline void load(struct sf_recording *recording)
{
	struct sf_error err = { .code = SF_OK };

	assert_int_equal(sf_recording_load(tree_path(FILE_NAME), recording,
					   &err),
			 SF_OK);
}

/* Of a file of three events of each type. */
static inline void write_small(void)
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

static inline size_t read_file(u8 *buf, size_t size)
{
	FILE *file = fopen(tree_path(FILE_NAME), "r");
	size_t len;

	assert_non_null(file);
	len = fread(buf, 1, size, file);
	assert_true(len < size);
	fclose(file);
	return len;
}

#endif
