// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `sim replay`, on recordings whose answers are known by hand. They are handed over by a
 * reader of the test's own, in place of the utility's.
 */
#include "utility.h"

#include "sim.h"

/* A fresh domain's ratio is 512, so each call covers 513 positions of 1024. */
static struct sf_event events[1024];
static struct sf_recording recording;

int sf_recording_load(const char *path, struct sf_recording *to,
		      struct sf_error *err)
{
	if (strcmp(path, "some.rec"))
		return sf_fail(err, SF_FAILED, "cannot read %s", path);
	*to = recording;
	return SF_OK;
}

void sf_recording_free(struct sf_recording *from)
{
	json_decref(from->header);
}

/* One domain, of CPU 2; call i takes 100 * (i + 1) ns and pulls where @pulls says so. */
static void record(const char *span, size_t count, bool (*pulls)(size_t call))
{
	size_t i;

	memset(events, 0, sizeof(events));
	for (i = 0; i < count; i++) {
		events[i].type = SF_EVENT_NEWIDLE;
		events[i].cpu = 2;
		events[i].level = 1;
		events[i].policy = SF_NEWIDLE_ALWAYS;
		events[i].time_ns = i + 1;
		events[i].newidle.weight = SF_CELL;
		events[i].newidle.attempt = true;
		events[i].newidle.tasks = pulls(i);
		events[i].newidle.ns = 100 * (i + 1);
	}
	recording = (struct sf_recording){
		.header = json_pack("{s:[{s:i, s:i, s:s}]}", "domains", "cpu",
				    2, "level", 1, "span", span),
		.events = events,
		.count = count,
		.complete = true,
		.duration_ns = 1024,
	};
}

static struct sf_sim_replay replay(enum sf_newidle policy, enum sf_start start)
{
	const struct sf_sim_case which = { policy, start };
	const struct sf_sim sim = { .seed = 1 };
	struct sf_error err = { .code = SF_OK };
	struct sf_sim_replay result;

	assert_int_equal(sf_sim_replay_run(&sim, &recording, &which, 0, &result,
					   &err),
			 SF_OK);
	return result;
}

/* Calls are counted from 0. */
static bool some(size_t call)
{
	return call == 0 || call == 1 || call == 3 || call == 6;
}

static bool none(size_t call)
{
	(void)call;
	return false;
}

static bool even(size_t call)
{
	return call % 4 == 0;
}

static bool odd(size_t call)
{
	return call % 4 == 3;
}

static void test_always(void **arg)
{
	struct sf_sim_replay result;

	(void)arg;
	record("2", 10, some);
	result = replay(SF_NEWIDLE_ALWAYS, SF_START_ZERO);
	assert_int_equal(result.domains, 1);
	assert_int_equal(result.calls, 10);
	assert_int_equal(result.pulls, 4);
	assert_int_equal(result.call_ns, 5500);
	assert_int_equal(result.attempts, 10);
	assert_int_equal(result.attempt_ns, 5500);
	assert_int_equal(result.won, 4);
	result = replay(SF_NEWIDLE_NEVER, SF_START_ZERO);
	assert_int_equal(result.calls, 10);
	assert_int_equal(result.pulls, 4);
	assert_int_equal(result.attempts, 0);
	assert_int_equal(result.attempt_ns, 0);
	assert_int_equal(result.won, 0);
	json_decref(recording.header);
}

/* From zero each second call attempts: 1, 3, 5, 7, 9. From half: 0, 2, 4, 6, 8. */
static void test_accumulator(void **arg)
{
	struct sf_sim_replay result;

	(void)arg;
	record("2", 10, some);
	result = replay(SF_NEWIDLE_ACCUMULATOR, SF_START_ZERO);
	assert_int_equal(result.attempts, 5);
	assert_int_equal(result.attempt_ns, 200 + 400 + 600 + 800 + 1000);
	assert_int_equal(result.won, 2);
	result = replay(SF_NEWIDLE_ACCUMULATOR, SF_START_HALF);
	assert_int_equal(result.attempts, 5);
	assert_int_equal(result.attempt_ns, 100 + 300 + 500 + 700 + 900);
	assert_int_equal(result.won, 2);
	json_decref(recording.header);
}

