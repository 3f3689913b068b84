/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's sched domains, walked under RCU and never kept.
 */
#ifndef SCHEDFLIP_DOMAIN_H
#define SCHEDFLIP_DOMAIN_H

#include <linux/sched/topology.h>
#include <linux/seq_file.h>

#include <schedflip/abi.h>

#include "state.h"

struct sched_domain *sf_domain_first(int cpu);

/*
 * All domains of a CPU, smallest first, numbered as in the kernel's own
 * sched/domains tree. Inside rcu_read_lock(): a rebuild frees them after a grace
 * period. Isolated and offline CPUs have none.
 */
#define sf_for_each_domain(cpu, index, sd)                   \
	for ((index) = 0, (sd) = sf_domain_first(cpu); (sd); \
	     (sd) = rcu_dereference((sd)->parent), (index)++)

#define SF_REPORT_WORD(field) const char *field;
#define SF_REPORT_NUMBER(field) u64 field;
/**
 * struct sf_report - one line of `state`, all of one moment
 *
 * The words point into the domain, so it lives as long as the RCU section.
 */
struct sf_report {
	SF_STATE_FIELDS(SF_REPORT_WORD, SF_REPORT_NUMBER)
	const struct cpumask *cpus;
};

void sf_domains_lock(void);
void sf_domains_unlock(void);
bool sf_domains_active(void);
void sf_domains_give_back(void);
void sf_domains_look(void);
int sf_domain_count(int cpu);
const char *sf_domain_name(const struct sched_domain *sd);
struct sf_place sf_domain_place(const struct sched_domain *sd, int cpu);
bool sf_domain_report(int cpu, int index, struct sched_domain *sd,
		      struct sf_report *report);
void sf_report_print(struct seq_file *m, const struct sf_report *report,
		     char separator);

#endif
