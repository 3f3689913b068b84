// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What watch has of the module while that comes and goes, and a set command of its own.
 */
#include "glances.h"

#include "request.h"
#include "watcher.h"

#define DEBUGFS "/sys/kernel/debug/schedflip"

/* As a module that does not take it. */
static void test_carry_out(void **unused)
{
	struct sf_request request = { .words = "newidle=jitter" };
	struct sf_error err = { .code = SF_OK };
	char said[256];

	(void)unused;
	assert_int_equal(sf_request_carry_out(&request, said, sizeof(said),
					      &err),
			 SF_FAILED);
	assert_string_equal(
		err.message,
		"the module is not loaded; load it: schedflip load");
	tree_write("/sys/module/schedflip/refcnt", "1\n");
	tree_write(DEBUGFS "/abi", "1\n");
	tree_write(DEBUGFS "/hooks", "");
	tree_write(DEBUGFS "/policy", "");
	tree_write(DEBUGFS "/state", "");
	err.code = SF_OK;
	assert_int_equal(sf_request_carry_out(&request, said, sizeof(said),
					      &err),
			 SF_OK);
	assert_string_equal(said, "newidle=jitter start=zero: read back from 0 "
				  "domains on 0 CPUs");
	snprintf(request.cpu, sizeof(request.cpu), "5");
	assert_int_equal(sf_request_carry_out(&request, said, sizeof(said),
					      &err),
			 SF_FAILED);
	assert_non_null(strstr(err.message, "no online CPU of \"5\""));
}

/* One that goes and comes back: there are no rates then, and the journal tells. */
static void test_watcher(void **unused)
{
	static const struct sf_filter all;
	static struct sf_watcher watcher;
	struct sf_error err = { .code = SF_OK };

	(void)unused;
	tree_write("/sys/module/schedflip/refcnt", "1\n");
	tree_write(DEBUGFS "/abi", "1\n");
	tree_write(DEBUGFS "/version", "0.1\n");
	tree_write(DEBUGFS "/hooks", "");
	tree_write(DEBUGFS "/features", "NI_RANDOM=on held=0\n");
	tree_write(DEBUGFS "/state", "");
	assert_int_equal(sf_watcher_look(&watcher, &all, &err), SF_OK);
	assert_true(isnan(watcher.interval.seconds));
	assert_null(sf_history_get(&watcher.history, 0));
	assert_int_equal(sf_watcher_look(&watcher, &all, &err), SF_OK);
	assert_true(watcher.interval.seconds > 0);
	assert_non_null(sf_history_get(&watcher.history, 0));
	tree_remove("/sys/module");
	assert_int_equal(sf_watcher_look(&watcher, &all, &err), SF_OK);
	assert_true(*watcher.trouble);
	assert_int_equal(watcher.new_changes, 1);
	assert_int_equal(sf_watcher_look(&watcher, &all, &err), SF_OK);
	assert_int_equal(watcher.new_changes, 0);
	tree_write("/sys/module/schedflip/refcnt", "1\n");
	assert_int_equal(sf_watcher_look(&watcher, &all, &err), SF_OK);
	assert_string_equal(watcher.trouble, "");
	assert_true(isnan(watcher.interval.seconds));
	assert_string_equal(sf_journal_get(&watcher.journal, 0)->text,
			    "the module is back");
	/* Between two looks, it was another one. */
	tree_remove(DEBUGFS "/abi");
	tree_write("/kept", "the inode of the former one\n");
	tree_write(DEBUGFS "/abi", "1\n");
	assert_int_equal(sf_watcher_look(&watcher, &all, &err), SF_OK);
	assert_true(isnan(watcher.interval.seconds));
	assert_string_equal(sf_journal_get(&watcher.journal, 0)->text,
			    "the module was loaded anew");
	/* What cannot be understood is told, and not the end. */
	tree_write(DEBUGFS "/state", "nonsense\n");
	assert_int_equal(sf_watcher_look(&watcher, &all, &err), SF_OK);
	assert_non_null(strstr(watcher.trouble, "not of ABI 1"));
	sf_watcher_free(&watcher);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		tree_test(test_carry_out),
		tree_test(test_watcher),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
