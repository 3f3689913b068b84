// SPDX-License-Identifier: GPL-2.0-or-later
#define pr_fmt(fmt) "schedflip: " fmt

#include <linux/moduleparam.h>
#include <linux/sched/clock.h>

#include "clock.h"
#include "domain.h"
#include "newidle.h"
#include "pass.h"

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
bool sf_kernel_learns __read_mostly;
bool sf_stock_dice __read_mostly;

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
 * sf_newidle_throw_dice - throw the kernel's dice for stock domains, or stop
 * @on: true while NI_RANDOM is held and the user wants it
 */
void sf_newidle_throw_dice(bool on)
{
	WRITE_ONCE(sf_stock_dice, on);
}

/* The caller holds the state's lock. */
static void sf_newidle_learn(struct sf_state *state, u32 credit)
{
	struct sf_learner *learner = &state->learner;
	u64 now = sf_learner_is_due(learner) ? local_clock() : 0;

	sf_learn(learner, credit, now, READ_ONCE(sf_ni_rate));
}

/*
 * The weight of the call that was just decided. Only the domain's own CPU, flips apart,
 * adds to the weights.
 */
static u32 sf_newidle_weighed(const struct sf_state *state, u64 before,
			      u32 ticket)
{
	u64 weight = READ_ONCE(state->weight_sum) - before;

	if (ticket != SF_SKIP)
		return SF_TICKET_WEIGHT(ticket);
	return min_t(u64, weight, SF_CELL);
}

/* In 1024, how likely a call was to attempt: the dice are one too generous. */
static u32 sf_newidle_odds(const struct sf_state *state, u32 weight)
{
	if (sf_newidle_policy(state) == SF_NEWIDLE_DICE)
		weight++;
	return min(weight, SF_CELL);
}

/**
 * sf_newidle_detour - the long way of sf_newidle_begin()
 * @state: the domain's
 * @sd: the domain
 * @cpu: the CPU that is balanced
 * @call: set to what was decided
 *
 * Starts the window of a domain that came after its flip, tells the module's own
 * learner of a skip, and the synchrony meter of the call.
 */
void sf_newidle_detour(struct sf_state *state, struct sched_domain *sd, int cpu,
		       struct sf_newidle_call *call)
{
	u64 before;
	bool sync;

	sf_state_lock(state);
	if (state->detour & SF_DETOUR_START)
		sf_state_begin(state, sf_domain_place(sd, cpu));
	before = state->weight_sum;
	sync = state->detour & SF_DETOUR_SYNC;
	call->traced = state->detour & SF_DETOUR_TRACE;
	call->policy = state->policy;
	sf_state_unlock(state);

	call->ticket = sf_newidle_begin(state, sd, sf_kernel_learns);
	call->weight = sf_newidle_weighed(state, before, call->ticket);
	if (sync)
		sf_sync_note(state, sd, sf_newidle_odds(state, call->weight),
			     call->ticket != SF_SKIP);
	if (call->ticket != SF_SKIP || sf_kernel_learns)
		return;

	sf_state_lock(state);
	sf_newidle_learn(state, 0);
	sf_state_unlock(state);
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
 * @state: the domain's
 * @sd: the domain
 * @ticket: from sf_newidle_begin()
 * @pulled: tasks that the kernel's balance brought
 * @ticks: how long it took
 *
 * A flip may have come in between; then what it brought belongs to no counter.
 */
void sf_newidle_end(struct sf_state *state, struct sched_domain *sd, u32 ticket,
		    int pulled, u64 ticks)
{
	u32 credit = pulled ? sf_newidle_credit(SF_TICKET_WEIGHT(ticket)) : 0;
	bool counted;

	if (credit > 1 && sf_kernel_has_ratio)
		sf_newidle_give_credit(sd, credit);

	sf_state_lock(state);
	if (!sf_kernel_learns)
		sf_newidle_learn(state, credit);
	counted = SF_TICKET_FLIPS(ticket) == state->flips;
	if (counted) {
		state->ticks += ticks;
		state->pulled += pulled > 0;
		state->tasks += pulled;
	}
	/* Inside the lock, or the cost could change after it was given back. */
	if (state->cost.policy != SF_COST_STOCK && !sf_pass_any() &&
	    sf_cost_attempt(&state->cost, sd, pulled <= 0,
			    sf_ticks_to_ns(ticks)))
		state->cost.bumps += counted;
	sf_state_unlock(state);
}

/**
 * sf_newidle_periodic - a domain under bump is balanced, but not by a newidle call
 * @state: the domain's
 * @sd: the domain
 *
 * By the cost that the kernel left behind after the last attempt there may be no next
 * one for long.
 */
void sf_newidle_periodic(struct sf_state *state, struct sched_domain *sd)
{
	unsigned long flags;

	local_irq_save(flags);
	sf_state_lock(state);
	if (state->cost.begun && !sf_pass_any())
		sf_cost_refresh(&state->cost, sd);
	sf_state_unlock(state);
	local_irq_restore(flags);
}
