// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is found out about a machine before an experiment.
 */
#include "utility.h"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "machine.h"
#include "preflight.h"

#define CPU "/sys/devices/system/cpu"

/* A machine that nothing is wrong with. */
static void write_quiet(void)
{
	tree_write(CPU "/cpu0/cpufreq/scaling_governor", "performance\n");
	tree_write(CPU "/cpu1/cpufreq/scaling_governor", "performance\n");
	tree_write(CPU "/cpufreq/boost", "0\n");
	tree_write(CPU "/smt/active", "0\n");
	tree_write(SF_CLOCKSOURCE, "tsc\n");
	tree_write("/proc/stat",
		   "cpu  10 0 10 900000 0 0 0 9 0 0\ncpu0 1 2\nctxt 17\n");
	tree_write("/sys/kernel/livepatch/schedflip/enabled", "1\n");
	tree_write("/sys/kernel/livepatch/other/enabled", "0\n");
}

/* The one warning there is. */
static void assert_warns(const char *what, const char *value,
			 const char *remedy)
{
	json_t *warnings = sf_preflight(), *row;

	assert_non_null(warnings);
	assert_int_equal(json_array_size(warnings), 1);
	row = json_array_get(warnings, 0);
	assert_string_equal(json_string_value(json_object_get(row, "what")),
			    what);
	assert_string_equal(json_string_value(json_object_get(row, "value")),
			    value);
	assert_non_null(strstr(
		json_string_value(json_object_get(row, "remedy")), remedy));
	json_decref(warnings);
}

static void assert_quiet(void)
{
	json_t *warnings = sf_preflight();

	assert_int_equal(json_array_size(warnings), 0);
	json_decref(warnings);
}

static void test_quiet(void **unused)
{
	(void)unused;
	write_quiet();
	assert_quiet();
}

/* A machine that tells nothing is warned of nothing. */
static void test_silent(void **unused)
{
	(void)unused;
	assert_quiet();
}

static void test_governor(void **unused)
{
	(void)unused;
	write_quiet();
	tree_write(CPU "/cpu1/cpufreq/scaling_governor", "powersave\n");
	assert_warns("the CPU frequency governor is not performance",
		     "powersave on 1 of 2 CPUs", "echo performance | tee ");
}

static void test_turbo(void **unused)
{
	(void)unused;
	write_quiet();
	tree_write(CPU "/cpufreq/boost", "1\n");
	assert_warns("turbo is on", "cpufreq/boost is 1",
		     "echo 0 >" CPU "/cpufreq/boost");
	tree_write(CPU "/intel_pstate/no_turbo", "0\n");
	assert_warns("turbo is on", "intel_pstate/no_turbo is 0",
		     "echo 1 >" CPU "/intel_pstate/no_turbo");
	tree_write(CPU "/intel_pstate/no_turbo", "1\n");
	assert_quiet();
}

static void test_smt(void **unused)
{
	(void)unused;
	write_quiet();
	tree_write(CPU "/smt/active", "1\n");
	assert_warns("SMT is active", "smt/active is 1",
		     "echo off >" CPU "/smt/control");
}

/* In half a second: of the others only what is no idle time counts. */
static void test_busy(void **unused)
{
	const double tick = sysconf(_SC_CLK_TCK);
	const double before[] = { 100, 5, 50, 7000, 10, 1, 2, 3 };
	const double idle[] = { 100, 5, 50, 7000 + tick, 10 + tick, 1, 2, 3 };
	const double after[] = { 100 + tick, 5, 50 + tick / 4, 7000,
				 10,	     1, 2 + 0,	       3 + tick / 4 };

	(void)unused;
	assert_float_equal(sf_preflight_busy(before, idle, 0.5), 0, 1e-9);
	assert_float_equal(sf_preflight_busy(before, after, 0.5), 3, 1e-9);
	assert_float_equal(sf_preflight_busy(before, after, 1), 1.5, 1e-9);
}

