// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Workloads of wakeups and next to nothing else. Each does a fixed amount of work, so
 * that in exact mode, where time is a number of instructions, its length is the result.
 *
 * sch is `schbench -L -n 0 -r 0 -s 0`: each message thread is pinned and wakes its
 * workers, who post themselves back and sleep. sem is sembench: a batch (half of the
 * sleepers, or what divides them) wakes, and the last to run wakes the next. herd lets
 * threads fall asleep on one CPU and wakes them all at once from there.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <error.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A loop of two instructions is all that the work consists of: 50 us in exact mode. */
#define HERD_INSTRUCTIONS 25000

/* An event is a futex that holds 1 from a post until somebody has waited for it. */
struct sf_thread {
	pthread_t id;
	atomic_uint event;
	struct sf_thread *messenger;
	struct sf_thread *_Atomic posted; /* to this messenger, linked by next */
	struct sf_thread *next;
	int cpu; /* where and when a herd's thread ran first */
	uint64_t ran;
};

struct sf_sum {
	double total, most;
	long count;
};

static struct sf_thread *sf_threads;
static long sf_cpus, sf_nr_threads;
static long sf_wanted; /* requests, rounds or bursts */
static atomic_long sf_count; /* of those so far */
static pthread_barrier_t sf_barrier;
static atomic_uint sf_finished;
static atomic_bool sf_over;

static uint64_t sf_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static void sf_futex(atomic_uint *word, int operation, unsigned int value)
{
	syscall(SYS_futex, word, operation | FUTEX_PRIVATE_FLAG, value, NULL);
}

static void sf_post(atomic_uint *event)
{
	if (!atomic_exchange(event, 1))
		sf_futex(event, FUTEX_WAKE, 1);
}

static void sf_wait(atomic_uint *event)
{
	while (!atomic_exchange(event, 0))
		sf_futex(event, FUTEX_WAIT, 0);
}

/* Lets a thread run on the CPUs from first to last. */
static void sf_confine(pthread_t thread, int first, int last)
{
	cpu_set_t set;
	int cpu;

	CPU_ZERO(&set);
	for (cpu = first; cpu <= last; cpu++)
		CPU_SET(cpu, &set);
	errno = pthread_setaffinity_np(thread, sizeof(set), &set);
	if (errno)
		error(1, errno, "pthread_setaffinity_np");
}

static void sf_make_threads(long number)
{
	sf_nr_threads = number;
	sf_threads = calloc(number, sizeof(*sf_threads));
	if (!sf_threads)
		error(1, errno, "threads");
	pthread_barrier_init(&sf_barrier, NULL, number + 1);
}

static void sf_start(struct sf_thread *thread, void *(*run)(void *))
{
	errno = pthread_create(&thread->id, NULL, run, thread);
	if (errno)
		error(1, errno, "pthread_create");
}

static void sf_join_all(void)
{
	long i;

	for (i = 0; i < sf_nr_threads; i++)
		pthread_join(sf_threads[i].id, NULL);
}

/* Posts to the first when all are ready; nanoseconds until enough is done. */
static uint64_t sf_time_all(long first)
{
	uint64_t time;
	long i;

	pthread_barrier_wait(&sf_barrier);
	time = sf_now();
	for (i = 0; i < first; i++)
		sf_post(&sf_threads[i].event);
	sf_wait(&sf_finished);
	time = sf_now() - time;
	atomic_store(&sf_over, true);
	for (i = 0; i < sf_nr_threads; i++)
		sf_post(&sf_threads[i].event);
	sf_join_all();
	return time;
}

static void sf_print_rate(const char *what, long count, uint64_t ns)
{
	printf("%s=%ld\nelapsed_us=%.1f\n%s_per_s=%.1f\n", what, count,
	       ns / 1e3, what, count * 1e9 / ns);
}

static void *sf_sch_worker(void *argument)
{
	struct sf_thread *next, *self = argument, *to = self->messenger;

	pthread_barrier_wait(&sf_barrier);
	while (!atomic_load(&sf_over)) {
		next = atomic_load(&to->posted);
		do
			self->next = next;
		while (!atomic_compare_exchange_weak(&to->posted, &next, self));
		sf_post(&to->event);
		sf_wait(&self->event);
	}
	return NULL;
}

