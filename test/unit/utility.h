/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the tests of the utility share: a tree of files in place of the
 * kernel's.
 */
#ifndef SCHEDFLIP_UNIT_UTILITY_H
#define SCHEDFLIP_UNIT_UTILITY_H

/* For nftw(), so this is to be included first. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "unit.h"

#include <dirent.h>
#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"

static char tree[64];

/* Where a file of the tree is. */
static inline const char *tree_path(const char *path)
{
	static char full[PATH_MAX];

	snprintf(full, sizeof(full), "%s%s", tree, path);
	return full;
}

/* Write a file of the tree, and make the directories it is in. */
static inline void tree_write_bytes(const char *path, const void *data,
				    size_t size)
{
	char full[PATH_MAX], *slash;
	FILE *file;

	snprintf(full, sizeof(full), "%s%s", tree, path);
	for (slash = full + strlen(tree); (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		mkdir(full, 0755);
		*slash = '/';
	}
	file = fopen(full, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static inline void tree_write(const char *path, const char *text)
{
	tree_write_bytes(path, text, strlen(text));
}

/* Return: number of files and directories at the top of the tree. */
static inline int tree_count(void)
{
	DIR *dir = opendir(tree_path(""));
	const struct dirent *entry;
	int count = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir)))
		count += entry->d_name[0] != '.';
	closedir(dir);
	return count;
}

static inline int tree_remove_one(const char *path, const struct stat *stat,
				  int type, struct FTW *ftw)
{
	(void)stat;
	(void)type;
	(void)ftw;
	return remove(path);
}

static inline void tree_remove(const char *path)
{
	nftw(tree_path(path), tree_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static inline int tree_setup(void **state)
{
	(void)state;
	snprintf(tree, sizeof(tree), "/tmp/schedflip-unit-XXXXXX");
	return !mkdtemp(tree) || setenv("SCHEDFLIP_SYSROOT", tree, 1);
}

static inline int tree_teardown(void **state)
{
	(void)state;
	tree_remove("");
	return 0;
}

/* A test with a tree of its own. */
#define tree_test(test) \
	cmocka_unit_test_setup_teardown(test, tree_setup, tree_teardown)

#endif
