// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "duration.h"
#include "notice.h"
#include "terms.h"
#include "text.h"

/* Of --lease without --for: a frozen machine is not left alone with it for long. */
#define SF_LEASE_MS 5000

static const struct sf_duration sf_lease_time = {
	.what = "time",
	.finest_us = 1000,
	.min_us = 100 * 1000ull,
	.max_us = 24 * 3600 * 1000000ull,
	.allowed = "100ms to 24h, in ms, s, m or h, such as 60s",
};

/**
 * sf_terms_option - take one option of the user's
 * @terms: to change
 * @key: of SF_OPTION_FOR or SF_OPTION_LEASE, or any other of argp's
 * @arg: of the option
 * @err: says what was wrong and what is allowed
 *
 * Return: SF_OK, SF_USAGE, or ARGP_ERR_UNKNOWN for a key that is none of these.
 */
error_t sf_terms_option(struct sf_terms *terms, int key, const char *arg,
			struct sf_error *err)
{
	u64 us;

	switch (key) {
	case SF_KEY_FOR_TIME:
		if (sf_duration_parse(&sf_lease_time, arg, &us, err))
			return err->code;
		terms->for_ms = us / 1000;
		return 0;
	case SF_KEY_KEEP:
		terms->keep = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/**
 * sf_terms_complete - say what holds where the user says nothing
 * @terms: with all of the user's options
 */
void sf_terms_complete(struct sf_terms *terms)
{
	if (terms->keep && !terms->for_ms)
		terms->for_ms = SF_LEASE_MS;
}

static void sf_append_word(char *buf, size_t size, const char *word)
{
	sf_append_text(buf, size, "%s%s", *buf ? " " : "", word);
}

static int sf_terms_refuse_pending(const struct sf_terms *terms,
				   struct sf_error *err)
{
	char left[SF_DURATION_SIZE];

	return sf_fail(
		err, SF_FAILED,
		"a lease is pending already, and returns in %s; run schedflip confirm or schedflip return first",
		sf_duration_format(terms->before.lease_left_ms * 1000, left,
				   sizeof(left)));
}

/* What is not armed is not named: no more is said to the module than has to be. */
static void sf_terms_settle(struct sf_terms *terms)
{
	size_t i;

	terms->trips = terms->before.trips;
	for (i = 0; i < SF_NR_TRIPS; i++) {
		struct sf_trip *trip = &terms->trips.trips[i];

		trip->given = trip->limit != SF_TRIP_OFF;
		trip->limit = SF_TRIP_OFF;
	}
}

/**
 * sf_terms_begin - see what there is before the command
 * @terms: @before is set
 * @err: says why the command cannot be given on these terms
 *
 * Return: SF_OK or why not.
 */
int sf_terms_begin(struct sf_terms *terms, struct sf_error *err)
{
	bool needed = terms->for_ms || sf_trips_given(&terms->trips);

	if (needed ? sf_status_need(&terms->before, err) :
		     sf_status_read(&terms->before, err))
		return err->code;
	if (terms->keep && sf_status_has_lease(&terms->before))
		return sf_terms_refuse_pending(terms, err);
	if (terms->settle)
		sf_terms_settle(terms);
	return SF_OK;
}

/**
 * sf_terms_format - append them as the module takes them
 * @terms: from sf_terms_begin()
 * @buf: a command
 * @size: of @buf
 */
void sf_terms_format(const struct sf_terms *terms, char *buf, size_t size)
{
	char word[64] = "";

	sf_append_text(word, sizeof(word), "for_ms=%llu",
		       (unsigned long long)terms->for_ms);
	if (terms->for_ms)
		sf_append_word(buf, size, word);
	/* Somebody else may begin one in this moment. */
	if (terms->keep)
		sf_append_word(buf, size, "lease=new");
	if (terms->settle && sf_status_has_lease(&terms->before))
		sf_append_word(buf, size, "lease=confirm");
	sf_trips_format(&terms->trips, buf, size);
}

/**
 * sf_terms_outdated - was the command refused only as a lease ended by itself meanwhile?
 * @terms: of a command that was refused; set anew if so
 * @err: the refusal; is taken back if so
 *
 * A lease that is gone cannot be confirmed.
 */
bool sf_terms_outdated(struct sf_terms *terms, struct sf_error *err)
{
	struct sf_error ignored = { .code = SF_OK };
	struct sf_status now;

	if (!terms->settle || !sf_status_has_lease(&terms->before) ||
	    sf_status_read(&now, &ignored) || sf_status_has_lease(&now))
		return false;
	terms->before = now;
	sf_terms_settle(terms);
	err->code = SF_OK;
	return true;
}

/**
 * sf_terms_holds - is the lease pending that the command began, or joined?
 * @terms: of the command, with a lease of its own
 * @status: after it
 */
bool sf_terms_holds(const struct sf_terms *terms,
		    const struct sf_status *status)
{
	u64 since = status->lease_id - terms->before.lease_id;

	if (!sf_status_has_lease(status))
		return false;
	return since == 1 ||
	       (since == 0 && sf_status_has_lease(&terms->before));
}

static int sf_terms_check_lease(const struct sf_terms *terms,
				const struct sf_status *now,
				struct sf_error *err)
{
	char wanted[SF_DURATION_SIZE], left[SF_DURATION_SIZE];

	sf_duration_format(terms->for_ms * 1000, wanted, sizeof(wanted));
	sf_duration_format(now->lease_left_ms * 1000, left, sizeof(left));
	if (!sf_terms_holds(terms, now))
		return sf_fail(
			err, SF_MISMATCH,
			"the lease of %s was over before it could be read back: lease=%s, lease_ended=%s; if it just expired, give a longer one",
			wanted, now->lease, now->lease_ended);
	if (now->lease_left_ms > terms->for_ms)
		return sf_fail(
			err, SF_MISMATCH,
			"the lease returns in %s, and not within %s; has somebody else renewed it?",
			left, wanted);
	return SF_OK;
}

static int sf_terms_check_trips(const struct sf_terms *terms,
				const struct sf_status *now,
				struct sf_error *err)
{
	char wanted[SF_TRIPS_SIZE], found[SF_TRIPS_SIZE];

	if (!sf_trips_differ(&terms->trips, &now->trips))
		return SF_OK;
	if (now->trip_count != terms->before.trip_count)
		return sf_fail(
			err, SF_FAILED,
			"a tripwire was crossed already, and all domains are back at stock: %s",
			now->trip_reason);
	sf_trips_describe(&terms->trips, wanted, sizeof(wanted));
	sf_trips_describe(&now->trips, found, sizeof(found));
	return sf_fail(
		err, SF_MISMATCH,
		"the tripwires are %s, and not %s; is somebody else setting them?",
		found, wanted);
}

static int sf_terms_check_settled(const struct sf_status *now,
				  struct sf_error *err)
{
	if (!sf_status_has_lease(now) && !sf_trips_armed(&now->trips))
		return SF_OK;
	return sf_fail(
		err, SF_MISMATCH,
		"a lease is pending or tripwires are armed again; is somebody else setting policies?");
}

/* Of a plain set it has to be said as well: it does not stay. */
static void sf_terms_tail(const struct sf_terms *terms,
			  const struct sf_status *now, char *tail, size_t size)
{
	char time[SF_DURATION_SIZE];

	if (terms->keep)
		sf_append_text(tail, size,
			       "; returns as this ends, at most %s after",
			       sf_duration_format(terms->for_ms * 1000, time,
						  sizeof(time)));
	else if (terms->for_ms)
		sf_append_text(
			tail, size,
			"; returns in %s unless you run: schedflip confirm",
			sf_duration_format(terms->for_ms * 1000, time,
					   sizeof(time)));
	else if (sf_status_has_lease(now))
		sf_append_text(
			tail, size,
			"; returns in %s with the lease that is pending, unless you run: schedflip confirm",
			sf_duration_format(now->lease_left_ms * 1000, time,
					   sizeof(time)));
	else if (terms->settle && sf_status_has_lease(&terms->before))
		sf_append_text(
			tail, size,
			"; the lease that was pending is gone, so it stays");
}

/**
 * sf_terms_verify - read the status back and compare it
 * @terms: of a command that was carried out
 * @tail: for what is to be said behind the command, empty if nothing is
 * @size: of @tail; SF_TAIL_SIZE is enough
 * @out: gets the status
 * @err: says what differs
 *
 * Return: SF_OK, SF_MISMATCH, SF_FAILED if a tripwire was crossed, or why the status
 * could not be read.
 */
int sf_terms_verify(const struct sf_terms *terms, char *tail, size_t size,
		    struct sf_output *out, struct sf_error *err)
{
	struct sf_status now;

	tail[0] = '\0';
	if (!terms->before.present) {
		sf_output_set(out, "status", json_null());
		return SF_OK;
	}
	if (sf_status_read(&now, err))
		return err->code;
	sf_output_set(out, "status", sf_notice_json(&now));
	if ((terms->for_ms && sf_terms_check_lease(terms, &now, err)) ||
	    sf_terms_check_trips(terms, &now, err) ||
	    (terms->settle && sf_terms_check_settled(&now, err)))
		return err->code;
	sf_terms_tail(terms, &now, tail, size);
	return SF_OK;
}

/**
 * sf_terms_excuse - did domains differ as all returned to what was before?
 * @terms: of a command that was carried out
 * @err: that domains differ; says so
 */
void sf_terms_excuse(const struct sf_terms *terms, struct sf_error *err)
{
	struct sf_error ignored = { .code = SF_OK };
	struct sf_status now;

	if (!terms->before.present || sf_status_read(&now, &ignored))
		return;
	if (now.trip_count != terms->before.trip_count)
		sf_fail(err, SF_FAILED,
			"a tripwire was crossed already, and all domains are back at stock: %s",
			now.trip_reason);
	else if (sf_status_is_off(&now))
		sf_fail(err, SF_FAILED,
			"schedflip was switched off (%s) meanwhile; run: schedflip on",
			now.off_reason);
	else if (terms->for_ms && !sf_terms_holds(terms, &now))
		sf_terms_check_lease(terms, &now, err);
}
