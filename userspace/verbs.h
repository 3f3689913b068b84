/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commands; each has a file of its name, but confirm and return, which are in lease.c,
 * and on, which is in off.c. apply and verify are of files, as set applies and verifies too.
 */
#ifndef SCHEDFLIP_VERBS_H
#define SCHEDFLIP_VERBS_H

#include "options.h"
#include "output.h"

/**
 * struct sf_verb - a command
 * @name: as the user writes it
 * @help: what it is for, in a line
 * @usage: its command line
 * @run: what it does
 */
struct sf_verb {
	const char *name;
	const char *help;
	const struct sf_usage *usage;
	int (*run)(const struct sf_options *options, struct sf_output *out,
		   struct sf_error *err);
};

/**
 * struct sf_verbs - all commands
 * @verbs: in the order in which they are told
 * @count: number of @verbs
 */
struct sf_verbs {
	const struct sf_verb *verbs;
	size_t count;
};

const struct sf_verb *sf_verbs_find(const struct sf_verbs *verbs,
				    const char *name);

/*
 * A command's command line, and what it does: it prints to @out, and returns
 * SF_OK or what it put into @err.
 */
#define SF_DECLARE_VERB(verb)                                                  \
	extern const struct sf_usage sf_##verb##_usage;                        \
	int sf_##verb(const struct sf_options *options, struct sf_output *out, \
		      struct sf_error *err);

SF_DECLARE_VERB(check)
SF_DECLARE_VERB(load)
SF_DECLARE_VERB(unload)
SF_DECLARE_VERB(show)
SF_DECLARE_VERB(set)
SF_DECLARE_VERB(reset)
SF_DECLARE_VERB(confirm)
SF_DECLARE_VERB(return )
SF_DECLARE_VERB(save)
SF_DECLARE_VERB(apply_file)
SF_DECLARE_VERB(verify_file)
SF_DECLARE_VERB(metrics)
SF_DECLARE_VERB(off)
SF_DECLARE_VERB(on)
SF_DECLARE_VERB(ab)
SF_DECLARE_VERB(report)
SF_DECLARE_VERB(record)
SF_DECLARE_VERB(sim)
SF_DECLARE_VERB(watch)

#endif