/* Whoever opens the file now reads little work, and whoever does so later much. */
static void *become_busy(void *unused)
{
	static const char first[] = "cpu  10 0 10 900000 0 0 0 9 0 0\n";
	int fd = open(tree_path("/proc/stat"), O_WRONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	unlink(tree_path("/proc/stat"));
	tree_write("/proc/stat", "cpu  60 0 10 900000 0 0 0 9 0 0\n");
	assert_int_equal(write(fd, first, strlen(first)), strlen(first));
	close(fd);
	return unused;
}

static void test_load(void **unused)
{
	pthread_t thread;
	json_t *warnings;
	double cpus;

	(void)unused;
	write_quiet();
	unlink(tree_path("/proc/stat"));
	assert_int_equal(mkfifo(tree_path("/proc/stat"), 0600), 0);
	assert_int_equal(pthread_create(&thread, NULL, become_busy, NULL), 0);
	warnings = sf_preflight();
	pthread_join(thread, NULL);
	assert_int_equal(json_array_size(warnings), 1);
	assert_int_equal(sscanf(json_string_value(json_object_get(
					json_array_get(warnings, 0), "value")),
				"%lf CPUs over half a second", &cpus),
			 1);
	/* 50 ticks of 1/100 s in half a second, or more on a busy machine. */
	assert_true(cpus > 0.1 && cpus <= 1.01);
	json_decref(warnings);
}

static void test_virtual(void **unused)
{
	(void)unused;
	write_quiet();
	tree_write("/proc/cpuinfo",
		   "model name\t: X\nflags\t\t: fpu hypervisor avx\n");
	assert_warns("this is a virtual machine",
		     "the hypervisor flag in /proc/cpuinfo", "host");
	tree_write("/proc/cpuinfo",
		   "model name\t: hypervisor\nflags\t\t: fpu avx\n");
	assert_quiet();
}

static void test_steal(void **unused)
{
	(void)unused;
	write_quiet();
	tree_write("/proc/stat", "cpu  100 0 100 700 0 0 0 100 99 99\n");
	assert_warns("the hypervisor takes CPUs away (steal)",
		     "10.00 % of all time since boot", "pin");
	tree_write("/proc/stat", "cpu  100 0 100\n");
	assert_quiet();
}

static void test_livepatch(void **unused)
{
	(void)unused;
	write_quiet();
	tree_write("/sys/kernel/livepatch/other/enabled", "1\n");
	assert_warns("another livepatch is in force", "other",
		     "echo 0 >/sys/kernel/livepatch/other/enabled");
}

static void test_clocksource(void **unused)
{
	(void)unused;
	write_quiet();
	tree_write(SF_CLOCKSOURCE, "hpet\n");
	assert_warns("the clocksource is not tsc, and slow to read", "hpet",
		     "echo tsc >" SF_CLOCKSOURCE);
}

static void test_offline(void **unused)
{
	(void)unused;
	tree_write("/sys/devices/system/cpu/present", "0-7\n");
	tree_write("/sys/devices/system/cpu/online", "0-2,4-6\n");
	assert_warns(
		"CPUs are offline, and the policies kept for them will be lost",
		"2 of 8", "set them again when the CPUs are online");
	tree_write("/sys/devices/system/cpu/online", "0-7\n");
	assert_quiet();
}

static void write_machine(void)
{
	int cpu;
	char path[128];

	write_quiet();
	tree_write("/proc/sys/kernel/osrelease", "7.3.4-test\n");
	tree_write("/proc/sys/kernel/hostname", "box\n");
	tree_write("/proc/cmdline", "quiet ro\n");
	tree_write("/proc/cpuinfo", "vendor_id\t: X\nmodel name\t: Fast 1\n");
	tree_write("/sys/kernel/debug/sched/features", "TTWU NO_HRTICK \n");
	tree_write("/sys/kernel/debug/sched/preempt",
		   "none voluntary (full) lazy \n");
	tree_write("/proc/meminfo",
		   "MemTotal:       16311516 kB\nMemFree: 1 kB\n");
	tree_write(CPU "/online", "0-7\n");
	tree_write("/sys/devices/system/node/online", "0-1\n");
	for (cpu = 0; cpu < 8; cpu++) {
		snprintf(path, sizeof(path),
			 CPU "/cpu%d/topology/core_siblings_list", cpu);
		tree_write(path, cpu < 4 ? "0-3\n" : "4-7\n");
		snprintf(path, sizeof(path),
			 CPU "/cpu%d/topology/thread_siblings_list", cpu);
		tree_write(path, (const char *[]){ "0-1\n", "2-3\n", "4-5\n",
						   "6-7\n" }[cpu / 2]);
	}
}

static void assert_says(json_t *system, const char *key, const char *word)
{
	const char *said = json_string_value(json_object_get(system, key));

	assert_non_null(said);
	assert_string_equal(said, word);
}

static void assert_counts(json_t *system, const char *key, int number)
{
	assert_int_equal(json_integer_value(json_object_get(system, key)),
			 number);
}

static void test_machine(void **unused)
{
	struct sf_domain domains[] = {
		{ .cpu = 0, .name = "SMT", .span = "0-1" },
		{ .cpu = 0, .name = "NUMA", .span = "0-7" },
		{ .cpu = 1, .name = "SMT", .span = "0-1" },
		{ .cpu = 1, .name = "NUMA", .span = "0-7" },
	};
	const struct sf_state state = { .domains = domains, .count = 4 };
	json_t *system;

	(void)unused;
	write_machine();
	system = sf_machine_json(&state);
	assert_non_null(system);
	assert_says(system, "kernel", "7.3.4-test");
	assert_says(system, "hostname", "box");
	assert_says(system, "cmdline", "quiet ro");
	assert_says(system, "cpu_model", "Fast 1");
	assert_says(system, "features", "TTWU NO_HRTICK");
	assert_says(system, "preemption", "full");
	assert_counts(system, "memory_kib", 16311516);
	assert_says(system, "domains", "2 CPUs: SMT of 2, NUMA of 8");
	assert_says(system, "governor", "performance");
	assert_says(system, "turbo", "off");
	assert_says(system, "clocksource", "tsc");
	assert_counts(system, "cpus", 8);
	assert_counts(system, "sockets", 2);
	assert_counts(system, "cores", 4);
	assert_says(system, "threads_per_core", "2");
	assert_counts(system, "numa_nodes", 2);
	assert_non_null(strstr(
		json_string_value(json_object_get(system, "schedflip_command")),
		"preflight"));
	json_decref(system);
}

static void assert_machine_says(const char *key, const char *word)
{
	const struct sf_state state = { .count = 0 };
	json_t *system = sf_machine_json(&state);

	assert_says(system, key, word);
	json_decref(system);
}

static void test_preemption(void **unused)
{
	(void)unused;
	write_quiet();
	tree_write("/proc/sys/kernel/version",
		   "#1 SMP PREEMPT_DYNAMIC Debian 7.3 (2026-12-01)\n");
	assert_machine_says("preemption", "PREEMPT_DYNAMIC");
	tree_write("/proc/sys/kernel/version", "#1 SMP Debian\n");
	assert_machine_says("preemption", "none");
}

/* The kernel says what schedflip has made of it, and the module what the user has set. */
static void test_user_features(void **unused)
{
	(void)unused;
	write_machine();
	tree_write("/sys/kernel/debug/schedflip/version", "0.1\n");
	tree_write("/sys/kernel/debug/schedflip/hooks", "");
	tree_write("/sys/kernel/debug/schedflip/features",
		   "NI_RANDOM=on held=1\n");
	tree_write("/sys/kernel/debug/sched/features",
		   "TTWU NO_NI_RANDOM NI_RATE \n");
	assert_machine_says("features", "TTWU NI_RANDOM NI_RATE");
	assert_machine_says("ni_random", "on");
}

/* As of an i7-12700KF, but smaller: the last two CPUs have no SMT. */
static void test_hybrid(void **unused)
{
	struct sf_domain domains[] = {
		{ .cpu = 0, .name = "SMT", .span = "0-1" },
		{ .cpu = 0, .name = "MC", .span = "0-7" },
		{ .cpu = 1, .name = "SMT", .span = "0-1" },
		{ .cpu = 1, .name = "MC", .span = "0-7" },
		{ .cpu = 2, .name = "SMT", .span = "2-3" },
		{ .cpu = 2, .name = "MC", .span = "0-7" },
		{ .cpu = 6, .name = "MC", .span = "0-7" },
	};
	const struct sf_state state = { .domains = domains,
					.count = ARRAY_SIZE(domains) };
	json_t *system;

	(void)unused;
	write_machine();
	tree_write(CPU "/cpu6/topology/thread_siblings_list", "6\n");
	tree_write(CPU "/cpu7/topology/thread_siblings_list", "7\n");
	tree_write(CPU "/cpu7/cpufreq/scaling_governor", "powersave\n");
	system = sf_machine_json(&state);
	assert_non_null(system);
	assert_says(system, "domains",
		    "3 CPUs: SMT of 2, MC of 8; 1 CPU: MC of 8");
	assert_says(system, "threads_per_core", "2 on 3 cores, 1 on 2 cores");
	assert_says(system, "governor",
		    "performance on 2 CPUs, powersave on 1 CPU");
	assert_counts(system, "cores", 5);
	json_decref(system);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		tree_test(test_quiet),	     tree_test(test_silent),
		tree_test(test_governor),    tree_test(test_turbo),
		tree_test(test_smt),	     tree_test(test_load),
		tree_test(test_steal),	     tree_test(test_livepatch),
		tree_test(test_clocksource), tree_test(test_offline),
		tree_test(test_machine),     tree_test(test_hybrid),
		tree_test(test_busy),	     tree_test(test_virtual),
		tree_test(test_preemption),  tree_test(test_user_features),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
