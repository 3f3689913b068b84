// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * JSON that anybody may have written: an experiment that is wrong anywhere is refused by
 * the name of what is wrong.
 */
#include "sample.h"

#include <ctype.h>

static json_t *make_json(void)
{
	struct sf_experiment experiment;
	json_t *root;

	make(&experiment);
	root = sf_experiment_json(&experiment);
	sf_experiment_free(&experiment);
	assert_non_null(root);
	return root;
}

/* Find what holds the last name of a path such as runs/3/values/rps. */
static json_t *find_holder(json_t *root, const char *path, char *last)
{
	const char *slash;

	for (; (slash = strchr(path, '/')); path = slash + 1) {
		snprintf(last, 32, "%.*s", (int)(slash - path), path);
		root = isdigit((unsigned char)*last) ?
			       json_array_get(root, strtoul(last, NULL, 10)) :
			       json_object_get(root, last);
		assert_non_null(root);
	}
	snprintf(last, 32, "%s", path);
	return root;
}

/* Put something into a path; NULL takes it out. */
static void change(json_t *root, const char *path, const char *text)
{
	json_t *value = text ? json_loads(text, JSON_DECODE_ANY, NULL) : NULL;
	json_t *holder;
	char last[32];

	holder = find_holder(root, path, last);
	if (!text) {
		assert_int_equal(json_object_del(holder, last), 0);
		return;
	}
	assert_non_null(value);
	if (json_is_array(holder))
		json_array_set_new(holder, strtoul(last, NULL, 10), value);
	else
		json_object_set_new(holder, last, value);
}

static int parse_changed(const char *path, const char *text,
			 struct sf_error *err)
{
	struct sf_experiment experiment;
	json_t *root = make_json();

	err->code = SF_OK;
	change(root, path, text);
	sf_experiment_parse(root, "e.json", &experiment, err);
	if (err->code)
		assert_null(experiment.runs);
	sf_experiment_free(&experiment);
	json_decref(root);
	return err->code;
}

