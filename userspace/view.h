/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_VIEW_H
#define SCHEDFLIP_VIEW_H

#include "filter.h"
#include "output.h"

double sf_hit_rate(const struct sf_domain *domain);
double sf_stale_rate(const struct sf_domain *domain);
bool sf_has_synchrony(const struct sf_domain *domain);
double sf_synchrony(const struct sf_domain *domain);
void sf_view_print(const struct sf_state *state, const struct sf_filter *filter,
		   bool blind, struct sf_output *out);

#endif
