// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>

#include "clock.h"
#include "domain.h"
#include "newidle.h"
#include "runqueue.h"

/**
 * sf_domain_first - the smallest domain of a CPU
 * @cpu: a possible CPU
 *
 * Pairs with the rcu_assign_pointer() in the kernel's cpu_attach_domain().
 *
 * Return: the domain, valid in the caller's RCU section, or NULL.
 */
struct sched_domain *sf_domain_first(int cpu)
{
	struct sched_domain __rcu **sd = sf_rq(cpu) + sf_layout.rq__sd;

	return rcu_dereference(*sd);
}

/**
 * sf_domains_lock - keep the kernel from rebuilding the domains
 *
 * In a rebuild the CPUs have none for a while. Sleeps; inside it, cpus_read_lock()
 * must not be taken, as the kernel takes the two the other way round.
 */
void sf_domains_lock(void)
{
	mutex_lock(sf_variables.sched_domains_mutex);
}

/**
 * sf_domains_unlock
 */
void sf_domains_unlock(void)
{
	mutex_unlock(sf_variables.sched_domains_mutex);
}

/*
 * Calls @visit for each domain of an online CPU that has a state, while the kernel
 * rebuilds none. Inlined, so that @visit is called directly.
 */
static __always_inline void sf_domains_visit(
	void (*visit)(struct sf_state *state, struct sched_domain *sd,
		      void *data),
	void *data)
{
	struct sched_domain *sd;
	struct sf_state *state;
	int cpu, index;

	sf_domains_lock();
	rcu_read_lock();
	for_each_online_cpu(cpu) {
		sf_for_each_domain(cpu, index, sd) {
			state = sf_state(cpu, sd->level);
			if (state)
				visit(state, sd, data);
		}
	}
	rcu_read_unlock();
	sf_domains_unlock();
}

static void sf_visit_active(struct sf_state *state, struct sched_domain *sd,
			    void *active)
{
	*(bool *)active |= state->policy != SF_NEWIDLE_STOCK;
}

/**
 * sf_domains_active - does any domain run a policy of ours?
 *
 * The caller holds the control lock, so no policy changes meanwhile.
 */
bool sf_domains_active(void)
{
	bool active = false;

	sf_domains_visit(sf_visit_active, &active);
	return active;
}

static void sf_visit_give_back(struct sf_state *state, struct sched_domain *sd,
			       void *unused)
{
	unsigned long flags;

	local_irq_save(flags);
	sf_state_lock(state);
	sf_cost_give_back(&state->cost, sd);
	sf_state_unlock(state);
	local_irq_restore(flags);
}

/**
 * sf_domains_give_back - what we changed in the domains themselves is undone
 *
 * The policies stay; one that goes on deciding changes it again.
 */
void sf_domains_give_back(void)
{
	sf_domains_visit(sf_visit_give_back, NULL);
}

static void sf_visit_look(struct sf_state *state, struct sched_domain *sd,
			  void *unused)
{
	sf_burst_look(state, sd);
}

/**
 * sf_domains_look - begin the average depth of all domains
 */
void sf_domains_look(void)
{
	sf_domains_visit(sf_visit_look, NULL);
}

/**
 * sf_domain_count - number of domains a CPU has now
 * @cpu: a possible CPU
 */
int sf_domain_count(int cpu)
{
	struct sched_domain *sd;
	int index;

	rcu_read_lock();
	sf_for_each_domain(cpu, index, sd)
		;
	rcu_read_unlock();
	return index;
}

/**
 * sf_domain_name - SMT, MC, NUMA ...; "-" on kernels that keep no names
 * @sd: inside its RCU section
 */
const char *sf_domain_name(const struct sched_domain *sd)
{
	const char *name = NULL;

	if (sf_layout.sched_domain__name != SF_NO_MEMBER)
		name = *(char **)((void *)sd + sf_layout.sched_domain__name);
	return name ?: "-";
}

/**
 * sf_domain_place - a CPU's place in a domain
 * @sd: inside its RCU section; NULL gives the place that stands for none
 * @cpu: whose domain it is
 */
struct sf_place sf_domain_place(const struct sched_domain *sd, int cpu)
{
	struct sf_place place = {};

	if (sd) {
		place.rank = bitmap_weight(
			cpumask_bits(sched_domain_span((void *)sd)), cpu);
		place.weight = sd->span_weight;
	}
	return place;
}

/* The caller holds the state's lock. */
static void sf_report_counters(struct sf_report *report,
			       const struct sf_state *state)
{
	report->newidle = sf_newidle_names[state->policy].name;
	report->start = state->start == SF_START_SET ?
				"set" :
				sf_start_names[state->start].name;
	report->start_pos = state->start_pos;
	report->window_pos = state->window.pos;
	report->pinned = state->pin != SF_RATIO_LEARNED;
	report->ratio = report->pinned ? state->pin : report->learned;
	report->changes = state->changes;
	report->calls = state->calls;
	report->attempts = state->attempts;
	report->skipped = state->calls - state->attempts;
	report->pulled = state->pulled;
	report->tasks = state->tasks;
	report->weight_sum = state->weight_sum;
	report->newidle_ns = sf_ticks_to_ns(state->ticks);
	report->hits = state->calls + atomic64_read(&state->periodic);
}

