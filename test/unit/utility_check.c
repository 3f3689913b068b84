// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What check says: the order of its rows, its last line, and what follows from a
 * kernel that is configured otherwise.
 */
#include "utility.h"

#include <schedflip/needs.h>

#include "checklist.h"
#include "needs.h"

static const char *row_text(const struct sf_checklist *list, size_t row,
			    const char *key)
{
	const char *text = json_string_value(
		json_object_get(json_array_get(list->rows, row), key));

	return text ? text : "";
}

/* Return: the row of a requirement, of which there is one. */
static size_t find_row(const struct sf_checklist *list, const char *requirement)
{
	size_t i;

	for (i = 0; i < json_array_size(list->rows); i++)
		if (!strcmp(row_text(list, i, "requirement"), requirement))
			return i;
	fail_msg("no row of %s", requirement);
	return 0;
}

static void add(struct sf_checklist *list, enum sf_status status,
		enum sf_exit code, const char *requirement)
{
	sf_checklist_add(list, status, code, requirement, "do", "found");
}

static void test_missing_first(void **unused)
{
	static const char *const wanted[] = { "c", "e", "a", "b", "d" };
	struct sf_checklist list;
	size_t i;

	(void)unused;
	sf_checklist_init(&list);
	add(&list, SF_STATUS_OK, SF_OK, "a");
	add(&list, SF_STATUS_WARNING, SF_OK, "b");
	add(&list, SF_STATUS_MISSING, SF_FAILED, "c");
	add(&list, SF_STATUS_UNKNOWN, SF_OK, "d");
	add(&list, SF_STATUS_MISSING, SF_UNSUPPORTED, "e");
	assert_false(list.incomplete);
	assert_int_equal(json_array_size(list.rows), ARRAY_SIZE(wanted));
	for (i = 0; i < ARRAY_SIZE(wanted); i++)
		assert_string_equal(row_text(&list, i, "requirement"),
				    wanted[i]);
	sf_checklist_free(&list);
}

static void assert_verdict(struct sf_checklist *list, int code,
			   const char *message)
{
	struct sf_error err = { .code = SF_OK };
	struct sf_output out;

	sf_output_init(&out, true);
	assert_int_equal(sf_checklist_verdict(list, &out, &err), code);
	assert_int_equal(err.code, code);
	assert_string_equal(err.message, message);
	json_decref(out.root);
	sf_checklist_free(list);
}

static void test_only_root(void **unused)
{
	struct sf_checklist list;

	(void)unused;
	sf_checklist_init(&list);
	add(&list, SF_STATUS_MISSING, SF_DENIED, SF_REQUIRED_ROOT);
	add(&list, SF_STATUS_WARNING, SF_OK, "tested kernel");
	assert_verdict(
		&list, SF_DENIED,
		"only root is missing, all else will do; run it with sudo");
}

static void test_root_and_more(void **unused)
{
	struct sf_checklist list;

	(void)unused;
	sf_checklist_init(&list);
	add(&list, SF_STATUS_MISSING, SF_DENIED, SF_REQUIRED_ROOT);
	add(&list, SF_STATUS_MISSING, SF_FAILED, "module");
	assert_verdict(&list, SF_DENIED,
		       "you may not load the module; missing: root");
	sf_checklist_init(&list);
	add(&list, SF_STATUS_MISSING, SF_DENIED, SF_REQUIRED_ROOT);
	add(&list, SF_STATUS_MISSING, SF_UNSUPPORTED, "BTF");
	assert_verdict(&list, SF_UNSUPPORTED,
		       "this kernel can't take the module; missing: BTF");
}

#define SYMBOL_LINE(name) "ffffffff81000000 T " #name "\n"

static const char *remedy_of_runqueues(const char *symbols)
{
	static char remedy[256];
	struct sf_checklist list;
	size_t row;

	tree_write("/proc/kallsyms", symbols);
	sf_checklist_init(&list);
	sf_needs_check(&list);
	row = find_row(&list, "runqueues");
	assert_string_equal(row_text(&list, row, "status"), "missing");
	assert_string_equal(
		row_text(&list, find_row(&list, "idle_cpu"), "status"), "ok");
	snprintf(remedy, sizeof(remedy), "%s", row_text(&list, row, "remedy"));
	sf_checklist_free(&list);
	return remedy;
}

static void test_no_variables(void **unused)
{
	(void)unused;
	assert_string_equal(
		remedy_of_runqueues(SF_FUNCTIONS(SYMBOL_LINE)),
		"follows from CONFIG_KALLSYMS_ALL: take a kernel with CONFIG_KALLSYMS_ALL=y");
	assert_string_equal(
		remedy_of_runqueues(SF_FUNCTIONS(SYMBOL_LINE)
					    SYMBOL_LINE(klp_mutex)),
		"this kernel differs from the tested ones; report it, with its release");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_missing_first),
		cmocka_unit_test(test_only_root),
		cmocka_unit_test(test_root_and_more),
		tree_test(test_no_variables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
