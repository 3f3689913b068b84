// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "duration.h"
#include "kernel.h"
#include "status.h"
#include "text.h"

#define SF_WORD_AT(name, member)                                        \
	{                                                               \
		name, offsetof(struct sf_status, member),               \
			sizeof(((struct sf_status *)0)->member), false, \
	}
#define SF_WORD(member) SF_WORD_AT(#member, member)
#define SF_NUMBER_AT(name, member)                                        \
	{                                                                 \
		name, offsetof(struct sf_status, member), 0, SF_NO_NUMBER \
	}
#define SF_NUMBER(member) SF_NUMBER_AT(#member, member)
#define SF_LIMIT(name, id)                                                  \
	{                                                                   \
		name, offsetof(struct sf_status, trips.trips[id].limit), 0, \
			SF_TRIP_OFF                                         \
	}

/**
 * struct sf_entry - where the value of a key goes
 * @key: it
 * @offset: in struct sf_status
 * @size: of the buffer for a word; 0 for a number
 * @none: number that stands for - and off
 */
static const struct sf_entry {
	const char *key;
	size_t offset;
	size_t size;
	u64 none;
} sf_entries[] = {
	SF_WORD(hooks),
	SF_WORD(off_reason),
	SF_WORD(shadowed_by),
	SF_NUMBER(drift),
	SF_WORD(lease),
	SF_NUMBER(lease_id),
	SF_NUMBER(lease_left_ms),
	SF_WORD(lease_ended),
	SF_NUMBER(lease_late_us),
	SF_LIMIT("trip_depth", SF_TRIP_DEPTH),
	SF_LIMIT("trip_newidle", SF_TRIP_NEWIDLE),
	SF_LIMIT("trip_delay_us", SF_TRIP_DELAY),
	SF_NUMBER(depth),
	SF_NUMBER(newidle),
	SF_NUMBER(delay_us),
	SF_NUMBER(looks),
	SF_NUMBER_AT("trips", trip_count),
	SF_WORD(trip_reason),
};

static int sf_status_bad(struct sf_error *err, const char *key,
			 const char *what)
{
	return sf_fail(err, SF_FAILED,
		       "the module's status is not of ABI 1: %.40s%s", key,
		       what);
}

/* A word that is longer than any of ours is cut: it is to be shown, if to nothing else. */
static int sf_entry_store(const struct sf_entry *entry, char *value,
			  struct sf_status *status, struct sf_error *err)
{
	char *place = (char *)status + entry->offset;
	u64 number = entry->none;

	sf_clean_text(value);
	if (entry->size) {
		snprintf(place, entry->size, "%s", value);
		return SF_OK;
	}
	if (strcmp(value, "-") && strcmp(value, "off") &&
	    !sf_parse_number(value, &number))
		return sf_status_bad(err, entry->key, " is no number");
	*(u64 *)place = number;
	return SF_OK;
}

/* @seen: bit i is set once sf_entries[i] was read. */
static int sf_status_parse_line(char *line, struct sf_status *status,
				unsigned int *seen, struct sf_error *err)
{
	char *value = strchr(line, '=');
	size_t i;

	if (!value || value == line) {
		sf_clean_text(line);
		return sf_status_bad(err, line, " is not key=value");
	}
	*value++ = '\0';
	for (i = 0; i < SF_ARRAY_SIZE(sf_entries); i++) {
		if (strcmp(sf_entries[i].key, line))
			continue;
		if (*seen & 1u << i)
			return sf_status_bad(err, line, " is there twice");
		*seen |= 1u << i;
		return sf_entry_store(&sf_entries[i], value, status, err);
	}
	return SF_OK;
}

