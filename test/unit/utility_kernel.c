// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What `check` and `load` find out about a kernel and a module file.
 */
#include "utility.h"

#include <bpf/btf.h>

#include "image.h"
#include "kernel.h"
#include "kerneltypes.h"
#include "kmsg.h"
#include "symbols.h"

static void test_symbols(void **unused)
{
	static const char text[] = "0 t load_balance\n"
				   "0 t sched_balance_rq.isra.0\n"
				   "0 D runqueues\n"
				   "0 t twice\n"
				   "0 t twice\n"
				   "0 t select_task\t[other]\n"
				   "0 t xload_balance\n";
	char variant[64];

	(void)unused;
	assert_int_equal(sf_symbols_count(text, "load_balance"), 1);
	assert_int_equal(sf_symbols_count(text, "twice"), 2);
	assert_int_equal(sf_symbols_count(text, "select_task"), 0);
	assert_int_equal(sf_symbols_count(text, "sched_balance_rq"), 0);
	assert_int_equal(sf_symbols_count(text, "runqueue"), 0);
	sf_symbols_variant(text, "sched_balance_rq", variant, sizeof(variant));
	assert_string_equal(variant, "sched_balance_rq.isra.0");
	sf_symbols_variant(text, "twice", variant, sizeof(variant));
	assert_string_equal(variant, "");
}

/* int balance(const struct rq *rq, int cpu), and struct rq with some members */
static void write_types(void)
{
	struct btf *btf = btf__new_empty();
	const void *data;
	u32 size;
	int id, rq;

	id = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	rq = btf__add_struct(btf, "rq", 24);
	btf__add_field(btf, "count", id, 0, 0);
	btf__add_field(btf, "bits", id, 32, 3);
	btf__add_field(btf, "again", id, 64, 0);
	btf__add_field(btf, "again", id, 96, 0);
	rq = btf__add_ptr(btf, btf__add_const(btf, rq));
	id = btf__add_func_proto(btf, id);
	btf__add_func_param(btf, "rq", rq);
	btf__add_func_param(btf, "cpu", 1);
	btf__add_func(btf, "balance", BTF_FUNC_STATIC, id);
	/* What no compiler makes. */
	btf__add_func(btf, "of_int", BTF_FUNC_STATIC, 1);
	btf__add_func(btf, "of_void", BTF_FUNC_STATIC, 0);
	btf__add_func(btf, "of_none", BTF_FUNC_STATIC, 999);
	data = btf__raw_data(btf, &size);
	assert_non_null(data);
	tree_write_bytes("/sys/kernel/btf/vmlinux", data, size);
	btf__free(btf);
}

static void test_types(void **unused)
{
	struct btf *btf;
	char text[128];

	(void)unused;
	write_types();
	btf = sf_types_open();
	assert_non_null(btf);
	assert_true(sf_types_prototype(btf, "balance", text, sizeof(text)));
	assert_string_equal(text, "int(struct rq *rq, int cpu)");
	assert_true(sf_types_prototype(btf, "balance", text, 8));
	assert_string_equal(text, "int(str");
	assert_false(sf_types_prototype(btf, "newidle", text, sizeof(text)));
	assert_true(sf_types_prototype(btf, "of_int", text, sizeof(text)));
	assert_true(sf_types_prototype(btf, "of_void", text, sizeof(text)));
	assert_true(sf_types_prototype(btf, "of_none", text, sizeof(text)));
	assert_string_equal(text, "no prototype");
	assert_int_equal(sf_types_offset(btf, "rq", "count", 4), 0);
	assert_int_equal(sf_types_offset(btf, "rq", "count", 8), -2);
	assert_int_equal(sf_types_offset(btf, "rq", "bits", 4), -2);
	assert_int_equal(sf_types_offset(btf, "rq", "again", 4), -2);
	assert_int_equal(sf_types_offset(btf, "rq", "none", 4), -1);
	assert_int_equal(sf_types_offset(btf, "none", "none", 4), -1);
	btf__free(btf);
}

static void test_bad_types(void **unused)
{
	(void)unused;
	assert_null(sf_types_open());
	tree_write("/sys/kernel/btf/vmlinux", "garbage");
	assert_null(sf_types_open());
}

#define MODINFO \
	"license=GPL\0name=schedflip\0vermagic=6.1.0-9 SMP mod_unload \0"
#define SIGNATURE "~Module signature appended~\n"

static int open_image(const char *data, size_t size, struct sf_image *image,
		      struct sf_error *err)
{
	char path[PATH_MAX];
	int fd, code;

	tree_write_bytes("/a.ko", data, size);
	snprintf(path, sizeof(path), "%s", tree_path("/a.ko"));
	err->code = SF_OK;
	code = sf_image_open(path, &fd, image, err);
	assert_int_equal(code, err->code);
	if (code)
		assert_int_equal(fd, -1);
	else
		assert_int_equal(close(fd), 0);
	return code;
}

