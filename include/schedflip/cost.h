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
 * @stamp: when @own was raised or decayed
 * @left: what we left in the domain, to tell what the kernel made of it since
 * @failed: the attempt since then failed
 */
struct sf_cost {
	u64 own;
	u64 stamp;
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
 * @time: now, in any unit
 */
static inline void sf_cost_begin(struct sf_cost *cost, u64 now, u64 time)
{
	cost->stamp = time;
	cost->own = now < SF_COST_MAX ? now : SF_COST_MAX;
	cost->left = cost->own;
	cost->failed = false;
}

static inline void sf_cost_raise_own(struct sf_cost *cost, u64 to, u64 time)
{
	if (to <= cost->own)
		return;
	cost->own = to < SF_COST_MAX ? to : SF_COST_MAX;
	cost->stamp = time;
}

/**
 * sf_cost_age - let the kernel's own value decay as the kernel would
 * @cost: from sf_cost_begin()
 * @time: now
 * @second: one second in the unit of @time
 *
 * Once each time the kernel looks at it, if more than a second has passed since it was
 * raised or decayed. What we leave in the domain does not tell: a bump puts its
 * decay off.
 */
static inline void sf_cost_age(struct sf_cost *cost, u64 time, u64 second)
{
	if (time - cost->stamp <= second)
		return;
	cost->own = cost->own * 253 / 256;
	cost->stamp = time;
}

/**
 * sf_cost_took - an attempt has ended
 * @cost: from sf_cost_begin()
 * @took: ns
 * @time: now
 *
 * The kernel's own value would be raised to that, but what we left may be above it and
 * hide it.
 */
static inline void sf_cost_took(struct sf_cost *cost, u64 took, u64 time)
{
	sf_cost_raise_own(cost, took, time);
}

/**
 * sf_cost_follow - take over what the kernel did to the cost since we left it
 * @cost: from sf_cost_begin()
 * @now: the domain's cost
 * @cap: the highest allowed
 * @time: now
 *
 * The kernel raises a cost to what an attempt took, and lets it decay. Under bump, a
 * failed attempt does not count with what it took. A cost that has fallen by half is
 * that of a domain that was built anew.
 *
 * Return: what the domain's cost is to be; also in @cost->left.
 */
static inline u64 sf_cost_follow(struct sf_cost *cost, u64 now, u64 cap,
				 u64 time)
{
	if (now > SF_COST_MAX)
		now = SF_COST_MAX;
	if (now > cost->left) {
		sf_cost_raise_own(cost, now, time);
		if (!cost->failed)
			cost->left = now;
	} else {
		if (now < cost->left / 2)
			cost->own = now;
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
