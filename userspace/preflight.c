// SPDX-License-Identifier: GPL-2.0-or-later
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cpulist.h"
#include "kernel.h"
#include "livepatch.h"
#include "machine.h"
#include "output.h"
#include "preflight.h"
#include "progress.h"
#include "text.h"

/* CPUs that something else may keep busy. */
#define SF_MAX_BUSY 0.1

/* They are watched for so long. */
#define SF_WATCH_MS 500

/* The fields of a line of /proc/stat that count time not at work: idle and iowait. */
#define SF_FIRST_IDLE 3
#define SF_LAST_IDLE 4

/* guest and guest_nice, which follow, are in user and nice, too. */
#define SF_STAT_TIMES 8

/* Of all ticks since boot, in %; less is what a boot may take. */
#define SF_MAX_STEAL 0.01

/* Told, but no fault: domains of SMT may be just what is tested. */
#define SF_WHAT_SMT "SMT is active"

/**
 * sf_preflight_add - add a warning
 * @warnings: array of objects of what, value, remedy
 * @what: is wrong
 * @remedy: what to do
 * @format: of the value that was found
 *
 * Return: false if it does not fit in memory.
 */
bool sf_preflight_add(json_t *warnings, const char *what, const char *remedy,
		      const char *format, ...)
{
	struct sf_output row = { .root = json_object() };
	char value[256];
	va_list args;

	va_start(args, format);
	vsnprintf(value, sizeof(value), format, args);
	va_end(args);
	sf_output_set(&row, "what", sf_json_text(what));
	sf_output_set(&row, "value", sf_json_text(value));
	sf_output_set(&row, "remedy", sf_json_text(remedy));
	if (row.incomplete) {
		json_decref(row.root);
		return false;
	}
	return !json_array_append_new(warnings, row.root);
}

static bool sf_is_cpu(const char *name)
{
	return !strncmp(name, "cpu", 3) && name[3] &&
	       !name[3 + strspn(name + 3, "0123456789")];
}

static void sf_check_governors(json_t *warnings)
{
	DIR *dir = sf_kernel_opendir(SF_SYSFS_CPU);
	unsigned int bad = 0, all = 0;
	char path[PATH_MAX], word[64], first[64] = "";
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		if (!sf_is_cpu(entry->d_name))
			continue;
		snprintf(path, sizeof(path),
			 SF_SYSFS_CPU "/%s/cpufreq/scaling_governor",
			 entry->d_name);
		if (sf_kernel_read_word(path, word, sizeof(word)))
			continue;
		all++;
		if (strcmp(word, "performance") && !bad++)
			snprintf(first, sizeof(first), "%s", word);
	}
	if (dir)
		closedir(dir);
	if (bad)
		sf_preflight_add(
			warnings,
			"the CPU frequency governor is not performance",
			"echo performance | tee " SF_SYSFS_CPU
			"/cpu*/cpufreq/scaling_governor",
			"%s on %u of %u CPUs", first, bad, all);
}

static void sf_check_turbo(json_t *warnings)
{
	if (strcmp(sf_machine_turbo(), "on"))
		return;
	if (sf_kernel_exists(SF_NO_TURBO))
		sf_preflight_add(warnings, "turbo is on",
				 "echo 1 >" SF_NO_TURBO,
				 "intel_pstate/no_turbo is 0");
	else
		sf_preflight_add(warnings, "turbo is on", "echo 0 >" SF_BOOST,
				 "cpufreq/boost is 1");
}

static void sf_check_smt(json_t *warnings)
{
	char word[8];

	if (!sf_kernel_read_word(SF_SYSFS_CPU "/smt/active", word,
				 sizeof(word)) &&
	    !strcmp(word, "1"))
		sf_preflight_add(
			warnings, SF_WHAT_SMT,
			"if it is not what you test: echo off >" SF_SYSFS_CPU
			"/smt/control",
			"smt/active is 1");
}

/* Ticks of all CPUs, by what they did. */
static bool sf_read_times(double *times)
{
	char text[512], *at = text, *end;
	size_t i;

	if (sf_kernel_read_word("/proc/stat", text, sizeof(text)) ||
	    strncmp(text, "cpu ", 4))
		return false;
	for (at += 4, i = 0; i < SF_STAT_TIMES; i++, at = end) {
		times[i] = strtod(at, &end);
		if (end == at)
			return false;
	}
	return true;
}

/**
 * sf_preflight_busy - how many CPUs were at work between two moments?
 * @before: ticks by what CPUs did, in the order of /proc/stat, up to steal
 * @after: the same, later
 * @seconds: between them
 */
double sf_preflight_busy(const double *before, const double *after,
			 double seconds)
{
	double ticks = 0;
	size_t i;

	for (i = 0; i < SF_STAT_TIMES; i++)
		if (i < SF_FIRST_IDLE || i > SF_LAST_IDLE)
			ticks += after[i] - before[i];
	return ticks / sysconf(_SC_CLK_TCK) / seconds;
}

