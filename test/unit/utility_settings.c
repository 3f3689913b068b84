// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Configurations: what is refused and with which words, what later lines override, and
 * that what save prints of any state makes the same state again.
 */
#include "utility.h"

#include "condense.h"
#include "settings.h"
#include "text.h"

#define CPUS 8
#define INDEXES 4

static int parse(const char *text, struct sf_settings *settings,
		 json_t **errors, struct sf_error *err)
{
	*errors = json_array();
	err->code = SF_OK;
	return sf_settings_parse("web.conf", strdup(text), strlen(text),
				 settings, *errors, err);
}

static void assert_refused(const char *text, const char *message)
{
	struct sf_settings settings;
	struct sf_error err;
	json_t *errors;

	assert_int_equal(parse(text, &settings, &errors, &err), SF_USAGE);
	assert_string_equal(err.message, message);
	json_decref(errors);
	sf_settings_free(&settings);
}

#define KINDS                                                                     \
	"newidle start ratio window_pos slowpath burst burst_depth burst_factor " \
	"burst_nohz cost learn sync"

static void test_refused(void **unused)
{
	(void)unused;
	assert_refused(
		"newidle=jitter\n\nnewidle=jiter\n",
		"web.conf:3: no policy \"jiter\" for newidle; known: stock dice "
		"accumulator jitter always never; did you mean \"jitter\"?");
	assert_refused("newidel=jitter",
		       "web.conf:1: no kind \"newidel\"; known: " KINDS
		       "; did you mean \"newidle\"?");
	assert_refused(
		"domian=MC newidle=dice",
		"web.conf:1: no kind \"domian\"; known: " KINDS
		"; and cpu= domain= trip= hooks=; did you mean \"domain\"?");
	assert_refused("newidle=dice,cpu=0",
		       "web.conf:1: no kind \"cpu\"; known: " KINDS
		       "; cpu= is a word of its own, between blanks");
	assert_refused("colour=red",
		       "web.conf:1: no kind \"colour\"; known: " KINDS
		       "; and cpu= domain= trip= hooks=");
	assert_refused(
		"burst_depth=5000",
		"web.conf:1: no burst_depth \"5000\"; allowed: 1 to 4096");
	assert_refused(
		"newidle",
		"web.conf:1: \"newidle\" is not KIND=VALUE, such as newidle=jitter");
	assert_refused("cpu=0 cpu=1 newidle=dice",
		       "web.conf:1: cpu is given twice");
	assert_refused("domain=MC domain=SMT newidle=dice",
		       "web.conf:1: domain is given twice");
	assert_refused("newidle=dice newidle=jitter",
		       "web.conf:1: newidle is given twice");
	assert_refused("cpu=3-1 newidle=dice",
		       "web.conf:1: CPU range 3-1 runs backwards; write 1-3");
	assert_refused(
		"domain= newidle=dice",
		"web.conf:1: \"\" is no domain; give a name such as MC, or an index "
		"such as 1");
}

static void test_refused_lines(void **unused)
{
	(void)unused;
	assert_refused(
		"cpu=0",
		"web.conf:1: cpu and domain say where, but not what; add KIND=VALUE, "
		"such as newidle=jitter");
	assert_refused(
		"cpu=0 trip=depth=64",
		"web.conf:1: cpu and domain say where, but not what; add KIND=VALUE, "
		"such as newidle=jitter (tripwires are the machine's)");
	assert_refused("hooks=some",
		       "web.conf:1: no hooks \"some\"; known: newidle all");
	assert_refused("hooks=al",
		       "web.conf:1: no hooks \"al\"; known: newidle "
		       "all; did you mean \"all\"?");
	assert_refused("hooks=all newidle=dice",
		       "web.conf:1: hooks=all needs a line of its own");
	assert_refused(
		"trip=depth=0",
		"web.conf:1: no depth \"0\"; allowed: 1 to 65535 tasks, or off");
	assert_refused(
		"start=zero window_pos=3",
		"web.conf:1: start and window_pos exclude each other; give one of "
		"them");
	assert_refused(
		"newidle=none\nnewidle=dice\nratio=2000\nx\n",
		"web.conf:1: no policy \"none\" for newidle; known: stock dice "
		"accumulator jitter always never; wrong lines besides: 3 4");
	assert_refused("new\033idle=dice\n",
		       "web.conf:1: no kind \"new?idle\"; known: " KINDS
		       "; did you mean \"newidle\"?");
}

static void test_every_error_is_told(void **unused)
{
	struct sf_settings settings;
	struct sf_error err;
	json_t *errors;

	(void)unused;
	parse("a=1\nnewidle=dice\n\nb=2", &settings, &errors, &err);
	assert_int_equal(json_array_size(errors), 2);
	assert_int_equal(json_integer_value(json_object_get(
				 json_array_get(errors, 1), "line")),
			 4);
	json_decref(errors);
	sf_settings_free(&settings);
}

