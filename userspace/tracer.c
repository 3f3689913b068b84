// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

#include "formats.h"
#include "kernel.h"
#include "ring.h"
#include "tracer.h"

/* The one clock that a program can read as well, CLOCK_MONOTONIC. */
#define SF_TRACE_CLOCK "mono"

/**
 * struct sf_tracer - our part of the kernel's tracing
 * @instance: of tracefs
 * @formats: of the events
 * @events: a bit for each that is recorded
 * @ring: its buffers
 * @start_ns: of the trace clock
 */
struct sf_tracer {
	struct tracefs_instance *instance;
	struct sf_formats *formats;
	unsigned int events;
	struct sf_ring *ring;
	u64 start_ns;
};

/* Return: where tracefs is, or NULL. */
static const char *sf_tracefs(void)
{
	if (sf_kernel_exists("/sys/kernel/tracing/events"))
		return "/sys/kernel/tracing";
	/* Asked for, it mounts itself there. */
	if (sf_kernel_exists("/sys/kernel/debug/tracing/events"))
		return "/sys/kernel/debug/tracing";
	return NULL;
}

/**
 * sf_tracer_check - can these events be recorded?
 * @events: a bit for each enum sf_event_type
 * @err: says why not
 *
 * Return: SF_OK or why not.
 */
int sf_tracer_check(unsigned int events, struct sf_error *err)
{
	const char *tracefs = sf_tracefs();
	char path[PATH_MAX];
	int type;

	if (sf_kernel_lockdown() == SF_LOCKDOWN_CONFIDENTIALITY)
		return sf_fail(
			err, SF_DENIED,
			"lockdown=confidentiality forbids all tracing; boot with lockdown=integrity or none");
	if (!tracefs)
		return sf_fail(
			err, SF_FAILED,
			"tracefs is not mounted; mount it: mount -t tracefs nodev /sys/kernel/tracing");
	for (type = SF_EVENT_NEWIDLE; type < SF_NR_EVENT_TYPES; type++) {
		snprintf(path, sizeof(path),
			 "%s/events/" SF_SYSTEM "/%s/format", tracefs,
			 sf_event_name(type));
		if (!(events & 1u << type) || sf_kernel_exists(path))
			continue;
		if (!sf_kernel_has_module())
			return sf_fail(
				err, SF_FAILED,
				"the module is not loaded any more; load it: schedflip load");
		return sf_fail(
			err, SF_FAILED,
			"the loaded module has no event \"%s\" (no %s); unload it and load that of this release",
			sf_event_name(type), path);
	}
	return SF_OK;
}

/* libtracefs says only that it failed; errno need not be of the failure. */
static int sf_tracer_write(struct sf_tracer *tracer, const char *file,
			   const char *text, struct sf_error *err)
{
	int error;

	errno = 0;
	if (tracefs_instance_file_write(tracer->instance, file, text) >= 0)
		return SF_OK;
	error = errno ? errno : EIO;
	return sf_fail(err, SF_FAILED,
		       "the kernel does not take %s for tracing's %s: %s", text,
		       file, strerror(error));
}

static int sf_tracer_set_buffer(struct sf_tracer *tracer, u64 buffer_kib,
				struct sf_error *err)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)buffer_kib);
	if (!sf_tracer_write(tracer, "buffer_size_kb", text, err))
		return SF_OK;
	return sf_fail(
		err, SF_FAILED,
		"the kernel does not give each CPU a buffer of %s KiB; take a smaller --buffer",
		text);
}

static const char *sf_enable_file(int type)
{
	static char file[64];

	snprintf(file, sizeof(file), "events/" SF_SYSTEM "/%s/enable",
		 sf_event_name(type));
	return file;
}

static int sf_tracer_enable(struct sf_tracer *tracer, struct sf_error *err)
{
	int type;

	for (type = SF_EVENT_NEWIDLE; type < SF_NR_EVENT_TYPES; type++)
		if (tracer->events & 1u << type &&
		    sf_tracer_write(tracer, sf_enable_file(type), "1", err))
			return err->code;
	return SF_OK;
}

/*
 * Once a buffer is full, what comes is dropped, and counted: what was recorded
 * before has no holes.
 */
static int sf_tracer_set_up(struct sf_tracer *tracer, u64 buffer_kib,
			    struct sf_error *err)
{
	if (sf_tracer_write(tracer, "tracing_on", "0", err) ||
	    sf_tracer_write(tracer, "trace_clock", SF_TRACE_CLOCK, err) ||
	    sf_tracer_write(tracer, "options/overwrite", "0", err) ||
	    sf_tracer_set_buffer(tracer, buffer_kib, err))
		return err->code;
	return sf_tracer_enable(tracer, err);
}

static int sf_tracer_create(struct sf_tracer *tracer, struct sf_error *err)
{
	char name[64];

	snprintf(name, sizeof(name), "schedflip-%u", (unsigned int)getpid());
	errno = 0;
	tracer->instance = tracefs_instance_create(name);
	if (tracer->instance)
		return SF_OK;
	return sf_fail(err, SF_FAILED,
		       "cannot make the tracefs instance %s: %s", name,
		       strerror(errno ? errno : EIO));
}

/**
 * sf_tracer_open - get ready to trace
 * @events: a bit for each enum sf_event_type
 * @buffer_kib: size of each CPU's buffer, SF_MIN_BUFFER to SF_MAX_BUFFER
 * @err: says what was wrong
 *
 * Signals that end the program should be kept off from here on: the instance of
 * tracefs would stay.
 *
 * Return: what is to be given to sf_tracer_close(); NULL after an error.
 */
