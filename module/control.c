// SPDX-License-Identifier: GPL-2.0-or-later
#define pr_fmt(fmt) "schedflip: " fmt

#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "apply.h"
#include "attach.h"
#include "command.h"
#include "control.h"
#include "domain.h"
#include "features.h"
#include "hooks.h"
#include "lease.h"
#include "off.h"
#include "parameters.h"
#include "pass.h"
#include "refusal.h"
#include "runqueue.h"
#include "state.h"
#include "trip.h"

/*
 * Serializes commands, and guards all below. The innermost states are changed
 * under their own locks. Never held while debugfs files are removed: a removal
 * waits for readers, and they take this.
 */
static DEFINE_MUTEX(sf_control_lock);

#define SF_DEAD \
	"the kernel has switched ftrace off, after a fault that dmesg tells of"

/* Between open and close there are states. */
static bool sf_control_ready;

/* The livepatch that is on top of ours, if one is. */
static char sf_shadow[MODULE_NAME_LEN];

/* The average depth is kept only while somebody goes by it, so it begins anew. */
static void sf_control_watch_bursts(void)
{
	bool on = sf_states_have_burst();

	if (on && !sf_burst_is_on())
		sf_domains_look();
	sf_burst_enable(on);
}

/* NI_RANDOM is held as long as a policy of ours decides. */
static void sf_control_hold(void)
{
	sf_features_hold(!sf_pass_lasts() && sf_domains_active());
}

/*
 * NI_RANDOM is taken before the first policy of ours decides and given back
 * after the last one has, so no call is diced twice for long.
 */
static int sf_change_domains(struct sf_command *command)
{
	int err;

	if (command->change.policy > SF_NEWIDLE_STOCK)
		sf_features_hold(true);
	err = sf_apply(command);
	sf_control_hold();
	sf_control_watch_bursts();
	return err;
}

/* All as it was before the lease; the hooks are pass-throughs until it is. */
static void sf_return_lease(enum sf_lease_end how)
{
	sf_lease_restore();
	sf_control_hold();
	sf_control_watch_bursts();
	sf_lease_drop(how);
}

static void sf_settle_lease(void)
{
	if (!sf_lease_expired())
		return;
	sf_return_lease(SF_LEASE_EXPIRED);
	pr_notice("the lease has ended; all is as it was before it\n");
}

/* Nothing of ours is left to decide, to watch or to come back. */
static void sf_all_stock(enum sf_lease_end why)
{
	const struct sf_trips none = {};

	sf_apply_stock();
	sf_control_hold();
	sf_control_watch_bursts();
	sf_trips_set(&none);
	sf_lease_drop(why);
}

static int sf_check_live(struct sf_command *command)
{
	if (!sf_control_ready)
		return sf_command_refuse(
			command, -EAGAIN,
			"the module is being loaded or unloaded");
	if (sf_pass_is_set(SF_PASS_DEAD))
		return sf_command_refuse(command, -ENODEV,
					 SF_DEAD
					 ", so nothing can be set; reboot");
	if (sf_pass_is_set(SF_PASS_DETACHED))
		return sf_command_refuse(
			command, -ENODEV,
			"the livepatch was taken out, so nothing can be set; unload schedflip and load it again");
	if (sf_is_off())
		return sf_command_refuse(
			command, -ESHUTDOWN,
			"schedflip was switched off (%s); write 0 to off, or run: schedflip on",
			sf_off_why());
	/* What ends a lease changes nothing that could not be in force. */
	if (sf_command_ends_lease(command))
		return 0;
	if (sf_pass_is_set(SF_PASS_SHADOWED))
		return sf_command_refuse(
			command, -EBUSY,
			"livepatch %s replaces a function that schedflip wraps; take it out first",
			sf_shadow);
	if (sf_pass_is_set(SF_PASS_PATCHING))
		return sf_command_refuse(
			command, -EAGAIN,
			"the livepatch transition is not finished; wait for /sys/kernel/livepatch/schedflip/transition to be 0");
	return 0;
}

static int sf_check_global(struct sf_command *command)
{
	if (command->lease == SF_LEASE_NEW && sf_lease_pending())
		return sf_command_refuse(command, -EBUSY,
					 "a lease is pending already");
	if (command->lease != SF_KEEP && command->lease != SF_LEASE_NEW &&
	    !sf_lease_pending())
		return sf_command_refuse(command, -ENOENT,
					 "no lease is pending");
	if (command->trips.delay_us > 0 && !sf_rq_tells_waits())
		return sf_command_refuse(
			command, -EOPNOTSUPP,
			"trip_delay_us takes CONFIG_SCHEDSTATS, which this kernel does not have");
	return 0;
}

static void sf_merge_trip(int *trip, int word)
{
	if (word != SF_KEEP)
		*trip = word == SF_UNPIN ? 0 : word;
}

