// SPDX-License-Identifier: GPL-2.0-or-later
/* --cpu, a newline and --domain. */
#include "words.h"

#include "filter.h"

#define POSSIBLE "0-8191\n"

static void check_filter(const struct sf_filter *filter)
{
	struct sf_error err = { .code = SF_OK };
	struct sf_domain domain = { .name = "MC" };
	char command[512] = "ratio=31";
	unsigned int cpus = 0;
	int code;

	if (filter->cpu)
		fuzz_check(sf_cpulist_count(&filter->cpus),
			   "a list has a CPU at least");
	for (domain.cpu = 0; domain.cpu <= SF_MAX_CPUS; domain.cpu++)
		cpus += sf_filter_matches(filter, &domain);
	if (filter->cpu && !filter->domain)
		fuzz_check(cpus == sf_cpulist_count(&filter->cpus),
			   "its CPUs match");
	code = sf_filter_format(filter, command, sizeof(command), &err);
	fuzz_usage_error(code, &err);
	fuzz_check(!strpbrk(command, "\t\n"), "a command is one line");
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct sf_filter filter = { .cpu = NULL };
	struct sf_error err = { .code = SF_OK };
	char *text = fuzz_text(data, size), *rest = text;
	int code;

	if (!*fuzz_tree)
		fuzz_tree_write("/sys/devices/system/cpu/possible", POSSIBLE,
				strlen(POSSIBLE));
	filter.cpu = sf_next_line(&rest);
	filter.domain = *rest ? rest : NULL;
	code = sf_filter_parse(&filter, &err);
	fuzz_usage_error(code, &err);
	if (!code)
		check_filter(&filter);
	free(text);
	return 0;
}