static void *sf_sch_messenger(void *argument)
{
	struct sf_thread *worker, *next, *self = argument;

	pthread_barrier_wait(&sf_barrier);
	while (!atomic_load(&sf_over)) {
		worker = atomic_exchange(&self->posted, NULL);
		if (!worker)
			sf_wait(&self->event);
		for (; worker; worker = next) {
			/* Once it is woken it posts itself again. */
			next = worker->next;
			sf_post(&worker->event);
			if (atomic_fetch_add(&sf_count, 1) + 1 == sf_wanted)
				sf_post(&sf_finished);
		}
	}
	return NULL;
}

/* As schbench does: the workers keep off the CPUs of the messengers, if there are more. */
static void sf_sch(long messengers, long workers, long requests)
{
	long i;

	sf_wanted = requests;
	sf_make_threads(messengers * (1 + workers));
	for (i = 0; i < messengers; i++) {
		sf_confine(pthread_self(), i, i);
		sf_start(&sf_threads[i], sf_sch_messenger);
	}
	sf_confine(pthread_self(), messengers % sf_cpus, sf_cpus - 1);
	for (; i < sf_nr_threads; i++) {
		sf_threads[i].messenger = &sf_threads[i % messengers];
		sf_start(&sf_threads[i], sf_sch_worker);
	}
	sf_print_rate("requests", requests, sf_time_all(0));
}

static atomic_long sf_batch,
	sf_awake; /* its size, and how many have not run yet */

/* Called by the last of a batch, so by one thread at a time. */
static void sf_sem_pass(const struct sf_thread *self)
{
	long i, next = ((self - sf_threads) / sf_batch + 1) * sf_batch %
		       sf_nr_threads;

	atomic_store(&sf_awake, sf_batch);
	if (atomic_fetch_add(&sf_count, 1) + 1 == sf_wanted)
		sf_post(&sf_finished);
	else
		for (i = next; i < next + sf_batch; i++)
			sf_post(&sf_threads[i].event);
}

static void *sf_sem_sleeper(void *argument)
{
	struct sf_thread *self = argument;

	pthread_barrier_wait(&sf_barrier);
	for (;;) {
		sf_wait(&self->event);
		if (atomic_load(&sf_over))
			return NULL;
		if (atomic_fetch_sub(&sf_awake, 1) == 1)
			sf_sem_pass(self);
	}
}

static void sf_sem(long sleepers, long rounds, long batch)
{
	long i;

	sf_wanted = rounds;
	sf_batch = batch;
	atomic_store(&sf_awake, batch);
	sf_make_threads(sleepers);
	for (i = 0; i < sleepers; i++)
		sf_start(&sf_threads[i], sf_sem_sleeper);
	sf_print_rate("wakeups", rounds * batch, sf_time_all(batch));
}

static long sf_herd_turns;
static atomic_uint sf_burst, sf_all_pinned, sf_all_ran;
static atomic_long sf_pinned, sf_ran;
static struct sf_sum sf_pile, sf_used, sf_latency, sf_length;

static void sf_check_in(atomic_long *count, atomic_uint *all)
{
	if (atomic_fetch_add(count, 1) + 1 == sf_nr_threads)
		sf_post(all);
}

static void *sf_herd_member(void *argument)
{
	struct sf_thread *self = argument;
	unsigned int burst;
	long turns;

	for (burst = 0; burst < sf_wanted; burst++) {
		sf_wait(&self->event);
		sf_check_in(&sf_pinned, &sf_all_pinned);
		while (atomic_load(&sf_burst) == burst)
			sf_futex(&sf_burst, FUTEX_WAIT, burst);
		self->cpu = sched_getcpu();
		self->ran = sf_now();
		for (turns = sf_herd_turns; turns > 0; turns--)
			__asm__ volatile("");
		sf_check_in(&sf_ran, &sf_all_ran);
	}
	return NULL;
}

static void sf_add(struct sf_sum *sum, double value)
{
	sum->total += value;
	sum->most = value > sum->most ? value : sum->most;
	sum->count++;
}

static void sf_print_sum(const char *what, const struct sf_sum *sum)
{
	printf("%s_mean=%.2f\n%s_max=%.2f\n", what, sum->total / sum->count,
	       what, sum->most);
}

