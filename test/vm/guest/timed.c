// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Does one thing to a file, and tells how long it took: `ns=N bytes=N lines=N`. A shell's
 * own clock would count the start of a program as well.
 *
 *	timed load MODULE [PARAMETER=VALUE]...	finit_module(2)
 *	timed read FILE				all of it; bytes and lines are what it had
 *	timed write FILE TEXT			in one write(2)
 *	timed until FILE TEXT			looks each millisecond if the file begins with
 *						TEXT; one that is gone is said to be ""
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/**
 * struct job - what is timed
 * @file: open, or -1 if it is opened anew each time
 * @path: of the file
 * @text: to write or to wait for, or parameters
 * @bytes: that the file had
 * @lines: that it had
 */
struct job {
	int file;
	const char *path;
	const char *text;
	long bytes;
	long lines;
};

static char buffer[1 << 16];

static void die(const char *what)
{
	fprintf(stderr, "timed: ");
	perror(what);
	exit(1);
}

static long long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void do_load(struct job *job)
{
	if (syscall(SYS_finit_module, job->file, job->text, 0))
		die(job->path);
}

static void do_read(struct job *job)
{
	ssize_t got, i;

	while ((got = read(job->file, buffer, sizeof(buffer))) > 0) {
		job->bytes += got;
		for (i = 0; i < got; i++)
			job->lines += buffer[i] == '\n';
	}
	if (got < 0)
		die(job->path);
}

static void do_write(struct job *job)
{
	ssize_t length = strlen(job->text);

	if (write(job->file, job->text, length) != length)
		die(job->path);
}

static int is_there(const struct job *job)
{
	size_t length = strlen(job->text);
	int file = open(job->path, O_RDONLY);
	ssize_t got;

	if (file < 0)
		return !length;
	got = read(file, buffer, sizeof(buffer));
	close(file);
	return length && got >= (ssize_t)length &&
	       !memcmp(buffer, job->text, length);
}

static void do_until(struct job *job)
{
	while (!is_there(job))
		usleep(1000);
}

static const struct {
	const char *name;
	int flags;
	void (*run)(struct job *job);
} jobs[] = {
	{ "load", O_RDONLY, do_load },
	{ "read", O_RDONLY, do_read },
	{ "write", O_WRONLY, do_write },
	{ "until", -1, do_until },
};

static const char *join(char **words)
{
	static char line[4096];

	for (; *words; words++) {
		strncat(line, *words, sizeof(line) - strlen(line) - 1);
		if (words[1])
			strncat(line, " ", sizeof(line) - strlen(line) - 1);
	}
	return line;
}

int main(int argc, char **argv)
{
	struct job job = { .file = -1 };
	long long begin;
	size_t i;

	for (i = 0; argc >= 3 && i < sizeof(jobs) / sizeof(*jobs); i++) {
		if (strcmp(argv[1], jobs[i].name))
			continue;
		job.path = argv[2];
		job.text = join(argv + 3);
		if (jobs[i].flags >= 0)
			job.file = open(job.path, jobs[i].flags);
		if (jobs[i].flags >= 0 && job.file < 0)
			die(job.path);
		begin = now_ns();
		jobs[i].run(&job);
		begin = now_ns() - begin;
		printf("ns=%lld bytes=%ld lines=%ld\n", begin, job.bytes,
		       job.lines);
		return 0;
	}
	fprintf(stderr, "usage: timed load|read|write|until FILE [TEXT]...\n");
	return 2;
}