/**
 * sf_status_parse - read the text of the status file
 * @text: is cut up
 * @status: set to it
 * @err: says what was wrong
 *
 * Keys we do not know are skipped, as a later module may add some.
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_status_parse(char *text, struct sf_status *status, struct sf_error *err)
{
	unsigned int seen = 0;
	char *line;
	size_t i;

	_Static_assert(SF_ARRAY_SIZE(sf_entries) <= 32, "seen has 32 bits");
	memset(status, 0, sizeof(*status));
	while ((line = sf_next_line(&text)))
		if (sf_status_parse_line(line, status, &seen, err))
			return err->code;
	if (*text)
		return sf_status_bad(err, "it", " is cut off");
	for (i = 0; i < SF_ARRAY_SIZE(sf_entries); i++)
		if (!(seen & 1u << i))
			return sf_status_bad(err, sf_entries[i].key,
					     " is missing");
	status->present = true;
	return SF_OK;
}

/**
 * sf_status_read - read it from the module
 * @status: set to it; not @present if this module is one that has none
 * @err: says what was wrong
 *
 * Return: SF_OK or why not.
 */
int sf_status_read(struct sf_status *status, struct sf_error *err)
{
	char *text;

	memset(status, 0, sizeof(*status));
	if (!sf_kernel_exists(SF_DEBUGFS "/status") &&
	    sf_kernel_exists(SF_DEBUGFS "/abi"))
		return SF_OK;
	if (sf_kernel_read_debugfs("status", &text, err))
		return err->code;
	sf_status_parse(text, status, err);
	free(text);
	return err->code;
}

/**
 * sf_status_need - read it, where nothing can be done without
 * @status: set to it
 * @err: says what was wrong
 *
 * Return: SF_OK or why not.
 */
int sf_status_need(struct sf_status *status, struct sf_error *err)
{
	if (sf_status_read(status, err) || status->present)
		return err->code;
	return sf_fail(
		err, SF_FAILED,
		"the module that is loaded knows no leases, tripwires or kill switch; install module and utility from one release, and load it anew");
}

/**
 * sf_status_is_off - was the kill switch used?
 * @status: of the module
 */
bool sf_status_is_off(const struct sf_status *status)
{
	return status->present && strcmp(status->off_reason, "-");
}

/**
 * sf_status_is_dead - has the kernel switched ftrace off?
 * @status: of the module, which then can be neither used nor taken out
 */
bool sf_status_is_dead(const struct sf_status *status)
{
	return status->present && !strcmp(status->hooks, "dead");
}

/**
 * sf_status_has_lease - is a lease pending?
 * @status: of the module
 */
bool sf_status_has_lease(const struct sf_status *status)
{
	return status->present && !strcmp(status->lease, "pending");
}

/**
 * sf_status_check_quiet - will policies stay as they are set?
 * @err: says what would change them, and what to do
 *
 * Return: SF_OK, SF_FAILED, or why the status could not be read.
 */
int sf_status_check_quiet(struct sf_error *err)
{
	char left[SF_DURATION_SIZE];
	struct sf_status status;

	if (sf_status_read(&status, err))
		return err->code;
	if (sf_status_is_off(&status))
		return sf_fail(
			err, SF_FAILED,
			"schedflip was switched off (%s), so nothing would be flipped; run: schedflip on",
			status.off_reason);
	if (sf_status_has_lease(&status))
		return sf_fail(
			err, SF_FAILED,
			"a lease is pending, and would change policies in %s; run: schedflip confirm, or schedflip return",
			sf_duration_format(status.lease_left_ms * 1000, left,
					   sizeof(left)));
	if (sf_status_is_dead(&status))
		return sf_fail(
			err, SF_FAILED,
			"the kernel has switched ftrace off, after a fault that dmesg tells of, so nothing would be flipped; reboot");
	if (status.present && !strcmp(status.hooks, "shadowed"))
		return sf_fail(
			err, SF_FAILED,
			"the livepatch %s is on top of schedflip's, so nothing would be flipped; disable it: echo 0 >/sys/kernel/livepatch/%s/enabled",
			status.shadowed_by, status.shadowed_by);
	return SF_OK;
}