static void sf_change_trips(const struct sf_trips *words)
{
	struct sf_trips trips = sf_trips_read();

	sf_merge_trip(&trips.depth, words->depth);
	sf_merge_trip(&trips.newidle, words->newidle);
	sf_merge_trip(&trips.delay_us, words->delay_us);
	sf_trips_set(&trips);
}

static void sf_change_lease(const struct sf_command *command)
{
	if (command->for_ms != SF_KEEP)
		sf_lease_start(command->for_ms);
	else if (command->lease == SF_LEASE_CONFIRM)
		sf_lease_drop(SF_LEASE_CONFIRMED);
	else if (command->lease == SF_LEASE_RETURN)
		sf_return_lease(SF_LEASE_RETURNED);
}

/* What can be refused comes first; what it was before is kept before it changes. */
static int sf_carry_out(struct sf_command *command)
{
	bool begins = command->for_ms != SF_KEEP && !sf_lease_pending();
	int err = 0;

	if (begins)
		err = sf_lease_prepare();
	if (err)
		return err;
	if (command->about & BIT(SF_ABOUT_DOMAINS))
		err = sf_change_domains(command);
	if (err) {
		if (begins)
			sf_lease_cancel();
		return err;
	}
	sf_change_trips(&command->trips);
	sf_change_lease(command);
	return 0;
}

static int sf_run_locked(struct sf_command *command)
{
	if (sf_control_ready)
		sf_settle_lease();
	return sf_check_live(command)		?:
		       sf_check_global(command) ?:
						  sf_carry_out(command);
}

static struct sf_command *sf_control_parse(char *text, int *err)
{
	struct sf_command *command = sf_command_alloc();

	*err = command ? sf_command_parse(command, text) : -ENOMEM;
	return command;
}

static int sf_control_finish(struct sf_command *command, int err)
{
	if (!err) {
		if (mutex_lock_killable(&sf_control_lock))
			return -EINTR;
		err = sf_run_locked(command);
		mutex_unlock(&sf_control_lock);
	}
	if (err)
		sf_refuse(err, "%s",
			  command && command->error[0] ? command->error :
							 "out of memory");
	return err;
}

/**
 * sf_control_run - carry out a command, whole or not at all
 * @text: words as docs/debugfs.md lists them
 *
 * Return: 0, or an error with last_error set and nothing changed.
 */
int sf_control_run(const char *text)
{
	char *copy = kstrdup(text, GFP_KERNEL);
	struct sf_command *command;
	int err;

	if (!copy)
		return -ENOMEM;
	command = sf_control_parse(copy, &err);
	err = sf_control_finish(command, err);
	sf_command_free(command);
	kfree(copy);
	return err;
}

/**
 * sf_control_run_for - carry out a command on one domain
 * @text: words, without cpu= and domain=
 * @cpu: the domain's CPU
 * @index: its number
 *
 * Return: as sf_control_run().
 */
int sf_control_run_for(const char *text, int cpu, int index)
{
	char *line =
		kasprintf(GFP_KERNEL, "%s cpu=%d domain=%d", text, cpu, index);
	int err;

	if (!line)
		return -ENOMEM;
	err = sf_control_run(line);
	kfree(line);
	return err;
}

/**
 * sf_control_show_status - do the hooks decide, for how long, and what ends it?
 * @m: file
 */
void sf_control_show_status(struct seq_file *m)
{
	mutex_lock(&sf_control_lock);
	seq_printf(m, "hooks=%s\noff_reason=%s\nshadowed_by=%s\n",
		   sf_pass_word(), sf_is_off() ? sf_off_why() : "-",
		   sf_shadow[0] ? sf_shadow : "-");
	seq_printf(m, "drift=%llu\n", sf_features_drift());
	sf_lease_show(m);
	sf_trips_show(m);
	mutex_unlock(&sf_control_lock);
}

/**
 * sf_control_open - there are states: commands can be carried out
 */
void sf_control_open(void)
{
	mutex_lock(&sf_control_lock);
	sf_control_ready = true;
	mutex_unlock(&sf_control_lock);
}

/**
 * sf_control_close - no command is carried out any more, and NI_RANDOM is the user's
 */
void sf_control_close(void)
{
	sf_control_detaching();
	mutex_lock(&sf_control_lock);
	sf_control_ready = false;
	mutex_unlock(&sf_control_lock);
}

static void sf_run_initial(struct sf_command *initial)
{
	if (!sf_run_locked(initial))
		return;
	sf_refuse(0, "%s", initial->error);
	pr_err("policy=: %s; all domains are at stock\n", initial->error);
}

/**
 * sf_control_attached - all tasks run the wrappers: begin to decide
 */
