// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Loads a module while one allocation fails: failnth N MODULE [PARAMETERS]
 *
 * The Nth allocation that this process asks the kernel for in finit_module() fails, if
 * the kernel's fault attributes take it into account. N of 0 lets none fail. Prints
 *
 *	fired=1 error=12
 *
 * whether it came to that, and the error of finit_module(), 0 if the module was loaded.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int sf_open(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC);

	if (fd < 0) {
		perror(path);
		exit(2);
	}
	return fd;
}

/* The file counts down, and is at 0 as soon as an allocation was made to fail. */
static long sf_left(int nth)
{
	char text[32] = "";

	if (pread(nth, text, sizeof(text) - 1, 0) <= 0) {
		perror("failnth: fail-nth cannot be read");
		exit(2);
	}
	return atol(text);
}

int main(int argc, char **argv)
{
	int module, nth, error;
	long left;

	if (argc < 3 || argc > 4) {
		fprintf(stderr, "usage: failnth N MODULE [PARAMETERS]\n");
		return 2;
	}
	module = sf_open(argv[2], O_RDONLY);
	nth = sf_open("/proc/thread-self/fail-nth", O_RDWR);
	/* A page that is touched first between here and there would be counted as well. */
	mlockall(MCL_CURRENT | MCL_FUTURE);
	if (dprintf(nth, "%s", argv[1]) < 0) {
		perror("failnth: fail-nth cannot be written");
		return 2;
	}
	error = syscall(SYS_finit_module, module, argc > 3 ? argv[3] : "", 0) ?
			errno :
			0;
	left = sf_left(nth);
	if (pwrite(nth, "0", 1, 0) != 1) {
		perror("failnth: fail-nth cannot be reset");
		return 2;
	}
	printf("fired=%d error=%d\n", atol(argv[1]) > 0 && left == 0, error);
	return 0;
}
