// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "apply.h"
#include "kernel.h"
#include "lease.h"
#include "lock.h"
#include "rollout.h"
#include "snapshot.h"
#include "text.h"

/* A command is at most 4095 bytes, with its newline. */
#define SF_COMMAND_SIZE 4096

/* Far longer than it takes; if this process is killed, so long until all is back. */
#define SF_GUARD_MS 60000

static int sf_rollout_check_hooks(const struct sf_rollout *rollout,
				  struct sf_error *err)
{
	const struct sf_settings *settings = rollout->settings;
	const struct sf_hook *hook;
	struct sf_info info;
	size_t i;

	for (i = 0; i < settings->count; i++)
		if (sf_check_hook(&settings->lines[i].policy, err))
			return sf_settings_blame(
				settings, settings->lines[i].number, err);
	if (!settings->hooks_all)
		return SF_OK;
	if (sf_info_read_hooks(&info, err))
		return err->code;
	hook = sf_info_find_hook(&info, "select");
	if (!hook || strcmp(hook->state, "off"))
		return SF_OK;
	return sf_fail(
		err, SF_FAILED,
		"%.400s has hooks=all, but the module is loaded without the hook select; run: schedflip unload && schedflip load --hooks all",
		settings->name);
}

/* What is armed and not named goes; what is not armed is not named to the module. */
static void sf_rollout_set_trips(struct sf_rollout *rollout)
{
	struct sf_trips *trips = &rollout->terms->trips;
	size_t i;

	*trips = rollout->settings->trips;
	for (i = 0; i < SF_NR_TRIPS; i++)
		trips->trips[i].given =
			trips->trips[i].limit != SF_TRIP_OFF ||
			rollout->terms->before.trips.trips[i].limit !=
				SF_TRIP_OFF;
}

static int sf_rollout_add(struct sf_rollout *rollout, const char *command,
			  size_t line, struct sf_error *err)
{
	char *copy = strdup(command);

	if (!copy)
		return sf_fail(err, SF_FAILED, "out of memory");
	rollout->lines[rollout->count] = line;
	rollout->commands[rollout->count++] = copy;
	return SF_OK;
}

/* Stock, and what the first lines set for all; return: how many lines that were. */
static size_t sf_rollout_base(const struct sf_settings *settings,
			      struct sf_policy *policy)
{
	size_t i;

	sf_policy_stock(policy);
	for (i = 0; i < settings->count; i++) {
		const struct sf_setting *line = &settings->lines[i];

		if (!sf_settings_is_general(line))
			break;
		sf_policy_overlay(policy, &line->policy);
	}
	return i;
}

static int sf_rollout_add_base(struct sf_rollout *rollout,
			       const struct sf_policy *policy,
			       struct sf_error *err)
{
	struct sf_terms terms = *rollout->terms;
	char command[SF_COMMAND_SIZE];

	terms.for_ms = rollout->guarded ? SF_GUARD_MS : 0;
	sf_policy_format(policy, command, sizeof(command));
	sf_terms_format(&terms, command, sizeof(command));
	sf_append_text(command, sizeof(command), "\n");
	return sf_rollout_add(rollout, command, 0, err);
}

static int sf_rollout_add_line(struct sf_rollout *rollout,
			       const struct sf_setting *line,
			       struct sf_error *err)
{
	char command[SF_COMMAND_SIZE];

	if (line->missing)
		return SF_OK;
	sf_policy_format(&line->policy, command, sizeof(command));
	if (sf_filter_format(&line->filter, command, sizeof(command), err))
		return sf_settings_blame(rollout->settings, line->number, err);
	sf_append_text(command, sizeof(command), "\n");
	return sf_rollout_add(rollout, command, line->number, err);
}

static int sf_rollout_make_commands(struct sf_rollout *rollout,
				    struct sf_error *err)
{
	const struct sf_settings *settings = rollout->settings;
	size_t room = settings->count + 1, i;
	struct sf_policy base;

	rollout->commands = calloc(room, sizeof(*rollout->commands));
	rollout->lines = calloc(room, sizeof(*rollout->lines));
	if (!rollout->commands || !rollout->lines)
		return sf_fail(err, SF_FAILED, "out of memory");
	i = sf_rollout_base(settings, &base);
	if (sf_rollout_add_base(rollout, &base, err))
		return err->code;
	for (; i < settings->count; i++)
		if (sf_rollout_add_line(rollout, &settings->lines[i], err))
			return err->code;
	return SF_OK;
}

/**
 * sf_rollout_check - could it be set here?
 * @rollout: with @settings, @terms and @skip, the rest all zeroes; to be freed also
 *	after an error
 * @err: says what is wrong
 *
 * Return: SF_OK or why not.
 */
int sf_rollout_check(struct sf_rollout *rollout, struct sf_error *err)
{
	struct sf_status *before = &rollout->terms->before;

	if (sf_kernel_check_module(err) || sf_status_need(before, err) ||
	    sf_state_read(&rollout->before, err) ||
	    sf_settings_check(rollout->settings, &rollout->before,
			      rollout->skip, err) ||
	    sf_rollout_check_hooks(rollout, err))
		return err->code;
	rollout->guarded = !sf_status_has_lease(before);
	sf_rollout_set_trips(rollout);
	return sf_rollout_make_commands(rollout, err);
}