void sf_control_attached(void)
{
	struct sf_command *initial = sf_parameters_take_initial();

	mutex_lock(&sf_control_lock);
	sf_pass_set(SF_PASS_PATCHING, false);
	if (initial)
		sf_run_initial(initial);
	else
		sf_control_hold();
	mutex_unlock(&sf_control_lock);
	sf_command_free(initial);
}

/**
 * sf_control_detaching - some tasks are about to leave the wrappers
 *
 * From here on all run the kernel's own decisions, with the user's NI_RANDOM. The
 * policies stay, as the unload may be reversed.
 */
void sf_control_detaching(void)
{
	mutex_lock(&sf_control_lock);
	sf_pass_set(SF_PASS_PATCHING, true);
	sf_features_hold(false);
	sf_domains_give_back();
	mutex_unlock(&sf_control_lock);
}

/**
 * sf_control_dead - the kernel has switched ftrace off: decide nothing any more
 *
 * Does nothing if that is known. Calls may come to the wrappers still.
 */
void sf_control_dead(void)
{
	if (sf_pass_is_set(SF_PASS_DEAD))
		return;
	sf_pass_set(SF_PASS_DEAD, true);
	mutex_lock(&sf_control_lock);
	sf_all_stock(SF_LEASE_DEAD);
	mutex_unlock(&sf_control_lock);
	pr_err(SF_DEAD
	       "; all domains are at stock, and schedflip stays until the next boot\n");
}

/**
 * sf_control_detached - no task runs the wrappers any more
 * @replaced: as a later livepatch came in the place of ours
 *
 * Nothing of ours decides now, and so all domains say stock.
 */
void sf_control_detached(bool replaced)
{
	sf_control_detaching();
	mutex_lock(&sf_control_lock);
	sf_pass_set(SF_PASS_DETACHED, true);
	sf_all_stock(replaced ? SF_LEASE_DETACHED : SF_LEASE_UNLOADED);
	mutex_unlock(&sf_control_lock);
}

/**
 * sf_control_lease_expired - the lease's timer has fired
 */
void sf_control_lease_expired(void)
{
	mutex_lock(&sf_control_lock);
	if (sf_control_ready)
		sf_settle_lease();
	mutex_unlock(&sf_control_lock);
}

/**
 * sf_control_switched_off - the kill switch was used: what it leaves to others
 *
 * Does nothing where all is done already, or there are no states.
 */
void sf_control_switched_off(void)
{
	mutex_lock(&sf_control_lock);
	if (sf_control_ready && sf_is_off()) {
		sf_all_stock(SF_LEASE_OFF);
		if (sf_off_is_news())
			pr_warn("switched off (%s); all domains are at stock\n",
				sf_off_why());
	}
	mutex_unlock(&sf_control_lock);
}

/* The caller holds the lock. */
static void sf_control_shadow(const char *name)
{
	bool shadowed = *name;

	if (!strcmp(name, sf_shadow))
		return;
	strscpy(sf_shadow, name, sizeof(sf_shadow));
	sf_pass_set(SF_PASS_SHADOWED, shadowed);
	if (!shadowed) {
		pr_notice(
			"nothing is on top of our livepatch any more; the policies decide again\n");
		return;
	}
	sf_domains_give_back();
	pr_warn("livepatch %s replaces a function that we wrap; the policies decide nothing until it is out\n",
		sf_shadow);
}

/* The caller holds the lock. */
static void sf_control_look(void)
{
	if (!sf_trips_crossed())
		return;
	sf_all_stock(SF_LEASE_TRIPPED);
	pr_warn("tripwire: %s; all domains are at stock\n", sf_trips_reason());
}

/**
 * sf_control_recheck - once a second: is all still as we left it?
 *
 * Domains come and go, others write NI_RANDOM, a later livepatch may have replaced ours,
 * the kernel may have switched ftrace off, and the machine may be at a tripwire.
 */
void sf_control_recheck(void)
{
	char shadow[MODULE_NAME_LEN];
	enum sf_attach_state state;

	if (sf_pass_ever())
		return;
	if (sf_attach_is_dead()) {
		sf_control_dead();
		/* Last, as it may wait, and nothing of the above is to. */
		sf_attach_freeze();
		return;
	}
	if (sf_pass_is_set(SF_PASS_PATCHING))
		return;
	state = sf_attach_look(shadow, sizeof(shadow));
	/* An unload that came in between has told us itself. */
	if (state == SF_ATTACH_LOST && sf_pass_is_set(SF_PASS_PATCHING))
		return;
	if (state == SF_ATTACH_LOST) {
		pr_warn("a later livepatch has replaced ours; all domains are at stock\n");
		sf_control_detached(true);
		return;
	}
	mutex_lock(&sf_control_lock);
	if (state == SF_ATTACH_KEPT)
		sf_control_shadow(shadow);
	sf_settle_lease();
	sf_control_hold();
	if (!sf_pass_any())
		sf_control_look();
	mutex_unlock(&sf_control_lock);
	sf_features_recheck();
}
