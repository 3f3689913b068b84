// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include <schedflip/abi.h>

#include "gauges.h"
#include "kernel.h"
#include "text.h"

#define SF_STRINGIFY(text) #text
#define SF_STRING_OF(macro) SF_STRINGIFY(macro)

static const struct sf_pair sf_no_labels[] = { { NULL, NULL } };

/* A family of one sample. */
static void sf_print_one(struct sf_exposition *text, const char *name,
			 const char *type, const char *help, u64 number,
			 enum sf_scale scale)
{
	const struct sf_family family = { name, type, help };

	sf_exposition_family(text, &family);
	sf_exposition_sample(text, sf_no_labels, number, scale);
}

static void sf_print_info(struct sf_exposition *text, const char *name,
			  const char *help, const struct sf_pair *labels)
{
	const struct sf_family family = { name, "gauge", help };

	sf_exposition_family(text, &family);
	sf_exposition_sample(text, labels, 1, SF_SCALE_ONE);
}

static void sf_print_build(struct sf_exposition *text)
{
	sf_print_info(text, "schedflip_build_info",
		      "Version of the utility, its ABI, and the kernel.",
		      (struct sf_pair[]){ { "version", SF_VERSION },
					  { "abi", SF_STRING_OF(SF_ABI) },
					  { "kernel", sf_kernel_release() },
					  { NULL, NULL } });
}

static void sf_print_module(const struct sf_info *info,
			    struct sf_exposition *text)
{
	sf_print_info(text, "schedflip_module_info", "Version of the module.",
		      (struct sf_pair[]){ { "version", info->version },
					  { NULL, NULL } });
	sf_print_info(text, "schedflip_ni_random_info",
		      "The user's own setting of NI_RANDOM.",
		      (struct sf_pair[]){ { "setting", info->ni_random },
					  { NULL, NULL } });
	sf_print_one(text, "schedflip_ni_random_held", "gauge",
		     "Whether schedflip holds NI_RANDOM off.", info->held,
		     SF_SCALE_ONE);
}

static void sf_print_hooks(const struct sf_info *info,
			   struct sf_exposition *text)
{
	static const struct sf_family head = { "schedflip_hook_info", "gauge",
					       "State of a hook." };
	static const struct sf_family calls = { "schedflip_hook_calls_total",
						"counter",
						"Calls since the load." };
	static const struct sf_family time = {
		"schedflip_hook_newidle_seconds_total", "counter",
		"Time in newidle balance since the load."
	};
	size_t i;

	if (!info->hook_count)
		return;
	sf_exposition_family(text, &head);
	for (i = 0; i < info->hook_count; i++)
		sf_exposition_sample(
			text,
			(struct sf_pair[]){ { "hook", info->hooks[i].hook },
					    { "group", info->hooks[i].group },
					    { "symbol", info->hooks[i].symbol },
					    { "state", info->hooks[i].state },
					    { NULL, NULL } },
			1, SF_SCALE_ONE);
	sf_exposition_family(text, &calls);
	for (i = 0; i < info->hook_count; i++)
		sf_exposition_sample(
			text,
			(struct sf_pair[]){ { "hook", info->hooks[i].hook },
					    { NULL, NULL } },
			info->hooks[i].calls, SF_SCALE_ONE);
	sf_exposition_family(text, &time);
	for (i = 0; i < info->hook_count; i++)
		sf_exposition_sample(
			text,
			(struct sf_pair[]){ { "hook", info->hooks[i].hook },
					    { NULL, NULL } },
			info->hooks[i].ns, SF_SCALE_NANO);
}

/* Of all states there are one is 1, so that each can be asked for by its name. */
static void sf_print_hooks_status(const struct sf_status *status,
				  struct sf_exposition *text)
{
	static const char *const states[] = { "live",  "patching", "off",
					      "lease", "shadowed", "detached",
					      "dead" };
	static const struct sf_family family = {
		"schedflip_hooks_status", "gauge",
		"Whether the hooks are in this state; live decides."
	};
	size_t i;

	sf_exposition_family(text, &family);
	for (i = 0; i < SF_ARRAY_SIZE(states); i++)
		sf_exposition_sample(
			text,
			(struct sf_pair[]){ { "status", states[i] },
					    { NULL, NULL } },
			!strcmp(states[i], status->hooks), SF_SCALE_ONE);
}

