/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps a lease alive for as long as this process lives. Once it does not, or does not
 * run, nobody renews the lease, and the kernel returns all to what was before.
 */
#ifndef SCHEDFLIP_KEEPER_H
#define SCHEDFLIP_KEEPER_H

#include <signal.h>

#include "output.h"
#include "terms.h"

/**
 * struct sf_keeper - who keeps it
 * @terms: of the command that began the lease
 * @signals: those that end it, which wait until they are asked for
 * @before: signals that were blocked before
 * @id: of the lease
 * @renewed_ms: when it was renewed last
 * @renewals: how often it was
 * @by_parameter: debugfs refused, so it goes by the module parameter
 */
struct sf_keeper {
	const struct sf_terms *terms;
	sigset_t signals;
	sigset_t before;
	u64 id;
	u64 renewed_ms;
	u64 renewals;
	bool by_parameter;
};

void sf_keeper_begin(struct sf_keeper *keeper, const struct sf_terms *terms);
int sf_keeper_run(struct sf_keeper *keeper, struct sf_output *out,
		  struct sf_error *err);
void sf_keeper_drop(const struct sf_keeper *keeper);
void sf_keeper_end(const struct sf_keeper *keeper);

#endif
