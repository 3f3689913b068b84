// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>

#include "formats.h"

/* Of any event that we read. */
#define SF_MAX_FIELDS 9

/* The tracepoints, and in the order in which the sf_take functions read them: */
static const struct sf_tracepoint {
	const char *name;
	const char *fields[SF_MAX_FIELDS];
} sf_tracepoints[SF_NR_EVENT_TYPES] = {
	[SF_EVENT_NEWIDLE] = { "newidle",
			       { "cpu", "level", "policy", "weight", "attempt",
				 "tasks", "ns" } },
	[SF_EVENT_SLOWPATH] = { "slowpath",
				{ "cpu", "level", "policy", "pid", "to",
				  "stale" } },
	[SF_EVENT_BURST] = { "burst",
			     { "cpu", "level", "policy", "pid", "kind", "depth",
			       "average_milli", "to", "idle" } },
};

/**
 * struct sf_formats - how the loaded module's events are laid out
 * @tep: libtraceevent's knowledge of them
 * @ids: of each event, as its records have it; 0 if it is not asked for
 * @fields: in the order of sf_tracepoints
 */
struct sf_formats {
	struct tep_handle *tep;
	int ids[SF_NR_EVENT_TYPES];
	struct tep_format_field *fields[SF_NR_EVENT_TYPES][SF_MAX_FIELDS];
};

/**
 * sf_event_name - what the user calls an event
 * @type: of the event
 */
const char *sf_event_name(enum sf_event_type type)
{
	return sf_tracepoints[type].name;
}

static int sf_formats_find(struct sf_formats *formats, int type,
			   struct sf_error *err)
{
	const struct sf_tracepoint *point = &sf_tracepoints[type];
	struct tep_event *event =
		tep_find_event_by_name(formats->tep, SF_SYSTEM, point->name);
	int i;

	if (!event)
		return sf_fail(
			err, SF_FAILED,
			"cannot understand the format of the event %s; see events/" SF_SYSTEM
			"/%s/format in tracefs",
			point->name, point->name);
	for (i = 0; i < SF_MAX_FIELDS && point->fields[i]; i++) {
		formats->fields[type][i] =
			tep_find_field(event, point->fields[i]);
		if (!formats->fields[type][i])
			return sf_fail(
				err, SF_FAILED,
				"the event %s of the loaded module has no field \"%s\"; unload it and load that of this release",
				point->name, point->fields[i]);
	}
	formats->ids[type] = event->id;
	return SF_OK;
}

/**
 * sf_formats_new - learn how the loaded module's events are laid out
 * @dir: tracefs
 * @events: a bit for each enum sf_event_type that is wanted
 * @err: says what was wrong
 *
 * Return: what is to be given to sf_formats_free(); NULL after an error.
 */
struct sf_formats *sf_formats_new(const char *dir, unsigned int events,
				  struct sf_error *err)
{
	const char *const systems[] = { SF_SYSTEM, NULL };
	struct sf_formats *formats = calloc(1, sizeof(*formats));
	int type;

	if (formats)
		formats->tep = tracefs_local_events_system(dir, systems);
	if (!formats || !formats->tep)
		sf_fail(err, SF_FAILED,
			"cannot read the formats of the events in %s", dir);
	for (type = SF_EVENT_NEWIDLE; type < SF_NR_EVENT_TYPES; type++)
		if (!err->code && events & 1u << type)
			sf_formats_find(formats, type, err);
	if (!err->code)
		return formats;
	sf_formats_free(formats);
	return NULL;
}

/**
 * sf_formats_free - forget them
 * @formats: from sf_formats_new(), or NULL
 */
void sf_formats_free(struct sf_formats *formats)
{
	if (!formats)
		return;
	tep_free(formats->tep);
	free(formats);
}

/* A number that an event cannot hold becomes its largest, which is refused later. */
static u64 sf_cap(unsigned long long number, u64 max)
{
	return number < max ? number : max;
}

static void sf_take_newidle(const unsigned long long *values,
			    struct sf_event *event)
{
	event->newidle.weight = sf_cap(values[3], UINT32_MAX);
	event->newidle.attempt = values[4];
	event->newidle.tasks = sf_cap(values[5], UINT32_MAX);
	event->newidle.ns = values[6];
}

static void sf_take_slowpath(const unsigned long long *values,
			     struct sf_event *event)
{
	event->slowpath.pid = sf_cap(values[3], UINT32_MAX);
	event->slowpath.to = sf_cap(values[4], UINT32_MAX);
	event->slowpath.stale = values[5];
}

static void sf_take_burst(const unsigned long long *values,
			  struct sf_event *event)
{
	event->burst.pid = sf_cap(values[3], UINT32_MAX);
	event->burst.kind = sf_cap(values[4], UINT8_MAX);
	event->burst.depth = sf_cap(values[5], UINT32_MAX);
	event->burst.average_milli = sf_cap(values[6], UINT32_MAX);
	event->burst.to = sf_cap(values[7], UINT32_MAX);
	event->burst.idle = values[8];
}

static int sf_formats_type(const struct sf_formats *formats, int id)
{
	int type;

	for (type = SF_EVENT_NEWIDLE; type < SF_NR_EVENT_TYPES; type++)
		if (formats->ids[type] == id)
			return type;
	return 0;
}

/**
 * sf_formats_read - read an event
 * @formats: from sf_formats_new()
 * @data: the kernel's record of it
 * @event: set to it, but for its time
 *
 * Return: false for a record that is none of ours.
 */
bool sf_formats_read(const struct sf_formats *formats, void *data,
		     struct sf_event *event)
{
	struct tep_record record = { .data = data };
	int type =
		sf_formats_type(formats, tep_data_type(formats->tep, &record));
	unsigned long long values[SF_MAX_FIELDS] = { 0 };
	int i;

	if (!type)
		return false;
	for (i = 0; i < SF_MAX_FIELDS && formats->fields[type][i]; i++)
		tep_read_number_field(formats->fields[type][i], data,
				      &values[i]);
	memset(event, 0, sizeof(*event));
	event->type = type;
	event->cpu = sf_cap(values[0], UINT32_MAX);
	event->level = sf_cap(values[1], UINT8_MAX);
	event->policy = sf_cap(values[2], UINT8_MAX);
	if (type == SF_EVENT_NEWIDLE)
		sf_take_newidle(values, event);
	else if (type == SF_EVENT_SLOWPATH)
		sf_take_slowpath(values, event);
	else
		sf_take_burst(values, event);
	return true;
}
