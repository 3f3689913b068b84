// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cpulist.h"
#include "info.h"
#include "kernel.h"
#include "machine.h"
#include "output.h"
#include "privilege.h"
#include "quote.h"
#include "tally.h"
#include "text.h"

/* Of the names of domains and the kernel's command line. */
#define SF_LONG_TEXT 4096

/**
 * sf_machine_features - the kernel's sched features
 *
 * Return: as the kernel prints them, without the newline; to be freed. NULL if they
 * cannot be read.
 */
char *sf_machine_features(void)
{
	char *text;

	/* The second is that of kernels before 5.13. */
	if (sf_kernel_read(SF_DEBUGFS_ROOT "/sched/features", &text, NULL) &&
	    sf_kernel_read(SF_DEBUGFS_ROOT "/sched_features", &text, NULL))
		return NULL;
	text[strcspn(text, "\n")] = '\0';
	sf_clean_text(text);
	while (*text && text[strlen(text) - 1] == ' ')
		text[strlen(text) - 1] = '\0';
	return text;
}

/**
 * sf_machine_turbo - may cores clock higher than they can keep up?
 *
 * Return: "on", "off" or "unknown".
 */
const char *sf_machine_turbo(void)
{
	char word[8];

	if (!sf_kernel_read_word(SF_NO_TURBO, word, sizeof(word)))
		return strcmp(word, "0") ? "off" : "on";
	if (!sf_kernel_read_word(SF_BOOST, word, sizeof(word)))
		return strcmp(word, "0") ? "on" : "off";
	return "unknown";
}

static void sf_set_file(struct sf_output *out, const char *key,
			const char *path)
{
	char text[SF_LONG_TEXT];

	if (!sf_kernel_read_word(path, text, sizeof(text)) && *text)
		sf_output_set(out, key, sf_json_text(text));
}

static void sf_set_cpu_model(struct sf_output *out)
{
	char *text, *model;

	if (sf_kernel_read("/proc/cpuinfo", &text, NULL))
		return;
	model = strstr(text, "model name");
	if (model)
		model = strchr(model, ':');
	if (model) {
		model += 1 + strspn(model + 1, " ");
		model[strcspn(model, "\n")] = '\0';
		sf_output_set(out, "cpu_model", sf_json_text(model));
	}
	free(text);
}

static bool sf_read_cpus(const char *path, struct sf_cpulist *list)
{
	struct sf_error err = { .code = SF_OK };
	char text[SF_LONG_TEXT];

	return !sf_kernel_read_word(path, text, sizeof(text)) &&
	       !sf_cpulist_parse(text, list, &err);
}

/* Is the CPU the first of those that share with it what @name says? */
static bool sf_is_first(unsigned int cpu, const char *name,
			unsigned int *sharers)
{
	struct sf_cpulist list;
	char path[PATH_MAX];
	unsigned int i;

	snprintf(path, sizeof(path), SF_SYSFS_CPU "/cpu%u/topology/%s", cpu,
		 name);
	if (!sf_read_cpus(path, &list))
		return false;
	for (i = 0; i < cpu; i++)
		if (sf_cpulist_has(&list, i))
			return false;
	*sharers = sf_cpulist_count(&list);
	return true;
}

/* "performance", or "performance on 16 CPUs, powersave on 4 CPUs" */
static void sf_set_tally(struct sf_output *out, const char *key,
			 const struct sf_tally *tally, const char *noun)
{
	size_t words = json_object_size(tally->counts);
	char text[SF_LONG_TEXT] = "";
	const char *word;
	json_t *count;

	json_object_foreach(tally->counts, word, count) {
		sf_append_text(text, sizeof(text), "%s%s", *text ? ", " : "",
			       word);
		if (words > 1)
			sf_append_text(text, sizeof(text), " on %lld %s%s",
				       (long long)json_integer_value(count),
				       noun,
				       sf_plural(json_integer_value(count)));
	}
	if (words)
		sf_output_set(out, key, sf_json_text(text));
}

/* Return: number of sockets; cores are counted by the threads they have. */
static unsigned int sf_count_sockets(const struct sf_cpulist *online,
				     struct sf_tally *threads,
				     struct sf_output *out)
{
	unsigned int cpu, sockets = 0, sharers;
	char word[16];

	for (cpu = 0; cpu < SF_MAX_CPUS; cpu++) {
		if (!sf_cpulist_has(online, cpu))
			continue;
		if (sf_is_first(cpu, "core_siblings_list", &sharers))
			sockets++;
		if (!sf_is_first(cpu, "thread_siblings_list", &sharers))
			continue;
		snprintf(word, sizeof(word), "%u", sharers);
		out->incomplete |= !sf_tally_add(threads, word);
	}
	return sockets;
}

