// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "filter.h"
#include "kernel.h"
#include "nearest.h"
#include "text.h"

static int sf_filter_parse_domain(struct sf_filter *filter,
				  struct sf_error *err)
{
	const char *domain = filter->domain;

	filter->by_index = sf_parse_number(domain, &filter->index);
	if (!*domain || strpbrk(domain, " \t\n"))
		return sf_fail(
			err, SF_USAGE,
			"\"%s\" is no domain; give a name such as MC, or an index such as 1",
			domain);
	return SF_OK;
}

/* CPUs of which the kernel does not know how many there can be are all possible. */
static int sf_filter_check_possible(const struct sf_filter *filter,
				    struct sf_error *err)
{
	struct sf_error ignored = { .code = SF_OK };
	struct sf_cpulist possible;
	char text[256];
	u64 cpu;

	if (sf_kernel_read_word("/sys/devices/system/cpu/possible", text,
				sizeof(text)) ||
	    sf_cpulist_parse(text, &possible, &ignored))
		return SF_OK;
	for (cpu = 0; cpu < SF_MAX_CPUS; cpu++)
		if (sf_cpulist_has(&filter->cpus, cpu) &&
		    !sf_cpulist_has(&possible, cpu))
			return sf_fail(err, SF_USAGE, "there are only CPUs %s",
				       text);
	return SF_OK;
}

/**
 * sf_filter_parse - understand --cpu and --domain
 * @filter: @cpu and @domain are the user's words; the rest is set
 * @err: says what was wrong
 *
 * Return: SF_OK or SF_USAGE.
 */
int sf_filter_parse(struct sf_filter *filter, struct sf_error *err)
{
	if (filter->cpu && (sf_cpulist_parse(filter->cpu, &filter->cpus, err) ||
			    sf_filter_check_possible(filter, err)))
		return err->code;
	return filter->domain ? sf_filter_parse_domain(filter, err) : SF_OK;
}

static bool sf_filter_has_cpu(const struct sf_filter *filter,
			      const struct sf_domain *domain)
{
	return !filter->cpu || sf_cpulist_has(&filter->cpus, domain->cpu);
}

/**
 * sf_filter_matches - is a command for this domain?
 * @filter: parsed
 * @domain: a line of the module's state
 */
bool sf_filter_matches(const struct sf_filter *filter,
		       const struct sf_domain *domain)
{
	if (!sf_filter_has_cpu(filter, domain))
		return false;
	if (!filter->domain)
		return true;
	if (filter->by_index)
		return domain->domain == filter->index;
	return !strcmp(domain->name, filter->domain);
}

static void sf_filter_list(const struct sf_filter *filter,
			   const struct sf_state *state, char *buf, size_t size)
{
	size_t i, j;

	buf[0] = '\0';
	for (i = 0; i < state->count; i++) {
		const struct sf_domain *domain = &state->domains[i];

		if (!sf_filter_has_cpu(filter, domain))
			continue;
		for (j = 0; j < i; j++)
			if (sf_filter_has_cpu(filter, &state->domains[j]) &&
			    !strcmp(state->domains[j].name, domain->name))
				break;
		if (j == i)
			sf_append_text(buf, size, " %s", domain->name);
	}
}

/**
 * sf_filter_check - does a filter match any domain there is?
 * @filter: parsed
 * @state: the domains
 * @err: says what there is instead
 *
 * No filter matches always, as a kernel may have no domains.
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_filter_check(const struct sf_filter *filter,
		    const struct sf_state *state, struct sf_error *err)
{
	bool cpu_found = false;
	char names[256];
	size_t i;

	if (!filter->cpu && !filter->domain)
		return SF_OK;
	for (i = 0; i < state->count; i++) {
		if (sf_filter_matches(filter, &state->domains[i]))
			return SF_OK;
		cpu_found |= sf_filter_has_cpu(filter, &state->domains[i]);
	}
	if (!cpu_found)
		return sf_fail(
			err, SF_FAILED,
			"no online CPU of \"%s\" has a domain; see `schedflip show`",
			filter->cpu ? filter->cpu : "0-");
	sf_filter_list(filter, state, names, sizeof(names));
	sf_fail(err, SF_FAILED, "no domain \"%s\"%s%s; known:%s",
		filter->domain, filter->cpu ? " on CPUs " : "",
		filter->cpu ? filter->cpu : "", names);
	return sf_nearest_add(err, filter->domain, names);
}

/**
 * sf_filter_format - append a filter as the module takes it
 * @filter: parsed
 * @buf: a command
 * @size: of @buf
 * @err: says if the command gets too long
 *
 * Return: SF_OK or SF_USAGE.
 */
int sf_filter_format(const struct sf_filter *filter, char *buf, size_t size,
		     struct sf_error *err)
{
	if (filter->cpu)
		sf_append_text(buf, size, " cpu=%s", filter->cpu);
	if (filter->domain)
		sf_append_text(buf, size, " domain=%s", filter->domain);
	if (strlen(buf) + 1 >= size)
		return sf_fail(
			err, SF_USAGE,
			"the list of CPUs is too long; a command takes %zu bytes",
			size - 2);
	return SF_OK;
}
