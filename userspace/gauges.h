/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What there is to be watched of the module, as metrics; docs/metrics.md lists them. */
#ifndef SCHEDFLIP_GAUGES_H
#define SCHEDFLIP_GAUGES_H

#include "exposition.h"
#include "info.h"
#include "state.h"
#include "status.h"

/**
 * struct sf_gauges - what is read for it
 * @loaded: the module is; if not, nothing else is known
 * @info: of the module
 * @status: of the module
 * @state: the domains
 */
struct sf_gauges {
	bool loaded;
	struct sf_info info;
	struct sf_status status;
	struct sf_state state;
};

void sf_gauges_print(const struct sf_gauges *gauges,
		     struct sf_exposition *text);
void sf_gauges_print_domains(const struct sf_state *state,
			     struct sf_exposition *text);

#endif