/* Of four CPUs 2 is the third and starts at half; of a CPU alone it starts at zero. */
static void test_stagger(void **arg)
{
	(void)arg;
	record("0-3", 10, some);
	assert_int_equal(
		replay(SF_NEWIDLE_ACCUMULATOR, SF_START_STAGGER).attempt_ns,
		2500);
	json_decref(recording.header);
	record("2", 10, some);
	assert_int_equal(
		replay(SF_NEWIDLE_ACCUMULATOR, SF_START_STAGGER).attempt_ns,
		3000);
	json_decref(recording.header);
}

/*
 * The ratio changes at the 512th call, which is at half of the time: 256 of the fresh
 * domain, and 128 pulls. Accumulator from zero attempts odd calls only, and a pull
 * of its counts for 1024/513, or 2.
 */
static void test_learner(void **arg)
{
	struct sf_sim_replay result;

	(void)arg;
	record("2", 512, odd);
	result = replay(SF_NEWIDLE_ALWAYS, SF_START_ZERO);
	assert_float_equal(result.ratio[8], 512, 0);
	assert_float_equal(result.ratio[9], 256 + 128, 0);
	assert_float_equal(result.ratio[SF_SIM_STEPS - 1], 256 + 128, 0);
	result = replay(SF_NEWIDLE_ACCUMULATOR, SF_START_ZERO);
	assert_int_equal(result.won, 128);
	assert_float_equal(result.ratio[9], 256 + 2 * 128, 0);
	result = replay(SF_NEWIDLE_NEVER, SF_START_ZERO);
	assert_float_equal(result.ratio[9], 256, 0);
	json_decref(recording.header);
	record("2", 512, even);
	result = replay(SF_NEWIDLE_ACCUMULATOR, SF_START_ZERO);
	assert_int_equal(result.won, 0);
	assert_float_equal(result.ratio[9], 256, 0);
	json_decref(recording.header);
}

/*
 * Each domain learns for itself, and the ratio is the mean of them. One that has not
 * called yet has the ratio of a fresh one, 512.
 */
static void test_domains(void **arg)
{
	struct sf_sim_replay result;
	size_t i;

	(void)arg;
	record("2", 1024, odd);
	json_array_append_new(json_object_get(recording.header, "domains"),
			      json_pack("{s:i, s:i, s:s}", "cpu", 7, "level", 1,
					"span", "7"));
	for (i = 512; i < 1024; i++) {
		events[i].cpu = 7;
		events[i].newidle.tasks = 0;
	}
	result = replay(SF_NEWIDLE_ALWAYS, SF_START_ZERO);
	assert_int_equal(result.domains, 2);
	assert_int_equal(result.learned, 2);
	assert_float_equal(result.share, (256 + 0) / 2.0, 0);
	assert_float_equal(result.ratio[9], (384 + 512) / 2.0, 0);
	assert_float_equal(result.ratio[SF_SIM_STEPS - 1], (384 + 256) / 2.0,
			   0);
	json_decref(recording.header);
}

/*
 * One that made too few calls still has the ratio that it began with: of what there was
 * to learn that says nothing.
 */
static void test_unlearned(void **arg)
{
	struct sf_sim_replay result;

	(void)arg;
	record("2", 512 + 511, odd);
	json_array_append_new(json_object_get(recording.header, "domains"),
			      json_pack("{s:i, s:i, s:s}", "cpu", 7, "level", 1,
					"span", "7"));
	for (size_t i = 512; i < 512 + 511; i++)
		events[i].cpu = 7;
	result = replay(SF_NEWIDLE_ALWAYS, SF_START_ZERO);
	assert_int_equal(result.domains, 2);
	assert_int_equal(result.learned, 1);
	assert_float_equal(result.ratio[SF_SIM_STEPS - 1], 384, 0);
	assert_float_equal(result.share, 256, 0);
	json_decref(recording.header);
}

static struct sf_sim_runs runs_of(enum sf_newidle policy, enum sf_start start,
				  u64 seed)
{
	const struct sf_sim_case which = { policy, start };
	const struct sf_sim sim = { .seed = seed };
	struct sf_error err = { .code = SF_OK };
	struct sf_sim_runs runs;

	assert_int_equal(sf_sim_runs(&sim, &recording, &which, &runs, &err),
			 SF_OK);
	return runs;
}

/*
 * Each of 500 calls attempts with probability 513/1024, or 514/1024 for dice, so that
 * their number has a standard deviation of 11.2, and that of the 125 pulls won one of
 * 5.6. Of 20 runs it is within a factor of 2 but for one in a million.
 */
