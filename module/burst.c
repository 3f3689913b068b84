// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * After the kernel has chosen a CPU for a task, the domains of that CPU are asked,
 * smallest first, whether the task is to go elsewhere; the first that has a policy and
 * knows a better CPU decides. So with nearest on all domains a burst fills what is
 * near before it goes on.
 *
 * Runs under the task's pi_lock with interrupts off.
 */
#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/sched/topology.h>

#include <schedflip/compat.h>

#include "burst.h"
#include "domain.h"
#include "events.h"
#include "runqueue.h"

/* No more CPUs are compared when none is idle. */
#define SF_SHALLOW_SAMPLE 16

/* A CPU of the domain that is going offline is still in its span for a while. */
#define SF_SPREAD_TRIES 4

/**
 * struct sf_sent - tasks given to a CPU because it was the shallowest
 * @tick: in this jiffy
 * @tasks: so many
 *
 * A task that is woken on a CPU far away is in a list of its own until that CPU takes
 * an interrupt, and in no depth: a whole burst would see the same shallow CPU. So what was
 * given in this jiffy is added. Several CPUs may write at once and one be lost.
 */
struct sf_sent {
	u32 tick;
	u32 tasks;
};

static DEFINE_PER_CPU(struct sf_sent, sf_sent);

bool sf_burst_on __read_mostly;

/**
 * sf_burst_init - a domain at stock
 * @burst: to set
 */
void sf_burst_init(struct sf_burst_state *burst)
{
	burst->min_depth = SF_BURST_DEPTH;
	burst->factor = SF_BURST_FACTOR;
}

/**
 * sf_burst_restart - set a domain's counters to zero
 * @burst: of the domain; its average goes on
 */
void sf_burst_restart(struct sf_burst_state *burst)
{
	int kind;

	for (kind = 0; kind < SF_NR_PLACEMENTS; kind++) {
		atomic64_set(&burst->counts[kind].seen, 0);
		atomic64_set(&burst->counts[kind].over, 0);
		atomic64_set(&burst->counts[kind].moved, 0);
		atomic64_set(&burst->counts[kind].idle, 0);
	}
}

/**
 * sf_burst_enable - look at placements, or do not
 * @on: some domain has a policy
 */
void sf_burst_enable(bool on)
{
	WRITE_ONCE(sf_burst_on, on);
}

/* Return: on how many CPUs it saw @tasks; 0 if none. */
static u32 sf_burst_sample(struct sf_burst_state *burst,
			   struct sched_domain *sd, u32 *tasks)
{
	u32 cpus = 0;
	int cpu;

	*tasks = 0;
	for_each_cpu_wrap(cpu, sched_domain_span(sd), READ_ONCE(burst->next)) {
		*tasks += sf_rq_depth(cpu);
		if (++cpus == SF_DEPTH_SAMPLE)
			break;
	}
	WRITE_ONCE(burst->next, cpus == SF_DEPTH_SAMPLE ? cpu + 1 : 0);
	return cpus;
}

/**
 * sf_burst_pass - a periodic balance of a domain: see how deep its CPUs are
 * @state: the domain's
 * @sd: the domain
 *
 * Two CPUs may do it for one domain at once when one balances for the other; then the
 * sample of one of them is lost. Pairs with the READ_ONCE of those who compare.
 */
void sf_burst_pass(struct sf_state *state, struct sched_domain *sd)
{
	struct sf_burst_state *burst = &state->burst;
	u32 tasks, cpus = sf_burst_sample(burst, sd, &tasks);

	if (cpus)
		WRITE_ONCE(burst->depth.sum,
			   sf_depth_next(&burst->depth, tasks, cpus));
}

/**
 * sf_burst_look - begin the average of a domain with what is there now
 * @state: the domain's
 * @sd: the domain
 */
void sf_burst_look(struct sf_state *state, struct sched_domain *sd)
{
	struct sf_burst_state *burst = &state->burst;
	u32 tasks, cpus = sf_burst_sample(burst, sd, &tasks);

	if (cpus)
		WRITE_ONCE(burst->depth.sum, sf_depth_first(tasks, cpus));
}

static bool sf_may_run(const struct task_struct *p, int cpu)
{
	return cpumask_test_cpu(cpu, p->cpus_ptr) && cpu_active(cpu);
}