static unsigned int sf_tally_sum(const struct sf_tally *tally)
{
	unsigned int sum = 0;
	const char *word;
	json_t *count;

	json_object_foreach(tally->counts, word, count)
		sum += json_integer_value(count);
	return sum;
}

static void sf_set_topology(struct sf_output *out)
{
	struct sf_cpulist online;
	struct sf_tally threads;
	unsigned int sockets;

	if (!sf_read_cpus(SF_SYSFS_CPU "/online", &online))
		return;
	out->incomplete |= !sf_tally_begin(&threads);
	sockets = sf_count_sockets(&online, &threads, out);
	sf_output_set(out, "cpus", json_integer(sf_cpulist_count(&online)));
	if (sockets && sf_tally_sum(&threads)) {
		sf_output_set(out, "sockets", json_integer(sockets));
		sf_output_set(out, "cores",
			      json_integer(sf_tally_sum(&threads)));
		sf_set_tally(out, "threads_per_core", &threads, "core");
	}
	sf_tally_end(&threads);
}

/* The CPUs may have clocks of their own. */
static void sf_set_governor(struct sf_output *out)
{
	struct sf_cpulist online;
	struct sf_tally governors;
	char path[PATH_MAX], word[64];
	unsigned int cpu;

	if (!sf_read_cpus(SF_SYSFS_CPU "/online", &online))
		return;
	out->incomplete |= !sf_tally_begin(&governors);
	for (cpu = 0; cpu < SF_MAX_CPUS; cpu++) {
		snprintf(path, sizeof(path),
			 SF_SYSFS_CPU "/cpu%u/cpufreq/scaling_governor", cpu);
		if (!sf_cpulist_has(&online, cpu) ||
		    sf_kernel_read_word(path, word, sizeof(word)))
			continue;
		sf_clean_text(word);
		out->incomplete |= !sf_tally_add(&governors, word);
	}
	sf_set_tally(out, "governor", &governors, "CPU");
	sf_tally_end(&governors);
}

static void sf_set_numa(struct sf_output *out)
{
	struct sf_cpulist nodes;

	/* Node numbers are listed as CPUs are. */
	if (sf_read_cpus("/sys/devices/system/node/online", &nodes))
		sf_output_set(out, "numa_nodes",
			      json_integer(sf_cpulist_count(&nodes)));
}

/* "SMT of 2, MC of 20": those of the CPU that the domain is of; returns the next CPU's. */
static size_t sf_describe_domains(const struct sf_state *state, size_t first,
				  char *buf, size_t size)
{
	struct sf_error err = { .code = SF_OK };
	struct sf_cpulist span;
	size_t i;

	buf[0] = '\0';
	for (i = first; i < state->count; i++) {
		const struct sf_domain *domain = &state->domains[i];

		if (domain->cpu != state->domains[first].cpu)
			break;
		sf_append_text(buf, size, "%s%s", i > first ? ", " : "",
			       domain->name);
		if (!sf_cpulist_parse(domain->span, &span, &err))
			sf_append_text(buf, size, " of %u",
				       sf_cpulist_count(&span));
	}
	return i;
}

/* CPUs whose domains look alike together, as others may have less of them. */
static void sf_set_domains(struct sf_output *out, const struct sf_state *state)
{
	char set[512], text[SF_LONG_TEXT] = "";
	struct sf_tally sets;
	const char *words;
	json_t *count;
	size_t i;

	out->incomplete |= !sf_tally_begin(&sets);
	for (i = 0; i < state->count;) {
		i = sf_describe_domains(state, i, set, sizeof(set));
		out->incomplete |= !sf_tally_add(&sets, set);
	}
	json_object_foreach(sets.counts, words, count)
		sf_append_text(text, sizeof(text), "%s%lld CPU%s: %s",
			       *text ? "; " : "",
			       (long long)json_integer_value(count),
			       sf_plural(json_integer_value(count)), words);
	sf_output_set(out, "domains", sf_json_text(text));
	sf_tally_end(&sets);
}

static bool sf_is_ni_random(const char *word, size_t len)
{
	static const char name[] = "NO_NI_RANDOM";
	size_t no = strlen("NO_");

	return (len == strlen(name) && !strncmp(word, name, len)) ||
	       (len == strlen(name) - no && !strncmp(word, name + no, len));
}

