// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The metrics: a strict parser of the text format of Prometheus reads them, their values
 * are those of the module, and the dashboard of contrib/grafana asks for no other.
 */
#include "utility.h"

#include "exposition_parser.h"

#include <jansson.h>

#include <schedflip/abi.h>

#include "gauges.h"

#define DASHBOARD "contrib/grafana/schedflip.json"
#define DOCUMENT "docs/metrics.md"

static const char *value_of(const char *series)
{
	size_t i;

	for (i = 0; i < seen.series_count; i++)
		if (!strcmp(seen.series[i], series))
			return seen.values[i];
	return "none";
}

static void test_parser_is_strict(void **unused)
{
	static const char *const wrong[] = {
		"a 1\n",
		"# HELP a b\n# TYPE a gauge\na 1",
		"# HELP a b\na 1\n",
		"# TYPE a gauge\na 1\n",
		"# HELP a b\n# TYPE a gauge\nb 1\n",
		"# HELP a b\n# TYPE a gauge\nab 1\n",
		"# HELP a b\n# TYPE a gauge\na 1\na 1\n",
		"# HELP a b\n# TYPE a counter\na 1\n",
		"# HELP a_total b\n# TYPE a_total gauge\na_total 1\n",
		"# HELP a b\n# TYPE a gauge\na{x=\"\"\"} 1\n",
		"# HELP a b\n# TYPE a gauge\na{x=\"\\t\"} 1\n",
		"# HELP a b\n# TYPE a gauge\na{x=\"1\",x=\"2\"} 1\n",
		"# HELP a b\n# TYPE a gauge\na{1x=\"1\"} 1\n",
		"# HELP a b\n# TYPE a gauge\na nil\n",
		"# HELP a b\n# TYPE a gauge\n# HELP c b\n# TYPE c gauge\na 1\n",
		"# HELP a b\n# TYPE a gauge\n# HELP a b\n# TYPE a gauge\n",
	};
	size_t i;

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(wrong); i++)
		if (read_exposition(wrong[i]))
			fail_msg("taken: %s", wrong[i]);
	assert_true(read_exposition(
		"# HELP a b c\n# TYPE a gauge\na 1\na{x=\"\\\"\\\\\\n,}\"} 2.5\n"));
	forget();
}

static char *print_gauges(const struct sf_gauges *gauges)
{
	struct sf_exposition exposition = { .samples = json_array() };
	size_t size;
	char *text;

	exposition.to = open_memstream(&text, &size);
	assert_non_null(exposition.to);
	sf_gauges_print(gauges, &exposition);
	fclose(exposition.to);
	if (!read_exposition(text))
		fail_msg("%s", seen.why);
	assert_int_equal(json_array_size(exposition.samples),
			 seen.series_count);
	json_decref(exposition.samples);
	return text;
}

static void fill_domain(struct sf_domain *domain, u64 cpu)
{
	u64 next = 0;

#define WORD(field) domain->field = "stock";
#define NUMBER(field) domain->field = 1000000 * cpu + ++next;
	SF_STATE_FIELDS(WORD, NUMBER)
	domain->cpu = cpu;
	domain->domain = 1;
	domain->name = "M\"C\\\n";
	domain->span = "0-1,3";
	domain->newidle = "jitter";
	domain->newidle_ns = 1234567890123ull;
	domain->weight_sum = 1025;
	domain->avg_depth_milli = 1250;
	domain->calls = UINT64_MAX;
}

/* All that there may be. */
static void fill_gauges(struct sf_gauges *gauges, struct sf_domain *domains)
{
	static const struct sf_hook hook = {
		"balance", "newidle", "sched_balance_rq", "patched", 12, 34
	};
	struct sf_status *status = &gauges->status;

	tree_write("/proc/sys/kernel/osrelease", "7.3.4-test\n");
	memset(gauges, 0, sizeof(*gauges));
	gauges->loaded = true;
	strcpy(gauges->info.version, "0.1");
	strcpy(gauges->info.ni_random, "on");
	gauges->info.hooks[0] = hook;
	gauges->info.hook_count = 1;
	status->present = true;
	strcpy(status->hooks, "live");
	strcpy(status->lease, "pending");
	status->lease_id = 3;
	status->lease_left_ms = 42500;
	status->drift = 2;
	status->trip_count = 1;
	status->looks = 5;
	status->trips.trips[SF_TRIP_DEPTH].limit = 64;
	status->trips.trips[SF_TRIP_NEWIDLE].limit = 125;
	status->trips.trips[SF_TRIP_DELAY].limit = 20000;
	status->delay_us = 1500;
	fill_domain(&domains[0], 0);
	fill_domain(&domains[1], 1);
	gauges->state.domains = domains;
	gauges->state.count = 2;
}

#define PLACE "{cpu=\"1\",domain=\"1\",name=\"M\\\"C\\\\\\n\""

static void test_values(void **unused)
{
	struct sf_domain domains[2];
	struct sf_gauges gauges;

	(void)unused;
	fill_gauges(&gauges, domains);
	free(print_gauges(&gauges));
	assert_string_equal(value_of(
				    "schedflip_build_info{version=\"" SF_VERSION
				    "\",abi=\"1\",kernel=\"7.3.4-test\"}"),
			    "1");
	assert_string_equal(value_of("schedflip_loaded"), "1");
	assert_string_equal(value_of("schedflip_lease_left_seconds"), "42.500");
	assert_string_equal(value_of("schedflip_ni_random_drift_total"), "2");
	assert_string_equal(value_of("schedflip_trip_newidle_limit_ratio"),
			    "0.125");
	assert_string_equal(value_of("schedflip_trip_run_delay_seconds"),
			    "0.001500");
	assert_string_equal(
		value_of(
			"schedflip_hook_newidle_seconds_total{hook=\"balance\"}"),
		"0.000000034");
	assert_string_equal(value_of("schedflip_hooks_status{status=\"live\"}"),
			    "1");
	assert_string_equal(value_of("schedflip_hooks_status{status=\"off\"}"),
			    "0");
}

