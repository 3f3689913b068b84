// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files are written as a whole, where they were to be, and as the user.
 */
#include "utility.h"

#include <signal.h>
#include <sys/resource.h>

#include "writer.h"

#define NAME "/f"
#define NO_FILE "it is there, but is no plain file; give another name"
#define LINK "it is a symbolic link; name the file that it leads to"

static void assert_holds(const char *path, const char *text)
{
	FILE *file = fopen(tree_path(path), "r");
	char buf[64] = "";

	assert_non_null(file);
	assert_int_equal(fread(buf, 1, sizeof(buf) - 1, file), strlen(text));
	fclose(file);
	assert_string_equal(buf, text);
}

static struct sf_writer *open_writer(const char *path)
{
	struct sf_error err = { .code = SF_OK };
	struct sf_writer *writer = sf_writer_open(tree_path(path), &err);

	if (!writer)
		fail_msg("%s", err.message);
	return writer;
}

static void assert_refused(const char *path, const char *why)
{
	struct sf_error err = { .code = SF_OK };
	char message[2 * PATH_MAX];

	assert_int_equal(sf_writer_check(path, &err), SF_FAILED);
	snprintf(message, sizeof(message), "cannot write %s: %s", path, why);
	assert_string_equal(err.message, message);
}

static void test_whole(void **unused)
{
	struct sf_error err = { .code = SF_OK };
	struct sf_writer *writer;

	(void)unused;
	tree_write(NAME, "before");
	writer = open_writer(NAME);
	assert_int_equal(tree_count(), 1);
	assert_int_equal(sf_writer_begin(writer, &err), SF_OK);
	assert_int_equal(sf_writer_put(writer, "one", 3), 0);
	assert_holds(NAME, "before");
	assert_int_equal(sf_writer_put(writer, "two", 3), 0);
	assert_int_equal(sf_writer_end(writer, &err), SF_OK);
	assert_holds(NAME, "onetwo");
	assert_int_equal(sf_writer_save(writer, "again", 5, &err), SF_OK);
	assert_holds(NAME, "again");
	assert_int_equal(sf_writer_begin(writer, &err), SF_OK);
	assert_int_equal(sf_writer_put(writer, "not", 3), 0);
	sf_writer_close(writer);
	assert_holds(NAME, "again");
	assert_int_equal(tree_count(), 1);
}

static void test_refused(void **unused)
{
	char path[PATH_MAX];

	(void)unused;
	assert_refused("", "No such file or directory");
	assert_refused("/dev/null", NO_FILE);
	assert_refused("/dev/stdout", LINK);
	assert_refused(tree, NO_FILE);
	snprintf(path, sizeof(path), "%s/", tree);
	assert_refused(path, "Is a directory");
	assert_refused(tree_path("/none/f"), "No such file or directory");
	assert_int_equal(symlink("f", tree_path("/link")), 0);
	assert_refused(tree_path("/link"), LINK);
	tree_write(NAME, "");
	assert_refused(tree_path(NAME "/f"), "Not a directory");
	assert_int_equal(tree_count(), 2);
}

/* What comes into its place meanwhile is looked at again. */
static void test_link_meanwhile(void **unused)
{
	struct sf_error err = { .code = SF_OK };
	struct sf_writer *writer = open_writer(NAME);

	(void)unused;
	tree_write("/other", "other");
	assert_int_equal(symlink("other", tree_path(NAME)), 0);
	assert_int_equal(sf_writer_save(writer, "text", 4, &err), SF_FAILED);
	assert_non_null(strstr(err.message, LINK));
	assert_holds("/other", "other");
	sf_writer_close(writer);
	assert_int_equal(tree_count(), 2);
}

static void test_directory_swapped(void **unused)
{
	struct sf_error err = { .code = SF_OK };
	struct sf_writer *writer;
	char old[PATH_MAX];

	(void)unused;
	tree_write("/dir/f", "before");
	tree_write("/safe/f", "safe");
	writer = open_writer("/dir/f");
	snprintf(old, sizeof(old), "%s/old", tree);
	assert_int_equal(rename(tree_path("/dir"), old), 0);
	assert_int_equal(symlink("safe", tree_path("/dir")), 0);
	assert_int_equal(sf_writer_save(writer, "text", 4, &err), SF_OK);
	assert_holds("/safe/f", "safe");
	assert_holds("/old/f", "text");
	sf_writer_close(writer);
}

static void test_user(void **unused)
{
	struct sf_error err = { .code = SF_OK };
	struct sf_writer *writer;
	struct stat stat_of;

	(void)unused;
	if (geteuid())
		skip();
	setenv("SUDO_UID", "4711", 1);
	setenv("SUDO_GID", "4712", 1);
	assert_null(sf_writer_open(tree_path(NAME), &err));
	assert_non_null(strstr(err.message,
			       " as 4711, who called sudo: Permission denied"));
	err.code = SF_OK;
	/* As in /tmp: it must be found out before there is something to write. */
	assert_int_equal(chmod(tree, 01777), 0);
	tree_write(NAME, "root's");
	assert_null(sf_writer_open(tree_path(NAME), &err));
	assert_non_null(strstr(err.message, "Operation not permitted"));
	err.code = SF_OK;
	assert_int_equal(unlink(tree_path(NAME)), 0);
	assert_int_equal(chmod(tree, 0700), 0);
	assert_int_equal(chown(tree, 4711, 4712), 0);
	writer = open_writer(NAME);
	assert_int_equal(sf_writer_save(writer, "text", 4, &err), SF_OK);
	assert_int_equal(stat(tree_path(NAME), &stat_of), 0);
	assert_int_equal(stat_of.st_uid, 4711);
	assert_int_equal(stat_of.st_gid, 4712);
	/* The user's right ends meanwhile. */
	assert_int_equal(chown(tree, 0, 0), 0);
	assert_int_equal(sf_writer_save(writer, "more", 4, &err), SF_FAILED);
	assert_holds(NAME, "text");
	assert_int_equal(geteuid(), 0);
	sf_writer_close(writer);
	unsetenv("SUDO_UID");
	unsetenv("SUDO_GID");
}

static void test_full(void **unused)
{
	struct rlimit before, limit;
	struct sf_error err = { .code = SF_OK };
	struct sf_writer *writer = open_writer(NAME);
	static const char data[8192];

	(void)unused;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	limit = before;
	limit.rlim_cur = 4096;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_int_equal(sf_writer_save(writer, data, sizeof(data), &err),
			 SF_FAILED);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_non_null(strstr(err.message, ": File too large"));
	assert_int_equal(tree_count(), 0);
	err.code = SF_OK;
	assert_int_equal(sf_writer_save(writer, data, 1, &err), SF_OK);
	sf_writer_close(writer);
}

static void test_long_name(void **unused)
{
	struct sf_error err = { .code = SF_OK };
	char name[NAME_MAX + 2] = "/";
	struct sf_writer *writer;

	(void)unused;
	memset(name + 1, 'n', NAME_MAX);
	writer = open_writer(name);
	assert_int_equal(sf_writer_save(writer, "text", 4, &err), SF_OK);
	assert_holds(name, "text");
	sf_writer_close(writer);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		tree_test(test_whole),
		tree_test(test_refused),
		tree_test(test_link_meanwhile),
		tree_test(test_directory_swapped),
		tree_test(test_user),
		tree_test(test_full),
		tree_test(test_long_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
