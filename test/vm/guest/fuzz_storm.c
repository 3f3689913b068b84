// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Anything to any file, in any way that a file can be written, from several threads, while
 * others read in any way that a file can be read. What is said of it is only that the
 * text of the files is text; the rest is for the kernel to complain of.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <unistd.h>

#include "fuzz.h"

#define SF_WRITERS 3
#define SF_READERS 2

/* CPUs' directories come and go, so look again after so many accesses. */
#define SF_LOOK_AGAIN 500

/* The longest is one more than a page has, and many of them. */
#define SF_BUFFER 65537

/**
 * struct sf_thread - a writer or a reader
 * @random: its own
 * @end: when it stops
 * @files: as it knows them
 * @buf: what it writes, or reads
 * @done: accesses that succeeded
 * @refused: those that did not
 */
struct sf_thread {
	pthread_t id;
	struct sf_random random;
	double end;
	struct sf_files files;
	char buf[SF_BUFFER + 1];
	unsigned long done;
	unsigned long refused;
};

static atomic_bool sf_failed;

/* Where nothing is mapped; volatile, or the compiler knows. */
static char *volatile sf_nowhere = (char *)8;

static const char *sf_choose_file(struct sf_thread *thread)
{
	struct sf_files *files = &thread->files;

	if (!files->count ||
	    sf_random_once_in(&thread->random, SF_LOOK_AGAIN)) {
		sf_files_free(files);
		sf_files_find(files);
	}
	if (!files->count)
		return NULL;
	/* Most are those of domains; commands go to this one. */
	if (sf_random_once_in(&thread->random, 3))
		return SF_DEBUGFS "/policy";
	return files->paths[sf_random_below(&thread->random, files->count)];
}

static size_t sf_fill_bytes(struct sf_thread *thread)
{
	static const uint32_t sizes[] = { 0,	1,    2,    100,      4094,
					  4095, 4096, 4097, SF_BUFFER };
	size_t i, size = sizes[sf_random_below(&thread->random,
					       SF_ARRAY_SIZE(sizes))];
	bool blank = sf_random_once_in(&thread->random, 3);

	for (i = 0; i < size; i++)
		thread->buf[i] = blank ? ' ' : sf_random_next(&thread->random);
	return size;
}

static size_t sf_fill_number(struct sf_thread *thread)
{
	static const char *const numbers[] = { "0",
					       "1",
					       "-1",
					       "00",
					       "+1",
					       "Y",
					       "N",
					       "0x7",
					       "1e9",
					       "4294967295",
					       "\n",
					       "",
					       " 1\n",
					       "2147483648",
					       "on",
					       "1024",
					       "18446744073709551615" };

	return snprintf(thread->buf, SF_BUFFER, "%s",
			numbers[sf_random_below(&thread->random,
						SF_ARRAY_SIZE(numbers))]);
}

static size_t sf_fill_value(struct sf_thread *thread)
{
	struct sf_word word;

	sf_word_draw(&thread->random,
		     sf_random_below(&thread->random, SF_NR_KEYS), &word);
	return snprintf(thread->buf, SF_BUFFER, "%s\n", word.value);
}

static size_t sf_fill_command(struct sf_thread *thread)
{
	struct sf_command command;

	sf_command_draw(&thread->random, SF_KEY_TRIP_DELAY_US, &command);
	sf_command_print(&thread->random, &command);
	return snprintf(thread->buf, SF_BUFFER, "%s", command.text);
}

/* A few bytes of it become others, a part is repeated, or it ends in blanks. */
static size_t sf_mutate(struct sf_thread *thread, size_t size)
{
	struct sf_random *random = &thread->random;
	uint32_t i;

	for (i = sf_random_below(random, 4); i && size; i--)
		thread->buf[sf_random_below(random, size)] =
			sf_random_next(random);
	if (size && sf_random_once_in(random, 4)) {
		memcpy(thread->buf + size, thread->buf, size);
		size *= 2;
	}
	if (sf_random_once_in(random, 8)) {
		memset(thread->buf + size, ' ', SF_COMMAND_MAX);
		size = SF_COMMAND_MAX - 1 + sf_random_below(random, 3);
	}
	return size;
}

static size_t sf_fill(struct sf_thread *thread)
{
	switch (sf_random_below(&thread->random, 8)) {
	case 0:
		return sf_fill_bytes(thread);
	case 1:
		return sf_fill_number(thread);
	case 2:
		return sf_fill_value(thread);
	case 3:
	case 4:
		return sf_mutate(thread, sf_fill_command(thread));
	default:
		return sf_fill_command(thread);
	}
}

static ssize_t sf_write_split(struct sf_thread *thread, int fd, size_t size)
{
	size_t at = size ? sf_random_below(&thread->random, size + 1) : 0;
	ssize_t len = write(fd, thread->buf, at);

	return len < 0 ? len : write(fd, thread->buf + at, size - at);
}

static ssize_t sf_write_vector(struct sf_thread *thread, int fd, size_t size)
{
	size_t at = size ? sf_random_below(&thread->random, size + 1) : 0;
	struct iovec parts[] = { { thread->buf, at },
				 { thread->buf + at, size - at } };

	return writev(fd, parts, 2);
}

static ssize_t sf_write_once(struct sf_thread *thread, int fd, size_t size)
{
	static const off_t offsets[] = { 0, 1, 3, 4095, 4096, -1, 1ll << 40 };

	switch (sf_random_below(&thread->random, 10)) {
	case 0:
		return sf_write_split(thread, fd, size);
	case 1:
		return sf_write_vector(thread, fd, size);
	case 2:
		return pwrite(fd, thread->buf, size,
			      offsets[sf_random_below(&thread->random,
						      SF_ARRAY_SIZE(offsets))]);
	case 3:
		return write(fd, sf_nowhere, size);
	case 4:
		lseek(fd, sf_random_below(&thread->random, 5000), SEEK_SET);
		return write(fd, thread->buf, size);
	default:
		return write(fd, thread->buf, size);
	}
}

