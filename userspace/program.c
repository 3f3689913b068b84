// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "program.h"

static bool sf_is_program(const char *path)
{
	struct stat stat_of;

	return !stat(path, &stat_of) && S_ISREG(stat_of.st_mode) &&
	       !access(path, X_OK);
}

static bool sf_is_in_path(const char *name)
{
	const char *path = getenv("PATH"), *end;
	char full[PATH_MAX];

	for (; path; path = *end ? end + 1 : NULL) {
		end = strchrnul(path, ':');
		snprintf(full, sizeof(full), "%.*s%s%s", (int)(end - path),
			 path, end == path ? "" : "/", name);
		if (sf_is_program(full))
			return true;
	}
	return false;
}

/**
 * sf_program_find - is there such a program?
 * @name: as the user gave it
 * @err: says that there is none
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_program_find(const char *name, struct sf_error *err)
{
	if (strchr(name, '/') && !sf_is_program(name))
		return sf_fail(err, SF_FAILED, "cannot run %.400s: %s", name,
			       access(name, F_OK) ? strerror(errno) :
						    "it is no program");
	if (!strchr(name, '/') && !sf_is_in_path(name))
		return sf_fail(
			err, SF_FAILED,
			"there is no program \"%.400s\" in PATH; give its path, such as ./%.100s",
			name, name);
	return SF_OK;
}
