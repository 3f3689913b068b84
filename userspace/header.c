// SPDX-License-Identifier: GPL-2.0-or-later
#include <time.h>

#include "formats.h"
#include "header.h"
#include "info.h"
#include "kernel.h"
#include "output.h"
#include "state.h"

static json_t *sf_header_date(void)
{
	time_t now = time(NULL);
	char text[32];
	struct tm tm;

	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
	return json_string(text);
}

static json_t *sf_header_command(char **command)
{
	json_t *array;

	if (!command)
		return json_null();
	array = json_array();
	for (; *command; command++)
		json_array_append_new(array, sf_json_text(*command));
	return array;
}

static json_t *sf_header_events(unsigned int events)
{
	json_t *array = json_array();
	int type;

	for (type = SF_EVENT_NEWIDLE; type < SF_NR_EVENT_TYPES; type++)
		if (events & 1u << type)
			json_array_append_new(array,
					      json_string(sf_event_name(type)));
	return array;
}

static json_t *sf_header_domain(const struct sf_domain *domain)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "cpu",
			 sf_json_number(domain->cpu), "level",
			 sf_json_number(domain->level), "name",
			 sf_json_text(domain->name), "span",
			 sf_json_text(domain->span), "newidle",
			 sf_json_text(domain->newidle), "slowpath",
			 sf_json_text(domain->slowpath), "burst",
			 sf_json_text(domain->burst), "cost",
			 sf_json_text(domain->cost), "ratio",
			 sf_json_number(domain->ratio));
}

/* Return: NULL with @err set. */
static json_t *sf_header_domains(struct sf_error *err)
{
	json_t *array = json_array();
	struct sf_state state;
	size_t i;

	if (!sf_state_read(&state, err))
		for (i = 0; i < state.count; i++)
			json_array_append_new(
				array, sf_header_domain(&state.domains[i]));
	sf_state_free(&state);
	if (!err->code)
		return array;
	json_decref(array);
	return NULL;
}

/**
 * sf_header_new - what a recording says of the machine
 * @events: that are recorded, a bit for each enum sf_event_type
 * @command: of the user's, or NULL
 * @err: says what was wrong
 *
 * Return: the header, see struct sf_recording; NULL after an error.
 */
json_t *sf_header_new(unsigned int events, char **command, struct sf_error *err)
{
	struct sf_info info;
	json_t *domains, *header;

	if (sf_info_read(&info, err))
		return NULL;
	domains = sf_header_domains(err);
	if (!domains)
		return NULL;
	header = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s}", "kernel",
			   sf_json_text(sf_kernel_release()), "module_version",
			   sf_json_text(info.version), "date", sf_header_date(),
			   "command", sf_header_command(command), "events",
			   sf_header_events(events), "ni_random",
			   sf_json_text(info.ni_random), "domains", domains,
			   "clock", "CLOCK_MONOTONIC");
	if (!header)
		sf_fail(err, SF_FAILED, "out of memory");
	return header;
}
