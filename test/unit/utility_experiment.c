// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files of experiments: what is saved is loaded again, and nothing else is touched.
 */
#include "sample.h"

#define FILE_NAME "/e.json"

#define NO_FILE "it is there, but is no plain file; give another name"

/* Where it is; unlike tree_path(), for long. */
static const char *file_path(void)
{
	static char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s%s", tree, FILE_NAME);
	return path;
}

static int save(const struct sf_experiment *experiment, const char *path,
		struct sf_error *err)
{
	struct sf_writer *writer = sf_writer_open(path, err);

	if (!writer)
		return err->code;
	sf_experiment_save(experiment, writer, err);
	sf_writer_close(writer);
	return err->code;
}

static void assert_same(const struct sf_experiment *a,
			const struct sf_experiment *b)
{
	json_t *one = sf_experiment_json(a), *other = sf_experiment_json(b);

	assert_non_null(one);
	assert_true(json_equal(one, other));
	json_decref(one);
	json_decref(other);
}

static void test_round_trip(void **unused)
{
	struct sf_experiment saved, loaded;
	struct sf_error err = { .code = SF_OK };
	const char *path = file_path();

	(void)unused;
	make(&saved);
	assert_int_equal(save(&saved, path, &err), SF_OK);
	assert_int_equal(sf_experiment_load(path, &loaded, &err), SF_OK);
	assert_same(&saved, &loaded);
	assert_int_equal(loaded.run_count, 4);
	assert_int_equal(loaded.runs[0].block, 0);
	assert_int_equal(loaded.runs[3].block, 1);
	assert_true(loaded.seed == INT64_MAX);
	assert_true(loaded.runs[2].values[0] == 12 + 1 / 3.0);
	assert_true(isnan(loaded.runs[3].values[0]));
	assert_true(loaded.runs[0].counters.value[SF_COUNTER_attempts] == 4000);
	assert_true(isnan(loaded.runs[0].counters.value[SF_COUNTER_picks]));
	assert_true(loaded.runs[3].counters.value[SF_COUNTER_calls] == -5);
	assert_null(loaded.runs[0].invalid);
	assert_string_equal(loaded.runs[3].invalid, "the policy changed");
	assert_int_equal(loaded.metrics[0].better, SF_BETTER_HIGHER);
	assert_null(loaded.metrics[1].regex);
	assert_string_equal(loaded.learn, "restore");
	sf_experiment_free(&saved);
	sf_experiment_free(&loaded);
	assert_null(loaded.runs);
}

/* Commands print what they like, and are cut where they like. */
static void test_foreign_output(void **unused)
{
	struct sf_experiment saved, loaded;
	struct sf_error err = { .code = SF_OK };
	const char *path = file_path();

	(void)unused;
	make(&saved);
	free(saved.runs[0].output);
	saved.runs[0].output = strdup("\xa9 100 \xc2\xb5s\nRPS: 1\n");
	free(saved.runs[1].output);
	saved.runs[1].output = strdup("100 \xc2\xb5s\n");
	assert_int_equal(save(&saved, path, &err), SF_OK);
	assert_int_equal(sf_experiment_load(path, &loaded, &err), SF_OK);
	assert_string_equal(loaded.runs[0].output, "? 100 ??s\nRPS: 1\n");
	assert_string_equal(loaded.runs[1].output, "100 \xc2\xb5s\n");
	sf_experiment_free(&saved);
	sf_experiment_free(&loaded);
}

/* Blocks count from 1 wherever they can be read. */
static void test_first_block(void **unused)
{
	struct sf_experiment experiment;
	json_t *root, *run;

	(void)unused;
	make(&experiment);
	root = sf_experiment_json(&experiment);
	run = json_array_get(json_object_get(root, "runs"), 0);
	assert_int_equal(json_integer_value(json_object_get(run, "block")), 1);
	json_decref(root);
	sf_experiment_free(&experiment);
}

/* It is long, so there is one of each in a file, and in memory. */
static void test_layouts(void **unused)
{
	struct sf_experiment saved, loaded;
	struct sf_error err = { .code = SF_OK };
	json_t *root, *layouts;

	(void)unused;
	make(&saved);
	json_decref(saved.runs[2].after.layout);
	saved.runs[2].after.layout = json_string("another");
	json_decref(saved.runs[1].before.layout);
	saved.runs[1].before.layout = NULL;
	root = sf_experiment_json(&saved);
	layouts = json_object_get(root, "layouts");
	assert_int_equal(json_array_size(layouts), 2);
	assert_int_equal(sf_experiment_parse(root, "e", &loaded, &err), SF_OK);
	assert_same(&saved, &loaded);
	assert_string_equal(json_string_value(loaded.runs[2].after.layout),
			    "another");
	assert_null(loaded.runs[1].before.layout);
	assert_ptr_equal(loaded.runs[0].before.layout,
			 loaded.runs[3].after.layout);
	json_decref(root);
	sf_experiment_free(&saved);
	assert_string_equal(json_string_value(loaded.runs[3].after.layout),
			    "cpu0/domain0:SMT(level0):0-1 ");
	sf_experiment_free(&loaded);
}

