// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/percpu.h>
#include <linux/sched/clock.h>

#include "state.h"

/* SF_MAX_LEVELS states for each CPU. */
struct sf_state __percpu *sf_states;

/**
 * sf_states_alloc - states of all possible CPUs, at stock
 * @learn: their ratios are to be learned here and not by the kernel
 *
 * Return: 0 or -ENOMEM.
 */
int sf_states_alloc(bool learn)
{
	u64 now = local_clock();
	int cpu, level;

	sf_states = __alloc_percpu(SF_MAX_LEVELS * sizeof(struct sf_state),
				   __alignof__(struct sf_state));
	if (!sf_states)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		for (level = 0; level < SF_MAX_LEVELS; level++) {
			struct sf_state *state = sf_state(cpu, level);

			state->pin = SF_RATIO_LEARNED;
			state->detour = learn ? SF_DETOUR_LEARN : 0;
			sf_burst_init(&state->burst);
			raw_spin_lock_init(&state->sync.lock);
			sf_learner_init(&state->learner, now);
		}
	}
	return 0;
}

/**
 * sf_states_free - after the hooks are gone
 */
void sf_states_free(void)
{
	free_percpu(sf_states);
}

/* Inlined, so that @act is no indirect call. */
static __always_inline void sf_states_each(void (*act)(struct sf_state *state,
						       int cpu, int level,
						       u64 value),
					   u64 value)
{
	unsigned long flags;
	int cpu, level;

	for_each_possible_cpu(cpu) {
		for (level = 0; level < SF_MAX_LEVELS; level++) {
			struct sf_state *state = sf_state(cpu, level);

			local_irq_save(flags);
			sf_state_lock(state);
			act(state, cpu, level, value);
			sf_state_unlock(state);
			local_irq_restore(flags);
		}
	}
}

static void sf_state_seed(struct sf_state *state, int cpu, int level, u64 seed)
{
	sf_random_seed(&state->window.rng, seed, cpu * SF_MAX_LEVELS + level);
}

/**
 * sf_states_seed - start all streams of random numbers anew
 * @seed: of jitter, dice and random starts; the same seed gives the same numbers
 */
void sf_states_seed(u64 seed)
{
	sf_states_each(sf_state_seed, seed);
}

static void sf_state_trace(struct sf_state *state, int cpu, int level, u64 on)
{
	if (on)
		state->detour |= SF_DETOUR_TRACE;
	else
		state->detour &= ~SF_DETOUR_TRACE;
}

/**
 * sf_states_trace - let every newidle call come by where its event is, or none
 * @on: the event is enabled
 */
void sf_states_trace(bool on)
{
	sf_states_each(sf_state_trace, on);
}

/**
 * sf_states_have_burst - does any domain, also one to come, move tasks in a burst?
 */
bool sf_states_have_burst(void)
{
	int cpu, level;

	for_each_possible_cpu(cpu)
		for (level = 0; level < SF_MAX_LEVELS; level++)
			if (sf_state(cpu, level)->burst.policy)
				return true;
	return false;
}

static void sf_state_restart(struct sf_state *state, u32 pos)
{
	sf_window_start(&state->window, pos);
	state->start_pos = pos;
	state->flips++;
	state->weight_sum = 0;
	state->calls = 0;
	state->attempts = 0;
	state->pulled = 0;
	state->tasks = 0;
	state->ticks = 0;
	sf_sync_restart(&state->sync);
	atomic64_set(&state->periodic, 0);
}

/**
 * sf_state_begin - start a window where the domain's start says
 * @state: locked by the caller
 * @place: without a domain the start waits for the first call
 */
void sf_state_begin(struct sf_state *state, struct sf_place place)
{
	if (place.weight)
		state->detour &= ~SF_DETOUR_START;
	else
		state->detour |= SF_DETOUR_START;
	sf_state_restart(state, sf_start_pos(state->start, place.rank,
					     place.weight, &state->window.rng));
}

