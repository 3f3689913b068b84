// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes CPUs go idle as often as can be while others have too much to do, which
 * is when the kernel tries newidle balancing: naps on every CPU, beside two
 * spinners that share CPU 0.
 *
 *	storm NAPS [MICROSECONDS]
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define SPINNERS 2

static long sf_naps;
static long sf_microseconds = 500;
static atomic_bool sf_done;

static void sf_pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static void *sf_spin(void *unused)
{
	(void)unused;
	sf_pin(0);
	while (!atomic_load_explicit(&sf_done, memory_order_relaxed))
		;
	return NULL;
}

static void *sf_nap(void *cpu)
{
	struct timespec nap = { 0, sf_microseconds * 1000 };
	long i;

	/* A CPU that is offline now leaves its napper free to roam. */
	sf_pin((long)cpu);
	for (i = 0; i < sf_naps; i++)
		nanosleep(&nap, NULL);
	return NULL;
}

static pthread_t sf_start(void *(*run)(void *), long cpu)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, (void *)cpu)) {
		perror("storm: pthread_create");
		exit(1);
	}
	return thread;
}

int main(int argc, char **argv)
{
	long cpu, cpus = sysconf(_SC_NPROCESSORS_CONF);
	pthread_t *nappers = calloc(cpus, sizeof(*nappers));
	pthread_t spinners[SPINNERS];

	if (argc < 2 || argc > 3 || !nappers) {
		fprintf(stderr, "usage: storm NAPS [MICROSECONDS]\n");
		return 2;
	}
	sf_naps = atol(argv[1]);
	if (argc > 2)
		sf_microseconds = atol(argv[2]);
	for (cpu = 0; cpu < SPINNERS; cpu++)
		spinners[cpu] = sf_start(sf_spin, cpu);
	for (cpu = 0; cpu < cpus; cpu++)
		nappers[cpu] = sf_start(sf_nap, cpu);
	for (cpu = 0; cpu < cpus; cpu++)
		pthread_join(nappers[cpu], NULL);
	atomic_store(&sf_done, true);
	for (cpu = 0; cpu < SPINNERS; cpu++)
		pthread_join(spinners[cpu], NULL);
	free(nappers);
	return 0;
}
