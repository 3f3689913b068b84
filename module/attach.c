// SPDX-License-Identifier: GPL-2.0-or-later
#define pr_fmt(fmt) "schedflip: " fmt

#include <linux/completion.h>
#include <linux/livepatch.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>

#include "attach.h"
#include "control.h"
#include "hooks.h"
#include "resolve.h"

/* How long at most to wait for tasks that are dying. */
#define SF_DYING_LIMIT (3 * HZ)

static struct klp_func sf_funcs[SF_NR_HOOKS + 1];
static struct klp_object sf_objects[];
static struct klp_patch sf_patch;

/* For good. Guarded by klp_mutex. */
static bool sf_pinned;

static struct rcu_head sf_dying_head;
static DECLARE_COMPLETION(sf_dying_gone);
static bool sf_dying_asked;

static void sf_dying_are_gone(struct rcu_head *head)
{
	complete(&sf_dying_gone);
}

/*
 * Before a transition livepatch gives a state to each task of the task list, and warns
 * if a task without one calls a function that is in transition. A task that has been reaped is
 * on the list no more, but runs on for a moment, and what it does last is to switch to
 * another, by a newidle balance. RCU for tasks waits for those too.
 *
 * Under klp_mutex. A thread that never schedules must not keep us here, so there is a limit; the
 * dying have died long before it then.
 */
static void sf_wait_for_dying(void)
{
	if (sf_dying_asked && !try_wait_for_completion(&sf_dying_gone))
		return;
	sf_dying_asked = true;
	call_rcu_tasks(&sf_dying_head, sf_dying_are_gone);
	if (!wait_for_completion_timeout(&sf_dying_gone, SF_DYING_LIMIT))
		return;
	sf_dying_asked = false;
	/* From where RCU for tasks lets go of it, a task cannot be preempted. */
	synchronize_rcu();
}

static void sf_funcs_in_transition(bool in_transition)
{
	int i;

	for (i = 0; sf_funcs[i].old_name; i++)
		WRITE_ONCE(sf_funcs[i].transition, in_transition);
}

/**
 * sf_attach_is_dead - has the kernel switched ftrace off?
 *
 * It does when it finds its records of the code in disorder. Until the next boot it then
 * changes no call of a function any more, so hooks neither come nor go.
 */
bool sf_attach_is_dead(void)
{
	const int *disabled = sf_variables.ftrace_disabled;

	return READ_ONCE(*disabled);
}

/*
 * With ftrace dead, functions that were hooked go on calling livepatch, and it us. It would
 * not care: when it takes a patch out it frees what ftrace goes by, and lets the module go.
 * But it does not disable what it takes for disabled, and takes no object out that it does
 * not take for patched; so both stay as they are, with the wrappers passing through.
 *
 * Under klp_mutex.
 */
static void sf_freeze(void)
{
	sf_patch.enabled = false;
	sf_objects[0].patched = false;
	if (!sf_pinned)
		sf_pinned = try_module_get(THIS_MODULE);
}

/**
 * sf_attach_freeze - keep the livepatch and the module until the next boot
 *
 * May wait for long, as klp_mutex is held while others wait for each CPU.
 */
void sf_attach_freeze(void)
{
	struct mutex *klp_mutex = sf_variables.klp_mutex;

	mutex_lock(klp_mutex);
	sf_freeze();
	mutex_unlock(klp_mutex);
}

/* A transition may end after ftrace has died, before the heartbeat has seen it. */
static void sf_freeze_if_dead(void)
{
	if (!sf_attach_is_dead())
		return;
	sf_freeze();
	sf_control_dead();
}

/* Livepatch has given out the states, and the functions are not hooked yet. */
static int sf_pre_patch(struct klp_object *obj)
{
	sf_wait_for_dying();
	return 0;
}

/* All tasks run the wrappers: after a load, or after an unload was reversed. */
static void sf_post_patch(struct klp_object *obj)
{
	sf_freeze_if_dead();
	sf_control_attached();
}

/*
 * Livepatch has given out the states, but no task is asked yet to take the other one. So
 * until we return all take the wrappers, whether the functions are in transition or not; not to
 * be is what keeps a task that has no state from being asked for it. Livepatch has a barrier
 * between our return and the first task that is asked.
 */
static void sf_pre_unpatch(struct klp_object *obj)
{
	sf_freeze_if_dead();
	sf_funcs_in_transition(false);
	sf_control_detaching();
	sf_wait_for_dying();
	sf_funcs_in_transition(true);
}

static void sf_post_unpatch(struct klp_object *obj)
{
	sf_freeze_if_dead();
	sf_control_detached(false);
}

