// SPDX-License-Identifier: GPL-2.0-or-later
/* Files that tell what the machine is; each input is all of them. */
#include "fuzz.h"

#include "counters.h"
#include "machine.h"

static const char *const files[] = {
	"/proc/cpuinfo",
	"/proc/meminfo",
	"/proc/stat",
	"/proc/cmdline",
	"/proc/sys/kernel/version",
	"/proc/sys/kernel/hostname",
	"/sys/kernel/debug/sched/features",
	"/sys/kernel/debug/sched/preempt",
	"/sys/kernel/debug/schedflip/features",
	"/sys/kernel/debug/schedflip/hooks",
	"/sys/kernel/debug/schedflip/version",
	"/sys/devices/system/cpu/online",
	"/sys/devices/system/cpu/possible",
	"/sys/devices/system/node/online",
	"/sys/devices/system/cpu/cpu0/topology/core_cpus_list",
	"/sys/devices/system/cpu/cpu0/topology/package_cpus_list",
	"/sys/devices/system/cpu/cpu0/topology/thread_siblings_list",
	"/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
	"/sys/devices/system/cpu/cpufreq/boost",
};

static char *domain_word(const char *text)
{
	char *word = strdup(text), *at;

	fuzz_check(word, "memory is enough");
	for (at = word; *at; at++)
		if (*at <= ' ')
			*at = '_';
	sf_clean_text(word);
	return word;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	char *text = fuzz_text(data, size), *word = domain_word(text);
	struct sf_domain domain = { .name = word, .span = word };
	struct sf_state state = { .domains = &domain, .count = 1 };
	struct sf_counters counters = { .value = { 0 } };
	json_t *json;
	size_t i;

	for (i = 0; i < SF_ARRAY_SIZE(files); i++)
		fuzz_tree_write(files[i], data, size);
	json = sf_machine_json(&state);
	fuzz_check(json_is_object(json), "there is an object");
	json_decref(json);
	sf_machine_turbo();
	domain.newidle = domain.start = domain.slowpath = word;
	domain.burst = domain.cost = word;
	sf_counters_take(&state, &counters);
	free(word);
	free(text);
	return 0;
}
