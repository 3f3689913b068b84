// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes to the module's files whatever can be written, for a time. It begins with the
 * same commands for the same seed.
 *
 *	fuzz oracle SECONDS SEED	one command after the other: each does what it
 *					says, or is refused and changes nothing
 *	fuzz storm SECONDS SEED		anything to any file, from several threads, while
 *					others read
 *
 * Exit status: 0 if all was as it should be, 1 if not, 2 for wrong usage.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fuzz.h"

double sf_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

static void sf_files_walk(struct sf_files *files, const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	char *child;

	if (!dir)
		return;
	while ((entry = readdir(dir)) && files->count < SF_MAX_FILES) {
		if (entry->d_name[0] == '.')
			continue;
		if (asprintf(&child, "%s/%s", path, entry->d_name) < 0)
			break;
		if (entry->d_type != DT_DIR) {
			files->paths[files->count++] = child;
			continue;
		}
		sf_files_walk(files, child);
		free(child);
	}
	closedir(dir);
}

/* Find all files there are now. */
void sf_files_find(struct sf_files *files)
{
	files->count = 0;
	sf_files_walk(files, SF_DEBUGFS);
	sf_files_walk(files, SF_PARAMETERS);
}

void sf_files_free(struct sf_files *files)
{
	while (files->count)
		free(files->paths[--files->count]);
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "oracle"))
		return sf_oracle(atof(argv[2]), strtoull(argv[3], NULL, 10));
	if (argc == 4 && !strcmp(argv[1], "storm"))
		return sf_storm(atof(argv[2]), strtoull(argv[3], NULL, 10));
	fprintf(stderr, "usage: fuzz oracle|storm SECONDS SEED\n");
	return 2;
}