/**
 * struct sf_placing - a placement that is being looked at
 * @p: the task
 * @cpu: what the kernel chose
 * @depth: of @cpu
 * @kind: why the task is placed
 * @searched: these CPUs have no idle one for it; NULL if none were searched
 * @searched_for: by this policy
 */
struct sf_placing {
	const struct task_struct *p;
	int cpu;
	u32 depth;
	enum sf_placement kind;
	const struct cpumask *searched;
	enum sf_burst_policy searched_for;
};

/*
 * The next idle CPU after the one chosen, wrapping; that one if there is none. The
 * smaller domain, of which the same was asked, is left out, so that a placement looks
 * at each CPU once.
 */
static int sf_next_idle(struct sf_placing *placing, struct sched_domain *sd,
			enum sf_burst_policy policy, bool nohz)
{
	const struct cpumask *known = placing->searched;
	int other;

	if (placing->searched_for != policy)
		known = NULL;
	for_each_cpu_wrap(other, sched_domain_span(sd), placing->cpu + 1) {
		if (known && cpumask_test_cpu(other, known))
			continue;
		if (sf_rq_is_idle(other) && sf_may_run(placing->p, other) &&
		    (!nohz || sf_rq_tick_is_stopped(other)))
			return other;
	}
	placing->searched = sched_domain_span(sd);
	placing->searched_for = policy;
	return placing->cpu;
}

static u32 sf_sent_to(int cpu)
{
	const struct sf_sent *sent = per_cpu_ptr(&sf_sent, cpu);

	return READ_ONCE(sent->tick) == (u32)jiffies ? READ_ONCE(sent->tasks) :
						       0;
}

static void sf_send_to(int cpu)
{
	struct sf_sent *sent = per_cpu_ptr(&sf_sent, cpu);
	u32 tasks = sf_sent_to(cpu);

	WRITE_ONCE(sent->tasks, tasks + 1);
	WRITE_ONCE(sent->tick, jiffies);
}

/* The shallowest of the next CPUs, if it is shallower than the one chosen. */
static int sf_shallowest(const struct sf_placing *placing,
			 struct sched_domain *sd)
{
	int other, best = placing->cpu, seen = 0;
	u32 its, depth = placing->depth;

	for_each_cpu_wrap(other, sched_domain_span(sd), placing->cpu + 1) {
		if (!sf_may_run(placing->p, other))
			continue;
		its = sf_rq_depth(other) + sf_sent_to(other);
		if (its < depth) {
			best = other;
			depth = its;
		}
		if (++seen == SF_SHALLOW_SAMPLE)
			break;
	}
	if (best != placing->cpu)
		sf_send_to(best);
	return best;
}

/*
 * Make the next periodic balance of a CPU's domain due at once. No lock, as
 * none is taken by those in the kernel who shorten the interval.
 */
static void sf_balance_soon(int cpu, int level)
{
	unsigned long interval;
	struct sched_domain *sd;
	int index;

	sf_for_each_domain(cpu, index, sd) {
		if (sd->level != level)
			continue;
		WRITE_ONCE(sd->balance_interval, sd->min_interval);
		interval = msecs_to_jiffies(sd->min_interval);
		/* Not more often than the shortest period, however long a burst. */
		if (time_before(jiffies,
				READ_ONCE(sd->last_balance) + interval))
			return;
		/* A busy CPU waits busy_factor times as long. */
		WRITE_ONCE(sd->last_balance,
			   jiffies - interval * (sd->busy_factor + 1));
		sf_rq_balance_now(cpu);
	}
}

static int sf_spread(const struct sf_placing *placing, struct sched_domain *sd)
{
	int tries, other;

	for (tries = 0; tries < SF_SPREAD_TRIES; tries++) {
		other = cpumask_any_and_distribute(sched_domain_span(sd),
						   placing->p->cpus_ptr);
		if (other >= nr_cpu_ids || !cpu_active(other))
			continue;
		sf_balance_soon(placing->cpu, sd->level);
		sf_balance_soon(other, sd->level);
		return other;
	}
	return placing->cpu;
}

