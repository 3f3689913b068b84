/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the fuzz targets share. Each has one LLVMFuzzerTestOneInput(), which libFuzzer
 * calls (test/fuzz/run), or main.c for the inputs that are kept (make check).
 */
#ifndef SCHEDFLIP_FUZZ_H
#define SCHEDFLIP_FUZZ_H

/* For nftw() and memfd_create(), so this is to be included first. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <ftw.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <schedflip/types.h>

#include "error.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* What holds for any input; a sanitizer sees only what no program may do. */
static inline void fuzz_check(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "does not hold: %s\n", what);
	abort();
}

/* A string of its own, so that a read behind its end is seen. To be freed. */
static inline char *fuzz_text(const u8 *data, size_t size)
{
	char *text = malloc(size + 1);

	fuzz_check(text != NULL, "memory is enough");
	memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

/* A text up to a NUL, which is then left behind, or all that is left. To be freed. */
static inline char *fuzz_next(const u8 **data, size_t *size)
{
	size_t len = strnlen((const char *)*data, *size);
	char *text = fuzz_text(*data, len);

	len += len < *size;
	*data += len;
	*size -= len;
	return text;
}

/* A message that is fit for a terminal, if and only if there is an error. */
static inline void fuzz_error(int code, const struct sf_error *err)
{
	const char *at;

	fuzz_check(code == err->code, "the code returned is that of the error");
	fuzz_check(!code == !*err->message, "an error has a message");
	for (at = err->message; *at; at++)
		fuzz_check(!sf_control_size(at),
			   "no message has a control character");
}

/* What is printed goes nowhere. */
static inline void fuzz_quiet(void)
{
	static FILE *nowhere;

	if (!nowhere)
		nowhere = fopen("/dev/null", "we");
	fuzz_check(nowhere, "there is a /dev/null");
	stdout = nowhere;
}

/* The path of a file of these bytes; it is the same file each time. */
static inline const char *fuzz_path(const u8 *data, size_t size)
{
	static int fd = -1;
	static char path[64];

	if (fd < 0)
		fd = memfd_create("fuzz", MFD_CLOEXEC);
	fuzz_check(fd >= 0 && !ftruncate(fd, 0) &&
			   pwrite(fd, data, size, 0) == (ssize_t)size,
		   "a file of memory can be written");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return path;
}

static char fuzz_tree[PATH_MAX / 2];

static inline int fuzz_remove(const char *path, const struct stat *stat,
			      int type, struct FTW *ftw)
{
	(void)stat;
	(void)type;
	(void)ftw;
	return remove(path);
}

static inline void fuzz_tree_remove(void)
{
	nftw(fuzz_tree, fuzz_remove, 16, FTW_DEPTH | FTW_PHYS);
}

/* A tree in place of the kernel's files, which goes with the program. */
static inline void fuzz_tree_make(void)
{
	const char *tmp = getenv("TMPDIR");

	if (*fuzz_tree)
		return;
	snprintf(fuzz_tree, sizeof(fuzz_tree), "%s/schedflip-fuzz-XXXXXX",
		 tmp ? tmp : "/tmp");
	fuzz_check(mkdtemp(fuzz_tree) &&
			   !setenv("SCHEDFLIP_SYSROOT", fuzz_tree, 1),
		   "a directory can be made");
	atexit(fuzz_tree_remove);
}

/* Write a file of the tree, and make the directories it is in. */
static inline void fuzz_tree_write(const char *path, const void *data,
				   size_t size)
{
	char full[PATH_MAX], *slash;
	FILE *file;

	fuzz_tree_make();
	snprintf(full, sizeof(full), "%s%s", fuzz_tree, path);
	file = fopen(full, "we");
	for (slash = full + strlen(fuzz_tree);
	     !file && (slash = strchr(slash + 1, '/'));) {
		*slash = '\0';
		mkdir(full, 0755);
		*slash = '/';
	}
	if (!file)
		file = fopen(full, "we");
	fuzz_check(file && fwrite(data, 1, size, file) == size && !fclose(file),
		   "a file can be written");
}

#endif