static void sf_report_slowpath(struct sf_report *report,
			       const struct sf_slowpath_state *slowpath)
{
	report->slowpath = sf_slowpath_names[slowpath->policy].name;
	report->chosen = atomic64_read(&slowpath->chosen);
	report->picks = atomic64_read(&slowpath->picks);
	report->stale = atomic64_read(&slowpath->stale);
}

#define SF_REPORT_PLACEMENT(kind, id)                                    \
	do {                                                             \
		report->kind##_seen = atomic64_read(&counts[id].seen);   \
		report->kind##_over = atomic64_read(&counts[id].over);   \
		report->kind##_moved = atomic64_read(&counts[id].moved); \
		report->kind##_idle = atomic64_read(&counts[id].idle);   \
	} while (0)
static void sf_report_burst(struct sf_report *report,
			    const struct sf_burst_state *burst)
{
	const struct sf_burst_counts *counts = burst->counts;

	report->burst = sf_burst_names[burst->policy].name;
	report->burst_depth = burst->min_depth;
	report->burst_factor = burst->factor;
	report->burst_nohz = burst->nohz;
	report->avg_depth_milli =
		sf_depth_average(&burst->depth) * 1000ULL / SF_DEPTH_ONE;
	SF_REPORT_PLACEMENT(wake, SF_WAKE);
	SF_REPORT_PLACEMENT(fork, SF_FORK);
	SF_REPORT_PLACEMENT(exec, SF_EXEC);
}

static void sf_report_cost(struct sf_report *report, struct sf_cost_state *cost,
			   struct sched_domain *sd)
{
	/* If it has not begun, then because nothing of ours decides. */
	if (cost->begun)
		sf_cost_refresh(cost, sd);
	report->cost = sf_cost_names[cost->policy].name;
	report->cost_ns = READ_ONCE(sd->max_newidle_lb_cost);
	report->own_cost_ns = sf_cost_own(cost, sd);
	report->bumps = cost->bumps;
}

static void sf_report_sync(struct sf_report *report, struct sf_sync meter)
{
	report->sync_pairs = meter.pairs;
	report->sync_expected_milli = sf_sync_expected_milli(&meter);
}

/**
 * sf_domain_report - read one domain at one moment
 * @cpu: whose domain it is
 * @index: its number
 * @sd: inside its RCU section
 * @report: to fill
 *
 * Return: false for a domain of a level beyond those we keep.
 */
bool sf_domain_report(int cpu, int index, struct sched_domain *sd,
		      struct sf_report *report)
{
	struct sf_state *state = sf_state(cpu, sd->level);
	unsigned long flags;

	if (!state)
		return false;
	report->cpu = cpu;
	report->domain = index;
	report->name = sf_domain_name(sd);
	report->level = sd->level;
	report->span = NULL;
	report->cpus = sched_domain_span(sd);
	local_irq_save(flags);
	sf_state_lock(state);
	if (state->detour & SF_DETOUR_START)
		sf_state_begin(state, sf_domain_place(sd, cpu));
	report->learned =
		min(sf_newidle_learned(state, sd, sf_kernel_learns), SF_CELL);
	sf_report_counters(report, state);
	sf_report_slowpath(report, &state->slowpath);
	sf_report_burst(report, &state->burst);
	sf_report_cost(report, &state->cost, sd);
	report->sync = !!(state->detour & SF_DETOUR_SYNC);
	sf_state_unlock(state);
	/* Of all CPUs of the span, and so under another lock. */
	sf_report_sync(report, sf_sync_read(sd));
	local_irq_restore(flags);
	return true;
}

#define SF_PRINT_WORD(field)                                                  \
	do {                                                                  \
		if (report->field)                                            \
			seq_printf(m, "%s" #field "=%s", gap, report->field); \
		else                                                          \
			seq_printf(m, "%s" #field "=%*pbl", gap,              \
				   cpumask_pr_args(report->cpus));            \
		gap[0] = separator;                                           \
	} while (0);
#define SF_PRINT_NUMBER(field)                                          \
	do {                                                            \
		seq_printf(m, "%s" #field "=%llu", gap, report->field); \
		gap[0] = separator;                                     \
	} while (0);

/**
 * sf_report_print - print a report as `key=value`
 * @m: file
 * @report: from sf_domain_report(), in the same RCU section
 * @separator: between two fields
 */
void sf_report_print(struct seq_file *m, const struct sf_report *report,
		     char separator)
{
	char gap[2] = "";

	SF_STATE_FIELDS(SF_PRINT_WORD, SF_PRINT_NUMBER)
	seq_putc(m, '\n');
}