static int sf_rollout_give(struct sf_rollout *rollout, struct sf_error *err)
{
	size_t i;

	for (i = 0; i < rollout->count; i++) {
		if (sf_kernel_command(rollout->commands[i],
				      &rollout->by_parameter, err))
			return rollout->lines[i] ?
				       sf_settings_blame(rollout->settings,
							 rollout->lines[i],
							 err) :
				       err->code;
		rollout->begun = true;
	}
	return SF_OK;
}

static int sf_rollout_compare(struct sf_rollout *rollout,
			      const struct sf_state *state,
			      const struct sf_status *now,
			      const struct sf_info *info, struct sf_error *err)
{
	struct sf_drift *drift = &rollout->drift;

	sf_drift_find(rollout->settings, state, now, info, drift);
	if (!drift->count)
		return SF_OK;
	sf_fail(err, SF_MISMATCH,
		"read back, %zu value%s differ%s from %.400s:%s; is somebody else setting policies?",
		drift->count, sf_plural(drift->count),
		drift->count == 1 ? "s" : "", rollout->settings->name,
		drift->first);
	sf_terms_excuse(rollout->terms, err);
	return err->code;
}

static int sf_rollout_verify(struct sf_rollout *rollout, struct sf_error *err)
{
	struct sf_status now;
	struct sf_state state = { .count = 0 };
	struct sf_info info;

	if (sf_info_read(&info, err) || sf_status_need(&now, err))
		return err->code;
	if (!sf_state_read(&state, err))
		sf_rollout_compare(rollout, &state, &now, &info, err);
	sf_state_free(&state);
	return err->code;
}

/* The guard goes, and what the user asked for comes in its place. */
static int sf_rollout_settle(struct sf_rollout *rollout, struct sf_error *err)
{
	u64 for_ms = rollout->terms->for_ms;
	char command[64] = "";

	if (for_ms)
		sf_append_text(command, sizeof(command),
			       "lease=renew for_ms=%llu\n",
			       (unsigned long long)for_ms);
	else if (rollout->guarded)
		sf_append_text(command, sizeof(command), "lease=confirm\n");
	else
		return SF_OK;
	return sf_kernel_command(command, &rollout->by_parameter, err);
}

static int sf_restore_trips(const struct sf_rollout *rollout,
			    struct sf_error *err)
{
	struct sf_trips trips = rollout->terms->before.trips;
	bool by_parameter;
	char command[256] = "";
	size_t i;

	for (i = 0; i < SF_NR_TRIPS; i++)
		trips.trips[i].given = rollout->terms->trips.trips[i].given;
	if (!sf_trips_given(&trips))
		return SF_OK;
	sf_trips_format(&trips, command, sizeof(command));
	sf_append_text(command, sizeof(command), "\n");
	return sf_kernel_command(command, &by_parameter, err);
}

static int sf_rollout_return(const struct sf_rollout *rollout,
			     struct sf_error *err)
{
	struct sf_output silent = { .json = true, .root = json_object() };
	struct sf_status now;

	if (!rollout->guarded) {
		if (!sf_snapshot_restore(&rollout->before, err))
			sf_restore_trips(rollout, err);
	} else if (!sf_status_need(&now, err)) {
		if (!sf_terms_holds(rollout->terms, &now))
			sf_fail(err, SF_FAILED,
				"the lease that would have returned it is gone (%s)",
				now.lease_ended);
		else
			sf_lease_return(&silent, err);
	}
	json_decref(silent.root);
	return err->code;
}

/* @err: why it failed; gets what became of what was set until then. */
static void sf_rollout_undo(const struct sf_rollout *rollout,
			    struct sf_error *err)
{
	struct sf_error failed = { .code = SF_OK };
	size_t size = sizeof(err->message);

	if (!rollout->begun)
		sf_append_text(err->message, size, "; nothing was changed");
	else if (sf_rollout_return(rollout, &failed))
		sf_append_text(
			err->message, size,
			"; and it could not be put back: %.600s; see `schedflip show`",
			failed.message);
	else
		sf_append_text(
			err->message, size,
			"; nothing of it stays: all is put back as it was before");
}

/**
 * sf_rollout_run - set all of it, read it back, and let it stay
 * @rollout: from sf_rollout_check()
 * @err: says what was wrong, and what became of what was set until then
 *
 * Return: SF_OK, SF_MISMATCH, or why a command was refused.
 */
int sf_rollout_run(struct sf_rollout *rollout, struct sf_error *err)
{
	if (!sf_rollout_give(rollout, err) && !sf_rollout_verify(rollout, err))
		sf_rollout_settle(rollout, err);
	if (err->code)
		sf_rollout_undo(rollout, err);
	return err->code;
}

/**
 * sf_rollout_free - forget it
 * @rollout: it
 */
void sf_rollout_free(struct sf_rollout *rollout)
{
	size_t i;

	for (i = 0; i < rollout->count; i++)
		free(rollout->commands[i]);
	free(rollout->commands);
	free(rollout->lines);
	json_decref(rollout->drift.all);
	sf_state_free(&rollout->before);
}
