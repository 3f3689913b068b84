// SPDX-License-Identifier: GPL-2.0-or-later
#define pr_fmt(fmt) "schedflip: " fmt

#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "apply.h"
#include "attach.h"
#include "command.h"
#include "control.h"
#include "domain.h"
#include "features.h"
#include "hooks.h"
#include "state.h"

/*
 * Serializes commands, and guards all below. The innermost states are changed
 * under their own locks. Never held while debugfs files are removed: a removal
 * waits for readers, and they take this.
 */
static DEFINE_MUTEX(sf_control_lock);
static char sf_last_error[SF_ERROR_MAX];

/*
 * Parameters are set by insmod before our init runs, and can be read and written
 * through sysfs from then on until after our exit.
 */
static enum {
	SF_PHASE_INSMOD, /* nothing is there; what is set is for later */
	SF_PHASE_INIT, /* nothing is there yet, and it is too late to set */
	SF_PHASE_READY,
	SF_PHASE_EXIT, /* nothing is there any more */
} sf_phase;
static char *sf_initial_policy;
static struct sf_command *sf_initial;
static u64 sf_seed; /* 0 until one is given or drawn */

/* The average depth is kept only while somebody goes by it, so it begins anew. */
static void sf_control_watch_bursts(void)
{
	bool on = sf_states_have_burst();

	if (on && !sf_burst_is_on())
		sf_domains_look();
	sf_burst_enable(on);
}

/*
 * NI_RANDOM is taken before the first policy of ours decides and given back
 * after the last one has, so no call is diced twice for long.
 */
static int sf_carry_out(struct sf_command *command)
{
	int err;

	if (command->change.policy > SF_NEWIDLE_STOCK)
		sf_features_hold(true);
	err = sf_apply(command);
	sf_features_hold(sf_domains_active());
	sf_control_watch_bursts();
	return err;
}

static int sf_run_locked(struct sf_command *command)
{
	if (sf_phase != SF_PHASE_READY)
		return sf_command_refuse(
			command, -EAGAIN,
			"the module is being loaded or unloaded");
	if (sf_hooks_detached())
		return sf_command_refuse(
			command, -ENODEV,
			"the livepatch was taken out, so nothing can be set; unload schedflip and load it again");
	if (!sf_hooks_live())
		return sf_command_refuse(
			command, -EAGAIN,
			"the livepatch transition is not finished; wait for /sys/kernel/livepatch/schedflip/transition to be 0");
	return sf_carry_out(command);
}

/**
 * sf_control_refuse - say why a write was refused
 * @err: to return
 * @fmt: one line without a newline, for last_error
 */
