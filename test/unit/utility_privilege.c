// SPDX-License-Identifier: GPL-2.0-or-later
#include "utility.h"

#include <pwd.h>
#include <sys/wait.h>

#include "privilege.h"

/* Numbers that no user has. */
#define UID 54321
#define GID 54322

static void sudo(const char *uid, const char *gid)
{
	unsetenv("SUDO_UID");
	unsetenv("SUDO_GID");
	if (uid)
		setenv("SUDO_UID", uid, 1);
	if (gid)
		setenv("SUDO_GID", gid, 1);
}

static void need_root(void)
{
	if (geteuid())
		skip();
}

/* Return: of @child, called in a process of its own. */
static int in_child(int (*child)(void))
{
	pid_t pid = fork();
	int status;

	if (!pid)
		_exit(child());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static int drop(bool as_root)
{
	struct sf_error err = { .code = SF_OK };

	return sf_privilege_drop(as_root, &err);
}

static int child_becomes_user(void)
{
	gid_t groups[64];
	uid_t r, e, s;
	gid_t rg, eg, sg;

	if (drop(false) || getresuid(&r, &e, &s) || getresgid(&rg, &eg, &sg))
		return 1;
	if (r != UID || e != UID || s != UID)
		return 2;
	if (rg != GID || eg != GID || sg != GID)
		return 3;
	if (getgroups(64, groups) != 1 || groups[0] != GID)
		return 4;
	return setuid(0) ? 0 : 5;
}

static void test_becomes_user(void **unused)
{
	(void)unused;
	need_root();
	sudo("54321", "54322");
	assert_string_equal(sf_privilege_user(), "54321");
	assert_int_equal(in_child(child_becomes_user), 0);
	assert_int_equal(geteuid(), 0);
}

static int child_has_environment(void)
{
	const struct passwd *user = getpwnam("nobody");

	setenv("HOME", "/root", 1);
	setenv("USER", "root", 1);
	setenv("LOGNAME", "root", 1);
	if (drop(false))
		return 1;
	return strcmp(getenv("HOME"), user->pw_dir) ||
	       strcmp(getenv("USER"), "nobody") ||
	       strcmp(getenv("LOGNAME"), "nobody");
}

static void test_environment(void **unused)
{
	const struct passwd *user = getpwnam("nobody");
	char uid[16], gid[16];

	(void)unused;
	need_root();
	assert_non_null(user);
	snprintf(uid, sizeof(uid), "%u", user->pw_uid);
	snprintf(gid, sizeof(gid), "%u", user->pw_gid);
	sudo(uid, gid);
	assert_string_equal(sf_privilege_user(), "nobody");
	assert_int_equal(in_child(child_has_environment), 0);
}

static int child_stays_by_option(void)
{
	return drop(true) || geteuid();
}

static int child_stays(void)
{
	return drop(false) || geteuid();
}

static void test_stays_root(void **unused)
{
	(void)unused;
	need_root();
	sudo("54321", "54322");
	assert_int_equal(in_child(child_stays_by_option), 0);
	sudo(NULL, NULL);
	assert_null(sf_privilege_user());
	assert_int_equal(in_child(child_stays), 0);
	sudo("0", "0");
	assert_null(sf_privilege_user());
	assert_int_equal(in_child(child_stays), 0);
}

static void refuses(const char *uid, const char *gid, const char *name)
{
	struct sf_error err = { .code = SF_OK };

	sudo(uid, gid);
	assert_int_equal(sf_privilege_check(&err), SF_FAILED);
	assert_ptr_equal(strstr(err.message, name), err.message);
	assert_int_equal(in_child(child_stays), SF_FAILED);
}

static void test_refuses_nonsense(void **unused)
{
	(void)unused;
	need_root();
	refuses("", "0", "SUDO_UID is \"\"");
	refuses("-1", "0", "SUDO_UID is \"-1\"");
	refuses("4294967295", "0", "SUDO_UID is \"4294967295\"");
	refuses("4294967296", "0", "SUDO_UID is \"4294967296\"");
	refuses("1000", NULL, "SUDO_GID is \"\"");
	refuses("1000", "users", "SUDO_GID is \"users\"");
}

static int child_acts_as_user(void)
{
	struct sf_error err = { .code = SF_OK };
	struct sf_privilege kept;
	gid_t groups[64], before[64];
	int count = getgroups(64, before);

	if (sf_privilege_lower(&kept, &err) || geteuid() != UID ||
	    getegid() != GID)
		return 1;
	if (getgroups(64, groups) != 1 || groups[0] != GID || getuid())
		return 2;
	if (sf_privilege_raise(&kept, &err) || geteuid() || getegid())
		return 3;
	if (getgroups(64, groups) != count ||
	    memcmp(groups, before, count * sizeof(*groups)))
		return 4;
	return 0;
}

static void test_acts_as_user(void **unused)
{
	(void)unused;
	need_root();
	sudo("54321", "54322");
	assert_int_equal(in_child(child_acts_as_user), 0);
}

static int child_acts_as_root(void)
{
	struct sf_error err = { .code = SF_OK };
	struct sf_privilege kept;

	return sf_privilege_lower(&kept, &err) || geteuid() ||
	       sf_privilege_raise(&kept, &err) || geteuid();
}

static void test_acts_as_root(void **unused)
{
	(void)unused;
	need_root();
	sudo(NULL, NULL);
	assert_int_equal(in_child(child_acts_as_root), 0);
	sudo("me", "me");
	assert_int_equal(in_child(child_acts_as_root), 1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_becomes_user),
		cmocka_unit_test(test_environment),
		cmocka_unit_test(test_stays_root),
		cmocka_unit_test(test_refuses_nonsense),
		cmocka_unit_test(test_acts_as_user),
		cmocka_unit_test(test_acts_as_root),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
