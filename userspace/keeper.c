// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "duration.h"
#include "kernel.h"
#include "keeper.h"
#include "lease.h"
#include "notice.h"
#include "progress.h"
#include "signals.h"
#include "text.h"

/* Two renewals may come late before the lease is lost. */
#define SF_RENEWALS_A_LEASE 3

/* How soon an end that somebody else made is noticed. */
#define SF_LOOK_EVERY_MS 1000

/**
 * sf_keeper_begin - before the command that begins the lease
 * @keeper: to set
 * @terms: of the command
 *
 * From here on signals wait: one that comes right behind the command has to return it.
 */
void sf_keeper_begin(struct sf_keeper *keeper, const struct sf_terms *terms)
{
	memset(keeper, 0, sizeof(*keeper));
	keeper->terms = terms;
	keeper->renewed_ms = sf_progress_now();
	sf_signals_ending(&keeper->signals);
	sigprocmask(SIG_BLOCK, &keeper->signals, &keeper->before);
}

/**
 * sf_keeper_end - signals are as they were before sf_keeper_begin()
 * @keeper: it
 */
void sf_keeper_end(const struct sf_keeper *keeper)
{
	sigprocmask(SIG_SETMASK, &keeper->before, NULL);
}

static u64 sf_keeper_due(const struct sf_keeper *keeper)
{
	return keeper->renewed_ms + keeper->terms->for_ms / SF_RENEWALS_A_LEASE;
}

/* Return: the signal that came, or 0. */
static int sf_keeper_wait(const struct sf_keeper *keeper)
{
	u64 now = sf_progress_now(), due = sf_keeper_due(keeper);
	u64 ms = due > now ? due - now : 0;
	struct timespec wait;
	int number;

	if (ms > SF_LOOK_EVERY_MS)
		ms = SF_LOOK_EVERY_MS;
	wait.tv_sec = ms / 1000;
	wait.tv_nsec = ms % 1000 * 1000000;
	number = sigtimedwait(&keeper->signals, NULL, &wait);
	return number > 0 ? number : 0;
}

/* Somebody wanted it to stay: then our work is done. Anything else was not our user's wish. */
static int sf_keeper_ended(const struct sf_keeper *keeper,
			   const struct sf_status *status,
			   struct sf_output *out, struct sf_error *err)
{
	sf_output_set(out, "ended", sf_json_text(status->lease_ended));
	if (status->lease_id != keeper->id)
		return sf_fail(
			err, SF_FAILED,
			"the lease is gone, and another was begun since; see `schedflip show`");
	if (!strcmp(status->lease_ended, "confirmed")) {
		sf_output_say(out, "confirmed: stays");
		return SF_OK;
	}
	if (!strcmp(status->lease_ended, "tripped"))
		return sf_fail(err, SF_FAILED,
			       "tripped: all domains are back at stock: %s",
			       status->trip_reason);
	if (!strcmp(status->lease_ended, "off"))
		return sf_fail(
			err, SF_FAILED,
			"off: schedflip was switched off (%s), and all domains are at stock; run: schedflip on",
			status->off_reason);
	if (!strcmp(status->lease_ended, "expired"))
		return sf_fail(
			err, SF_FAILED,
			"expired: this did not run for the length of the lease, and all is back as it was before; give a longer one by --for");
	if (!strcmp(status->lease_ended, "detached") ||
	    !strcmp(status->lease_ended, "dead"))
		return sf_fail(
			err, SF_FAILED,
			"%s: nothing of schedflip decides any more, and all domains are at stock; see `schedflip show`",
			status->lease_ended);
	return sf_fail(err, SF_FAILED, "%s: somebody else ended the lease",
		       status->lease_ended);
}

static int sf_keeper_gone(struct sf_output *out, struct sf_error *err)
{
	sf_output_set(out, "ended", json_string("unloaded"));
	err->code = SF_OK;
	return sf_fail(
		err, SF_FAILED,
		"unloaded: the module was taken out, and its policies with it");
}