/* NI_RANDOM is as the user has it, and not as schedflip holds it at the moment. */
static void sf_set_features(struct sf_output *out, const struct sf_info *info)
{
	char *features = sf_machine_features(), text[SF_LONG_TEXT] = "";
	bool known = !strcmp(info->ni_random, "on") ||
		     !strcmp(info->ni_random, "off");
	const char *at;
	size_t len;

	for (at = features; at && *at; at += strspn(at, " ")) {
		len = strcspn(at, " ");
		sf_append_text(text, sizeof(text), "%s", *text ? " " : "");
		if (known && sf_is_ni_random(at, len))
			sf_append_text(text, sizeof(text), "%sNI_RANDOM",
				       strcmp(info->ni_random, "on") ? "NO_" :
								       "");
		else
			sf_append_text(text, sizeof(text), "%.*s", (int)len,
				       at);
		at += len;
	}
	if (features)
		sf_output_set(out, "features", sf_json_text(text));
	free(features);
}

static void sf_set_module(struct sf_output *out)
{
	struct sf_error err = { .code = SF_OK };
	struct sf_info info;

	if (!sf_info_read(&info, &err)) {
		sf_output_set(out, "module_version",
			      sf_json_text(info.version));
		sf_output_set(out, "ni_random", sf_json_text(info.ni_random));
	}
	sf_set_features(out, &info);
}

/* "full": the one in brackets, or what the kernel was built for. */
static void sf_set_preemption(struct sf_output *out)
{
	char text[256] = "", *word = NULL;

	if (!sf_kernel_read_word(SF_DEBUGFS_ROOT "/sched/preempt", text,
				 sizeof(text)))
		word = strchr(text, '(');
	if (word) {
		word++;
		word[strcspn(word, ")")] = '\0';
	} else if (!sf_kernel_read_word("/proc/sys/kernel/version", text,
					sizeof(text))) {
		word = strstr(text, "PREEMPT");
		if (word)
			word[strcspn(word, " ")] = '\0';
		else
			word = "none";
	}
	if (word)
		sf_output_set(out, "preemption", sf_json_text(word));
}

static void sf_set_memory(struct sf_output *out)
{
	const char name[] = "MemTotal:";
	char *text, *line;

	if (sf_kernel_read("/proc/meminfo", &text, NULL))
		return;
	line = strstr(text, name);
	if (line)
		sf_output_set(out, "memory_kib",
			      sf_json_number(
				      strtoull(line + strlen(name), NULL, 10)));
	free(text);
}

/* That of this process, as options that were scanned are no longer whole. */
static void sf_set_command_line(struct sf_output *out)
{
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	char *words = NULL, *line = NULL;
	ssize_t len = fd < 0 ? -1 : sf_kernel_read_fd(fd, &words), at;
	size_t size;
	FILE *to = open_memstream(&line, &size);

	if (fd >= 0)
		close(fd);
	for (at = 0; to && at < len; at += strlen(words + at) + 1) {
		fputs(at ? " " : "", to);
		sf_quote_word(words + at, to);
	}
	if (to && !fclose(to))
		sf_output_set(out, "schedflip_command", sf_json_text(line));
	free(line);
	free(words);
}

static void sf_set_date(struct sf_output *out)
{
	time_t now = time(NULL);
	struct tm local;
	char text[64];

	if (localtime_r(&now, &local) &&
	    strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S%z", &local))
		sf_output_set(out, "date", json_string(text));
}

static void sf_set_user(struct sf_output *out)
{
	const char *user = sf_privilege_user();

	if (!user)
		user = geteuid() ? getenv("USER") : "root";
	if (user)
		sf_output_set(out, "user", sf_json_text(user));
}

static void sf_set_kernel(struct sf_output *out)
{
	sf_output_set(out, "kernel", sf_json_text(sf_kernel_release()));
	sf_set_module(out);
	sf_set_preemption(out);
	sf_set_file(out, "cmdline", "/proc/cmdline");
	sf_set_file(out, "clocksource", SF_CLOCKSOURCE);
}

/**
 * sf_machine_json - what this machine is
 * @state: its domains
 *
 * Return: the object `system` of an experiment, without what the machine does not
 * tell; to be freed. NULL if it does not fit in memory.
 */
json_t *sf_machine_json(const struct sf_state *state)
{
	struct sf_output out = { .root = json_object() };

	sf_set_kernel(&out);
	sf_set_file(&out, "hostname", "/proc/sys/kernel/hostname");
	sf_set_cpu_model(&out);
	sf_set_topology(&out);
	sf_set_numa(&out);
	sf_set_memory(&out);
	sf_set_domains(&out, state);
	sf_set_governor(&out);
	sf_output_set(&out, "turbo", json_string(sf_machine_turbo()));
	sf_set_date(&out);
	sf_set_user(&out);
	sf_set_command_line(&out);
	if (!out.incomplete)
		return out.root;
	json_decref(out.root);
	return NULL;
}
