// SPDX-License-Identifier: GPL-2.0-or-later
#include "utility.h"

#include "program.h"

static void assert_found(const char *name)
{
	struct sf_error err = { .code = SF_OK };

	assert_int_equal(sf_program_find(name, &err), SF_OK);
}

static void assert_not_found(const char *name, const char *message)
{
	struct sf_error err = { .code = SF_OK };

	assert_int_equal(sf_program_find(name, &err), SF_FAILED);
	assert_string_equal(err.message, message);
}

static void test_by_path(void **unused)
{
	(void)unused;
	assert_found("/bin/sh");
	assert_not_found("/tmp", "cannot run /tmp: it is no program");
	assert_not_found("/etc/passwd",
			 "cannot run /etc/passwd: it is no program");
	assert_not_found("./nothing",
			 "cannot run ./nothing: No such file or directory");
}

/* An empty part of PATH is the directory that we are in. */
static void test_in_path(void **unused)
{
	const char *path = getenv("PATH");
	char *before = strdup(path ? path : "");

	(void)unused;
	assert_non_null(before);
	setenv("PATH", "/no/such:/bin", 1);
	assert_found("sh");
	assert_not_found(
		"no-such",
		"there is no program \"no-such\" in PATH; give its path, such as ./no-such");
	setenv("PATH", "/no/such", 1);
	assert_not_found(
		"sh",
		"there is no program \"sh\" in PATH; give its path, such as ./sh");
	tree_write("/mine", "#!/bin/sh\n");
	assert_int_equal(chmod(tree_path("/mine"), 0755), 0);
	assert_int_equal(chdir(tree), 0);
	setenv("PATH", "/no/such:", 1);
	assert_found("mine");
	assert_int_equal(chdir("/"), 0);
	setenv("PATH", before, 1);
	free(before);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by_path),
		tree_test(test_in_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
