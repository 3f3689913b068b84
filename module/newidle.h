/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which newidle balance calls may run: brings the arithmetic of
 * <schedflip/newidle.h> together with a domain and its state.
 *
 * The decision is inline, since the hook that skips a call must cost little: no
 * function is called between its entry and its return.
 */
#ifndef SCHEDFLIP_NEWIDLE_POLICY_H
#define SCHEDFLIP_NEWIDLE_POLICY_H

#include <linux/sched/topology.h>

#include "resolve.h"
#include "state.h"

/* Set at load: the ratio in force is the kernel's, not the module's own. */
extern bool sf_kernel_learns;

/*
 * Set while NI_RANDOM is taken from the kernel and the user had it on: a domain
 * left at stock then gets its dice here. Read without a lock by every newidle
 * call; written by sf_newidle_throw_dice().
 */
extern bool sf_stock_dice;

/**
 * struct sf_newidle_call - a call that goes the long way
 * @ticket: as sf_newidle_begin() returns it
 * @weight: of the call, 0 .. 1024
 * @policy: of the domain, enum sf_newidle
 * @traced: the event newidle is enabled
 */
struct sf_newidle_call {
	u32 ticket;
	u32 weight;
	u8 policy;
	bool traced;
};

int sf_newidle_init(void);
void sf_newidle_throw_dice(bool on);
void sf_newidle_detour(struct sf_state *state, struct sched_domain *sd, int cpu,
		       struct sf_newidle_call *call);
void sf_newidle_periodic(struct sf_state *state, struct sched_domain *sd);
void sf_newidle_end(struct sf_state *state, struct sched_domain *sd, u32 ticket,
		    int pulled, u64 ticks);

/**
 * sf_newidle_learned - the learned ratio of successful newidle calls
 * @state: the domain's
 * @sd: inside its RCU section
 * @kernel_learns: the kernel's, which is read without a lock as the kernel
 *	does, or the module's own
 *
 * Return: 0 .. 1024, or more where the kernel does not cap it.
 */
static __always_inline u32 sf_newidle_learned(const struct sf_state *state,
					      const struct sched_domain *sd,
					      bool kernel_learns)
{
	const void *ratio = sd;

	if (!kernel_learns)
		return READ_ONCE(state->learner.ratio);
	ratio += sf_layout.sched_domain__newidle_ratio;
	return READ_ONCE(*(const u32 *)ratio);
}

/* A stock domain's dice are the kernel's, and the kernel knows of no pin. */
static __always_inline u32 sf_newidle_ratio(const struct sf_state *state,
					    const struct sched_domain *sd,
					    bool kernel_learns)
{
	if (state->pin != SF_RATIO_LEARNED && state->policy != SF_NEWIDLE_STOCK)
		return state->pin;
	return sf_newidle_learned(state, sd, kernel_learns);
}

static __always_inline enum sf_newidle sf_newidle_policy(
	const struct sf_state *state)
{
	if (state->policy == SF_NEWIDLE_STOCK && READ_ONCE(sf_stock_dice))
		return SF_NEWIDLE_DICE;
	return state->policy;
}

/*
 * What sf_newidle_begin() hands to sf_newidle_end(): the weight of the call, and
 * the flip whose counters it was counted in. Of no weight is only a skip.
 */
#define SF_SKIP 0u
#define SF_TICKET(weight, flips) ((weight) << 16 | (flips))
#define SF_TICKET_WEIGHT(ticket) ((ticket) >> 16)
#define SF_TICKET_FLIPS(ticket) ((u16)(ticket))

/**
 * sf_newidle_begin - count a newidle call and decide whether it may run
 * @state: the domain's
 * @sd: the domain
 * @kernel_learns: as sf_newidle_learned() takes it
 *
 * Under no runqueue lock, with interrupts off.
 *
 * Return: SF_SKIP, or a ticket for sf_newidle_end().
 */
static __always_inline u32 sf_newidle_begin(struct sf_state *state,
					    const struct sched_domain *sd,
					    bool kernel_learns)
{
	enum sf_newidle policy;
	u32 weight = SF_CELL, ticket = SF_SKIP;
	bool run = true;

	sf_state_lock(state);
	policy = sf_newidle_policy(state);
	if (policy != SF_NEWIDLE_STOCK) {
		weight = sf_newidle_weight(
			policy, sf_newidle_ratio(state, sd, kernel_learns));
		state->weight_sum += weight;
		run = sf_newidle_decide(policy, &state->window, weight);
	}
	state->calls++;
	if (run) {
		state->attempts++;
		ticket = SF_TICKET(weight, state->flips);
	}
	sf_state_unlock(state);
	return ticket;
}

#endif