struct sf_tracer *sf_tracer_open(unsigned int events, u64 buffer_kib,
				 struct sf_error *err)
{
	struct sf_tracer *tracer;
	char dir[PATH_MAX];

	if (sf_tracer_check(events, err))
		return NULL;
	tracer = calloc(1, sizeof(*tracer));
	if (!tracer) {
		sf_fail(err, SF_FAILED, "out of memory");
		return NULL;
	}
	tracer->events = events;
	sf_kernel_path(sf_tracefs(), dir, sizeof(dir));
	tracefs_set_tracing_dir(dir);
	tracer->formats = sf_formats_new(dir, events, err);
	if (tracer->formats && !sf_tracer_create(tracer, err) &&
	    !sf_tracer_set_up(tracer, buffer_kib, err))
		tracer->ring = sf_ring_open(tracer->instance, err);
	if (tracer->ring)
		return tracer;
	if (!sf_kernel_has_module())
		sf_fail(err, SF_FAILED,
			"the module was unloaded before it could be recorded; load it: schedflip load");
	sf_tracer_close(tracer, err);
	return NULL;
}

/**
 * sf_tracer_start - let events come
 * @tracer: from sf_tracer_open()
 * @start_ns: CLOCK_MONOTONIC now; the events' times begin here
 * @err: says what was wrong
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_tracer_start(struct sf_tracer *tracer, u64 start_ns,
		    struct sf_error *err)
{
	tracer->start_ns = start_ns;
	return sf_tracer_write(tracer, "tracing_on", "1", err);
}

/**
 * sf_tracer_stop - let no more events come; those that came can still be taken
 * @tracer: from sf_tracer_open()
 * @err: says what was wrong
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_tracer_stop(struct sf_tracer *tracer, struct sf_error *err)
{
	return sf_tracer_write(tracer, "tracing_on", "0", err);
}

/* The start was read before tracing was on, but not in the kernel's fast way. */
static u64 sf_since(const struct sf_tracer *tracer, u64 time_ns)
{
	return time_ns > tracer->start_ns ? time_ns - tracer->start_ns : 0;
}

/**
 * struct sf_taker - who wants the events
 * @tracer: they come from
 * @take: is given each
 * @data: with this
 */
struct sf_taker {
	const struct sf_tracer *tracer;
	sf_event_fn take;
	void *data;
};

static int sf_take_record(void *record, u64 time_ns, void *data)
{
	const struct sf_taker *taker = data;
	struct sf_event event;

	if (!sf_formats_read(taker->tracer->formats, record, &event))
		return SF_OK;
	event.time_ns = sf_since(taker->tracer, time_ns);
	return taker->take(&event, taker->data);
}

/**
 * sf_tracer_drain - take the events that are there
 * @tracer: from sf_tracer_open()
 * @take: is given each event; those of one CPU one after the other, in order of time
 * @data: for @take
 * @err: says what was wrong, if it was not @take that failed
 *
 * Return: SF_OK, what @take returned, or SF_FAILED.
 */
int sf_tracer_drain(struct sf_tracer *tracer, sf_event_fn take, void *data,
		    struct sf_error *err)
{
	struct sf_taker taker = { tracer, take, data };

	return sf_ring_drain(tracer->ring, sf_take_record, &taker, err);
}

static bool sf_tracer_has(struct sf_tracer *tracer, int type)
{
	char *text = tracefs_instance_file_read(tracer->instance,
						sf_enable_file(type), NULL);
	bool enabled = text && text[0] == '1';

	free(text);
	return enabled;
}

/**
 * sf_tracer_verify - are the events still enabled?
 * @tracer: from sf_tracer_open()
 * @err: says which is not
 *
 * A module that is unloaded takes its events along, and the kernel empties the buffers
 * that they are in, without counting what was lost.
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_tracer_verify(struct sf_tracer *tracer, struct sf_error *err)
{
	int type;

	for (type = SF_EVENT_NEWIDLE; type < SF_NR_EVENT_TYPES; type++)
		if (tracer->events & 1u << type && !sf_tracer_has(tracer, type))
			return sf_fail(
				err, SF_FAILED,
				"the module was unloaded, or somebody disabled the event %s, while it was recorded; record again",
				sf_event_name(type));
	return SF_OK;
}

/**
 * sf_tracer_lost - count the events that the kernel had no room for
 * @tracer: from sf_tracer_open()
 * @lost: set to their number
 * @err: says what was wrong
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_tracer_lost(struct sf_tracer *tracer, u64 *lost, struct sf_error *err)
{
	return sf_ring_lost(tracer->ring, lost, err);
}

static void sf_tracer_remove(struct sf_tracer *tracer, struct sf_error *err)
{
	const char *name = tracefs_instance_get_name(tracer->instance);

	errno = 0;
	/* The first error is the one to tell. */
	if (tracefs_instance_destroy(tracer->instance) && !err->code)
		sf_fail(err, SF_FAILED,
			"cannot remove the tracefs instance %s: %s; remove it: rmdir %s/instances/%s",
			name, strerror(errno ? errno : EBUSY), sf_tracefs(),
			name);
	tracefs_instance_free(tracer->instance);
}

/**
 * sf_tracer_close - leave tracing as it was
 * @tracer: from sf_tracer_open(); is done with
 * @err: says what was wrong, unless it has an error already
 *
 * Return: the code in @err.
 */
int sf_tracer_close(struct sf_tracer *tracer, struct sf_error *err)
{
	sf_ring_close(tracer->ring);
	if (tracer->instance)
		sf_tracer_remove(tracer, err);
	sf_formats_free(tracer->formats);
	free(tracer);
	return err->code;
}