/* We never ask for more than that, so it is not ours any more to renew or to return. */
static bool sf_keeper_is_moved(const struct sf_keeper *keeper,
			       const struct sf_status *status,
			       struct sf_output *out, struct sf_error *err)
{
	char left[SF_DURATION_SIZE];

	if (status->lease_left_ms <= keeper->terms->for_ms)
		return false;
	sf_output_set(out, "ended", json_string("moved"));
	sf_fail(err, SF_FAILED,
		"moved: somebody else lets the lease return only in %s, so this no longer renews it",
		sf_duration_format(status->lease_left_ms * 1000, left,
				   sizeof(left)));
	return true;
}

/*
 * Return: true if the lease is still ours; otherwise how it ended is told, and was an
 * error or not.
 */
static bool sf_keeper_look(const struct sf_keeper *keeper,
			   struct sf_output *out, struct sf_error *err)
{
	struct sf_status status;

	if (sf_status_need(&status, err)) {
		if (!sf_kernel_has_module())
			sf_keeper_gone(out, err);
		return false;
	}
	if (sf_status_has_lease(&status) && status.lease_id == keeper->id)
		return !sf_keeper_is_moved(keeper, &status, out, err);
	sf_keeper_ended(keeper, &status, out, err);
	return false;
}

/* A lease that ended in this moment refuses it; then the next look says how. */
static bool sf_keeper_renew(struct sf_keeper *keeper, struct sf_output *out,
			    struct sf_error *err)
{
	char command[64];

	snprintf(command, sizeof(command), "lease=renew for_ms=%llu\n",
		 (unsigned long long)keeper->terms->for_ms);
	if (sf_kernel_command(command, &keeper->by_parameter, err)) {
		struct sf_error refused = *err;

		err->code = SF_OK;
		if (sf_keeper_look(keeper, out, err))
			sf_fail(err, refused.code,
				"%s; the lease is renewed no more, and runs out",
				refused.message);
		return false;
	}
	keeper->renewed_ms = sf_progress_now();
	keeper->renewals++;
	return true;
}

static int sf_keeper_signalled(const struct sf_keeper *keeper, int number,
			       struct sf_output *out, struct sf_error *err)
{
	const char *name = sigabbrev_np(number);
	char words[128] = "";

	if (!sf_keeper_look(keeper, out, err) || sf_lease_return(out, err))
		return err->code;
	sf_output_set(out, "ended", json_string("returned"));
	sf_append_text(
		words, sizeof(words),
		"%s%s: returned to what was before, after %llu renewal%s",
		name ? "SIG" : "signal", name ? name : "",
		(unsigned long long)keeper->renewals,
		sf_plural(keeper->renewals));
	return sf_lease_say_in_force(words, out, err);
}

/**
 * sf_keeper_run - renew the lease until a signal comes, or it ended otherwise
 * @keeper: after its command was carried out
 * @out: gets how it ended
 * @err: says it too, unless it was returned by the signal or confirmed by somebody
 *
 * Return: SF_OK, or the code in @err.
 */
int sf_keeper_run(struct sf_keeper *keeper, struct sf_output *out,
		  struct sf_error *err)
{
	int number;

	keeper->id = keeper->terms->before.lease_id + 1;
	fflush(stdout);
	for (;;) {
		number = sf_keeper_wait(keeper);
		if (number)
			return sf_keeper_signalled(keeper, number, out, err);
		if (!sf_keeper_look(keeper, out, err))
			return err->code;
		if (sf_progress_now() >= sf_keeper_due(keeper) &&
		    !sf_keeper_renew(keeper, out, err))
			return err->code;
	}
}

/**
 * sf_keeper_drop - return at once what was set, but could not be verified
 * @keeper: it
 *
 * If that fails, the lease will do it.
 */
void sf_keeper_drop(const struct sf_keeper *keeper)
{
	struct sf_output silent = { .json = true, .root = json_object() };
	struct sf_error ignored = { .code = SF_OK };
	struct sf_status now;

	if (keeper->terms->given && !sf_status_read(&now, &ignored) &&
	    sf_status_has_lease(&now) &&
	    now.lease_id == keeper->terms->before.lease_id + 1)
		sf_lease_return(&silent, &ignored);
	json_decref(silent.root);
}
