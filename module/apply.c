// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which domains a command names, and changing their states.
 */
#include <linux/kernel.h>
#include <linux/sched.h>

#include "apply.h"
#include "domain.h"
#include "hooks.h"
#include "resolve.h"

static bool sf_domain_matches(const struct sf_command *command,
			      struct sched_domain *sd, int index)
{
	int number;

	if (!command->domain)
		return true;
	if (!kstrtoint(command->domain, 10, &number))
		return number == index;
	return !strcmp(sf_domain_name(sd), command->domain);
}

static int sf_count_matches(const struct sf_command *command)
{
	struct sched_domain *sd;
	int cpu, index, count = 0;

	rcu_read_lock();
	for_each_cpu(cpu, command->cpus)
		sf_for_each_domain(cpu, index, sd)
			count += sf_domain_matches(command, sd, index) &&
				 sf_state(cpu, sd->level);
	rcu_read_unlock();
	return count;
}

/* The domains of a CPU by their levels, NULL where it has none. */
static void sf_find_levels(int cpu, struct sched_domain **domains)
{
	struct sched_domain *sd;
	int index;

	memset(domains, 0, SF_MAX_LEVELS * sizeof(*domains));
	sf_for_each_domain(cpu, index, sd)
		if (sf_state(cpu, sd->level))
			domains[sd->level] = sd;
}

/* Without a domain named, the command holds for those to come as well. */
static void sf_change_all_levels(const struct sf_change *change, int cpu)
{
	struct sched_domain *domains[SF_MAX_LEVELS];
	int level;

	sf_find_levels(cpu, domains);
	for (level = 0; level < SF_MAX_LEVELS; level++)
		sf_state_change(sf_state(cpu, level), change,
				sf_domain_place(domains[level], cpu),
				domains[level]);
}

static void sf_change_matching(const struct sf_command *command, int cpu)
{
	struct sched_domain *sd;
	struct sf_state *state;
	int index;

	sf_for_each_domain(cpu, index, sd) {
		state = sf_state(cpu, sd->level);
		if (state && sf_domain_matches(command, sd, index))
			sf_state_change(state, &command->change,
					sf_domain_place(sd, cpu), sd);
	}
}

static void sf_change_cpus(const struct sf_command *command)
{
	int cpu;

	for_each_cpu(cpu, command->cpus) {
		rcu_read_lock();
		if (command->domain)
			sf_change_matching(command, cpu);
		else
			sf_change_all_levels(&command->change, cpu);
		rcu_read_unlock();
		cond_resched();
	}
}

static int sf_refuse_no_match(struct sf_command *command)
{
	char known[96] = "";
	size_t len = 0;
	struct sched_domain *sd;
	int cpu, index;

	rcu_read_lock();
	for_each_online_cpu(cpu) {
		sf_for_each_domain(cpu, index, sd) {
			const char *name = sf_domain_name(sd);

			if (!strstr(known, name))
				len += scnprintf(known + len,
						 sizeof(known) - len, " %s",
						 name);
		}
	}
	rcu_read_unlock();
	if (command->domain)
		return sf_command_refuse(
			command, -ENOENT,
			"no domain \"%.32s\" on CPUs %*pbl; known:%s, or its number",
			command->domain, cpumask_pr_args(command->cpus), known);
	return sf_command_refuse(command, -ENOENT,
				 "CPUs %*pbl have no sched domain now",
				 cpumask_pr_args(command->cpus));
}

static bool sf_needs_select(const struct sf_change *change)
{
	return change->slowpath > SF_SLOWPATH_STOCK ||
	       change->burst > SF_BURST_STOCK;
}

/* What the kernel, or the way we were loaded, does not allow. */
static int sf_check_able(struct sf_command *command)
{
	if (sf_needs_select(&command->change) &&
	    !sf_hook(SF_HOOK_SELECT)->wanted)
		return sf_command_refuse(
			command, -EOPNOTSUPP,
			"slowpath and burst need the hook group select; unload, and load with hooks=all");
	if (command->change.burst_nohz > 0 && !sf_can_tell_tick())
		return sf_command_refuse(
			command, -EOPNOTSUPP,
			"burst_nohz=on takes CONFIG_NO_HZ_COMMON, which this kernel does not have");
	return 0;
}

/**
 * sf_apply - carry a command out on the states it names
 * @command: parsed
 *
 * Count and change see the same domains. The caller holds the control lock.
 *
 * Return: 0, or -ENOENT or -EOPNOTSUPP with the command's error set and nothing
 * changed.
 */
int sf_apply(struct sf_command *command)
{
	int err = sf_check_able(command);

	if (err)
		return err;
	sf_domains_lock();
	if ((command->cpus_given || command->domain) &&
	    !sf_count_matches(command))
		err = sf_refuse_no_match(command);
	else
		sf_change_cpus(command);
	sf_domains_unlock();
	return err;
}

/**
 * sf_apply_stock - set all states to stock
 *
 * The caller holds the control lock.
 */
void sf_apply_stock(void)
{
	const struct sf_change stock = SF_ALL_STOCK;
	int cpu;

	sf_domains_lock();
	for_each_possible_cpu(cpu) {
		rcu_read_lock();
		sf_change_all_levels(&stock, cpu);
		rcu_read_unlock();
		cond_resched();
	}
	sf_domains_unlock();
}

/**
 * sf_capture_all - what would make all states what they are now
 * @saved: SF_MAX_LEVELS for each possible CPU
 */
void sf_capture_all(struct sf_change *saved)
{
	int cpu, level;

	for_each_possible_cpu(cpu)
		for (level = 0; level < SF_MAX_LEVELS; level++)
			saved[cpu * SF_MAX_LEVELS + level] =
				sf_state_capture(sf_state(cpu, level));
}

static void sf_restore_levels(const struct sf_change *saved, int cpu)
{
	struct sched_domain *domains[SF_MAX_LEVELS];
	struct sf_change now;
	int level;

	sf_find_levels(cpu, domains);
	for (level = 0; level < SF_MAX_LEVELS; level++) {
		now = sf_state_capture(sf_state(cpu, level));
		if (memcmp(&now, &saved[level], sizeof(now)))
			sf_state_change(sf_state(cpu, level), &saved[level],
					sf_domain_place(domains[level], cpu),
					domains[level]);
	}
}

/**
 * sf_restore_all - make all states what they were
 * @saved: from sf_capture_all()
 *
 * The caller holds the control lock.
 */
void sf_restore_all(const struct sf_change *saved)
{
	int cpu;

	sf_domains_lock();
	for_each_possible_cpu(cpu) {
		rcu_read_lock();
		sf_restore_levels(saved + cpu * SF_MAX_LEVELS, cpu);
		rcu_read_unlock();
		cond_resched();
	}
	sf_domains_unlock();
}
