// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "color.h"
#include "duration.h"
#include "notice.h"
#include "text.h"

static json_t *sf_word_json(const char *word)
{
	return strcmp(word, "-") ? sf_json_text(word) : json_null();
}

static json_t *sf_number_json(u64 number)
{
	return number == SF_NO_NUMBER ? json_null() : sf_json_number(number);
}

static json_t *sf_limit_json(const struct sf_trips *trips, enum sf_trip_id id)
{
	u64 limit = trips->trips[id].limit;

	return limit == SF_TRIP_OFF ? json_null() : sf_json_number(limit);
}

static void sf_set_lease(struct sf_output *row, const struct sf_status *status)
{
	u64 left = sf_status_has_lease(status) ? status->lease_left_ms :
						 SF_NO_NUMBER;

	sf_output_set(row, "lease", sf_word_json(status->lease));
	sf_output_set(row, "lease_id", sf_number_json(status->lease_id));
	sf_output_set(row, "lease_left_ms", sf_number_json(left));
	sf_output_set(row, "lease_ended", sf_word_json(status->lease_ended));
	sf_output_set(row, "lease_late_us",
		      sf_number_json(status->lease_late_us));
}

static void sf_set_trips(struct sf_output *row, const struct sf_status *status)
{
	const struct sf_trips *trips = &status->trips;

	sf_output_set(row, "trip_depth_tasks",
		      sf_limit_json(trips, SF_TRIP_DEPTH));
	sf_output_set(row, "trip_newidle_permille",
		      sf_limit_json(trips, SF_TRIP_NEWIDLE));
	sf_output_set(row, "trip_delay_us",
		      sf_limit_json(trips, SF_TRIP_DELAY));
	sf_output_set(row, "depth_tasks", sf_number_json(status->depth));
	sf_output_set(row, "newidle_permille", sf_number_json(status->newidle));
	sf_output_set(row, "delay_us", sf_number_json(status->delay_us));
	sf_output_set(row, "looks", sf_number_json(status->looks));
	sf_output_set(row, "trips", sf_number_json(status->trip_count));
	sf_output_set(row, "trip_reason", sf_word_json(status->trip_reason));
}

/**
 * sf_notice_json - the status as JSON
 * @status: of the module
 *
 * Return: an object, to be freed; null for a module without a status; NULL if it does
 * not fit in memory.
 */
json_t *sf_notice_json(const struct sf_status *status)
{
	struct sf_output row = { .root = NULL };

	if (!status->present)
		return json_null();
	row.root = json_object();
	sf_output_set(&row, "hooks", sf_word_json(status->hooks));
	sf_output_set(&row, "off_reason", sf_word_json(status->off_reason));
	sf_output_set(&row, "shadowed_by", sf_word_json(status->shadowed_by));
	sf_output_set(&row, "ni_random_drift", sf_number_json(status->drift));
	sf_set_lease(&row, status);
	sf_set_trips(&row, status);
	if (!row.incomplete)
		return row.root;
	json_decref(row.root);
	return NULL;
}

static void sf_print_hooks(const struct sf_status *status,
			   struct sf_output *out)
{
	if (sf_status_is_off(status))
		sf_output_stress(
			out, SF_COLOR_ALERT,
			"OFF by %s: every hook passes through, and all domains are at stock; run: schedflip on",
			status->off_reason);
	if (!strcmp(status->hooks, "shadowed"))
		sf_output_stress(
			out, SF_COLOR_ALERT,
			"SHADOWED: the livepatch %s is on top of schedflip's, so no policy decides; disable it: echo 0 >/sys/kernel/livepatch/%s/enabled",
			status->shadowed_by, status->shadowed_by);
	else if (sf_status_is_dead(status))
		sf_output_stress(
			out, SF_COLOR_ALERT,
			"DEAD: the kernel has switched ftrace off, after a fault that dmesg tells of; all domains are at stock, and schedflip stays until the next boot");
	else if (!strcmp(status->hooks, "detached"))
		sf_output_stress(
			out, SF_COLOR_ALERT,
			"DETACHED: the livepatch was taken out, and all domains are at stock for good; run: schedflip unload && schedflip load");
	else if (!strcmp(status->hooks, "patching"))
		sf_output_stress(
			out, SF_COLOR_ALERT,
			"PATCHING: no policy decides yet, as some tasks do not run the hooks");
	else if (!strcmp(status->hooks, "lease"))
		sf_output_stress(
			out, SF_COLOR_ALERT,
			"RETURNING: a lease has expired, and no policy decides until all is back");
}

static void sf_print_lease(const struct sf_status *status,
			   struct sf_output *out)
{
	char left[SF_DURATION_SIZE];

	if (sf_status_has_lease(status))
		sf_output_stress(
			out, SF_COLOR_NOTICE,
			"lease: all returns in %s to what was before it; to keep it run: schedflip confirm",
			sf_duration_format(status->lease_left_ms * 1000, left,
					   sizeof(left)));
}

static void sf_print_trips(const struct sf_status *status,
			   struct sf_output *out)
{
	char limits[SF_TRIPS_SIZE], found[SF_TRIPS_SIZE];
	char reason[sizeof(status->trip_reason) + SF_TRIPS_SIZE];
	const u64 figures[SF_NR_TRIPS] = {
		[SF_TRIP_DEPTH] = status->depth,
		[SF_TRIP_NEWIDLE] = status->newidle,
		[SF_TRIP_DELAY] = status->delay_us,
	};

	sf_trips_describe(&status->trips, limits, sizeof(limits));
	sf_trips_measure(&status->trips, figures, found, sizeof(found));
	if (sf_trips_armed(&status->trips) && !status->looks)
		sf_output_say(out, "tripwires: %s; no look yet", limits);
	else if (sf_trips_armed(&status->trips))
		sf_output_say(
			out,
			"tripwires: %s; at the last look: %s (%llu look%s)",
			limits, found, (unsigned long long)status->looks,
			sf_plural(status->looks));
	if (status->trip_count && status->trip_count != SF_NO_NUMBER) {
		sf_trips_translate(status->trip_reason, reason, sizeof(reason));
		sf_output_stress(
			out, SF_COLOR_NOTICE,
			"last tripwire: %s (%llu crossed since the load)",
			reason, (unsigned long long)status->trip_count);
	}
}

static void sf_print_drift(const struct sf_status *status,
			   struct sf_output *out)
{
	if (status->drift && status->drift != SF_NO_NUMBER)
		sf_output_say(
			out,
			"NI_RANDOM: somebody else changed it %llu time%s while schedflip held it; the last word is what it goes back to",
			(unsigned long long)status->drift,
			sf_plural(status->drift));
}

/**
 * sf_notice_print - say what is out of the ordinary
 * @status: of the module; nothing is said of one that has none
 * @out: gets it
 */
void sf_notice_print(const struct sf_status *status, struct sf_output *out)
{
	if (!status->present)
		return;
	sf_print_hooks(status, out);
	sf_print_lease(status, out);
	sf_print_trips(status, out);
	sf_print_drift(status, out);
}