/* The load of the last minute would be that of ab's own last experiment. */
static void sf_check_load(json_t *warnings)
{
	const struct timespec pause = { .tv_nsec = SF_WATCH_MS * 1000000L };
	double before[SF_STAT_TIMES], after[SF_STAT_TIMES], busy;
	u64 began;

	if (!sf_read_times(before))
		return;
	began = sf_progress_now();
	nanosleep(&pause, NULL);
	if (!sf_read_times(after))
		return;
	busy = sf_preflight_busy(before, after,
				 (sf_progress_now() - began) / 1e3);
	if (busy > SF_MAX_BUSY)
		sf_preflight_add(warnings,
				 "the machine is busy with something else",
				 "find it by top, and stop it",
				 "%.2f CPUs over half a second", busy);
}

static void sf_check_steal(json_t *warnings)
{
	double times[SF_STAT_TIMES], ticks = 0, steal;
	size_t i;

	if (!sf_read_times(times))
		return;
	for (i = 0; i < SF_STAT_TIMES; i++)
		ticks += times[i];
	steal = times[SF_STAT_TIMES - 1];
	if (ticks && 100 * steal / ticks > SF_MAX_STEAL)
		sf_preflight_add(
			warnings, "the hypervisor takes CPUs away (steal)",
			"use a machine of its own, or pin the virtual CPUs on the host",
			"%.2f %% of all time since boot", 100 * steal / ticks);
}

/* Does the machine say that a hypervisor runs it? */
static bool sf_is_virtual(void)
{
	char *text, *flags;
	bool is = false;

	if (sf_kernel_read("/proc/cpuinfo", &text, NULL))
		return false;
	flags = strstr(text, "\nflags");
	if (flags) {
		flags[1 + strcspn(flags + 1, "\n")] = '\0';
		is = strstr(flags, " hypervisor");
	}
	free(text);
	return is;
}

static void sf_check_virtual(json_t *warnings)
{
	if (sf_is_virtual())
		sf_preflight_add(
			warnings, "this is a virtual machine",
			"measure on the machine itself; the host's scheduler moves and stops virtual CPUs",
			"the hypervisor flag in /proc/cpuinfo");
}

static void sf_check_livepatches(json_t *warnings)
{
	DIR *dir = sf_kernel_opendir(SF_LIVEPATCHES);
	char path[PATH_MAX], remedy[PATH_MAX + 16], word[8];
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		snprintf(path, sizeof(path), SF_LIVEPATCHES "/%s/enabled",
			 entry->d_name);
		if (entry->d_name[0] == '.' ||
		    !strcmp(entry->d_name, "schedflip") ||
		    sf_kernel_read_word(path, word, sizeof(word)) ||
		    strcmp(word, "1"))
			continue;
		snprintf(remedy, sizeof(remedy), "echo 0 >%s", path);
		sf_preflight_add(warnings, "another livepatch is in force",
				 remedy, "%s", entry->d_name);
	}
	if (dir)
		closedir(dir);
}

static void sf_check_clocksource(json_t *warnings)
{
	char word[64];

	if (sf_kernel_read_word(SF_CLOCKSOURCE, word, sizeof(word)) ||
	    !strcmp(word, "tsc"))
		return;
	sf_preflight_add(warnings,
			 "the clocksource is not tsc, and slow to read",
			 "echo tsc >" SF_CLOCKSOURCE
			 ", or if it is refused boot with tsc=reliable",
			 "%s", word);
}

static bool sf_read_cpus(const char *path, struct sf_cpulist *list)
{
	struct sf_error ignored = { .code = SF_OK };
	char text[4096];

	return !sf_kernel_read_word(path, text, sizeof(text)) &&
	       !sf_cpulist_parse(text, list, &ignored);
}

/* Those that are possible, but not there, have no policy to lose. */
static void sf_check_offline(json_t *warnings)
{
	struct sf_cpulist present, online;
	unsigned int offline;

	if (!sf_read_cpus(SF_SYSFS_CPU "/present", &present) ||
	    !sf_read_cpus(SF_SYSFS_CPU "/online", &online))
		return;
	offline = sf_cpulist_count(&present) - sf_cpulist_count(&online);
	if (offline)
		sf_preflight_add(
			warnings,
			"CPUs are offline, and the policies kept for them will be lost",
			"set them again when the CPUs are online", "%u of %u",
			offline, sf_cpulist_count(&present));
}

/**
 * sf_preflight - look for what makes measurements noisy
 *
 * Return: an array of objects of what, value, remedy; to be freed. NULL if it does not
 * fit in memory.
 */
json_t *sf_preflight(void)
{
	json_t *warnings = json_array();

	if (!warnings)
		return NULL;
	sf_check_virtual(warnings);
	sf_check_governors(warnings);
	sf_check_turbo(warnings);
	sf_check_smt(warnings);
	sf_check_load(warnings);
	sf_check_steal(warnings);
	sf_check_livepatches(warnings);
	sf_check_clocksource(warnings);
	sf_check_offline(warnings);
	return warnings;
}

/**
 * sf_preflight_print - print warnings to stderr
 * @warnings: from sf_preflight()
 * @first: those from this one on
 */
void sf_preflight_print(const json_t *warnings, size_t first)
{
	const char *what, *value, *remedy;
	size_t i;

	for (i = first; i < json_array_size(warnings); i++) {
		json_unpack(json_array_get(warnings, i), "{s:s, s:s, s:s}",
			    "what", &what, "value", &value, "remedy", &remedy);
		fprintf(stderr, "%s: %s: %s; remedy: %s\n",
			strcmp(what, SF_WHAT_SMT) ? "warning" : "note", what,
			value, remedy);
	}
}
