/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a failed newidle balance costs: the arithmetic, and nothing else.
 *
 * bump is the rule of "sched/fair: bump sd->max_newidle_lb_cost when newidle
 * balance fails" (v2, Mason, June 2025): after a failed attempt the cost is one
 * and a half times what it was, whatever the attempt took, and no cost is above
 * sysctl_sched_migration_cost + 200 ns.
 */
#ifndef SCHEDFLIP_COST_H
#define SCHEDFLIP_COST_H

#include "names.h"

enum sf_cost_policy {
	SF_COST_STOCK,
	SF_COST_BUMP,
	SF_NR_COST,
};

/* One row a policy. */
static const struct sf_name sf_cost_names[SF_NR_COST] = {
	{ "stock", SF_COST_STOCK },
	{ "bump", SF_COST_BUMP },
};

/* The cap is so much above the migration cost. */
#define SF_COST_ABOVE 200

/* More than an hour; larger ones are taken for this, so that nothing overflows. */
#define SF_COST_MAX (1ULL << 42)

/**
 * struct sf_cost - a domain's max_newidle_lb_cost under bump, ns
 * @own: what it would be without bump, as far as can be told
 * @left: what we left in the domain, to tell what the kernel made of it since
 * @failed: the attempt since then failed
 */
struct sf_cost {
	u64 own;
	u64 left;
	bool failed;
};

static inline u64 sf_cost_capped(u64 cost, u64 cap)
{
	return cost < cap ? cost : cap;
}

/**
 * sf_cost_begin - bump begins in a domain
 * @cost: to set
 * @now: the domain's cost
 */
static inline void sf_cost_begin(struct sf_cost *cost, u64 now)
{
	cost->own = now < SF_COST_MAX ? now : SF_COST_MAX;
	cost->left = cost->own;
	cost->failed = false;
}

/*
 * Both decay at once, by 253/256 a second: so as often as makes @now of what we left.
 * If that takes more than a minute, the domain was built anew.
 */
static inline u64 sf_cost_decayed(const struct sf_cost *cost, u64 now)
{
	u64 left = cost->left, own = cost->own;
	int steps;

	for (steps = 0; left > now; steps++) {
		if (steps == 64)
			return now;
		left = left * 253 / 256;
		own = own * 253 / 256;
	}
	return own;
}

/**
 * sf_cost_took - an attempt has ended
 * @cost: from sf_cost_begin()
 * @took: ns
 *
 * The kernel's own value would be raised to that, but what we left may be above it and
 * hide it.
 */
static inline void sf_cost_took(struct sf_cost *cost, u64 took)
{
	if (took > SF_COST_MAX)
		took = SF_COST_MAX;
	if (took > cost->own)
		cost->own = took;
}

/**
 * sf_cost_follow - take over what the kernel did to the cost since we left it
 * @cost: from sf_cost_begin()
 * @now: the domain's cost
 * @cap: the highest allowed
 *
 * The kernel raises a cost to what an attempt took, and lets it decay. Its own
 * value does both. Under bump, a failed attempt does not count with what it took.
 *
 * Return: what the domain's cost is to be; also in @cost->left.
 */
static inline u64 sf_cost_follow(struct sf_cost *cost, u64 now, u64 cap)
{
	if (now > SF_COST_MAX)
		now = SF_COST_MAX;
	if (now > cost->left) {
		if (now > cost->own)
			cost->own = now;
		if (!cost->failed)
			cost->left = now;
	} else if (now < cost->left) {
		cost->own = sf_cost_decayed(cost, now);
		cost->left = now;
	}
	cost->failed = false;
	cost->left = sf_cost_capped(cost->left, cap);
	return cost->left;
}

/**
 * sf_cost_bump - an attempt failed
 * @cost: after sf_cost_follow()
 * @cap: the highest allowed
 *
 * Return: what the domain's cost is to be; also in @cost->left.
 */
static inline u64 sf_cost_bump(struct sf_cost *cost, u64 cap)
{
	cost->left = sf_cost_capped(cost->left * 3 / 2, cap);
	cost->failed = true;
	return cost->left;
}

#endif