static void test_runs_of_dice(void **arg)
{
	struct sf_sim_runs runs;
	u64 seed;

	(void)arg;
	record("2", 500, odd);
	for (seed = 1; seed <= 5; seed++) {
		runs = runs_of(SF_NEWIDLE_DICE, SF_START_ZERO, seed);
		assert_int_equal(runs.count, SF_SIM_RUNS);
		assert_near("attempts", runs.attempts.mean, 500 * 514 / 1024.0,
			    125.0 / SF_SIM_RUNS);
		assert_true(runs.attempts.sd > 5.6 && runs.attempts.sd < 22.4);
		assert_true(runs.won.sd > 2.8 && runs.won.sd < 11.2);
		assert_float_equal(runs.won.sd, runs.missed.sd, 1e-9);
		assert_float_equal(runs.won.mean + runs.missed.mean, 125, 1e-9);
		assert_true(isnan(runs.ratio[0].mean));
	}
	json_decref(recording.header);
}

/* What draws no number is run once, and that is all it can do. */
static void test_runs_of_others(void **arg)
{
	struct sf_sim_runs runs;

	(void)arg;
	record("2", 512, odd);
	runs = runs_of(SF_NEWIDLE_ACCUMULATOR, SF_START_HALF, 1);
	assert_int_equal(runs.count, 1);
	assert_float_equal(runs.attempts.sd, 0, 0);
	assert_float_equal(runs.attempts.mean, runs.first.attempts, 0);
	assert_int_equal(runs_of(SF_NEWIDLE_ALWAYS, SF_START_ZERO, 1).count, 1);
	assert_int_equal(
		runs_of(SF_NEWIDLE_ACCUMULATOR, SF_START_STAGGER, 1).count, 1);
	runs = runs_of(SF_NEWIDLE_ACCUMULATOR, SF_START_RANDOM, 1);
	assert_int_equal(runs.count, SF_SIM_RUNS);
	assert_true(runs.won.sd > 0);
	runs = runs_of(SF_NEWIDLE_JITTER, SF_START_STAGGER, 1);
	assert_int_equal(runs.count, SF_SIM_RUNS);
	assert_true(runs.won.sd > 0);
	json_decref(recording.header);
}

/* Of a policy that never attempts there is no hit rate. */
static void test_runs_without_hits(void **arg)
{
	struct sf_sim_runs runs;

	(void)arg;
	record("2", 10, some);
	runs = runs_of(SF_NEWIDLE_NEVER, SF_START_ZERO, 1);
	assert_true(isnan(runs.hit_percent.mean));
	assert_float_equal(runs.won_percent.mean, 0, 0);
	json_decref(recording.header);
}

/* Other events are no calls. */
static void test_other_events(void **arg)
{
	(void)arg;
	record("2", 10, some);
	events[0].type = SF_EVENT_BURST;
	events[1].type = SF_EVENT_SLOWPATH;
	assert_int_equal(replay(SF_NEWIDLE_ALWAYS, SF_START_ZERO).calls, 8);
	json_decref(recording.header);
}

/* The whole experiment, into a JSON object, which the caller frees with @out. */
static int experiment(struct sf_output *out, struct sf_error *err)
{
	const struct sf_sim sim = { .seed = 1, .file = "some.rec" };

	*err = (struct sf_error){ .code = SF_OK };
	sf_output_init(out, true);
	sf_sim_replay(&sim, out, err);
	assert_false(out->incomplete);
	return err->code;
}

static void assert_refused(const char *message)
{
	struct sf_output out;
	struct sf_error err;

	assert_int_equal(experiment(&out, &err), SF_FAILED);
	assert_string_equal(err.message, message);
	assert_null(json_object_get(out.root, "policies"));
	json_decref(out.root);
}

static void test_refused(void **arg)
{
	(void)arg;
	record("2", 10, some);
	events[1].newidle.attempt = false;
	events[2].newidle.attempt = false;
	assert_refused(
		"some.rec was not recorded under newidle=always: 2 of 10 calls were skipped, so their outcome is unknown; record again after: schedflip set newidle=always");
	record("2", 10, some);
	events[4].policy = SF_NEWIDLE_STOCK;
	assert_refused(
		"some.rec was not recorded under newidle=always: 1 of 10 calls were made under another policy, and it or the kernel's own dice may have skipped calls unseen; record again after: schedflip set newidle=always");
	record("2", 10, some);
	events[4].cpu = 3;
	assert_refused(
		"the recording has a call of CPU 3 at level 1, but does not say which CPUs that domain has");
	record("2", 10, some);
	events[4].cpu = UINT32_MAX;
	assert_refused(
		"the recording has a call of CPU 4294967295 at level 1, but does not say which CPUs that domain has");
	record("all of them", 10, some);
	assert_refused(
		"the recording has a call of CPU 2 at level 1, but does not say which CPUs that domain has");
}

