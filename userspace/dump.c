// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include <schedflip/burst.h>
#include <schedflip/newidle.h>
#include <schedflip/slowpath.h>

#include "dump.h"
#include "encoding.h"
#include "formats.h"
#include "recording.h"
#include "text.h"

static const char *const sf_kinds_of_placement[] = { "wake", "fork", "exec" };

/* The reader lets only known policies pass, and kinds of placement. */
static const char *sf_policy_of(const struct sf_event *event)
{
	switch (event->type) {
	case SF_EVENT_NEWIDLE:
		return sf_newidle_names[event->policy].name;
	case SF_EVENT_SLOWPATH:
		return sf_slowpath_names[event->policy].name;
	default:
		return sf_burst_names[event->policy].name;
	}
}

/* Long enough for the kernel's names of domains. */
#define SF_DOMAIN_NAME 32

/**
 * struct sf_dump_names - what the header calls the domains
 * @text: by CPU and level; empty if it is not told
 */
struct sf_dump_names {
	char text[SF_RECORDING_CPUS][SF_RECORDING_LEVELS][SF_DOMAIN_NAME];
};

/* A blank in a name would look like the end of the field. */
static void sf_dump_name(char *name, const char *text)
{
	snprintf(name, SF_DOMAIN_NAME, "%s", text);
	sf_clean_text(name);
	for (; *name; name++)
		if (*name == ' ')
			*name = '?';
}

/* Return: the names, to be freed; NULL if they do not fit in memory. */
static struct sf_dump_names *sf_dump_names_new(const json_t *header)
{
	struct sf_dump_names *names = calloc(1, sizeof(*names));
	json_t *array = json_object_get(header, "domains"), *row;
	size_t i;

	if (!names)
		return NULL;
	json_array_foreach(array, i, row) {
		u64 cpu = json_integer_value(json_object_get(row, "cpu"));
		u64 level = json_integer_value(json_object_get(row, "level"));
		const char *name =
			json_string_value(json_object_get(row, "name"));

		if (name && cpu < SF_RECORDING_CPUS &&
		    level < SF_RECORDING_LEVELS)
			sf_dump_name(names->text[cpu][level], name);
	}
	return names;
}

static const char *sf_dump_name_of(const struct sf_dump_names *names,
				   const struct sf_event *event)
{
	const char *name = names->text[event->cpu][event->level];

	return *name ? name : NULL;
}

static void sf_dump_text(const struct sf_dump_names *names,
			 const struct sf_event *event)
{
	const char *name = sf_dump_name_of(names, event);

	printf("time_ns=%llu event=%s cpu=%u level=%u name=%s policy=%s ",
	       (unsigned long long)event->time_ns, sf_event_name(event->type),
	       event->cpu, event->level, name ? name : "?",
	       sf_policy_of(event));
	switch (event->type) {
	case SF_EVENT_NEWIDLE:
		printf("weight=%u attempt=%d tasks=%u ns=%llu\n",
		       event->newidle.weight, event->newidle.attempt,
		       event->newidle.tasks,
		       (unsigned long long)event->newidle.ns);
		break;
	case SF_EVENT_SLOWPATH:
		printf("pid=%u to=%u stale=%d\n", event->slowpath.pid,
		       event->slowpath.to, event->slowpath.stale);
		break;
	default:
		printf("pid=%u kind=%s depth=%u average_milli=%u to=%u idle=%d\n",
		       event->burst.pid,
		       sf_kinds_of_placement[event->burst.kind],
		       event->burst.depth, event->burst.average_milli,
		       event->burst.to, event->burst.idle);
	}
}

/* What only events of its type have. */
static json_t *sf_dump_details(const struct sf_event *event)
{
	switch (event->type) {
	case SF_EVENT_NEWIDLE:
		return json_pack("{s:i, s:b, s:I, s:o}", "weight",
				 event->newidle.weight, "attempt",
				 event->newidle.attempt, "tasks",
				 (json_int_t)event->newidle.tasks, "ns",
				 sf_json_number(event->newidle.ns));
	case SF_EVENT_SLOWPATH:
		return json_pack("{s:i, s:i, s:b}", "pid", event->slowpath.pid,
				 "to", event->slowpath.to, "stale",
				 event->slowpath.stale);
	default:
		return json_pack("{s:i, s:s, s:I, s:I, s:i, s:b}", "pid",
				 event->burst.pid, "kind",
				 sf_kinds_of_placement[event->burst.kind],
				 "depth", (json_int_t)event->burst.depth,
				 "average_milli",
				 (json_int_t)event->burst.average_milli, "to",
				 event->burst.to, "idle", event->burst.idle);
	}
}

static json_t *sf_dump_json(const struct sf_dump_names *names,
			    const struct sf_event *event)
{
	json_t *json = json_pack("{s:o, s:s, s:i, s:i, s:s?, s:s}", "time_ns",
				 sf_json_number(event->time_ns), "event",
				 sf_event_name(event->type), "cpu", event->cpu,
				 "level", event->level, "name",
				 sf_dump_name_of(names, event), "policy",
				 sf_policy_of(event));

	json_object_update_new(json, sf_dump_details(event));
	return json;
}

static void sf_dump_summary(const struct sf_recording *recording)
{
	const char *name =
		json_string_value(json_object_get(recording->header, "kernel"));
	char kernel[128];

	snprintf(kernel, sizeof(kernel), "%s", name ? name : "?");
	sf_clean_text(kernel);
	printf("# kernel %s, %zu event%s in %.3f s, ", kernel, recording->count,
	       sf_plural(recording->count), recording->duration_ns / 1e9);
	if (recording->complete)
		printf("%llu lost\n", (unsigned long long)recording->lost);
	else
		puts("then cut off; how many were lost is unknown");
}

static void sf_dump_all_json(const struct sf_recording *recording,
			     const struct sf_dump_names *names,
			     struct sf_output *out)
{
	json_t *events = json_array();
	size_t i;

	for (i = 0; i < recording->count; i++)
		if (json_array_append_new(
			    events, sf_dump_json(names, &recording->events[i])))
			out->incomplete = true;
	sf_output_set(out, "header", json_incref(recording->header));
	sf_output_set(out, "complete", json_boolean(recording->complete));
	sf_output_set(out, "lost_events",
		      recording->complete ? sf_json_number(recording->lost) :
					    json_null());
	sf_output_set(out, "duration_ns",
		      sf_json_number(recording->duration_ns));
	sf_output_set(out, "events", events);
}

static void sf_dump_all_text(const struct sf_recording *recording,
			     const struct sf_dump_names *names)
{
	size_t i;

	sf_dump_summary(recording);
	for (i = 0; i < recording->count && !ferror(stdout); i++)
		sf_dump_text(names, &recording->events[i]);
}

/**
 * sf_dump - print a recording, an event a line
 * @path: of the file
 * @out: gets it
 * @err: says why it cannot be read
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_dump(const char *path, struct sf_output *out, struct sf_error *err)
{
	struct sf_dump_names *names = NULL;
	struct sf_recording recording;

	if (!sf_recording_load(path, &recording, err)) {
		names = sf_dump_names_new(recording.header);
		if (!names)
			sf_fail(err, SF_FAILED, "out of memory");
		else if (out->json)
			sf_dump_all_json(&recording, names, out);
		else
			sf_dump_all_text(&recording, names);
	}
	free(names);
	sf_recording_free(&recording);
	return err->code;
}