static void test_many_runs(void **unused)
{
	struct sf_experiment saved, loaded;
	struct sf_error err = { .code = SF_OK };
	json_t *root;
	size_t i;

	(void)unused;
	make(&saved);
	for (i = 0; i < 5000; i++)
		add_run(&saved, 2 + i / 2, i % 2);
	root = sf_experiment_json(&saved);
	assert_int_equal(sf_experiment_parse(root, "e", &loaded, &err), SF_OK);
	assert_int_equal(loaded.run_count, 5004);
	assert_int_equal(loaded.runs[5003].block, 2501);
	assert_string_equal(loaded.runs[3].invalid, "the policy changed");
	json_decref(root);
	sf_experiment_free(&saved);
	sf_experiment_free(&loaded);
}

static void assert_not_saved(const char *path, const char *message)
{
	struct sf_error err = { .code = SF_OK };
	struct sf_experiment experiment;

	make(&experiment);
	assert_int_equal(save(&experiment, path, &err), SF_FAILED);
	assert_string_equal(err.message, message);
	sf_experiment_free(&experiment);
}

static void test_not_saved(void **unused)
{
	char path[128], message[256];
	struct stat stat_of;

	(void)unused;
	assert_not_saved("/dev/null", "cannot write /dev/null: " NO_FILE);
	assert_int_equal(stat("/dev/null", &stat_of), 0);
	assert_true(S_ISCHR(stat_of.st_mode));
	snprintf(path, sizeof(path), "%s/none/e.json", tree);
	snprintf(message, sizeof(message),
		 "cannot write %s: No such file or directory", path);
	assert_not_saved(path, message);
	snprintf(message, sizeof(message), "cannot write %s: " NO_FILE, tree);
	assert_not_saved(tree, message);
	assert_int_equal(tree_count(), 0);
}

/* What is there is replaced as a whole, and nothing else is left. */
static void test_replaced(void **unused)
{
	struct sf_error err = { .code = SF_OK };
	struct sf_experiment saved, loaded;
	const char *path = file_path();
	struct stat stat_of;

	(void)unused;
	make(&saved);
	tree_write(FILE_NAME, "something else");
	assert_int_equal(save(&saved, path, &err), SF_OK);
	saved.complete = true;
	assert_int_equal(save(&saved, path, &err), SF_OK);
	assert_int_equal(tree_count(), 1);
	assert_int_equal(stat(path, &stat_of), 0);
	assert_int_equal(stat_of.st_mode & 0111, 0);
	assert_int_equal(sf_experiment_load(path, &loaded, &err), SF_OK);
	assert_true(loaded.complete);
	sf_experiment_free(&saved);
	sf_experiment_free(&loaded);
}

/* Files under sudo are the user's. */
static void test_owner(void **unused)
{
	struct sf_error err = { .code = SF_OK };
	const char *path = file_path();
	struct sf_experiment saved;
	struct stat stat_of;

	(void)unused;
	if (geteuid())
		skip();
	make(&saved);
	assert_int_equal(chown(tree, 4711, 4712), 0);
	setenv("SUDO_UID", "4711", 1);
	setenv("SUDO_GID", "4712", 1);
	assert_int_equal(save(&saved, path, &err), SF_OK);
	unsetenv("SUDO_UID");
	unsetenv("SUDO_GID");
	assert_int_equal(stat(path, &stat_of), 0);
	assert_int_equal(stat_of.st_uid, 4711);
	assert_int_equal(stat_of.st_gid, 4712);
	sf_experiment_free(&saved);
}

static void assert_not_loaded(const char *path, const char *text,
			      const char *format)
{
	struct sf_error err = { .code = SF_OK };
	struct sf_experiment experiment;
	char full[PATH_MAX], message[512];

	snprintf(full, sizeof(full), "%s%s", tree, path);
	if (text)
		tree_write(path, text);
	assert_int_equal(sf_experiment_load(full, &experiment, &err),
			 SF_FAILED);
	snprintf(message, sizeof(message), "%.99s%.299s", full, format);
	if (strncmp(err.message, "cannot read ", 12))
		assert_string_equal(err.message, message);
	else
		assert_string_equal(err.message + 12, message);
	assert_null(experiment.command);
}

static void test_not_loaded(void **unused)
{
	(void)unused;
	assert_not_loaded("/none", NULL, ": No such file or directory");
	assert_not_loaded("", NULL, ": Is a directory");
	assert_not_loaded(
		"/a", "[]",
		" is no experiment; those are made by `schedflip ab -o FILE`");
	assert_not_loaded("/a", "", " is no experiment: it is empty");
	assert_not_loaded(
		"/a", "{\n\"seed\": NaN}",
		" is no experiment: line 2 is not JSON: invalid token near 'NaN'");
	assert_not_loaded(
		"/a", "{\"seed\": 1,\n\"seed\": 2}",
		" is no experiment: line 2 is not JSON: duplicate object key near '\"seed\"'");
	assert_not_loaded(
		"/a", "{\"seed\": 1e999}",
		" is no experiment: line 1 is not JSON: real number overflow near '1e999'");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		tree_test(test_round_trip),  tree_test(test_foreign_output),
		tree_test(test_first_block), tree_test(test_layouts),
		tree_test(test_many_runs),   tree_test(test_not_saved),
		tree_test(test_replaced),    tree_test(test_owner),
		tree_test(test_not_loaded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
