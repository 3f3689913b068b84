// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Forks, and tells which CPUs the children got: forks FORKERS FORKS US [NAP]
 *
 * Each of FORKERS forks FORKS times a child that works for about US microseconds, all
 * at once, and waits for it. Prints a line `cpu=N children=M` for each CPU that had some.
 *
 * With NAP, CPU 0 naps all the time for about NAP microseconds. In exact mode a CPU
 * runs until the next timer is due anywhere, so only then may another one come in
 * while it is choosing.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_CPUS 1024

static long now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000L + now.tv_nsec / 1000;
}

/* In memory that all processes share. */
struct shared {
	unsigned int arrived;
	unsigned int children[MAX_CPUS];
};

static void child(struct shared *shared, long us)
{
	int cpu = sched_getcpu();
	long end = now_us() + us;

	if (cpu >= 0 && cpu < MAX_CPUS)
		__atomic_add_fetch(&shared->children[cpu], 1, __ATOMIC_RELAXED);
	while (now_us() < end)
		;
	_exit(0);
}

/* Spins, so that the CPU is taken and the forks come within few instructions. */
static void meet(struct shared *shared, long forkers, long round)
{
	__atomic_add_fetch(&shared->arrived, 1, __ATOMIC_RELAXED);
	while (__atomic_load_n(&shared->arrived, __ATOMIC_RELAXED) <
	       forkers * (round + 1))
		__builtin_ia32_pause();
}

static void forker(struct shared *shared, long forkers, long forks, long us)
{
	long round;
	pid_t pid;

	for (round = 0; round < forks; round++) {
		meet(shared, forkers, round);
		pid = fork();
		if (!pid)
			child(shared, us);
		if (pid < 0 || waitpid(pid, NULL, 0) < 0)
			_exit(1);
	}
	_exit(0);
}

static void napper(long us)
{
	struct timespec nap = { .tv_nsec = us * 1000 };
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_TIMERSLACK, 1);
	for (;;)
		nanosleep(&nap, NULL);
}

int main(int argc, char **argv)
{
	long forkers = argc >= 4 ? atol(argv[1]) : 0;
	int failed = forkers <= 0, status, cpu;
	pid_t nap = 0;
	struct shared *shared =
		mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (shared == MAP_FAILED)
		return 1;
	if (argc == 5) {
		nap = fork();
		if (!nap)
			napper(atol(argv[4]));
	}
	for (cpu = 0; cpu < forkers; cpu++)
		if (!fork())
			forker(shared, forkers, atol(argv[2]), atol(argv[3]));
	for (cpu = 0; cpu < forkers; cpu++) {
		wait(&status);
		failed |= status != 0;
	}
	if (nap > 0)
		kill(nap, SIGKILL);
	for (cpu = 0; cpu < MAX_CPUS; cpu++)
		if (shared->children[cpu])
			printf("cpu=%d children=%u\n", cpu,
			       shared->children[cpu]);
	return failed;
}
