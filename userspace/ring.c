// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <kbuffer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cpulist.h"
#include "ring.h"
#include "text.h"

/* More may need more descriptors than a process has by default. */
#define SF_MANY_CPUS 256

/**
 * struct sf_ring - the buffers of an instance of tracefs
 * @instance: it
 * @kbuffer: takes pages apart
 * @page: one, of @page_size
 * @page_size: what the kernel gives at a time, bytes
 * @cpus: by number; NULL where the kernel has no buffer
 */
struct sf_ring {
	struct tracefs_instance *instance;
	struct kbuffer *kbuffer;
	void *page;
	int page_size;
	struct tracefs_cpu *cpus[SF_MAX_CPUS];
};

/* Each CPU takes a descriptor or three, and a shell allows 1024. */
static void sf_ring_allow_files(void)
{
	struct rlimit limit;

	if (sysconf(_SC_NPROCESSORS_CONF) < SF_MANY_CPUS ||
	    getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static int sf_ring_open_cpu(struct sf_ring *ring, unsigned int cpu,
			    struct sf_error *err)
{
	char file[64];
	int fd;

	snprintf(file, sizeof(file), "per_cpu/cpu%u", cpu);
	if (!tracefs_dir_exists(ring->instance, file))
		return SF_OK;
	sf_append_text(file, sizeof(file), "/trace_pipe_raw");
	/* tracefs_cpu_open() would let the user's command have it as well. */
	fd = tracefs_instance_file_open(ring->instance, file,
					O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return sf_fail(err, SF_FAILED, "cannot open tracing's %s: %s",
			       file, strerror(errno));
	ring->cpus[cpu] = tracefs_cpu_alloc_fd(fd, ring->page_size, true);
	if (ring->cpus[cpu])
		return SF_OK;
	close(fd);
	return sf_fail(err, SF_FAILED, "out of memory");
}

/* Kernels since 6.8 can have larger pages than the CPU has. */
static int sf_ring_page_size(struct sf_ring *ring)
{
	static const char file[] = "buffer_subbuf_size_kb";
	long long kib;

	if (!tracefs_file_exists(ring->instance, file) ||
	    tracefs_instance_file_read_number(ring->instance, file, &kib))
		return getpagesize();
	return kib * 1024;
}

static int sf_ring_open_cpus(struct sf_ring *ring, struct sf_error *err)
{
	unsigned int cpu;

	sf_ring_allow_files();
	ring->page_size = sf_ring_page_size(ring);
	ring->page = malloc(ring->page_size);
	ring->kbuffer = kbuffer_alloc(KBUFFER_LSIZE_SAME_AS_HOST,
				      KBUFFER_ENDIAN_SAME_AS_HOST);
	if (!ring->page || !ring->kbuffer)
		return sf_fail(err, SF_FAILED, "out of memory");
	for (cpu = 0; cpu < SF_MAX_CPUS; cpu++)
		if (sf_ring_open_cpu(ring, cpu, err))
			return err->code;
	return SF_OK;
}

/**
 * sf_ring_open - open the buffers of an instance
 * @instance: of tracefs; must stay until sf_ring_close()
 * @err: says what was wrong
 *
 * Return: what is to be given to sf_ring_close(); NULL after an error.
 */
struct sf_ring *sf_ring_open(struct tracefs_instance *instance,
			     struct sf_error *err)
{
	struct sf_ring *ring = calloc(1, sizeof(*ring));

	if (!ring) {
		sf_fail(err, SF_FAILED, "out of memory");
		return NULL;
	}
	ring->instance = instance;
	if (!sf_ring_open_cpus(ring, err))
		return ring;
	sf_ring_close(ring);
	return NULL;
}

/* Return: SF_OK or what @take returned. */
static int sf_ring_take_page(struct sf_ring *ring, sf_record_fn take,
			     void *data)
{
	unsigned long long time_ns;
	int error = SF_OK;
	void *record;

	kbuffer_load_subbuffer(ring->kbuffer, ring->page);
	for (record = kbuffer_read_event(ring->kbuffer, &time_ns);
	     record && !error;
	     record = kbuffer_next_event(ring->kbuffer, &time_ns))
		error = take(record, time_ns, data);
	return error;
}

static int sf_ring_drain_cpu(struct sf_ring *ring, unsigned int cpu,
			     sf_record_fn take, void *data,
			     struct sf_error *err)
{
	int size, error;

	for (;;) {
		size = tracefs_cpu_read(ring->cpus[cpu], ring->page, true);
		if (!size || (size < 0 && errno == EAGAIN))
			return SF_OK;
		if (size < 0)
			return sf_fail(err, SF_FAILED,
				       "cannot read the events of CPU %u: %s",
				       cpu, strerror(errno));
		error = sf_ring_take_page(ring, take, data);
		if (error)
			return error;
	}
}

/**
 * sf_ring_drain - take the records that are there
 * @ring: from sf_ring_open()
 * @take: is given each; those of one CPU one after the other, in order of time
 * @data: for @take
 * @err: says what was wrong, if it was not @take that failed
 *
 * Return: SF_OK, what @take returned, or SF_FAILED.
 */
int sf_ring_drain(struct sf_ring *ring, sf_record_fn take, void *data,
		  struct sf_error *err)
{
	unsigned int cpu;
	int error = SF_OK;

	for (cpu = 0; cpu < SF_MAX_CPUS && !error; cpu++)
		if (ring->cpus[cpu])
			error = sf_ring_drain_cpu(ring, cpu, take, data, err);
	return error;
}

/* Adds up the kernel's words for records that it had no room for. */
static u64 sf_lost_in_stats(char *text)
{
	static const char *const keys[] = { "overrun: ", "commit overrun: ",
					    "dropped events: " };
	u64 lost = 0, number;
	char *line;
	size_t i;

	while ((line = sf_next_line(&text)))
		for (i = 0; i < SF_ARRAY_SIZE(keys); i++)
			if (!strncmp(line, keys[i], strlen(keys[i])) &&
			    sf_parse_number(line + strlen(keys[i]), &number))
				lost += number;
	return lost;
}

/**
 * sf_ring_lost - count the records that the kernel had no room for
 * @ring: from sf_ring_open()
 * @lost: set to their number
 * @err: says what was wrong
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_ring_lost(struct sf_ring *ring, u64 *lost, struct sf_error *err)
{
	unsigned int cpu;
	char file[64];
	char *text;

	*lost = 0;
	for (cpu = 0; cpu < SF_MAX_CPUS; cpu++) {
		if (!ring->cpus[cpu])
			continue;
		snprintf(file, sizeof(file), "per_cpu/cpu%u/stats", cpu);
		text = tracefs_instance_file_read(ring->instance, file, NULL);
		if (!text)
			return sf_fail(
				err, SF_FAILED,
				"cannot read tracing's %s, which tells of lost events",
				file);
		*lost += sf_lost_in_stats(text);
		free(text);
	}
	return SF_OK;
}

/**
 * sf_ring_close - close the buffers
 * @ring: from sf_ring_open(), or NULL
 */
void sf_ring_close(struct sf_ring *ring)
{
	unsigned int cpu;

	for (cpu = 0; ring && cpu < SF_MAX_CPUS; cpu++)
		if (ring->cpus[cpu])
			tracefs_cpu_close(ring->cpus[cpu]);
	if (ring && ring->kbuffer)
		kbuffer_free(ring->kbuffer);
	if (ring)
		free(ring->page);
	free(ring);
}
