/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the domains did between two looks at the module. */
#ifndef SCHEDFLIP_INTERVAL_H
#define SCHEDFLIP_INTERVAL_H

#include "filter.h"
#include "glance.h"

/**
 * struct sf_row - what one domain of one CPU did
 *
 * NAN stands for what is not known: the domain was not there before, a counter went back,
 * or somebody named the domain in a command meanwhile, which may have restarted counters.
 *
 * @domain: as it is now; in the later glance
 * @calls: newidle calls
 * @attempts: those that ran the kernel's balance
 * @skipped: those that did not
 * @pulled: attempts that brought a task
 * @newidle_ns: time in attempts
 * @stale: slow-path picks that were busy before the task came
 * @moved: tasks moved by burst
 */
struct sf_row {
	const struct sf_domain *domain;
	double calls;
	double attempts;
	double skipped;
	double pulled;
	double newidle_ns;
	double stale;
	double moved;
};

/**
 * struct sf_interval - the time between two looks
 * @seconds: its real length; NAN if there is only one look
 * @rows: of the domains there are at its end, in the module's order
 * @count: number of @rows
 */
struct sf_interval {
	double seconds;
	struct sf_row *rows;
	size_t count;
};

/**
 * struct sf_figures - rows summed up, per second
 *
 * NAN stands for what is not known of one of the rows, or was divided by nothing.
 *
 * @newidle: policy, or "mixed"; so are @slowpath and @burst
 * @pinned: any row's ratio is
 * @ratio: mean of those in force, of 1024; so is @learned
 * @cost_us: mean of the domains' max_newidle_lb_cost
 * @busy_percent: of the CPUs' time in newidle attempts
 */
struct sf_figures {
	const char *newidle;
	const char *slowpath;
	const char *burst;
	bool pinned;
	double ratio;
	double learned;
	double cost_us;
	double calls_s;
	double attempts_s;
	double skip_percent;
	double hit_percent;
	double busy_percent;
	double stale_s;
	double moved_s;
};

int sf_interval_take(struct sf_interval *interval,
		     const struct sf_glance *before,
		     const struct sf_glance *after,
		     const struct sf_filter *filter, struct sf_error *err);
void sf_interval_free(struct sf_interval *interval);
void sf_figures_sum(struct sf_figures *figures,
		    const struct sf_row *const *rows, size_t count,
		    double seconds);
const struct sf_domain **sf_state_by_level(const struct sf_state *state);
const struct sf_domain *sf_state_find(const struct sf_domain **sorted,
				      size_t count,
				      const struct sf_domain *like);

#endif
