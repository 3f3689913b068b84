// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/perf_event.h>
#include <math.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <schedflip/types.h>

#include "migrations.h"

/**
 * sf_migrations_open - count the migrations of a command
 * @pid: of the process; what it does before its exec does not count, what its children
 *	do after that does
 *
 * Return: a descriptor, to be closed; -1 if the kernel does not let us count.
 */
int sf_migrations_open(pid_t pid)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_MIGRATIONS,
		.disabled = 1,
		.inherit = 1,
		.enable_on_exec = 1,
	};

	return syscall(SYS_perf_event_open, &attr, pid, -1, -1,
		       PERF_FLAG_FD_CLOEXEC);
}

/**
 * sf_migrations_read - migrations until now
 * @fd: from sf_migrations_open(), also if that is -1
 *
 * Return: number of them; NAN if they are not counted.
 */
double sf_migrations_read(int fd)
{
	u64 count;

	if (fd < 0 || read(fd, &count, sizeof(count)) != sizeof(count))
		return NAN;
	return count;
}
