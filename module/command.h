/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_COMMAND_H
#define SCHEDFLIP_COMMAND_H

#include <linux/cpumask.h>

#include "state.h"
#include "trip.h"

#define SF_ERROR_MAX 256

#define SF_LEASE_MIN_MS 100
#define SF_LEASE_MAX_MS 86400000

/* What a command wants of the lease that is pending. */
enum sf_lease_word {
	SF_LEASE_CONFIRM,
	SF_LEASE_RETURN,
	SF_LEASE_RENEW,
	SF_LEASE_NEW,
};

/* What words of a command are about. */
enum sf_about {
	SF_ABOUT_DOMAINS,
	SF_ABOUT_LEASE,
	SF_ABOUT_TRIPS,
};

/**
 * struct sf_command - what a command says
 * @about: bits of enum sf_about
 * @change: what to change in each state
 * @for_ms: it is a lease, to end in so many ms; or SF_KEEP
 * @lease: enum sf_lease_word, or SF_KEEP
 * @trips: thresholds; SF_KEEP for those it does not name, SF_UNPIN for none
 * @cpus: on which CPUs
 * @cpus_given: the user named them
 * @domain: in domains of this name, or of this number if it is one; NULL for all
 * @error: why it was refused
 */
struct sf_command {
	unsigned long about;
	struct sf_change change;
	int for_ms;
	int lease;
	struct sf_trips trips;
	cpumask_var_t cpus;
	bool cpus_given;
	const char *domain;
	char error[SF_ERROR_MAX];
};

struct sf_command *sf_command_alloc(void);
void sf_command_free(struct sf_command *command);
int sf_command_parse(struct sf_command *command, char *text);
int sf_command_refuse(struct sf_command *command, int err, const char *fmt, ...)
	__printf(3, 4);

/**
 * sf_command_ends_lease - does a command do nothing but end the lease that is pending?
 * @command: it
 */
static inline bool sf_command_ends_lease(const struct sf_command *command)
{
	return command->about == BIT(SF_ABOUT_LEASE) &&
	       (command->lease == SF_LEASE_CONFIRM ||
		command->lease == SF_LEASE_RETURN);
}

#endif