static void set_domain(const char *key, json_t *value)
{
	json_t *domains = json_object_get(recording.header, "domains"), *row;
	size_t i;

	json_array_foreach(domains, i, row)
		json_object_set(row, key, value);
	json_decref(value);
}

static void test_nonsense(void **arg)
{
	(void)arg;
	record("2", 10, some);
	recording.duration_ns = UINT64_MAX;
	assert_refused(
		"the recording would have lasted for 18446744073709551615 ns, longer than any could; it is damaged");
	record("2", 10, some);
	set_domain("cpu", json_null());
	assert_refused(
		"the recording has a call of CPU 2 at level 1, but does not say which CPUs that domain has");
	record("2", 10, some);
	set_domain("level", json_string("1"));
	assert_refused(
		"the recording has a call of CPU 2 at level 1, but does not say which CPUs that domain has");
}

static size_t warnings(const struct sf_output *out)
{
	return json_array_size(json_object_get(out->root, "warnings"));
}

static void test_warnings(void **arg)
{
	struct sf_output out;
	struct sf_error err;

	(void)arg;
	record("2", 10, some);
	assert_int_equal(experiment(&out, &err), SF_OK);
	assert_int_equal(warnings(&out), 0);
	assert_true(json_is_true(json_object_get(out.root, "complete")));
	json_decref(out.root);

	record("2", 10, some);
	recording.lost = 3;
	recording.complete = false;
	assert_int_equal(experiment(&out, &err), SF_OK);
	assert_int_equal(warnings(&out), 2);
	assert_int_equal(
		json_integer_value(json_object_get(out.root, "lost_events")),
		3);
	assert_true(json_is_false(json_object_get(out.root, "complete")));
	json_decref(out.root);
}

static void test_empty(void **arg)
{
	(void)arg;
	record("2", 0, some);
	assert_refused(
		"some.rec has no newidle call to decide anew, in 0 events; record some: schedflip set newidle=always && schedflip record -o FILE --event newidle --for 10");
	record("2", 1, some);
	events[0].type = SF_EVENT_BURST;
	assert_refused(
		"some.rec has no newidle call to decide anew, in 1 event; record some: schedflip set newidle=always && schedflip record -o FILE --event newidle --for 10");
}

/* What is not known is said by null. */
static void test_unknown(void **arg)
{
	json_t *policies, *row;
	struct sf_output out;
	struct sf_error err;
	size_t i;

	(void)arg;
	record("2", 10, none);
	assert_int_equal(experiment(&out, &err), SF_OK);
	assert_int_equal(json_integer_value(
				 json_object_get(out.root, "domains_learned")),
			 0);
	assert_float_equal(json_real_value(json_object_get(
				   out.root, "pulls_in_1024_calls")),
			   0, 0);
	assert_true(json_is_null(
		json_object_get(out.root, "pulls_in_1024_calls_learned")));
	policies = json_object_get(out.root, "policies");
	assert_int_equal(json_array_size(policies), 1 + SF_NR_SIM_CASES);
	json_array_foreach(policies, i, row) {
		assert_true(json_is_null(json_object_get(row, "won_percent")));
		assert_true(
			json_is_null(json_object_get(row, "won_percent_sd")));
		assert_true(json_is_null(json_object_get(row, "final_ratio")));
		assert_int_equal(json_array_size(json_object_get(
					 row, "ratio_over_time")),
				 0);
	}
	json_decref(out.root);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_always),
		cmocka_unit_test(test_accumulator),
		cmocka_unit_test(test_stagger),
		cmocka_unit_test(test_learner),
		cmocka_unit_test(test_domains),
		cmocka_unit_test(test_unlearned),
		cmocka_unit_test(test_runs_of_dice),
		cmocka_unit_test(test_runs_of_others),
		cmocka_unit_test(test_runs_without_hits),
		cmocka_unit_test(test_other_events),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_nonsense),
		cmocka_unit_test(test_warnings),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
