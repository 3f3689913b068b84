// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The way back to the policies that were in force, and policies over others.
 */
#include "utility.h"

#include "kernel.h"
#include "snapshot.h"

#define STOCK_HEAD "newidle=stock start=zero ratio=learned slowpath=stock "
#define STOCK_TAIL \
	"burst=stock burst_depth=2 burst_factor=3 burst_nohz=off cost=stock "
#define KEEP "learn=keep sync=off"
#define STOCK STOCK_HEAD STOCK_TAIL KEEP

static struct sf_domain domain(u64 cpu, u64 index)
{
	return (struct sf_domain){
		.cpu = cpu,
		.domain = index,
		.name = "MC",
		.level = index,
		.span = "0-7",
		.newidle = "stock",
		.start = "zero",
		.ratio = 31,
		.slowpath = "stock",
		.burst = "stock",
		.burst_depth = 2,
		.burst_factor = 3,
		.cost = "stock",
	};
}

static void assert_commands(struct sf_domain *domains, size_t count,
			    const char *wanted)
{
	struct sf_state state = { .domains = domains, .count = count };
	char *commands = sf_snapshot_commands(&state);

	assert_non_null(commands);
	assert_string_equal(commands, wanted);
	free(commands);
}

static void test_all_stock(void **unused)
{
	struct sf_domain domains[] = { domain(0, 0), domain(0, 1), domain(1, 0),
				       domain(1, 1) };

	(void)unused;
	assert_commands(domains, 4, STOCK "\n");
	assert_commands(domains, 0, "");
}

static void test_every_kind(void **unused)
{
	struct sf_domain all = domain(0, 0);

	(void)unused;
	all.newidle = "jitter";
	all.start = "stagger";
	all.pinned = 1;
	all.ratio = 255;
	all.slowpath = "random";
	all.burst = "idle";
	all.burst_depth = 7;
	all.burst_factor = 9;
	all.burst_nohz = 1;
	all.cost = "bump";
	all.sync = 1;
	assert_commands(&all, 1,
			"newidle=jitter start=stagger ratio=255 "
			"slowpath=random burst=idle burst_depth=7 "
			"burst_factor=9 burst_nohz=on cost=bump learn=keep "
			"sync=on\n");
}

/* A window that was put somewhere is put there again. */
static void test_position(void **unused)
{
	struct sf_domain set = domain(0, 0);

	(void)unused;
	set.newidle = "accumulator";
	set.start = "set";
	set.start_pos = 700;
	set.window_pos = 3;
	assert_commands(&set, 1,
			"newidle=accumulator ratio=learned window_pos=700 "
			"slowpath=stock " STOCK_TAIL KEEP "\n");
}

/* Most come first, without a list; then each other combination by index. */
static void test_mixed(void **unused)
{
	struct sf_domain domains[12];
	size_t i;

	(void)unused;
	for (i = 0; i < 12; i++)
		domains[i] = domain(i / 2, i % 2);
	domains[2].cost = "bump";
	domains[4].cost = "bump";
	domains[5].cost = "bump";
	domains[8].cost = "bump";
	domains[7].sync = 1;
#define BUMP                                                              \
	STOCK_HEAD "burst=stock burst_depth=2 burst_factor=3 burst_nohz=" \
		   "off cost=bump " KEEP
	assert_commands(domains, 12,
			STOCK "\n" BUMP " cpu=1-2,4 domain=0\n" BUMP
			      " cpu=2 domain=1\n" STOCK_HEAD STOCK_TAIL
			      "learn=keep sync=on cpu=3 domain=1\n");
}

/* Whatever indexes there are, no others are tried. */
static void test_far_indexes(void **unused)
{
	struct sf_domain domains[] = { domain(0, 0), domain(1, UINT64_MAX),
				       domain(2, 0), domain(3, 1ull << 40) };

	(void)unused;
	domains[1].sync = 1;
	domains[3].sync = 1;
#define SYNC STOCK_HEAD STOCK_TAIL "learn=keep sync=on"
	assert_commands(domains, 4,
			STOCK "\n" SYNC " cpu=3 domain=1099511627776\n" SYNC
			      " cpu=1 domain=18446744073709551615\n");
	domains[3].sync = 0;
	assert_commands(domains, 4,
			STOCK "\n" STOCK_HEAD STOCK_TAIL
			      "learn=keep sync=on cpu=1 "
			      "domain=18446744073709551615\n");
}

/* Of every other of 8192 CPUs; no command is longer than the module takes. */
static void test_many_cpus(void **unused)
{
	enum {
		CPUS = 8192
	};
	struct sf_domain *domains = calloc(CPUS, sizeof(*domains));
	struct sf_state state = { .domains = domains, .count = CPUS };
	char *commands, *line, *rest, *list;
	size_t i, listed = 0;

	(void)unused;
	assert_non_null(domains);
	for (i = 0; i < CPUS; i++) {
		domains[i] = domain(i, 0);
		if (i % 2 && i > 1)
			domains[i].newidle = "never";
	}
	commands = rest = sf_snapshot_commands(&state);
	assert_non_null(commands);
	while ((line = strsep(&rest, "\n")) && *line) {
		assert_true(strlen(line) + 1 <= 4095);
		list = strstr(line, " cpu=");
		for (i = 0; list && list[i]; i++)
			listed += list[i] == ',';
		listed += !!list;
	}
	assert_int_equal(listed, CPUS / 2 - 1);
	free(commands);
	free(domains);
}

