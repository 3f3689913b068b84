/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the tests of watch share: a machine of eight CPUs in two packages, looked at twice.
 */
#ifndef SCHEDFLIP_UNIT_GLANCES_H
#define SCHEDFLIP_UNIT_GLANCES_H

#include "utility.h"

#include "glance.h"

#define CPUS 8
#define LEVELS 3
#define DOMAINS (CPUS * LEVELS)

/* Of package and whole machine; threads have one each two CPUs. */
static const char *const sf_test_spans[LEVELS][4] = {
	{ "0-1", "2-3", "4-5", "6-7" },
	{ "0-3", "4-7" },
	{ "0-7" },
};

static const char *const sf_test_names[LEVELS] = { "SMT", "MC", "NUMA" };

static inline struct sf_domain stock_domain(u64 cpu, u64 index)
{
	return (struct sf_domain){
		.cpu = cpu,
		.domain = index,
		.name = sf_test_names[index],
		.level = index,
		.span = sf_test_spans[index][cpu / (2 << index)],
		.newidle = "stock",
		.start = "zero",
		.ratio = 512,
		.learned = 512,
		.slowpath = "stock",
		.burst = "stock",
		.cost = "stock",
		.cost_ns = 1500 * (index + 1),
	};
}

/* The domains of a glance; @domains stays the caller's. */
static inline void glance_at(struct sf_glance *glance, double seconds,
			     struct sf_domain *domains)
{
	size_t cpu, index;

	memset(glance, 0, sizeof(*glance));
	glance->present = true;
	glance->seconds = seconds;
	glance->wall = 1764590587 + (time_t)seconds;
	glance->load = 1;
	snprintf(glance->info.ni_random, sizeof(glance->info.ni_random), "on");
	for (cpu = 0; cpu < CPUS; cpu++)
		for (index = 0; index < LEVELS; index++)
			domains[cpu * LEVELS + index] =
				stock_domain(cpu, index);
	glance->state.domains = domains;
	glance->state.count = DOMAINS;
}

/* As if the domain had worked: half as many attempts as calls, of which a quarter pulled. */
static inline void work(struct sf_domain *domain, u64 calls)
{
	domain->calls += calls;
	domain->attempts += calls / 2;
	domain->skipped += calls - calls / 2;
	domain->pulled += calls / 8;
	domain->tasks += calls / 8;
	domain->newidle_ns += calls * 500;
	domain->picks += calls / 4;
	domain->stale += calls / 100;
	domain->wake_moved += calls / 200;
	domain->fork_moved += calls / 200;
}

static inline void add_select_hook(struct sf_glance *glance)
{
	struct sf_hook *hook = &glance->info.hooks[glance->info.hook_count++];

	snprintf(hook->hook, sizeof(hook->hook), "select");
	snprintf(hook->state, sizeof(hook->state), "patched");
}

#endif
