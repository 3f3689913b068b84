// SPDX-License-Identifier: GPL-2.0-or-later
#define pr_fmt(fmt) "schedflip: " fmt

#include <linux/kstrtox.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "command.h"
#include "common.h"
#include "control.h"
#include "off.h"
#include "parameters.h"
#include "slowpath.h"
#include "state.h"

/* Guards all below. Inside the kernel's lock of parameters, outside of all of ours. */
static DEFINE_MUTEX(sf_parameters_lock);

static enum {
	SF_PHASE_INSMOD, /* nothing is there; what is set is for later */
	SF_PHASE_INIT, /* nothing is there yet, and it is too late to set */
	SF_PHASE_READY,
	SF_PHASE_EXIT, /* nothing is there any more */
} sf_phase;
static char *sf_initial_policy;
static struct sf_command *sf_initial;
static u64 sf_seed; /* 0 until one is given or drawn */

/* The caller holds the lock. */
static int sf_keep_initial_policy(const char *value)
{
	kfree(sf_initial_policy);
	sf_initial_policy = kstrdup(value, GFP_KERNEL);
	return sf_initial_policy ? 0 : -ENOMEM;
}

static int sf_param_policy_set(const char *value, const struct kernel_param *kp)
{
	bool insmod;
	int err = 0;

	mutex_lock(&sf_parameters_lock);
	insmod = sf_phase == SF_PHASE_INSMOD;
	if (insmod)
		err = sf_keep_initial_policy(value);
	mutex_unlock(&sf_parameters_lock);
	return insmod ? err : sf_control_run(value);
}

static int sf_param_policy_get(char *buffer, const struct kernel_param *kp)
{
	int printed;

	mutex_lock(&sf_parameters_lock);
	printed = sf_common_emit(buffer, sf_phase == SF_PHASE_READY);
	mutex_unlock(&sf_parameters_lock);
	return printed;
}

static const struct kernel_param_ops sf_param_policy_ops = {
	.set = sf_param_policy_set,
	.get = sf_param_policy_get,
};
module_param_cb(policy, &sf_param_policy_ops, NULL, 0644);
MODULE_PARM_DESC(policy,
		 "command to carry out, e.g. \"newidle=jitter start=stagger\"");

static void sf_seed_all(void)
{
	sf_states_seed(sf_seed);
	sf_slowpath_seed(sf_seed);
}

static int sf_param_seed_set(const char *value, const struct kernel_param *kp)
{
	u64 seed;
	int err = kstrtou64(value, 0, &seed);

	if (err)
		return err;
	mutex_lock(&sf_parameters_lock);
	if (sf_phase == SF_PHASE_INSMOD || sf_phase == SF_PHASE_READY)
		sf_seed = seed ?: get_random_u64();
	else
		err = -EAGAIN;
	if (sf_phase == SF_PHASE_READY)
		sf_seed_all();
	mutex_unlock(&sf_parameters_lock);
	return err;
}

static int sf_param_seed_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%llu\n", sf_seed);
}

static const struct kernel_param_ops sf_param_seed_ops = {
	.set = sf_param_seed_set,
	.get = sf_param_seed_get,
};
module_param_cb(seed, &sf_param_seed_ops, NULL, 0644);
MODULE_PARM_DESC(seed, "seed of jitter, dice and random starts; 0 draws one");

/* Needs no phase: without states there is nothing more to it than the switch. */
static int sf_param_off_set(const char *value, const struct kernel_param *kp)
{
	bool off;
	int err = sf_off_parse(value, &off);

	if (err)
		return err;
	if (!off)
		return sf_off_end();
	sf_off_at_once(SF_OFF_PARAMETER);
	sf_control_switched_off();
	return 0;
}

static int sf_param_off_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%c\n", sf_is_off() ? 'Y' : 'N');
}

static const struct kernel_param_ops sf_param_off_ops = {
	.set = sf_param_off_set,
	.get = sf_param_off_get,
};
module_param_cb(off, &sf_param_off_ops, NULL, 0644);
MODULE_PARM_DESC(off, "kill switch: Y makes all hooks pass-throughs at once");

/**
 * sf_parameters_init - take up those given at load
 *
 * The policy is only checked here, and carried out once the hooks are attached.
 *
 * Return: 0, or why the policy is refused, which is logged.
 */
int sf_parameters_init(void)
{
	int err = 0;

	mutex_lock(&sf_parameters_lock);
	sf_phase = SF_PHASE_INIT;
	if (sf_initial_policy) {
		sf_initial = sf_command_alloc();
		err = sf_initial ?
			      sf_command_parse(sf_initial, sf_initial_policy) :
			      -ENOMEM;
	}
	mutex_unlock(&sf_parameters_lock);
	if (!err)
		return 0;
	pr_err("not loaded: policy: %s\n",
	       sf_initial ? sf_initial->error : "out of memory");
	sf_parameters_exit();
	return err;
}

/**
 * sf_parameters_exit - forget them
 */
void sf_parameters_exit(void)
{
	mutex_lock(&sf_parameters_lock);
	sf_phase = SF_PHASE_EXIT;
	sf_command_free(sf_initial);
	kfree(sf_initial_policy);
	sf_initial = NULL;
	sf_initial_policy = NULL;
	mutex_unlock(&sf_parameters_lock);
}

/**
 * sf_parameters_open - from here on they reach the states
 */
void sf_parameters_open(void)
{
	mutex_lock(&sf_parameters_lock);
	if (!sf_seed)
		sf_seed = get_random_u64();
	sf_seed_all();
	sf_phase = SF_PHASE_READY;
	mutex_unlock(&sf_parameters_lock);
}

/**
 * sf_parameters_close - from here on they do not
 */
void sf_parameters_close(void)
{
	mutex_lock(&sf_parameters_lock);
	sf_phase = SF_PHASE_EXIT;
	mutex_unlock(&sf_parameters_lock);
}

/**
 * sf_parameters_take_initial - the policy given at load
 *
 * Return: the command, which is the caller's to free, or NULL. It keeps pointers into
 * text that lives until sf_parameters_exit().
 */
struct sf_command *sf_parameters_take_initial(void)
{
	struct sf_command *command;

	mutex_lock(&sf_parameters_lock);
	command = sf_initial;
	sf_initial = NULL;
	mutex_unlock(&sf_parameters_lock);
	return command;
}