static void sf_change_newidle(struct sf_state *state,
			      const struct sf_change *change,
			      struct sf_place place)
{
	if (change->ratio != SF_KEEP)
		state->pin = change->ratio == SF_UNPIN ? SF_RATIO_LEARNED :
							 change->ratio;
	if (change->policy != SF_KEEP)
		state->policy = change->policy;
	if (change->window_pos != SF_KEEP) {
		state->start = SF_START_SET;
		state->detour &= ~SF_DETOUR_START;
		sf_state_restart(state, change->window_pos);
	} else if (change->start != SF_KEEP) {
		state->start = change->start;
		sf_state_begin(state, place);
	}
}

/* The stores pair with the loads in slowpath.c and burst.c, which take no lock. */
static void sf_change_select(struct sf_state *state,
			     const struct sf_change *change)
{
	struct sf_burst_state *burst = &state->burst;

	if (change->slowpath != SF_KEEP) {
		WRITE_ONCE(state->slowpath.policy, change->slowpath);
		sf_slowpath_restart(&state->slowpath);
	}
	if (change->burst_depth != SF_KEEP)
		WRITE_ONCE(burst->min_depth, change->burst_depth);
	if (change->burst_factor != SF_KEEP)
		WRITE_ONCE(burst->factor, change->burst_factor);
	if (change->burst_nohz != SF_KEEP)
		WRITE_ONCE(burst->nohz, change->burst_nohz);
	if (change->burst != SF_KEEP) {
		WRITE_ONCE(burst->policy, change->burst);
		sf_burst_restart(burst);
	}
}

static void sf_change_cost(struct sf_state *state, int policy,
			   struct sched_domain *sd)
{
	if (policy == SF_KEEP)
		return;
	if (sd)
		sf_cost_give_back(&state->cost, sd);
	state->cost.begun = false;
	state->cost.policy = policy;
	state->cost.bumps = 0;
	if (sd)
		sf_cost_refresh(&state->cost, sd);
}

static void sf_change_sync(struct sf_state *state, int on)
{
	if (on == SF_KEEP)
		return;
	sf_sync_restart(&state->sync);
	if (on)
		state->detour |= SF_DETOUR_SYNC;
	else
		state->detour &= ~SF_DETOUR_SYNC;
}

/**
 * sf_state_change - carry out a command on one state
 * @state: not locked
 * @change: what to change; a policy, start or position restarts the counters
 * @place: the CPU's place in its domain
 * @sd: the domain, inside its RCU section, or NULL if there is none now
 */
void sf_state_change(struct sf_state *state, const struct sf_change *change,
		     struct sf_place place, struct sched_domain *sd)
{
	unsigned long flags;

	local_irq_save(flags);
	sf_state_lock(state);
	state->changes++;
	if (sd && change->policy != SF_KEEP)
		sf_learned_save(state, sd);
	sf_change_newidle(state, change, place);
	sf_change_select(state, change);
	if (sd && change->learn > SF_LEARN_KEEP)
		sf_learned_load(state, sd, change->learn);
	sf_change_cost(state, change->cost, sd);
	sf_change_sync(state, change->sync);
	sf_state_unlock(state);
	local_irq_restore(flags);
}

/**
 * sf_state_capture - what would make a state what it is now
 * @state: not locked
 *
 * Return: the change, which keeps what was learned.
 */
struct sf_change sf_state_capture(struct sf_state *state)
{
	struct sf_change change = SF_NO_CHANGE;
	unsigned long flags;

	local_irq_save(flags);
	sf_state_lock(state);
	change.policy = state->policy;
	if (state->start == SF_START_SET)
		change.window_pos = state->start_pos;
	else
		change.start = state->start;
	change.ratio = state->pin == SF_RATIO_LEARNED ? SF_UNPIN : state->pin;
	change.slowpath = state->slowpath.policy;
	change.burst = state->burst.policy;
	change.burst_depth = state->burst.min_depth;
	change.burst_factor = state->burst.factor;
	change.burst_nohz = state->burst.nohz;
	change.cost = state->cost.policy;
	change.sync = !!(state->detour & SF_DETOUR_SYNC);
	sf_state_unlock(state);
	local_irq_restore(flags);
	return change;
}
