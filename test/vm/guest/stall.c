// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A write whose buffer does not come: its page belongs to a userfaultfd that
 * nobody serves, so the kernel waits for it in the middle of the write.
 *
 *	stall FILE SECONDS
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void *missing_page(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	int fd = syscall(SYS_userfaultfd, O_CLOEXEC);
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (fd < 0 || ioctl(fd, UFFDIO_API, &api))
		die("stall: userfaultfd");
	if (page == MAP_FAILED)
		die("stall: mmap");
	range.range.start = (unsigned long)page;
	range.range.len = 4096;
	if (ioctl(fd, UFFDIO_REGISTER, &range))
		die("stall: UFFDIO_REGISTER");
	return page;
}

int main(int argc, char **argv)
{
	int fd;

	if (argc != 3) {
		fprintf(stderr, "usage: stall FILE SECONDS\n");
		return 2;
	}
	fd = open(argv[1], O_WRONLY);
	if (fd < 0)
		die(argv[1]);
	alarm(atoi(argv[2]));
	return write(fd, missing_page(), 10) < 0;
}
