// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which newidle balance calls may run: brings the arithmetic of
 * <schedflip/newidle.h> together with a domain and its state.
 */
#define pr_fmt(fmt) "schedflip: " fmt

#include <linux/moduleparam.h>
#include <linux/sched/clock.h>

#include "domain.h"
#include "newidle.h"
#include "resolve.h"

static char *sf_param_learner = "auto";
module_param_named(learner, sf_param_learner, charp, 0444);
MODULE_PARM_DESC(
	learner,
	"who learns the ratio: auto (the kernel where it does), module");

static bool sf_ni_rate;
module_param_named(ni_rate, sf_ni_rate, bool, 0644);
MODULE_PARM_DESC(ni_rate,
		 "add the kernel's NI_RATE term to the module's own ratio");

static bool sf_kernel_has_ratio __read_mostly;
static bool sf_kernel_learns __read_mostly;

/*
 * Set while NI_RANDOM is taken from the kernel and the user had it on: a domain
 * left at stock then gets its dice here. Read without a lock by every newidle
 * call; written by sf_newidle_throw_dice().
 */
static bool sf_stock_dice __read_mostly;

/**
 * sf_newidle_init - decide who learns the ratio
 *
 * Return: 0, or -EINVAL for a bad module parameter.
 */
int sf_newidle_init(void)
{
	sf_kernel_has_ratio =
		sf_layout.sched_domain__newidle_ratio != SF_NO_MEMBER &&
		sf_layout.sched_domain__newidle_success != SF_NO_MEMBER;
	if (!strcmp(sf_param_learner, "auto")) {
		sf_kernel_learns = sf_kernel_has_ratio;
		return 0;
	}
	if (!strcmp(sf_param_learner, "module"))
		return 0;
	pr_err("not loaded: learner=%s; known: auto module\n",
	       sf_param_learner);
	return -EINVAL;
}

/**
 * sf_newidle_kernel_learns - is the ratio in force the kernel's?
 */
bool sf_newidle_kernel_learns(void)
{
	return sf_kernel_learns;
}

/**
 * sf_newidle_throw_dice - throw the kernel's dice for stock domains, or stop
 * @on: true while NI_RANDOM is held and the user wants it
 */
void sf_newidle_throw_dice(bool on)
{
	WRITE_ONCE(sf_stock_dice, on);
}

static enum sf_newidle sf_newidle_policy(const struct sf_state *state)
{
	if (state->policy == SF_NEWIDLE_STOCK && READ_ONCE(sf_stock_dice))
		return SF_NEWIDLE_DICE;
	return state->policy;
}

/* A stock domain's dice are the kernel's, and the kernel knows of no pin. */
static u32 sf_newidle_ratio(const struct sf_state *state,
			    const struct sched_domain *sd)
{
	if (state->policy != SF_NEWIDLE_STOCK && state->pin != SF_RATIO_LEARNED)
		return state->pin;
	return sf_domain_learned(sd, state);
}

static void sf_newidle_learn(struct sf_state *state, u32 credit)
{
	struct sf_learner *learner = &state->learner;
	u64 now = sf_learner_is_due(learner) ? local_clock() : 0;

	sf_learn(learner, credit, now, READ_ONCE(sf_ni_rate));
}

/* Count the call and decide on it. The caller holds the state's lock. */
static bool sf_newidle_count(struct sf_state *state, struct sched_domain *sd,
			     u32 *weight)
{
	enum sf_newidle policy = sf_newidle_policy(state);
	bool run = true;

	*weight = SF_CELL;
	if (policy != SF_NEWIDLE_STOCK) {
		*weight =
			sf_newidle_weight(policy, sf_newidle_ratio(state, sd));
		state->weight_sum += *weight;
		run = sf_newidle_decide(policy, &state->window, *weight);
	}
	state->calls++;
	state->attempts += run;
	if (!run && !sf_kernel_learns)
		sf_newidle_learn(state, 0);
	return run;
}

/**
 * sf_newidle_begin - may this newidle call of a domain run?
 * @attempt: to fill, for sf_newidle_end()
 * @sd: the domain
 * @cpu: the CPU that is balanced
 *
 * Under no runqueue lock, with interrupts off.
 *
 * Return: false to skip.
 */
bool sf_newidle_begin(struct sf_attempt *attempt, struct sched_domain *sd,
		      int cpu)
{
	struct sf_state *state = attempt->state;
	unsigned long flags;
	bool run;

	raw_spin_lock_irqsave(&state->lock, flags);
	if (unlikely(state->pending))
		sf_state_begin(state, sf_domain_place(sd, cpu));
	run = sf_newidle_count(state, sd, &attempt->weight);
	attempt->flip = state->flips;
	raw_spin_unlock_irqrestore(&state->lock, flags);

	if (run)
		attempt->begin = local_clock();
	return run;
}

/*
 * With NI_RANDOM off the kernel counts a success as one. It stands for the calls
 * skipped before it too, so the rest is added here, where the kernel would have
 * added the whole (update_newidle_stats() in kernel/sched/fair.c). No lock, as
 * there: only newidle calls of the domain's own CPU come here.
 */
static void sf_newidle_give_credit(struct sched_domain *sd, u32 credit)
{
	u32 *success = (void *)sd + sf_layout.sched_domain__newidle_success;

	WRITE_ONCE(*success, *success + credit - 1);
}

/**
 * sf_newidle_end - account for a newidle call that ran
 * @attempt: from sf_newidle_begin()
 * @sd: the domain
 * @pulled: tasks that the kernel's balance brought
 *
 * Return: the time it took, ns.
 */
u64 sf_newidle_end(const struct sf_attempt *attempt, struct sched_domain *sd,
		   int pulled)
{
	struct sf_state *state = attempt->state;
	u32 credit = pulled ? sf_newidle_credit(attempt->weight) : 0;
	u64 took = local_clock() - attempt->begin;
	unsigned long flags;

	if (credit > 1 && sf_kernel_has_ratio)
		sf_newidle_give_credit(sd, credit);

	raw_spin_lock_irqsave(&state->lock, flags);
	if (!sf_kernel_learns)
		sf_newidle_learn(state, credit);
	if (attempt->flip == state->flips) {
		state->newidle_ns += took;
		state->pulled += pulled > 0;
		state->tasks += pulled;
	}
	raw_spin_unlock_irqrestore(&state->lock, flags);
	return took;
}
