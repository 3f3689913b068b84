// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Uses schedflip's kill switch at a moment that the trace tells: a mark of the trace
 * and the write come right after each other, by a task that nobody preempts.
 */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int open_file(const char *path)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0)
		perror(path);
	return fd;
}

int main(int argc, char **argv)
{
	struct sched_param param = { .sched_priority = 50 };
	const char *mark = argc > 1 ? argv[1] : "kill";
	int marker = open_file("/sys/kernel/tracing/trace_marker");
	int off = open_file("/sys/kernel/debug/schedflip/off");

	if (marker < 0 || off < 0)
		return 1;
	if (sched_setscheduler(0, SCHED_FIFO, &param))
		perror("sched_setscheduler");
	if (write(marker, mark, strlen(mark)) < 0 || write(off, "1", 1) != 1) {
		perror("write");
		return 1;
	}
	return 0;
}