static struct klp_object sf_objects[] = {
	{
		.funcs = sf_funcs,
		.callbacks = {
			.pre_patch = sf_pre_patch,
			.post_patch = sf_post_patch,
			.pre_unpatch = sf_pre_unpatch,
			.post_unpatch = sf_post_unpatch,
		},
	},
	{ }
};

static struct klp_patch sf_patch = {
	.mod = THIS_MODULE,
	.objs = sf_objects,
};

/*
 * A function of ours that a livepatch replaces too, or NULL. With @vital, not
 * sched_feat_write(): without its wrapper, the heartbeat sees what was written.
 */
static const char *sf_patched_too(struct klp_patch *patch, bool vital)
{
	struct klp_object *obj;
	struct klp_func *func;
	int id;

	klp_for_each_object(patch, obj) {
		if (obj->name)
			continue;
		klp_for_each_func(obj, func)
			for (id = 0; id < SF_NR_HOOKS; id++)
				if (sf_hook(id)->wanted &&
				    !(vital && id == SF_HOOK_FEATURES) &&
				    !strcmp(func->old_name,
					    sf_hook(id)->symbol))
					return func->old_name;
	}
	return NULL;
}

/**
 * sf_attach_check - does an earlier livepatch replace a function we want?
 *
 * What we call as the original is the kernel's own code, so its fix would be
 * lost. Nor can we be where ftrace is dead.
 *
 * Return: 0, -EBUSY or -ENODEV.
 */
int sf_attach_check(void)
{
	struct list_head *patches = sf_variables.klp_patches;
	struct mutex *klp_mutex = sf_variables.klp_mutex;
	struct klp_patch *patch;
	int err = 0;

	if (sf_attach_is_dead()) {
		pr_err("not loaded: the kernel has switched ftrace off, after a fault that dmesg tells of; reboot\n");
		return -ENODEV;
	}
	mutex_lock(klp_mutex);
	list_for_each_entry(patch, patches, list) {
		const char *name = sf_patched_too(patch, false);

		if (!name)
			continue;
		pr_err("not loaded: livepatch %s already patches %s, and our wrapper would undo it; disable it first\n",
		       patch->mod->name, name);
		err = -EBUSY;
	}
	mutex_unlock(klp_mutex);
	return err;
}

/**
 * sf_attach_look - what has become of our livepatch?
 * @shadow: set to the name of one that is on top of it, or ""
 * @size: of @shadow
 *
 * One with .replace takes ours out without calling us; one without it, that replaces a
 * function we wrap, is called in our place. Not to be asked before sf_attach().
 *
 * Return: SF_ATTACH_UNKNOWN while livepatch is busy; ask again.
 */
enum sf_attach_state sf_attach_look(char *shadow, size_t size)
{
	struct list_head *patches = sf_variables.klp_patches;
	struct mutex *klp_mutex = sf_variables.klp_mutex;
	enum sf_attach_state state = SF_ATTACH_LOST;
	struct klp_patch *patch;

	*shadow = '\0';
	if (!mutex_trylock(klp_mutex))
		return SF_ATTACH_UNKNOWN;
	/* In the order in which they came. */
	list_for_each_entry(patch, patches, list) {
		if (patch == &sf_patch)
			state = SF_ATTACH_KEPT;
		else if (state == SF_ATTACH_KEPT && sf_patched_too(patch, true))
			strscpy(shadow, patch->mod->name, size);
	}
	mutex_unlock(klp_mutex);
	return state;
}

/**
 * sf_attach - patch the functions of all hooks that are wanted
 *
 * sf_control_attached() is called when every task runs the wrappers, from here or
 * later, sf_control_detaching() before the first task leaves them, and
 * sf_control_detached() after the last one has, all under klp_mutex and free to
 * sleep. The module can be removed only after
 * its livepatch was disabled by writing 0 to /sys/kernel/livepatch/schedflip/enabled
 * and the transition has ended; then no task is inside a wrapper.
 *
 * Return: 0, or why livepatch refused.
 */
int sf_attach(void)
{
	int id, n = 0, err;

	for (id = 0; id < SF_NR_HOOKS; id++) {
		const struct sf_hook *hook = sf_hook(id);

		if (!hook->wanted)
			continue;
		sf_funcs[n].old_name = hook->symbol;
		sf_funcs[n++].new_func = hook->wrapper;
	}
	err = klp_enable_patch(&sf_patch);
	if (err)
		pr_err("not loaded: livepatch refused (error %d)%s\n", err,
		       err == -EBUSY ?
			       "; another livepatch is in transition, or a kprobe with a post handler is on a function we patch" :
			       "");
	return err;
}

/**
 * sf_attach_exit - nothing of the seam runs any more
 */
void sf_attach_exit(void)
{
#ifdef CONFIG_TASKS_RCU
	rcu_barrier_tasks();
#else
	rcu_barrier();
#endif
}

MODULE_INFO(livepatch, "Y");