static void test_domain_values(void **unused)
{
	struct sf_domain domains[2];
	struct sf_gauges gauges;

	(void)unused;
	fill_gauges(&gauges, domains);
	free(print_gauges(&gauges));
	assert_string_equal(value_of("schedflip_domain_calls_total" PLACE "}"),
			    "18446744073709551615");
	assert_string_equal(
		value_of("schedflip_domain_newidle_seconds_total" PLACE "}"),
		"1234.567890123");
	assert_string_equal(value_of("schedflip_domain_weight_calls_total" PLACE
				     "}"),
			    "1.0009765625");
	assert_string_equal(
		value_of("schedflip_domain_average_depth_tasks" PLACE "}"),
		"1.250");
	assert_string_equal(
		value_of("schedflip_domain_policy_info" PLACE
			 ",span=\"0-1,3\",newidle=\"jitter\",start=\"stock\""
			 ",slowpath=\"stock\",burst=\"stock\",cost=\"stock\"}"),
		"1");
}

/* Each number of the state is in some metric, told by a value that no other has. */
static void test_all_numbers(void **unused)
{
	static const char *const labels[] = { "cpu", "domain", "level" };
	struct sf_domain domains[2];
	struct sf_gauges gauges;
	size_t i, scaled = 0, found = 0;

	(void)unused;
	fill_gauges(&gauges, domains);
	free(print_gauges(&gauges));
	for (i = 0; i < seen.series_count; i++) {
		scaled += matches(seen.series[i],
				  "^schedflip_domain.*cpu=\"1\"") &&
			  strchr(seen.values[i], '.');
		found += !strncmp(seen.values[i], "10000", 5);
	}
	i = 0;
#define NOTHING(field)
#define ONE(field) i++;
	SF_STATE_FIELDS(NOTHING, ONE)
	/* start_pos is what an earlier command set; calls has a value of its own. */
	assert_int_equal(found + scaled + 1, i - ARRAY_SIZE(labels) - 1);
}

static void test_not_loaded(void **unused)
{
	struct sf_gauges gauges = { .loaded = false };

	(void)unused;
	free(print_gauges(&gauges));
	assert_string_equal(value_of("schedflip_loaded"), "0");
	assert_int_equal(seen.series_count, 2);
}

/* A module without a status, and a kernel without domains. */
static void test_little(void **unused)
{
	struct sf_gauges gauges = { .loaded = true };

	(void)unused;
	free(print_gauges(&gauges));
	assert_string_equal(value_of("schedflip_loaded"), "1");
	assert_string_equal(value_of("schedflip_lease_pending"), "none");
}

static bool has_family(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < seen.family_count; i++)
		if (strlen(seen.families[i]) == len &&
		    !strncmp(seen.families[i], name, len))
			return true;
	return false;
}

static size_t check_expression(const char *text)
{
	const char *at = text;
	size_t len, count = 0;

	while ((at = strstr(at, "schedflip_"))) {
		len = strspn(at, "abcdefghijklmnopqrstuvwxyz_");
		if (!has_family(at, len))
			fail_msg("%s: there is no such metric: %.*s", text,
				 (int)len, at);
		at += len;
		count++;
	}
	if (!count)
		fail_msg("%s: no metric of ours", text);
	return 1;
}

/* Return: number of expressions in it. */
static size_t check_expressions(const json_t *value)
{
	const char *key;
	json_t *member;
	size_t i, count = 0;

	if (json_is_array(value))
		json_array_foreach(value, i, member)
			count += check_expressions(member);
	if (json_is_object(value))
		json_object_foreach((json_t *)value, key, member)
			count += !strcmp(key, "expr") ?
					 check_expression(
						 json_string_value(member)) :
					 check_expressions(member);
	return count;
}

static void test_dashboard(void **unused)
{
	struct sf_domain domains[2];
	struct sf_gauges gauges;
	json_error_t error;
	json_t *dashboard =
		json_load_file(DASHBOARD, JSON_REJECT_DUPLICATES, &error);

	(void)unused;
	if (!dashboard)
		fail_msg(DASHBOARD ": %s", error.text);
	fill_gauges(&gauges, domains);
	free(print_gauges(&gauges));
	assert_true(check_expressions(dashboard) >= 8);
	json_decref(dashboard);
}

static void test_documented(void **unused)
{
	static char text[1 << 16];
	struct sf_domain domains[2];
	struct sf_gauges gauges;
	FILE *file = fopen(DOCUMENT, "r");
	size_t i;

	(void)unused;
	assert_non_null(file);
	assert_true(fread(text, 1, sizeof(text) - 1, file) > 0);
	fclose(file);
	fill_gauges(&gauges, domains);
	free(print_gauges(&gauges));
	for (i = 0; i < seen.family_count; i++)
		if (!strstr(text, seen.families[i]))
			fail_msg("%s is not in " DOCUMENT, seen.families[i]);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		tree_test(test_parser_is_strict), tree_test(test_values),
		tree_test(test_domain_values),	  tree_test(test_all_numbers),
		tree_test(test_not_loaded),	  tree_test(test_little),
		tree_test(test_dashboard),	  tree_test(test_documented),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	forget();
	return failed;
}
