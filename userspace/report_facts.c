// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What was compared, and on what.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decisions.h"
#include "quote.h"
#include "report_parts.h"
#include "text.h"

/* Room for one fact of the system; the list of features is the longest. */
#define SF_FACT_SIZE 4096

/**
 * sf_policy_label - what to call a policy
 * @experiment: that has it
 * @policy: its index
 *
 * Return: its words; if several policies have the same, with its number behind.
 */
struct sf_label sf_policy_label(const struct sf_experiment *experiment,
				size_t policy)
{
	return sf_label_make((const char *const *)experiment->policies,
			     experiment->policy_count, policy);
}

/**
 * sf_table_label - what to call a policy in a table
 * @report: the report
 * @policy: its index
 */
struct sf_label sf_table_label(const struct sf_report *report, size_t policy)
{
	struct sf_label label = { { 'A' + policy } };

	return report->letters ? label :
				 sf_policy_label(report->experiment, policy);
}

/**
 * sf_metric_label - what to call a metric
 * @metric: it
 *
 * Return: its name and which way is better.
 */
struct sf_label sf_metric_label(const struct sf_metric *metric)
{
	static const char *const better[SF_NR_BETTER] = {
		[SF_BETTER_UNSAID] = "",
		[SF_BETTER_LOWER] = ", lower is better",
		[SF_BETTER_HIGHER] = ", higher is better",
	};
	struct sf_label label;

	if (metric->regex)
		snprintf(label.text, sizeof(label.text), "%s%s", metric->name,
			 better[metric->better]);
	else
		snprintf(label.text, sizeof(label.text),
			 "%s: wall time, lower is better", metric->name);
	return label;
}

/* Return: @buf, empty if the file does not tell. */
static const char *sf_system(const struct sf_report *report, const char *key,
			     char *buf, size_t size)
{
	const json_t *value = json_object_get(report->experiment->system, key);

	buf[0] = '\0';
	if (json_is_string(value))
		snprintf(buf, size, "%s", json_string_value(value));
	else if (json_is_number(value))
		snprintf(buf, size, "%.12g", json_number_value(value));
	sf_clean_text(buf);
	return buf;
}

/**
 * struct sf_system_fact - what is told together of the system
 * @name: of all of it
 * @parts: words of ours, each before the value of a key
 */
struct sf_system_fact {
	const char *name;
	struct {
		const char *words;
		const char *key;
	} parts[6];
};

static void sf_report_system(const struct sf_report *report,
			     const struct sf_system_fact *fact)
{
	char text[SF_FACT_SIZE] = "", value[SF_FACT_SIZE];
	size_t i;

	for (i = 0; i < SF_ARRAY_SIZE(fact->parts) && fact->parts[i].key; i++)
		if (*sf_system(report, fact->parts[i].key, value,
			       sizeof(value)))
			sf_append_text(text, sizeof(text), "%s%s%s",
				       *text ? ", " : "", fact->parts[i].words,
				       value);
	sf_page_fact(report->page, fact->name, "%s", *text ? text : "unknown");
}

static void sf_report_policies(const struct sf_report *report)
{
	size_t i;

	for (i = 0; i < report->experiment->policy_count; i++)
		sf_page_fact(
			report->page, i ? "compared" : "baseline", "%s%s%s",
			report->letters ? sf_table_label(report, i).text : "",
			report->letters ? " = " : "",
			sf_policy_label(report->experiment, i).text);
}

/* Kinds that are policies of their own; the others go with one of them. */
static const enum sf_kind_id sf_main_kinds[] = {
	SF_KIND_NEWIDLE, SF_KIND_RATIO, SF_KIND_SLOWPATH,
	SF_KIND_BURST,	 SF_KIND_COST,	SF_KIND_SYNC,
};

static bool sf_values_differ(const struct sf_value *one,
			     const struct sf_value *other)
{
	if (one->word && other->word)
		return strcmp(one->word, other->word);
	return one->word || other->word || one->number != other->number;
}

/* What a policy does not name is at stock, which is easily overlooked. */
static void sf_report_contrast(const struct sf_report *report, size_t policy)
{
	const struct sf_experiment *experiment = report->experiment;
	struct sf_policy base, other;
	char kinds[160] = "";
	size_t i, count = 0;

	if (!sf_decisions_policy(experiment, 0, &base) ||
	    !sf_decisions_policy(experiment, policy, &other))
		return;
	for (i = 0; i < SF_ARRAY_SIZE(sf_main_kinds); i++) {
		enum sf_kind_id kind = sf_main_kinds[i];

		if (sf_values_differ(&base.values[kind], &other.values[kind]))
			sf_append_text(kinds, sizeof(kinds), "%s%s",
				       count++ ? " and " : "",
				       sf_kinds[kind].name);
	}
	if (count > 1)
		sf_page_fact(
			report->page, "note",
			"%s differs from the baseline in %s, as what a policy does not name is at stock; a difference may come from any of these",
			sf_policy_label(experiment, policy).text, kinds);
}