static void sf_herd_note(uint64_t woken, uint64_t end)
{
	long i, used = 0, deepest = 0, piles[CPU_SETSIZE] = { 0 };

	for (i = 0; i < sf_nr_threads; i++) {
		piles[sf_threads[i].cpu]++;
		sf_add(&sf_latency, (sf_threads[i].ran - woken) / 1e3);
	}
	for (i = 0; i < sf_cpus; i++) {
		used += piles[i] > 0;
		deepest = piles[i] > deepest ? piles[i] : deepest;
	}
	sf_add(&sf_pile, deepest);
	sf_add(&sf_used, used);
	sf_add(&sf_length, (end - woken) / 1e3);
}

/* Affinity moves no sleeper, if it allows the CPU that it fell asleep on. */
static void sf_herd_burst(int cpu)
{
	uint64_t woken;
	long i;

	for (i = 0; i < sf_nr_threads; i++) {
		sf_confine(sf_threads[i].id, cpu, cpu);
		sf_post(&sf_threads[i].event);
	}
	sf_wait(&sf_all_pinned);
	/* The last of them is awake yet, and has this CPU for itself meanwhile. */
	usleep(5000);
	for (i = 0; i < sf_nr_threads; i++)
		sf_confine(sf_threads[i].id, 0, sf_cpus - 1);
	atomic_store(&sf_pinned, 0);
	atomic_store(&sf_ran, 0);
	woken = sf_now();
	atomic_fetch_add(&sf_burst, 1);
	sf_futex(&sf_burst, FUTEX_WAKE, INT_MAX);
	sf_wait(&sf_all_ran);
	sf_herd_note(woken, sf_now());
}

static void sf_herd(long cpu, long members, long bursts, long instructions)
{
	long i;

	sf_wanted = bursts;
	sf_herd_turns = instructions / 2;
	sf_confine(pthread_self(), cpu, cpu);
	sf_make_threads(members);
	for (i = 0; i < members; i++)
		sf_start(&sf_threads[i], sf_herd_member);
	for (i = 0; i < bursts; i++)
		sf_herd_burst(cpu);
	sf_join_all();
	sf_print_sum("most_on_one_cpu", &sf_pile);
	sf_print_sum("cpus_used", &sf_used);
	sf_print_sum("latency_us", &sf_latency);
	sf_print_sum("burst_us", &sf_length);
}

static int sf_time(char **command)
{
	uint64_t start = sf_now();
	int status, child = fork();

	if (!child && execvp(command[0], command))
		error(127, errno, "%s", command[0]);
	if (child < 0 || waitpid(child, &status, 0) < 0)
		error(1, errno, "fork");
	printf("elapsed_us=%.1f\n", (sf_now() - start) / 1e3);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void sf_usage(void)
{
	fputs("usage: wakes sch MESSENGERS WORKERS_OF_EACH REQUESTS_OF_ALL\n"
	      "       wakes sem SLEEPERS ROUNDS [BATCH]\n"
	      "       wakes herd CPU THREADS BURSTS [INSTRUCTIONS]\n"
	      "       wakes time COMMAND [ARG]...\n",
	      stderr);
	exit(2);
}

/* Zero stands for what was not given. */
static void sf_run(const char *what, const long *n)
{
	long batch = n[2] ? n[2] : n[0] / 2;

	if (!strcmp(what, "sch") && n[0] > 0 && n[0] <= sf_cpus && n[1] > 0 &&
	    n[2] > 0)
		sf_sch(n[0], n[1], n[2]);
	else if (!strcmp(what, "sem") && n[0] > 0 && n[1] > 0 && batch > 0 &&
		 n[0] % batch == 0)
		sf_sem(n[0], n[1], batch);
	else if (!strcmp(what, "herd") && n[0] >= 0 && n[0] < sf_cpus &&
		 n[1] > 0 && n[2] > 0)
		sf_herd(n[0], n[1], n[2], n[3] ? n[3] : HERD_INSTRUCTIONS);
	else
		sf_usage();
}

int main(int argc, char **argv)
{
	long i, numbers[4] = { 0 };

	sf_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	if (argc > 2 && !strcmp(argv[1], "time"))
		return sf_time(argv + 2);
	for (i = 2; i < argc && i < 6; i++)
		numbers[i - 2] = atol(argv[i]);
	sf_run(argc > 1 ? argv[1] : "", numbers);
	return 0;
}