static void sf_print_lease(const struct sf_status *status,
			   struct sf_exposition *text)
{
	bool pending = sf_status_has_lease(status);

	sf_print_one(text, "schedflip_lease_pending", "gauge",
		     "Whether a lease is pending.", pending, SF_SCALE_ONE);
	sf_print_one(
		text, "schedflip_lease_left_seconds", "gauge",
		"Time until all returns to what was before; 0 without a lease.",
		pending ? status->lease_left_ms : 0, SF_SCALE_MILLI);
	sf_print_one(text, "schedflip_leases_total", "counter",
		     "Leases that were begun since the load.", status->lease_id,
		     SF_SCALE_ONE);
}

/**
 * struct sf_watch - a tripwire as metrics
 * @limit: name of that of its limit
 * @found: name of that of what the last look found
 * @help: of either
 * @offset: of what was found, in struct sf_status
 * @scale: of either
 */
static const struct sf_watch {
	const char *limit;
	const char *found;
	const char *help;
	size_t offset;
	enum sf_scale scale;
} sf_watches[SF_NR_TRIPS] = {
	[SF_TRIP_DEPTH] = { "schedflip_trip_depth_limit_tasks",
			    "schedflip_trip_depth_tasks",
			    "Runnable tasks of the deepest CPU.",
			    offsetof(struct sf_status, depth), SF_SCALE_ONE },
	[SF_TRIP_NEWIDLE] = { "schedflip_trip_newidle_limit_ratio",
			      "schedflip_trip_newidle_ratio",
			      "Share of the CPUs' time in newidle balance.",
			      offsetof(struct sf_status, newidle),
			      SF_SCALE_MILLI },
	[SF_TRIP_DELAY] = { "schedflip_trip_run_delay_limit_seconds",
			    "schedflip_trip_run_delay_seconds",
			    "Mean time that tasks waited for a CPU.",
			    offsetof(struct sf_status, delay_us),
			    SF_SCALE_MICRO },
};

/* What is not armed has no limit, and nobody looks unless any is. */
static void sf_print_trips(const struct sf_status *status,
			   struct sf_exposition *text)
{
	size_t i;

	sf_print_one(text, "schedflip_trips_armed", "gauge",
		     "Whether any tripwire is armed.",
		     sf_trips_armed(&status->trips), SF_SCALE_ONE);
	sf_print_one(text, "schedflip_trips_total", "counter",
		     "How often a limit was reached since the load.",
		     status->trip_count, SF_SCALE_ONE);
	for (i = 0; i < SF_NR_TRIPS; i++) {
		const struct sf_watch *watch = &sf_watches[i];
		u64 limit = status->trips.trips[i].limit;
		u64 found =
			*(const u64 *)((const char *)status + watch->offset);

		if (limit == SF_TRIP_OFF)
			continue;
		sf_print_one(text, watch->limit, "gauge", watch->help, limit,
			     watch->scale);
		if (status->looks && found != SF_NO_NUMBER)
			sf_print_one(text, watch->found, "gauge", watch->help,
				     found, watch->scale);
	}
}

static void sf_print_status(const struct sf_status *status,
			    struct sf_exposition *text)
{
	if (!status->present)
		return;
	sf_print_hooks_status(status, text);
	sf_print_lease(status, text);
	sf_print_one(
		text, "schedflip_ni_random_drift_total", "counter",
		"How often somebody else changed NI_RANDOM while it was held.",
		status->drift == SF_NO_NUMBER ? 0 : status->drift,
		SF_SCALE_ONE);
	sf_print_trips(status, text);
}

/**
 * sf_gauges_print - print all metrics
 * @gauges: as it was read
 * @text: gets them
 */
void sf_gauges_print(const struct sf_gauges *gauges, struct sf_exposition *text)
{
	sf_print_build(text);
	sf_print_one(text, "schedflip_loaded", "gauge",
		     "Whether the module is loaded.", gauges->loaded,
		     SF_SCALE_ONE);
	if (!gauges->loaded)
		return;
	sf_print_module(&gauges->info, text);
	sf_print_status(&gauges->status, text);
	sf_print_hooks(&gauges->info, text);
	sf_gauges_print_domains(&gauges->state, text);
}