static void sf_report_commands(const struct sf_report *report)
{
	char *command = sf_quote_command(report->experiment->command);
	char made[SF_FACT_SIZE];

	sf_system(report, "schedflip_command", made, sizeof(made));
	if (command)
		sf_page_command(report->page, "command", command);
	else
		report->page->incomplete = true;
	sf_page_command(report->page, "made by", *made ? made : "unknown");
	free(command);
}

/* Return: when the last run ended, seconds. */
static double sf_duration(const struct sf_experiment *experiment)
{
	const struct sf_run *last;
	double wall;

	if (!experiment->run_count)
		return 0;
	last = &experiment->runs[experiment->run_count - 1];
	wall = last->values[experiment->metric_count - 1];
	return last->began_s + (isfinite(wall) ? wall : 0);
}

static void sf_report_design(const struct sf_report *report)
{
	static const char *const learned[][2] = {
		{ "keep", "kept from run to run" },
		{ "reset", "reset before each run" },
		{ "restore", "restored before each run to the policy's own" },
	};
	const struct sf_experiment *experiment = report->experiment;
	const struct sf_analysis *analysis = report->analysis;
	size_t i;

	sf_page_fact(
		report->page, "blocks",
		"%zu whole, %zu broken; one run of each policy a block, %s; seed %llu",
		analysis->blocks, analysis->broken_blocks,
		strcmp(experiment->order, "abba") ? "in random order" :
						    "in ABBA order",
		(unsigned long long)experiment->seed);
	for (i = 0; i < SF_ARRAY_SIZE(learned); i++)
		if (!strcmp(experiment->learn, learned[i][0]))
			sf_page_fact(report->page, "learned", "%s",
				     learned[i][1]);
}

static void sf_report_end(const struct sf_report *report)
{
	char why[512];

	if (!report->experiment->complete || !report->experiment->stopped)
		return;
	snprintf(why, sizeof(why), "%s", report->experiment->stopped);
	sf_clean_text(why);
	sf_page_fact(report->page, "ended", "%s", why);
}

static void sf_report_date(const struct sf_report *report)
{
	char date[SF_FACT_SIZE];

	sf_system(report, "date", date, sizeof(date));
	sf_page_fact(report->page, "date", "%s, lasted %.0f s",
		     *date ? date : "unknown", sf_duration(report->experiment));
}

/**
 * sf_report_facts - print what was compared, and how
 * @report: the report
 */
void sf_report_facts(const struct sf_report *report)
{
	size_t i;

	sf_report_policies(report);
	for (i = 1; i < report->experiment->policy_count; i++)
		sf_report_contrast(report, i);
	sf_report_commands(report);
	sf_report_design(report);
	sf_report_end(report);
	sf_report_date(report);
}

/* It costs what policies save, and is in no other fact. */
static void sf_report_mitigations(const struct sf_report *report)
{
	char line[SF_FACT_SIZE];

	if (strstr(sf_system(report, "cmdline", line, sizeof(line)),
		   "mitigations=off"))
		sf_page_fact(report->page, "mitigations",
			     "off, by the kernel's command line");
}

/* Policies of newidle hold NI_RANDOM off, which is no setting of the user's. */
static void sf_report_ni_random(const struct sf_report *report)
{
	char own[64];

	sf_system(report, "ni_random", own, sizeof(own));
	if (*own)
		sf_page_fact(
			report->page, "NI_RANDOM", "%s%s", own,
			strcmp(own, "on") ?
				"" :
				" (held off by schedflip while a policy of its own runs)");
}

static void sf_report_memory(const struct sf_report *report)
{
	const json_t *memory =
		json_object_get(report->experiment->system, "memory_kib");

	if (json_is_number(memory))
		sf_page_fact(report->page, "memory", "%.1f GiB",
			     json_number_value(memory) / 1048576);
}

/**
 * sf_report_host - print on what it was measured
 * @report: the report
 */
void sf_report_host(const struct sf_report *report)
{
	static const struct sf_system_fact facts[] = {
		{ "kernel",
		  { { "", "kernel" },
		    { "preemption ", "preemption" },
		    { "schedflip ", "module_version" } } },
		{ "cmdline", { { "", "cmdline" } } },
		{ "machine",
		  { { "", "cpu_model" },
		    { "CPUs ", "cpus" },
		    { "sockets ", "sockets" },
		    { "cores ", "cores" },
		    { "threads per core ", "threads_per_core" },
		    { "NUMA nodes ", "numa_nodes" } } },
		{ "domains", { { "", "domains" } } },
		{ "clocks",
		  { { "governor ", "governor" },
		    { "turbo ", "turbo" },
		    { "clocksource ", "clocksource" } } },
		{ "features", { { "", "features" } } },
	};
	size_t i;

	sf_page_heading(report->page, "The host");
	for (i = 0; i < SF_ARRAY_SIZE(facts); i++)
		sf_report_system(report, &facts[i]);
	sf_report_ni_random(report);
	sf_report_mitigations(report);
	sf_report_memory(report);
}