static void test_image(void **unused)
{
	static const char plain[] = "\177ELF\0" MODINFO;
	static const char is_signed[] = "\177ELF\0" MODINFO SIGNATURE;
	static const char versions[] =
		"\0name=schedflip\0vermagic=6.1.0-9 SMP modversions ";
	static const char other[] = "\0name=ext4\0vermagic=6.1.0-9 SMP";
	struct sf_image image;
	struct sf_error err;

	(void)unused;
	assert_int_equal(open_image(plain, sizeof(plain) - 1, &image, &err),
			 SF_OK);
	assert_string_equal(image.name, "schedflip");
	assert_string_equal(image.release, "6.1.0-9");
	assert_false(image.is_signed);
	assert_false(image.has_versions);
	assert_int_equal(open_image(is_signed, sizeof(is_signed) - 1, &image,
				    &err),
			 SF_OK);
	assert_true(image.is_signed);
	assert_int_equal(open_image(versions, sizeof(versions) - 1, &image,
				    &err),
			 SF_OK);
	assert_true(image.has_versions);
	assert_int_equal(open_image(other, sizeof(other), &image, &err),
			 SF_FAILED);
	assert_non_null(
		strstr(err.message, "is the module ext4, not schedflip"));
	assert_int_equal(open_image("", 0, &image, &err), SF_FAILED);
	assert_non_null(strstr(err.message, "is no kernel module"));
}

static void test_image_find(void **unused)
{
	char file[PATH_MAX];

	(void)unused;
	assert_int_equal(sf_image_find(file, sizeof(file)), -1);
	tree_write("/lib/modules/unknown/modules.dep",
		   "kernel/notschedflip.ko:\n"
		   "updates/schedflip.ko.xz: kernel/other.ko\n");
	assert_int_equal(sf_image_find(file, sizeof(file)), 0);
	assert_string_equal(
		file,
		tree_path("/lib/modules/unknown/updates/schedflip.ko.xz"));
}

/* A path that does not fit is not cut, as it would be that of something else. */
static void test_image_long_path(void **unused)
{
	char file[PATH_MAX], line[PATH_MAX + 32], room[64];

	(void)unused;
	memset(line, 'a', sizeof(line));
	snprintf(line + PATH_MAX, 32, "/schedflip.ko:\n");
	tree_write("/lib/modules/unknown/modules.dep", line);
	assert_int_equal(sf_image_find(file, sizeof(file)), -1);
	tree_write("/lib/modules/unknown/modules.dep", "u/schedflip.ko:\n");
	assert_int_equal(sf_image_find(file, sizeof(file)), 0);
	assert_int_equal(sf_image_find(room, strlen(file)), -1);
}

static void test_kmsg(void **unused)
{
	char reasons[512];
	FILE *log;
	int fd;

	(void)unused;
	tree_write("/dev/kmsg", "3,1,1,-;schedflip: before\n");
	fd = sf_kmsg_open();
	assert_true(fd >= 0);
	log = fopen(tree_path("/dev/kmsg"), "a");
	assert_non_null(log);
	fputs("4,2,2,-;schedflip: loading out-of-tree module taints kernel.\n"
	      "3,3,2,-;schedflip: not loaded: no symbol x\n"
	      " SUBSYSTEM=module\n"
	      "6,4,2,-;schedflip: hello\n"
	      "3,5,2,-;usb: schedflip: not ours\n"
	      "12,6,2,-;livepatch: failed to enable it\n",
	      log);
	fclose(log);
	sf_kmsg_reasons(fd, reasons, sizeof(reasons));
	assert_string_equal(reasons, "not loaded: no symbol x; "
				     "livepatch: failed to enable it");
	close(fd);
	sf_kmsg_reasons(-1, reasons, sizeof(reasons));
	assert_string_equal(reasons, "");
}

static void test_lockdown(void **unused)
{
	(void)unused;
	assert_int_equal(sf_kernel_lockdown(), SF_LOCKDOWN_NONE);
	tree_write("/sys/kernel/security/lockdown",
		   "[none] integrity confidentiality\n");
	assert_int_equal(sf_kernel_lockdown(), SF_LOCKDOWN_NONE);
	tree_write("/sys/kernel/security/lockdown",
		   "none [integrity] confidentiality\n");
	assert_int_equal(sf_kernel_lockdown(), SF_LOCKDOWN_INTEGRITY);
	tree_write("/sys/kernel/security/lockdown",
		   "none integrity [confidentiality]\n");
	assert_int_equal(sf_kernel_lockdown(), SF_LOCKDOWN_CONFIDENTIALITY);
}

static void test_large_file(void **unused)
{
	enum {
		SIZE = 1 << 20
	};
	char *data = malloc(SIZE), *text;
	size_t size;

	(void)unused;
	assert_non_null(data);
	memset(data, 'x', SIZE);
	tree_write_bytes("/large", data, SIZE);
	assert_int_equal(sf_kernel_read("/large", &text, &size), 0);
	assert_int_equal(size, SIZE);
	assert_memory_equal(text, data, SIZE);
	assert_int_equal(text[SIZE], 0);
	free(text);
	free(data);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_symbols),	 tree_test(test_types),
		tree_test(test_bad_types),	 tree_test(test_image),
		tree_test(test_image_find),	 tree_test(test_kmsg),
		tree_test(test_image_long_path), tree_test(test_lockdown),
		tree_test(test_large_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