static void test_no_text(void **unused)
{
	struct sf_error err = { .code = SF_OK };
	struct sf_settings settings;
	char *text = calloc(1, 32);

	(void)unused;
	strcpy(text, "newidle=dice\n");
	assert_int_equal(sf_settings_parse("web.conf", text, 20, &settings,
					   NULL, &err),
			 SF_USAGE);
	assert_string_equal(err.message,
			    "web.conf has a byte of 0, so it is no text");
	sf_settings_free(&settings);
}

static void assert_policy(const struct sf_settings *settings, u64 cpu,
			  u64 index, const char *name, const char *words)
{
	const struct sf_domain domain = { .cpu = cpu,
					  .domain = index,
					  .name = name };
	struct sf_policy policy;
	char found[SF_POLICY_SIZE];

	sf_settings_policy(settings, &domain, &policy);
	sf_policy_format(&policy, found, sizeof(found));
	found[strcspn(found, "s") + strlen("start=random")] = '\0';
	assert_string_equal(found, words);
}

static void test_later_lines(void **unused)
{
	struct sf_settings settings;
	struct sf_error err;
	json_t *errors;

	(void)unused;
	assert_int_equal(
		parse("# all\r\n"
		      "\tnewidle=jitter,start=random # or half\r\n"
		      "cpu=0-1,3 domain=MC  newidle=dice start=random\n"
		      "domain=1 newidle=never start=random\n"
		      "trip=depth=64,run_delay=20ms\ntrip=depth=off\n"
		      "hooks=all\n\n#end",
		      &settings, &errors, &err),
		SF_OK);
	assert_int_equal(settings.count, 3);
	assert_int_equal(settings.lines[1].number, 3);
	assert_policy(&settings, 2, 2, "MC", "newidle=jitter start=random");
	assert_policy(&settings, 3, 2, "MC", "newidle=dice start=random");
	assert_policy(&settings, 3, 1, "MC", "newidle=never start=random");
	assert_true(settings.hooks_all);
	assert_true(sf_settings_need_all(&settings));
	assert_int_equal(settings.trips.trips[SF_TRIP_DEPTH].limit, 0);
	assert_int_equal(settings.trips.trips[SF_TRIP_DELAY].limit, 20000);
	json_decref(errors);
	sf_settings_free(&settings);
}

static void test_nothing_is_stock(void **unused)
{
	const struct sf_domain domain = { .name = "MC" };
	struct sf_policy policy, stock;
	struct sf_settings settings;
	struct sf_error err;
	json_t *errors;
	char found[SF_POLICY_SIZE], wanted[SF_POLICY_SIZE];

	(void)unused;
	assert_int_equal(parse("", &settings, &errors, &err), SF_OK);
	sf_settings_policy(&settings, &domain, &policy);
	sf_policy_stock(&stock);
	sf_policy_format(&policy, found, sizeof(found));
	sf_policy_format(&stock, wanted, sizeof(wanted));
	assert_string_equal(found, wanted);
	assert_false(sf_settings_need_all(&settings));
	json_decref(errors);
	sf_settings_free(&settings);
}

static struct sf_rng rng;

static u64 pick(u64 count)
{
	return sf_random_below(&rng, count);
}

#define PICK(table) ((table)[pick(ARRAY_SIZE(table))])

static const char *const index_names[] = { "SMT", "MC", "NUMA", "NUMA" };

static void make_domain(struct sf_domain *domain)
{
	static const char *const newidle[] = { "stock", "dice", "jitter" };
	static const char *const start[] = { "zero", "random", "set" };
	static const char *const burst[] = { "stock", "spread" };

	domain->newidle = PICK(newidle);
	domain->start = PICK(start);
	domain->start_pos = strcmp(domain->start, "zero") ? pick(3) : 0;
	domain->ratio = 100 + pick(2);
	domain->pinned = pick(2);
	domain->slowpath = "stock";
	domain->burst = PICK(burst);
	domain->burst_depth = 2 + pick(2);
	domain->burst_factor = 3;
	domain->burst_nohz = pick(2);
	domain->cost = "stock";
	domain->sync = pick(2);
}

/*
 * Some CPUs have no SMT, so indexes differ; some states have two domains of one name on a
 * CPU, or no names.
 */
static size_t make_state(struct sf_domain *domains, unsigned int variety)
{
	struct sf_domain made[4];
	size_t count = 0, i, cpu, index;

	for (i = 0; i < ARRAY_SIZE(made); i++)
		make_domain(&made[i]);
	for (cpu = 0; cpu < CPUS; cpu++) {
		size_t without = variety % 3 == 0 && cpu > 5;

		for (index = 0; index + without < INDEXES; index++) {
			size_t kind = index + without;
			struct sf_domain *domain = &domains[count++];

			*domain = made[0];
			if (variety % 5 > 1 && !pick(4))
				*domain = made[pick(4)];
			if (variety % 5 == 1)
				*domain = made[cpu == 3 ? 1 : 0];
			if (variety % 5 == 0)
				*domain = made[kind];
			domain->cpu = 2 * cpu;
			domain->domain = index;
			domain->name =
				variety % 7 == 6 ? "-" : index_names[kind];
			if (variety % 2 && kind == 3)
				domain->name = "PKG";
		}
	}
	return count;
}