static const struct {
	const char *path;
	const char *text;
	const char *message;
} wrongs[] = {
	{ "kind", "7",
	  "e.json is no experiment; those are made by `schedflip ab -o FILE`" },
	{ "kind", "\"other\"",
	  "e.json is no experiment; those are made by `schedflip ab -o FILE`" },
	{ "schema_version", "2",
	  "e.json is of another schedflip: its schema_version is 2, this one reads 1" },
	{ "policies", NULL, "e.json: policies is missing" },
	{ "policies", "{}", "e.json: policies is an object, not an array" },
	{ "policies", "[\"a\"]",
	  "e.json: policies is an array, which must have 2 to 8 elements, not 1" },
	{ "policies", "[1,2,3,4,5,6,7,8,9]",
	  "e.json: policies is an array, which must have 2 to 8 elements, not 9" },
	{ "policies/1", "3", "e.json: policies[1] is 3, not a line of text" },
	{ "policies/0", "\"\"",
	  "e.json: policies[0] is \"\", not a line of text" },
	{ "policies/0", "\"a\\u001b[2J\"",
	  "e.json: policies[0] is \"a?[2J\", not a line of text" },
	{ "metrics", "[]",
	  "e.json: metrics is an array, which must have 1 to 9 elements, not 0" },
	{ "metrics/0", "7", "e.json: metrics[0].name is missing" },
	{ "metrics/0/name", "\"wall_s\"",
	  "e.json: metrics[1].name is \"wall_s\", which metrics[0] has, too" },
	{ "metrics/0/name", "\"a b\"",
	  "e.json: metrics[0].name is \"a b\", not a name of 1 to 40 letters, digits, _ and ." },
	{ "metrics/0/regex", "null",
	  "e.json: metrics[0].regex is null, but only the last metric, wall_s, has none" },
	{ "metrics/0/better", "\"more\"",
	  "e.json: metrics[0].better is \"more\", not \"lower\", \"higher\" or null" },
	{ "metrics/1/name", "\"time\"",
	  "e.json: metrics[1].name is \"time\", but the last metric is wall_s, without a regex" },
	{ "metrics/1/regex", "\"x\"",
	  "e.json: metrics[1].regex is \"x\", but the last metric is wall_s, without a regex" },
	{ "order", "\"sorted\"",
	  "e.json: order is \"sorted\", but only known are: random abba" },
	{ "learn", "\"restores\"",
	  "e.json: learn is \"restores\", but only known are: keep reset restore" },
	{ "learn", "1", "e.json: learn is 1, not a line of text" },
	{ "seed", "-1",
	  "e.json: seed is -1, not a whole number from 0 to 9223372036854775807" },
	{ "seed", "1.5",
	  "e.json: seed is 1.5, not a whole number from 0 to 9223372036854775807" },
	{ "precision_percent", "-0.5",
	  "e.json: precision_percent is -0.5, not a number, 0 or more" },
	{ "precision_percent", "null",
	  "e.json: precision_percent is null, not a number, 0 or more" },
	{ "complete", "1", "e.json: complete is 1, not true or false" },
	{ "stopped", "false",
	  "e.json: stopped is false, not a string or null" },
	{ "command", "[]",
	  "e.json: command is an array, which must have 1 to 2147483647 elements, not 0" },
	{ "command/1", "null", "e.json: command[1] is null, not a string" },
	{ "system", "null", "e.json: system is null, not an object" },
	{ "system/kernel", "[]",
	  "e.json: system.kernel is an array, not a string, a number or null" },
	{ "system/cpus", "\"8\"",
	  "e.json: system.cpus is \"8\", not a whole number from 0 to 65536" },
	{ "warnings/0", "7", "e.json: warnings[0].what is missing" },
	{ "warnings/0/remedy", "7",
	  "e.json: warnings[0].remedy is 7, not a line of text" },
	{ "runs", "null", "e.json: runs is null, not an array" },
	{ "runs/2", "null", "e.json: runs[2].block is missing" },
	{ "runs/2/block", "4000000000",
	  "e.json: runs[2].block is 4000000000, not a whole number from 1 to 4" },
	{ "runs/2/block", "5",
	  "e.json: runs[2].block is 5, not a whole number from 1 to 4" },
	{ "runs/2/block", "0",
	  "e.json: runs[2].block is 0, not a whole number from 1 to 4" },
	{ "runs/2/block", "-1",
	  "e.json: runs[2].block is -1, not a whole number from 1 to 4" },
	{ "runs/2/block", "1.0",
	  "e.json: runs[2].block is 1, not a whole number from 1 to 4" },
	{ "runs/3/policy", "7",
	  "e.json: runs[3].policy is 7, but there are only 2 policies" },
	{ "runs/0/policy", "-1",
	  "e.json: runs[0].policy is -1, not a whole number from 0 to 9223372036854775807" },
	{ "runs/0/warmup", "null",
	  "e.json: runs[0].warmup is null, not true or false" },
	{ "runs/0/began_s", "-1",
	  "e.json: runs[0].began_s is -1, not a number, 0 or more" },
	{ "runs/0/began_s", "\"nan\"",
	  "e.json: runs[0].began_s is \"nan\", not a number, 0 or more" },
	{ "runs/0/valid", "false",
	  "e.json: runs[0].invalid_reason is null, but valid is false" },
	{ "runs/3/valid", "true",
	  "e.json: runs[3].invalid_reason is \"the policy changed\", but valid is true" },
	{ "layouts", NULL, "e.json: layouts is missing" },
	{ "layouts/0", "7", "e.json: layouts[0] is 7, not a string" },
	{ "runs/0/before", NULL, "e.json: runs[0].before is missing" },
	{ "runs/0/after", "[]",
	  "e.json: runs[0].after is an array, not an object" },
	{ "runs/0/before/policy", "{}",
	  "e.json: runs[0].before.policy is an object, not a string or null" },
	{ "runs/1/after/layout", "1",
	  "e.json: runs[1].after.layout is 1, not null or the index of one of 1 layouts" },
	{ "runs/1/after/layout", "-1",
	  "e.json: runs[1].after.layout is -1, not null or the index of one of 1 layouts" },
	{ "runs/1/after/layout", "\"0\"",
	  "e.json: runs[1].after.layout is \"0\", not null or the index of one of 1 layouts" },
	{ "runs/2/after/hooks", NULL,
	  "e.json: runs[2].after.hooks is missing" },
	{ "runs/2/after/features", "true",
	  "e.json: runs[2].after.features is true, not a string or null" },
	{ "runs/2/hook_calls", "[]",
	  "e.json: runs[2].hook_calls is an array, not an object" },
	{ "runs/2/hook_calls", NULL, "e.json: runs[2].hook_calls is missing" },
	{ "runs/2/hook_calls/newidle", "-1",
	  "e.json: runs[2].hook_calls.newidle is -1, not a number, 0 or more, or null" },
	{ "runs/2/hook_calls/newidle", "{}",
	  "e.json: runs[2].hook_calls.newidle is an object, not a number, 0 or more, or null" },
	{ "runs/0/exit_status", "4294967296",
	  "e.json: runs[0].exit_status is 4294967296, not an exit status" },
	{ "runs/0/values", "[]",
	  "e.json: runs[0].values is an array, not an object" },
	{ "runs/0/values/rps", NULL, "e.json: runs[0].values.rps is missing" },
	{ "runs/0/values/rps", "\"12\"",
	  "e.json: runs[0].values.rps is \"12\", not a number or null" },
	{ "runs/0/values/wall_s", "0",
	  "e.json: runs[0].values.wall_s is 0, but a run takes time" },
	{ "runs/0/counters", NULL, "e.json: runs[0].counters is missing" },
	{ "runs/0/counters/calls", "-1",
	  "e.json: runs[0].counters.calls is -1, not a number, 0 or more, or null" },
};

