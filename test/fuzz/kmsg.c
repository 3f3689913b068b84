// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel's log, after a module was refused. */
#include "fuzz.h"

#include <fcntl.h>

#include "kmsg.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	int fd = open(fuzz_path(data, size), O_RDONLY | O_CLOEXEC);
	char *buf = malloc(1024), *at;

	fuzz_check(fd >= 0 && buf, "the log can be opened");
	sf_kmsg_reasons(fd, buf, 1024);
	for (at = buf; *at; at++)
		fuzz_check(*at >= ' ' && *at <= '~',
			   "reasons are of printable ASCII");
	fuzz_check(at - buf < 1024, "reasons have an end");
	free(buf);
	close(fd);
	return 0;
}