static noinline void sf_burst_trace(const struct sf_placing *placing,
				    const struct sched_domain *sd,
				    enum sf_burst_policy policy, u32 average,
				    int to, bool idle)
{
	struct sf_burst_event event = {
		.cpu = placing->cpu,
		.level = sd->level,
		.policy = policy,
		.kind = placing->kind,
		.depth = placing->depth,
		.average_milli = average * 1000ULL / SF_DEPTH_ONE,
		.to = to,
		.idle = idle,
	};

	trace_burst(&event, placing->p);
}

/* Another CPU for the task, or the one chosen. */
static int sf_burst_decide(const struct sf_burst_state *burst,
			   enum sf_burst_policy policy,
			   struct sf_placing *placing, struct sched_domain *sd)
{
	int other;

	switch (policy) {
	case SF_BURST_IDLE:
		return sf_next_idle(placing, sd, policy,
				    READ_ONCE(burst->nohz));
	case SF_BURST_SPREAD:
		return sf_spread(placing, sd);
	case SF_BURST_NEAREST:
		other = sf_next_idle(placing, sd, policy, false);
		return other != placing->cpu ? other :
					       sf_shallowest(placing, sd);
	default:
		return placing->cpu;
	}
}

static int sf_burst_ask(struct sf_burst_state *burst,
			struct sf_placing *placing, struct sched_domain *sd)
{
	struct sf_burst_counts *counts = &burst->counts[placing->kind];
	enum sf_burst_policy policy = READ_ONCE(burst->policy);
	struct sf_depth average = { READ_ONCE(burst->depth.sum) };
	bool idle;
	int other;

	if (policy == SF_BURST_STOCK)
		return placing->cpu;
	atomic64_inc(&counts->seen);
	if (!sf_burst_is_over(
		    policy, placing->depth, READ_ONCE(burst->min_depth),
		    READ_ONCE(burst->factor), sf_depth_average(&average)))
		return placing->cpu;
	atomic64_inc(&counts->over);
	other = sf_burst_decide(burst, policy, placing, sd);
	idle = other != placing->cpu && sf_rq_is_idle(other);
	if (trace_burst_enabled())
		sf_burst_trace(placing, sd, policy, sf_depth_average(&average),
			       other, idle);
	if (other == placing->cpu)
		return other;
	atomic64_inc(&counts->moved);
	if (idle)
		atomic64_inc(&counts->idle);
	return other;
}

/*
 * The user, or the kernel itself, wants it just where it is; and with core scheduling
 * only the kernel knows which CPUs suit it.
 */
static bool sf_must_stay(const struct task_struct *p, int wake_flags)
{
	return p->nr_cpus_allowed == 1 || p->migration_disabled ||
	       (wake_flags & SF_WF_CURRENT_CPU) || sf_core_scheduling();
}

static enum sf_placement sf_placement(int wake_flags)
{
	if (wake_flags & SF_WF_FORK)
		return SF_FORK;
	return wake_flags & SF_WF_EXEC ? SF_EXEC : SF_WAKE;
}

/* A task that execs is itself among those at its CPU. */
static u32 sf_depth_without(const struct task_struct *p, int cpu,
			    enum sf_placement kind)
{
	u32 depth = sf_rq_depth(cpu);

	return kind == SF_EXEC && depth && task_cpu(p) == cpu ? depth - 1 :
								depth;
}

/**
 * sf_burst_place - the kernel chose a CPU for a task: leave it, or take another
 * @p: the task
 * @cpu: what the kernel chose
 * @wake_flags: why the task is placed
 *
 * Return: an active CPU that the task may run on, or @cpu.
 */
int sf_burst_place(struct task_struct *p, int cpu, int wake_flags)
{
	struct sf_placing placing = { .p = p, .cpu = cpu };
	struct sched_domain *sd;
	struct sf_state *state;
	int index, other = cpu;

	if (sf_must_stay(p, wake_flags))
		return cpu;
	placing.kind = sf_placement(wake_flags);
	placing.depth = sf_depth_without(p, cpu, placing.kind);
	rcu_read_lock();
	sf_for_each_domain(cpu, index, sd) {
		state = sf_state(cpu, sd->level);
		if (state)
			other = sf_burst_ask(&state->burst, &placing, sd);
		if (other != cpu)
			break;
	}
	rcu_read_unlock();
	return other;
}