int sf_control_refuse(int err, const char *fmt, ...)
{
	va_list args;

	mutex_lock(&sf_control_lock);
	va_start(args, fmt);
	vscnprintf(sf_last_error, sizeof(sf_last_error), fmt, args);
	va_end(args);
	mutex_unlock(&sf_control_lock);
	return err;
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
		sf_control_refuse(err, "%s",
				  command && command->error[0] ?
					  command->error :
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

struct sf_common {
	const char *newidle;
	const char *start;
	const char *slowpath;
	const char *burst;
	const char *cost;
};

static void sf_merge(const char **common, const char *word)
{
	if (!*common)
		*common = word;
	else if (strcmp(*common, word))
		*common = "mixed";
}

static struct sf_common sf_control_common(void)
{
	struct sf_common common = {};
	struct sf_report report;
	struct sched_domain *sd;
	int cpu, index;

	for_each_online_cpu(cpu) {
		rcu_read_lock();
		sf_for_each_domain(cpu, index, sd) {
			if (!sf_domain_report(cpu, index, sd, &report))
				continue;
			sf_merge(&common.newidle, report.newidle);
			sf_merge(&common.start, report.start);
			sf_merge(&common.slowpath, report.slowpath);
			sf_merge(&common.burst, report.burst);
			sf_merge(&common.cost, report.cost);
		}
		rcu_read_unlock();
	}
	return common;
}

#define SF_COMMON_FORMAT "newidle=%s start=%s slowpath=%s burst=%s cost=%s\n"
#define SF_COMMON_WORDS(common)                                        \
	(common).newidle ?: "none", (common).start ?: "none",          \
		(common).slowpath ?: "none", (common).burst ?: "none", \
		(common).cost ?: "none"

/**
 * sf_control_show - what all domains have in common
 * @m: file
 */
void sf_control_show(struct seq_file *m)
{
	struct sf_common common = sf_control_common();

	seq_printf(m, SF_COMMON_FORMAT, SF_COMMON_WORDS(common));
}

/**
 * sf_control_show_error - why the last refused write was refused
 * @m: file
 */
void sf_control_show_error(struct seq_file *m)
{
	mutex_lock(&sf_control_lock);
	if (sf_last_error[0])
		seq_printf(m, "%s\n", sf_last_error);
	mutex_unlock(&sf_control_lock);
}

/* The caller holds the control lock. */
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

	mutex_lock(&sf_control_lock);
	insmod = sf_phase == SF_PHASE_INSMOD;
	if (insmod)
		err = sf_keep_initial_policy(value);
	mutex_unlock(&sf_control_lock);
	return insmod ? err : sf_control_run(value);
}

static int sf_param_policy_get(char *buffer, const struct kernel_param *kp)
{
	struct sf_common common = {};

	mutex_lock(&sf_control_lock);
	if (sf_phase == SF_PHASE_READY)
		common = sf_control_common();
	mutex_unlock(&sf_control_lock);
	return sysfs_emit(buffer, SF_COMMON_FORMAT, SF_COMMON_WORDS(common));
}

static const struct kernel_param_ops sf_param_policy_ops = {
	.set = sf_param_policy_set,
	.get = sf_param_policy_get,
};
module_param_cb(policy, &sf_param_policy_ops, NULL, 0644);
MODULE_PARM_DESC(policy,
		 "command to carry out, e.g. \"newidle=jitter start=stagger\"");

static void sf_control_seed(void)
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
	mutex_lock(&sf_control_lock);
	if (sf_phase == SF_PHASE_INSMOD || sf_phase == SF_PHASE_READY)
		sf_seed = seed ?: get_random_u64();
	else
		err = -EAGAIN;
	if (sf_phase == SF_PHASE_READY)
		sf_control_seed();
	mutex_unlock(&sf_control_lock);
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

/**
 * sf_control_init - take up the parameters given at load
 *
 * The policy is only checked here, and carried out once the hooks are attached.
 *
 * Return: 0, or why the policy is refused, which is logged.
 */
int sf_control_init(void)
{
	int err = 0;

	mutex_lock(&sf_control_lock);
	sf_phase = SF_PHASE_INIT;
	if (sf_initial_policy)
		sf_initial = sf_control_parse(sf_initial_policy, &err);
	mutex_unlock(&sf_control_lock);
	if (!err)
		return 0;
	pr_err("not loaded: policy: %s\n",
	       sf_initial ? sf_initial->error : "out of memory");
	sf_control_exit();
	return err;
}

/**
 * sf_control_exit - forget the parameters
 */
void sf_control_exit(void)
{
	mutex_lock(&sf_control_lock);
	sf_phase = SF_PHASE_EXIT;
	sf_command_free(sf_initial);
	kfree(sf_initial_policy);
	sf_initial = NULL;
	sf_initial_policy = NULL;
	mutex_unlock(&sf_control_lock);
}

/**
 * sf_control_open - from here on parameters reach the states
 */
void sf_control_open(void)
{
	mutex_lock(&sf_control_lock);
	if (!sf_seed)
		sf_seed = get_random_u64();
	sf_control_seed();
	sf_phase = SF_PHASE_READY;
	mutex_unlock(&sf_control_lock);
}

/**
 * sf_control_close - from here on they do not, and NI_RANDOM is the user's
 */
void sf_control_close(void)
{
	sf_control_detaching();
	mutex_lock(&sf_control_lock);
	sf_phase = SF_PHASE_EXIT;
	mutex_unlock(&sf_control_lock);
}

/**
 * sf_control_attached - all tasks run the wrappers: begin to decide
 */
void sf_control_attached(void)
{
	int err = 0;

	mutex_lock(&sf_control_lock);
	sf_hooks_go_live(true);
	if (sf_initial)
		err = sf_run_locked(sf_initial);
	else
		sf_features_hold(sf_domains_active());
	if (err) {
		strscpy(sf_last_error, sf_initial->error,
			sizeof(sf_last_error));
		pr_err("policy=: %s; all domains are at stock\n",
		       sf_initial->error);
	}
	sf_command_free(sf_initial);
	sf_initial = NULL;
	mutex_unlock(&sf_control_lock);
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
	sf_hooks_go_live(false);
	sf_features_hold(false);
	sf_domains_give_back();
	mutex_unlock(&sf_control_lock);
}

/**
 * sf_control_detached - no task runs the wrappers any more
 *
 * Nothing of ours decides now, and so all domains say stock.
 */
void sf_control_detached(void)
{
	const struct sf_change stock = SF_ALL_STOCK;
	int cpu, level;

	sf_control_detaching();
	mutex_lock(&sf_control_lock);
	sf_hooks_set_detached();
	for_each_possible_cpu(cpu)
		for (level = 0; level < SF_MAX_LEVELS; level++)
			sf_state_change(sf_state(cpu, level), &stock,
					(struct sf_place){ 0, 1 }, NULL);
	mutex_unlock(&sf_control_lock);
}

/**
 * sf_control_recheck - once a second: is all still as we left it?
 *
 * Domains come and go, others write NI_RANDOM, and a later livepatch may have
 * replaced ours.
 */
void sf_control_recheck(void)
{
	bool lost;

	if (!sf_hooks_live())
		return;
	lost = sf_attach_is_lost();
	if (lost) {
		pr_warn("a later livepatch has replaced ours; all domains are at stock\n");
		sf_control_detached();
		return;
	}
	mutex_lock(&sf_control_lock);
	if (sf_hooks_live())
		sf_features_hold(sf_domains_active());
	mutex_unlock(&sf_control_lock);
	sf_features_recheck();
}