static void test_wrong(void **unused)
{
	struct sf_error err;
	size_t i;

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(wrongs); i++) {
		assert_int_equal(parse_changed(wrongs[i].path, wrongs[i].text,
					       &err),
				 SF_FAILED);
		assert_string_equal(err.message, wrongs[i].message);
	}
}

static void test_right(void **unused)
{
	static const char *const rights[][2] = {
		{ "stopped", "null" },
		{ "runs", "[]" },
		{ "warnings", "[]" },
		{ "system", "{}" },
		{ "metrics/0/better", "null" },
		{ "runs/0/values/rps", "-3" },
		{ "runs/0/values/wall_s", "null" },
		{ "runs/0/counters/calls", NULL },
		{ "runs/0/counters/later", "1" },
		{ "runs/0/output", "null" },
		{ "runs/0/before/policy", "null" },
		{ "runs/0/before/layout", "null" },
		{ "runs/0/before/hooks", "null" },
		{ "runs/0/after/features", "null" },
		{ "runs/0/hook_calls", "null" },
		{ "runs/0/hook_calls", "{}" },
		{ "runs/0/hook_calls/later", "1.5" },
		{ "policies/1", "\"newidle=dice\"" },
	};
	struct sf_error err;
	size_t i;

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(rights); i++)
		if (parse_changed(rights[i][0], rights[i][1], &err))
			fail_msg("%s: %s", rights[i][0], err.message);
}

/* Any value of any type in any place is taken or refused, and no more. */
static void try_all(json_t *root, json_t *value)
{
	static const char *const values[] = { "null",  "true", "-1",
					      "1e300", "[]",   "{}",
					      "\"\"",  "[[]]", "999999999999" };
	struct sf_experiment experiment;
	json_t *old, *other;
	const char *key;
	struct sf_error err;
	size_t i;
	void *next;

	json_object_foreach_safe(value, next, key, old)
	{
		json_incref(old);
		for (i = 0; i < ARRAY_SIZE(values); i++) {
			other = json_loads(values[i], JSON_DECODE_ANY, NULL);
			json_object_set_new(value, key, other);
			err.code = SF_OK;
			sf_experiment_parse(root, "e", &experiment, &err);
			sf_experiment_free(&experiment);
		}
		json_object_set_new(value, key, old);
		try_all(root, old);
	}
	for (i = 0; i < json_array_size(value); i++)
		try_all(root, json_array_get(value, i));
}

static void test_any(void **unused)
{
	struct sf_experiment experiment;
	struct sf_error err = { .code = SF_OK };
	json_t *root = make_json();

	(void)unused;
	try_all(root, root);
	assert_int_equal(sf_experiment_parse(root, "e", &experiment, &err),
			 SF_OK);
	sf_experiment_free(&experiment);
	json_decref(root);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wrong),
		cmocka_unit_test(test_right),
		cmocka_unit_test(test_any),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