/* Once somebody has written 1 to `off`, all else is refused until it is 0. */
static void sf_switch_on(struct sf_thread *thread)
{
	int fd;

	if (errno != ESHUTDOWN || !sf_random_once_in(&thread->random, 4))
		return;
	fd = open(SF_DEBUGFS "/off", O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (write(fd, "0", 1) == 1)
		thread->done++;
	close(fd);
}

static void sf_write_file(struct sf_thread *thread, const char *path)
{
	static const int flags[] = { O_WRONLY, O_RDWR, O_WRONLY | O_TRUNC,
				     O_WRONLY | O_APPEND, O_RDWR | O_NONBLOCK };
	int fd = open(path,
		      O_CLOEXEC | flags[sf_random_below(&thread->random,
							SF_ARRAY_SIZE(flags))]);
	uint32_t times = 1 + sf_random_once_in(&thread->random, 4);

	if (fd < 0) {
		thread->refused++;
		return;
	}
	while (times--) {
		if (sf_write_once(thread, fd, sf_fill(thread)) >= 0) {
			thread->done++;
			continue;
		}
		thread->refused++;
		sf_switch_on(thread);
	}
	if (sf_random_once_in(&thread->random, 8) && ftruncate(fd, 0))
		thread->refused++;
	close(fd);
}

static void *sf_writer(void *data)
{
	struct sf_thread *thread = data;
	const char *path;

	while (sf_now() < thread->end) {
		path = sf_choose_file(thread);
		if (path)
			sf_write_file(thread, path);
	}
	sf_files_free(&thread->files);
	return NULL;
}

/* All files are text, but for the one that repeats what was written. */
static void sf_check_text(const char *path, const char *buf, ssize_t len)
{
	ssize_t i;

	if (strstr(path, "/last_error"))
		return;
	for (i = 0; i < len; i++) {
		if (buf[i] == '\n' || (buf[i] >= ' ' && buf[i] <= '~'))
			continue;
		printf("%s has a byte %d\n", path, buf[i]);
		atomic_store(&sf_failed, true);
		return;
	}
}

static ssize_t sf_read_vector(struct sf_thread *thread, int fd)
{
	struct iovec parts[] = { { thread->buf, 1 },
				 { thread->buf + 1, 13 },
				 { thread->buf + 14, 4096 } };

	return readv(fd, parts, 3);
}

static ssize_t sf_read_once(struct sf_thread *thread, int fd)
{
	struct sf_random *random = &thread->random;
	struct pollfd waiting = { .fd = fd, .events = POLLIN | POLLPRI };
	void *map;

	switch (sf_random_below(random, 10)) {
	case 0:
		return pread(fd, thread->buf, 1,
			     sf_random_below(random, 20000));
	case 1:
		lseek(fd, (off_t)sf_random_next(random), SEEK_SET);
		return read(fd, thread->buf, 100);
	case 2:
		lseek(fd, -1, SEEK_END);
		return read(fd, thread->buf, 1);
	case 3:
		map = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
		if (map != MAP_FAILED)
			munmap(map, 4096);
		return 0;
	case 4:
		poll(&waiting, 1, 1);
		return 0;
	case 5:
		ioctl(fd, sf_random_next(random), thread->buf);
		return read(fd, sf_nowhere, 100);
	case 6:
		return sf_read_vector(thread, fd);
	default:
		return read(fd, thread->buf,
			    1 + sf_random_below(random, SF_BUFFER));
	}
}

static void sf_read_some(struct sf_thread *thread, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint32_t times = 1 + sf_random_below(&thread->random, 6);
	ssize_t len;

	if (fd < 0) {
		thread->refused++;
		return;
	}
	while (times--) {
		len = sf_read_once(thread, fd);
		if (len >= 0)
			thread->done++;
		else
			thread->refused++;
		sf_check_text(path, thread->buf, len);
	}
	close(fd);
}

static void *sf_reader(void *data)
{
	struct sf_thread *thread = data;
	const char *path;

	while (sf_now() < thread->end) {
		path = sf_choose_file(thread);
		if (path)
			sf_read_some(thread, path);
	}
	sf_files_free(&thread->files);
	return NULL;
}

int sf_storm(double seconds, uint64_t seed)
{
	static struct sf_thread threads[SF_WRITERS + SF_READERS];
	unsigned long done[2] = { 0 }, refused[2] = { 0 };
	size_t i;

	for (i = 0; i < SF_ARRAY_SIZE(threads); i++) {
		threads[i].random.state = seed << 8 | i;
		threads[i].end = sf_now() + seconds;
		if (pthread_create(&threads[i].id, NULL,
				   i < SF_WRITERS ? sf_writer : sf_reader,
				   &threads[i])) {
			printf("cannot make a thread\n");
			return 1;
		}
	}
	for (i = 0; i < SF_ARRAY_SIZE(threads); i++) {
		pthread_join(threads[i].id, NULL);
		done[i >= SF_WRITERS] += threads[i].done;
		refused[i >= SF_WRITERS] += threads[i].refused;
	}
	printf("seed %llu: %lu writes taken, %lu refused; %lu reads, %lu refused\n",
	       (unsigned long long)seed, done[0], refused[0], done[1],
	       refused[1]);
	return atomic_load(&sf_failed) || !done[0] || !refused[0] || !done[1];
}
