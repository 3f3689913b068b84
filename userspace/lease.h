/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The end of a lease, by a command. */
#ifndef SCHEDFLIP_LEASE_H
#define SCHEDFLIP_LEASE_H

#include "output.h"
#include "status.h"

int sf_lease_return(struct sf_output *out, struct sf_error *err);
int sf_lease_say_in_force(const char *words, struct sf_output *out,
			  struct sf_error *err);

#endif
