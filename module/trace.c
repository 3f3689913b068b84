// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/module.h>
#include <linux/mutex.h>

#include "state.h"
#include "trace.h"

#define CREATE_TRACE_POINTS
#include "events.h"

static_assert(SF_NEWIDLE_DICE == 1 && SF_NEWIDLE_ACCUMULATOR == 2 &&
	      SF_NEWIDLE_JITTER == 3 && SF_NEWIDLE_ALWAYS == 4 &&
	      SF_NEWIDLE_NEVER == 5 && SF_NR_NEWIDLE == 6);
static_assert(SF_SLOWPATH_RANDOM == 1 && SF_NR_SLOWPATH == 2);
static_assert(SF_BURST_IDLE == 1 && SF_BURST_SPREAD == 2 &&
	      SF_BURST_NEAREST == 3 && SF_NR_BURST == 4);
static_assert(SF_FORK == 1 && SF_EXEC == 2 && SF_NR_PLACEMENTS == 3);

/*
 * The kernel tells of the event from before our init until after our exit, so what is
 * told is kept, and acted on while there are states. Guards both.
 */
static DEFINE_MUTEX(sf_trace_lock);
static bool sf_trace_wanted;
static bool sf_trace_ready;

static void sf_trace_want(bool on)
{
	mutex_lock(&sf_trace_lock);
	sf_trace_wanted = on;
	if (sf_trace_ready)
		sf_states_trace(on);
	mutex_unlock(&sf_trace_lock);
}

/**
 * sf_trace_newidle_begin - somebody enables the event newidle
 *
 * Return: 0.
 */
int sf_trace_newidle_begin(void)
{
	sf_trace_want(true);
	return 0;
}

/**
 * sf_trace_newidle_end - nobody has it enabled any more
 */
void sf_trace_newidle_end(void)
{
	sf_trace_want(false);
}

/*
 * Old kernels make no events for a module that is a livepatch, as new ones do; so we
 * ask for them. They are ours from then on: who opens one holds the module, and the
 * kernel takes them away when the module goes. Nobody can have opened one before,
 * as nobody knows its number yet.
 */
static int sf_trace_add(struct trace_event_call *event)
{
	int err;

	if (event->event.type)
		return 0;
	err = trace_add_event_call(event);
	if (!err)
		event->module = THIS_MODULE;
	return err;
}

static int sf_trace_add_events(void)
{
	int err;

	err = sf_trace_add(&event_newidle);
	if (err)
		return err;
	err = sf_trace_add(&event_slowpath);
	if (err)
		return err;
	return sf_trace_add(&event_burst);
}

/**
 * sf_trace_init - the states are there
 *
 * Return: 0 or why the kernel does not take the events. It removes those it took
 * after a failed init as well.
 */
int sf_trace_init(void)
{
	int err = sf_trace_add_events();

	if (err)
		return err;
	mutex_lock(&sf_trace_lock);
	sf_trace_ready = true;
	sf_states_trace(sf_trace_wanted);
	mutex_unlock(&sf_trace_lock);
	return 0;
}

/**
 * sf_trace_exit - the states are going
 */
void sf_trace_exit(void)
{
	mutex_lock(&sf_trace_lock);
	sf_trace_ready = false;
	mutex_unlock(&sf_trace_lock);
}