static char *condense(const struct sf_state *state)
{
	size_t size;
	char *text;
	FILE *to = open_memstream(&text, &size);

	assert_non_null(to);
	assert_true(sf_condense(state, to));
	fclose(to);
	return text;
}

static void assert_same(const struct sf_settings *settings,
			const struct sf_state *state, const char *text)
{
	const struct sf_kind *kind;
	struct sf_policy policy;
	char found[64];
	size_t i;

	for (i = 0; i < state->count; i++) {
		sf_settings_policy(settings, &state->domains[i], &policy);
		kind = sf_policy_differs(&policy, &state->domains[i], found,
					 sizeof(found));
		if (kind)
			fail_msg("cpu%d/domain%d has %s=%s, by:\n%s",
				 (int)state->domains[i].cpu,
				 (int)state->domains[i].domain, kind->name,
				 found, text);
	}
}

static void test_round_trip(void **unused)
{
	struct sf_domain domains[CPUS * INDEXES];
	struct sf_state state = { .domains = domains };
	struct sf_settings settings;
	struct sf_error err;
	unsigned int i;
	json_t *errors;
	char *text;

	(void)unused;
	sf_random_seed(&rng, 1, 1);
	for (i = 0; i < 2000; i++) {
		memset(domains, 0, sizeof(domains));
		state.count = make_state(domains, i);
		text = condense(&state);
		assert_int_equal(parse(text, &settings, &errors, &err), SF_OK);
		assert_same(&settings, &state, text);
		json_decref(errors);
		sf_settings_free(&settings);
		free(text);
	}
}

/* What differs in one way takes one line. */
static void test_few_lines(void **unused)
{
	struct sf_domain domains[CPUS * INDEXES];
	struct sf_state state = { .domains = domains };
	struct sf_domain plain = { .newidle = "stock",
				   .start = "zero",
				   .slowpath = "stock",
				   .burst = "stock",
				   .burst_depth = 2,
				   .burst_factor = 3,
				   .cost = "stock" };
	char *text;
	size_t i;

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(domains); i++) {
		domains[i] = plain;
		domains[i].cpu = i / INDEXES;
		domains[i].domain = i % INDEXES;
		domains[i].name =
			i % INDEXES == 3 ? "PKG" : index_names[i % INDEXES];
	}
	state.count = i;
	text = condense(&state);
	assert_string_equal(text, "");
	free(text);
	for (i = 0; i < state.count; i++)
		domains[i].newidle = "jitter";
	for (i = 1; i < state.count; i += INDEXES)
		domains[i].burst = "nearest";
	for (i = 2 * INDEXES; i < 4 * INDEXES; i++)
		domains[i].pinned = 1;
	for (i = 2 * INDEXES; i < 4 * INDEXES; i++)
		domains[i].sync = 1;
	domains[2 * INDEXES].cost = "bump";
	domains[2 * INDEXES].burst = "idle";
	domains[0].start = "set";
	domains[0].start_pos = 7;
	text = condense(&state);
	assert_string_equal(text, "newidle=jitter\n"
				  "domain=MC burst=nearest\n"
				  "cpu=0 domain=SMT window_pos=7\n"
				  "cpu=2-3 ratio=0 sync=on\n"
				  "cpu=2 domain=SMT burst=idle cost=bump\n");
	free(text);
}

/* A list of CPUs that a command has no room for goes on in another line. */
static void test_many_cpus(void **unused)
{
	static struct sf_domain domains[2000];
	struct sf_state state = { .domains = domains, .count = 2000 };
	struct sf_settings settings;
	struct sf_error err;
	json_t *errors;
	char *text;
	size_t i;

	(void)unused;
	sf_random_seed(&rng, 2, 2);
	make_domain(&domains[0]);
	for (i = 0; i < state.count; i++) {
		domains[i] = domains[0];
		domains[i].cpu = 2 * i;
		domains[i].name = "MC";
		domains[i].newidle = i % 3 ? "stock" : "never";
	}
	text = condense(&state);
	assert_int_equal(parse(text, &settings, &errors, &err), SF_OK);
	assert_same(&settings, &state, text);
	assert_true(settings.count > 2);
	for (i = 0; i < settings.count; i++)
		assert_true(!settings.lines[i].filter.cpu ||
			    strlen(settings.lines[i].filter.cpu) < 2048);
	json_decref(errors);
	sf_settings_free(&settings);
	free(text);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		tree_test(test_refused),
		tree_test(test_refused_lines),
		tree_test(test_every_error_is_told),
		tree_test(test_no_text),
		tree_test(test_later_lines),
		tree_test(test_nothing_is_stock),
		tree_test(test_round_trip),
		tree_test(test_few_lines),
		tree_test(test_many_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
