// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "privilege.h"
#include "text.h"

/* Ends at UINT_MAX - 1: the last number means "leave it" to the kernel. */
#define SF_MAX_ID 4294967294u

/* Who called sudo. */
struct sf_caller {
	bool found;
	uid_t uid;
	gid_t gid;
};

static int sf_caller_number(const char *name, u64 *number, struct sf_error *err)
{
	const char *text = getenv(name);

	if (text && sf_parse_number(text, number) && *number <= SF_MAX_ID)
		return SF_OK;
	return sf_fail(
		err, SF_FAILED,
		"%s is \"%.40s\", which sudo would not set; run it by sudo, or unset SUDO_UID to run as root",
		name, text ? text : "");
}

/* Without sudo, or under root's own, there is nobody to go back to. */
static int sf_caller_find(struct sf_caller *caller, struct sf_error *err)
{
	u64 uid = 0, gid = 0;

	memset(caller, 0, sizeof(*caller));
	if (geteuid() || !getenv("SUDO_UID"))
		return SF_OK;
	if (sf_caller_number("SUDO_UID", &uid, err) ||
	    sf_caller_number("SUDO_GID", &gid, err))
		return err->code;
	caller->found = uid;
	caller->uid = uid;
	caller->gid = gid;
	return SF_OK;
}

/**
 * sf_privilege_user - who called sudo
 *
 * Return: the user's name, or number where it has no name; NULL if there is none to
 * go back to: without sudo, or if root called it.
 */
const char *sf_privilege_user(void)
{
	static char name[64];
	struct sf_caller caller;
	struct sf_error err = { .code = SF_OK };
	struct passwd *user;

	if (sf_caller_find(&caller, &err) || !caller.found)
		return NULL;
	user = getpwuid(caller.uid);
	if (user)
		snprintf(name, sizeof(name), "%s", user->pw_name);
	else
		snprintf(name, sizeof(name), "%u", caller.uid);
	return name;
}

/**
 * sf_privilege_check - could sf_privilege_drop() tell who called sudo?
 * @err: says why not
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_privilege_check(struct sf_error *err)
{
	struct sf_caller caller;

	return sf_caller_find(&caller, err);
}

static int sf_drop_groups(const struct sf_caller *caller,
			  const struct passwd *user)
{
	if (user)
		return initgroups(user->pw_name, caller->gid);
	return setgroups(1, &caller->gid);
}

static int sf_drop_environment(const struct passwd *user)
{
	if (!user)
		return 0;
	return setenv("HOME", user->pw_dir, 1) ||
	       setenv("USER", user->pw_name, 1) ||
	       setenv("LOGNAME", user->pw_name, 1);
}

/**
 * sf_privilege_drop - become the user who called sudo, for good
 * @as_root: stay root
 * @err: says why it failed; then the process must not go on
 *
 * To be called in the process that will run the user's command. Groups, HOME, USER and
 * LOGNAME become that user's, too. Who was not root, or has not come by sudo, stays.
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_privilege_drop(bool as_root, struct sf_error *err)
{
	const struct passwd *user;
	struct sf_caller caller;

	if (as_root)
		return SF_OK;
	if (sf_caller_find(&caller, err) || !caller.found)
		return err->code;
	/* Users may be looked up only while we still are root. */
	user = getpwuid(caller.uid);
	if (!sf_drop_groups(&caller, user) &&
	    !setresgid(caller.gid, caller.gid, caller.gid) &&
	    !setresuid(caller.uid, caller.uid, caller.uid) &&
	    !sf_drop_environment(user))
		return SF_OK;
	return sf_fail(err, SF_FAILED,
		       "cannot become user %u, who called sudo: %s", caller.uid,
		       strerror(errno));
}

static int sf_fail_lower(const struct sf_caller *caller, struct sf_error *err)
{
	return sf_fail(err, SF_FAILED,
		       "cannot act as user %u, who called sudo: %s",
		       caller->uid, strerror(errno));
}

static int sf_keep_groups(struct sf_privilege *kept)
{
	kept->gid = getegid();
	kept->group_count = getgroups(0, NULL);
	if (kept->group_count < 0)
		return -1;
	/* One more, as there may be none. */
	kept->groups = calloc(kept->group_count + 1, sizeof(*kept->groups));
	if (!kept->groups)
		return -1;
	return getgroups(kept->group_count, kept->groups) != kept->group_count;
}

/**
 * sf_privilege_lower - act as the user who called sudo, for a while
 * @kept: set to what sf_privilege_raise() needs, also after an error
 * @err: says why it failed; then nothing has changed
 *
 * Files that are opened, made and renamed from here on are that user's, and only where
 * that user may. Who was not root, or has not come by sudo, stays.
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_privilege_lower(struct sf_privilege *kept, struct sf_error *err)
{
	struct sf_error failed = { .code = SF_OK };
	struct sf_caller caller;

	memset(kept, 0, sizeof(*kept));
	if (sf_caller_find(&caller, err) || !caller.found)
		return err->code;
	if (sf_keep_groups(kept)) {
		free(kept->groups);
		kept->groups = NULL;
		return sf_fail_lower(&caller, err);
	}
	kept->lowered = true;
	if (!sf_drop_groups(&caller, getpwuid(caller.uid)) &&
	    !setegid(caller.gid) && !seteuid(caller.uid))
		return SF_OK;
	sf_fail_lower(&caller, err);
	sf_privilege_raise(kept, &failed);
	return err->code;
}

/**
 * sf_privilege_raise - be root again
 * @kept: from sf_privilege_lower(); is done with
 * @err: says why it failed, unless it has an error already
 *
 * Return: the code in @err.
 */
int sf_privilege_raise(struct sf_privilege *kept, struct sf_error *err)
{
	/* In this order: only root may change the others. */
	if (kept->lowered &&
	    (seteuid(0) || setegid(kept->gid) ||
	     setgroups(kept->group_count, kept->groups)) &&
	    !err->code)
		sf_fail(err, SF_FAILED, "cannot be root again: %s",
			strerror(errno));
	free(kept->groups);
	memset(kept, 0, sizeof(*kept));
	return err->code;
}