/* What it was is what it must be found to be, in every field. */
static void test_round_trip(void **unused)
{
	struct sf_domain was = domain(0, 0), is;
	struct sf_policy policy;
	char found[64];

	(void)unused;
	was.newidle = "accumulator";
	was.start = "set";
	was.start_pos = 5;
	was.pinned = 1;
	was.burst_nohz = 1;
	sf_snapshot_policy(&was, &policy);
	assert_null(sf_policy_differs(&policy, &was, found, sizeof(found)));
#define ASSERT_SEEN(field, value)                                      \
	do {                                                           \
		is = was;                                              \
		is.field = value;                                      \
		assert_non_null(sf_policy_differs(&policy, &is, found, \
						  sizeof(found)));     \
	} while (0)
	ASSERT_SEEN(newidle, "dice");
	ASSERT_SEEN(start_pos, 6);
	ASSERT_SEEN(pinned, 0);
	ASSERT_SEEN(ratio, 32);
	ASSERT_SEEN(slowpath, "random");
	ASSERT_SEEN(burst, "idle");
	ASSERT_SEEN(burst_depth, 3);
	ASSERT_SEEN(burst_factor, 4);
	ASSERT_SEEN(burst_nohz, 0);
	ASSERT_SEEN(cost, "bump");
	ASSERT_SEEN(sync, 1);
}

#define PRINT_STRING(field) fprintf(to, "%s" #field "=%s", blank, at->field);
#define PRINT_NUMBER(field)                     \
	fprintf(to, "%s" #field "=%llu", blank, \
		(unsigned long long)at->field); \
	blank = " ";
static void write_state(const struct sf_domain *domains, size_t count)
{
	const struct sf_domain *at;
	const char *blank;
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	assert_non_null(to);
	for (at = domains; at < domains + count; at++) {
		blank = "";
		SF_STATE_FIELDS(PRINT_STRING, PRINT_NUMBER)
		fputc('\n', to);
	}
	fclose(to);
	tree_write(SF_DEBUGFS "/state", text);
	free(text);
	tree_write(SF_DEBUGFS "/policy", "");
}

/* The last command; the tree keeps no other. */
static void assert_last_command(const char *wanted)
{
	char command[1024];

	sf_kernel_read_word(SF_DEBUGFS "/policy", command, sizeof(command));
	assert_string_equal(command, wanted);
}

static void test_restore(void **unused)
{
	struct sf_domain domains[] = { domain(0, 0), domain(0, 1), domain(1, 0),
				       domain(1, 1) };
	const struct sf_state before = { .domains = domains, .count = 4 };
	struct sf_error err = { .code = SF_OK };

	(void)unused;
	domains[3].sync = 1;
	write_state(domains, 4);
	assert_int_equal(sf_snapshot_restore(&before, &err), SF_OK);
	assert_last_command(STOCK_HEAD STOCK_TAIL
			    "learn=keep sync=on cpu=1 domain=1");
	domains[2].cost = "bump";
	write_state(domains, 4);
	domains[2].cost = "stock";
	assert_int_equal(sf_snapshot_restore(&before, &err), SF_MISMATCH);
	assert_string_equal(
		err.message,
		"1 domain did not take it: cpu1/domain0 has cost=bump; is somebody else setting policies?");
}

/* CPU 1 is gone, and with it the lowest domain of CPU 0. */
static void test_restore_without_cpu(void **unused)
{
	struct sf_domain domains[] = { domain(0, 0), domain(0, 1), domain(1, 0),
				       domain(1, 1) };
	struct sf_domain left = domain(0, 0);
	const struct sf_state before = { .domains = domains, .count = 4 };
	struct sf_error err = { .code = SF_OK };

	(void)unused;
	domains[1].cost = "bump";
	left.level = 1;
	left.cost = "bump";
	write_state(&left, 1);
	assert_int_equal(sf_snapshot_restore(&before, &err), SF_OK);
	assert_last_command(BUMP);
	left.cost = "stock";
	write_state(&left, 1);
	assert_int_equal(sf_snapshot_restore(&before, &err), SF_MISMATCH);
}

static void format_over_stock(const char *text, char *buf, size_t size)
{
	struct sf_policy policy, over = { .values = { { false } } };
	struct sf_error err = { .code = SF_OK };

	assert_int_equal(sf_policy_parse(text, &over, &err), SF_OK);
	sf_policy_complete(&over);
	sf_policy_stock(&policy);
	sf_policy_overlay(&policy, &over);
	sf_policy_format(&policy, buf, size);
}

static void test_overlay(void **unused)
{
	char words[SF_POLICY_SIZE];

	(void)unused;
	format_over_stock("burst=spread,newidle=dice", words, sizeof(words));
	assert_string_equal(
		words, "newidle=dice start=zero ratio=learned "
		       "slowpath=stock burst=spread burst_depth=2 "
		       "burst_factor=3 burst_nohz=off cost=stock sync=off");
	format_over_stock("newidle=jitter,window_pos=9", words, sizeof(words));
	assert_string_equal(words, "newidle=jitter ratio=learned window_pos=9 "
				   "slowpath=stock " STOCK_TAIL "sync=off");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_stock),
		cmocka_unit_test(test_every_kind),
		cmocka_unit_test(test_position),
		cmocka_unit_test(test_mixed),
		cmocka_unit_test(test_far_indexes),
		cmocka_unit_test(test_many_cpus),
		cmocka_unit_test(test_round_trip),
		tree_test(test_restore),
		tree_test(test_restore_without_cpu),
		cmocka_unit_test(test_overlay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
