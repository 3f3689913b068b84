// SPDX-License-Identifier: GPL-2.0-or-later
#include <stddef.h>
#include <string.h>

#include "nearest.h"
#include "sim.h"
#include "text.h"
#include "verbs.h"

/* Options without a letter; the numbers follow in the order of sf_sim_numbers. */
enum {
	SF_KEY_PLOT = 0x200,
	SF_KEY_CHECK,
	SF_KEY_NUMBER,
};

/**
 * struct sf_sim_number - an option that is a number
 * @name: of the option
 * @offset: of the value in struct sf_sim
 * @min: least that is allowed
 * @max: most that is allowed
 */
struct sf_sim_number {
	const char *name;
	size_t offset;
	u64 min;
	u64 max;
};

enum {
	SF_SIM_SEED,
	SF_SIM_WINDOWS,
	SF_SIM_CALLS,
	SF_SIM_RATIO,
	SF_SIM_PERIOD,
	SF_SIM_PHASE,
	SF_SIM_CPUS,
	SF_SIM_ROUNDS,
	SF_SIM_SECONDS,
	SF_NR_SIM_NUMBERS,
};

#define SF_NUMBER_OF(field) #field, offsetof(struct sf_sim, field)
static const struct sf_sim_number sf_sim_numbers[SF_NR_SIM_NUMBERS] = {
	[SF_SIM_SEED] = { SF_NUMBER_OF(seed), 0, UINT64_MAX },
	[SF_SIM_WINDOWS] = { SF_NUMBER_OF(windows), 1, 1000000 },
	[SF_SIM_CALLS] = { SF_NUMBER_OF(calls), 1, 1000000000 },
	[SF_SIM_RATIO] = { SF_NUMBER_OF(ratio), 0, SF_CELL },
	[SF_SIM_PERIOD] = { SF_NUMBER_OF(period), 1, SF_CELL },
	[SF_SIM_PHASE] = { SF_NUMBER_OF(phase), 0, SF_CELL - 1 },
	[SF_SIM_CPUS] = { SF_NUMBER_OF(cpus), 1, 4096 },
	[SF_SIM_ROUNDS] = { SF_NUMBER_OF(rounds), 1, 100000000 },
	[SF_SIM_SECONDS] = { SF_NUMBER_OF(seconds), 1, 3600 },
};
#undef SF_NUMBER_OF

/* What the user wrote, by number; the option parser hands it over one by one. */
static const char *sf_sim_words[SF_NR_SIM_NUMBERS];
static const char *sf_sim_plot;
static bool sf_sim_check;

/* What an option is worth that was not given: nothing. */
#define SF_REQUIRED (UINT64_MAX - 1)

/**
 * struct sf_sim_takes - an experiment's own option
 * @number: which
 * @preset: its value if it is not given; or SF_REQUIRED
 */
struct sf_sim_takes {
	int number;
	u64 preset;
};

#define SF_MAX_TAKES 4

/**
 * struct sf_sim_experiment - one of the experiments
 * @name: as the user writes it
 * @run: it
 * @takes: its options, but for those that all have
 * @count: number of @takes
 * @file: it reads a recording
 * @plots: it can draw a picture
 * @checks: it has a goal that can be checked
 */
static const struct sf_sim_experiment {
	const char *name;
	int (*run)(const struct sf_sim *sim, struct sf_output *out,
		   struct sf_error *err);
	struct sf_sim_takes takes[SF_MAX_TAKES];
	size_t count;
	bool file;
	bool plots;
	bool checks;
} sf_sim_experiments[] = {
	{ .name = "windows",
	  .run = sf_sim_windows,
	  .takes = { { SF_SIM_WINDOWS, 20000 },
		     { SF_SIM_CALLS, 512 },
		     { SF_SIM_RATIO, 31 } },
	  .count = 3,
	  .plots = true },
	{ .name = "trap",
	  .run = sf_sim_trap,
	  .takes = { { SF_SIM_PERIOD, SF_REQUIRED },
		     { SF_SIM_PHASE, SF_SIM_UNSET },
		     { SF_SIM_CALLS, 1000000 } },
	  .count = 3,
	  .plots = true },
	{ .name = "sync",
	  .run = sf_sim_sync,
	  .takes = { { SF_SIM_CPUS, SF_REQUIRED },
		     { SF_SIM_RATIO, 255 },
		     { SF_SIM_ROUNDS, SF_SIM_UNSET } },
	  .count = 3,
	  .plots = true },
	{ .name = "replay", .run = sf_sim_replay, .file = true, .plots = true },
	{ .name = "speed",
	  .run = sf_sim_speed,
	  .takes = { { SF_SIM_SECONDS, 1 } },
	  .count = 1,
	  .checks = true },
};

static error_t sf_sim_option(int key, char *arg, struct sf_error *err)
{
	(void)err;
	if (key == SF_KEY_PLOT)
		sf_sim_plot = arg;
	else if (key == SF_KEY_CHECK)
		sf_sim_check = true;
	else if (key >= SF_KEY_NUMBER &&
		 key < SF_KEY_NUMBER + SF_NR_SIM_NUMBERS)
		sf_sim_words[key - SF_KEY_NUMBER] = arg;
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

#define SF_NUMBER_OPTION(name, number, doc)                    \
	{                                                      \
		name, SF_KEY_NUMBER + (number), "N", 0, doc, 0 \
	}
static const struct argp_option sf_sim_options[] = {
	SF_NUMBER_OPTION(
		"windows", SF_SIM_WINDOWS,
		"windows: number of windows, 1 to 1000000 (default 20000)"),
	SF_NUMBER_OPTION(
		"calls", SF_SIM_CALLS,
		"1 to 1000000000; windows: calls in each (default 512); "
		"trap: calls to average over (default 1000000)"),
	SF_NUMBER_OPTION(
		"ratio", SF_SIM_RATIO,
		"Pinned ratio, 0 to 1024; windows: of the gaps (default 31); "
		"sync: of the CPUs (default 255)"),
	SF_NUMBER_OPTION("period", SF_SIM_PERIOD,
			 "trap, required: a task on one call in N, 1 to 1024"),
	SF_NUMBER_OPTION("phase", SF_SIM_PHASE,
			 "trap: which of these calls, 0 to period - 1 (default: "
			 "each in turn)"),
	SF_NUMBER_OPTION("cpus", SF_SIM_CPUS,
			 "sync, required: number of CPUs, 1 to 4096"),
	SF_NUMBER_OPTION(
		"rounds", SF_SIM_ROUNDS,
		"sync: how often they call, 1 to 100000000 (default 100000, "
		"or fewer for more than 671 CPUs)"),
	SF_NUMBER_OPTION("seconds", SF_SIM_SECONDS,
			 "speed: time to measure for, 1 to 3600 s (default 1)"),
	{ "check", SF_KEY_CHECK, NULL, 0,
	  "speed: fail (exit 1) if accumulator or jitter takes more than the "
	  "goal of 2 ns in the mean of the ratios",
	  0 },
	SF_NUMBER_OPTION("seed", SF_SIM_SEED,
			 "Of all random numbers, 0 to 18446744073709551615 "
			 "(default 1)"),
	{ "plot", SF_KEY_PLOT, "FILE", 0,
	  "Draw a picture too, FILE.svg or FILE.png (not of speed)", 0 },
	SF_OPTION_JSON,
	{ 0 },
};
#undef SF_NUMBER_OPTION

const struct sf_usage sf_sim_usage = {
	.options = sf_sim_options,
	.args = "windows|trap|sync|replay|speed [FILE]",
	.doc = "Run the newidle policies without a kernel: the module's own rules, in this\n"
	       "process. Takes neither root nor the module.\n"
	       "\v  windows [--windows N] [--calls N] [--ratio N]\n"
	       "      How far are attempts off, and how far apart? The ratio jumps to a\n"
	       "      random value from one window to the next.\n"
	       "  trap --period N [--phase N] [--calls N]\n"
	       "      A task is there on one call in N: what do the attempts learn of\n"
	       "      it? The learned ratio, beside that of a fair policy. Without\n"
	       "      --phase long periods take minutes.\n"
	       "  sync --cpus N [--ratio N] [--rounds N]\n"
	       "      Do CPUs attempt together that call together? The variance of\n"
	       "      simultaneous attempts, and the pairs, beside those of independent\n"
	       "      CPUs.\n"
	       "  replay FILE\n"
	       "      What would each policy have made of the calls in a recording of\n"
	       "      `schedflip record`? It has to be made under newidle=always, for of\n"
	       "      a call that was skipped nobody knows what it would have pulled.\n"
	       "      Each call's outcome is taken as recorded: what a pull would have\n"
	       "      changed later is not replayed. Random policies are run 20 times.\n"
	       "  speed [--seconds N] [--check]\n"
	       "      ns that a decision takes on one core; draws no picture.\n"
	       "\n"
	       "All take --seed, --json and, but for speed, --plot.\n"
	       "\n"
	       "The policies are dice, and accumulator and jitter from each start. The\n"
	       "same seed prints the same numbers (but for speed). docs/sim.md says what\n"
	       "each number means.\n"
	       "\n"
	       "Examples:\n"
	       "  schedflip sim windows\n"
	       "  schedflip sim trap --period 4 --plot trap.svg\n"
	       "  schedflip sim sync --cpus 64 --json | jq '.policies[].synchrony'\n"
	       "  schedflip sim replay always.rec\n"
	       "  schedflip sim speed --check\n"
	       "\n" SF_EXIT_CODES,
	.max_args = SF_MAX_ARGS,
	.option = sf_sim_option,
};

static const struct sf_sim_experiment *sf_sim_find(const char *name,
						   struct sf_error *err)
{
	char known[128] = "";
	size_t i;

	for (i = 0; i < SF_ARRAY_SIZE(sf_sim_experiments); i++) {
		if (name && !strcmp(sf_sim_experiments[i].name, name))
			return &sf_sim_experiments[i];
		sf_append_text(known, sizeof(known), " %s",
			       sf_sim_experiments[i].name);
	}
	if (!name) {
		sf_fail(err, SF_USAGE, "no experiment given; known:%s", known);
		return NULL;
	}
	sf_fail(err, SF_USAGE, "no experiment \"%s\"; known:%s", name, known);
	sf_nearest_add(err, name, known);
	return NULL;
}

static int sf_sim_parse(const struct sf_sim_number *number, const char *word,
			struct sf_sim *sim, struct sf_error *err)
{
	u64 *value = (void *)sim + number->offset;

	if (sf_parse_number(word, value) && *value >= number->min &&
	    *value <= number->max)
		return SF_OK;
	return sf_fail(err, SF_USAGE, "no %s \"%s\"; allowed: %llu to %llu",
		       number->name, word, (unsigned long long)number->min,
		       (unsigned long long)number->max);
}

/* An option that the experiment has, and that was given or has a preset. */
static int sf_sim_take(const struct sf_sim_experiment *experiment,
		       const struct sf_sim_takes *takes, struct sf_sim *sim,
		       struct sf_error *err)
{
	const struct sf_sim_number *number = &sf_sim_numbers[takes->number];
	const char *word = sf_sim_words[takes->number];
	u64 *value = (void *)sim + number->offset;

	if (word)
		return sf_sim_parse(number, word, sim, err);
	if (takes->preset == SF_REQUIRED)
		return sf_fail(err, SF_USAGE,
			       "%s needs --%s; allowed: %llu to %llu",
			       experiment->name, number->name,
			       (unsigned long long)number->min,
			       (unsigned long long)number->max);
	*value = takes->preset;
	return SF_OK;
}

static bool sf_sim_has(const struct sf_sim_experiment *experiment, int number)
{
	size_t i;

	for (i = 0; i < experiment->count; i++)
		if (experiment->takes[i].number == number)
			return true;
	return number == SF_SIM_SEED;
}

static int sf_sim_foreign(const struct sf_sim_experiment *experiment,
			  const char *option, struct sf_error *err)
{
	char own[128] = "";
	size_t i;

	for (i = 0; i < experiment->count; i++)
		sf_append_text(
			own, sizeof(own), " --%s",
			sf_sim_numbers[experiment->takes[i].number].name);
	return sf_fail(err, SF_USAGE,
		       "%s takes no --%s; it takes:%s%s --seed%s --json",
		       experiment->name, option, own,
		       experiment->checks ? " --check" : "",
		       experiment->plots ? " --plot" : "");
}

static int sf_sim_numbers_read(const struct sf_sim_experiment *experiment,
			       struct sf_sim *sim, struct sf_error *err)
{
	static const struct sf_sim_takes seed = { SF_SIM_SEED, 1 };
	size_t i;

	for (i = 0; i < SF_NR_SIM_NUMBERS; i++)
		if (sf_sim_words[i] && !sf_sim_has(experiment, i))
			return sf_sim_foreign(experiment,
					      sf_sim_numbers[i].name, err);
	if (sf_sim_check && !experiment->checks)
		return sf_sim_foreign(experiment, "check", err);
	sim->check = sf_sim_check;
	for (i = 0; i < experiment->count; i++)
		if (sf_sim_take(experiment, &experiment->takes[i], sim, err))
			return err->code;
	return sf_sim_take(experiment, &seed, sim, err);
}

static int sf_sim_file(const struct sf_sim_experiment *experiment,
		       const struct sf_options *options, struct sf_sim *sim,
		       struct sf_error *err)
{
	int files = options->arg_count - 1;

	if (!experiment->file && files)
		return sf_fail(err, SF_USAGE, "unexpected argument \"%s\"",
			       options->args[1]);
	if (experiment->file && files != 1)
		return sf_fail(
			err, SF_USAGE,
			"%s takes one recording, not %d: schedflip sim %s FILE",
			experiment->name, files, experiment->name);
	sim->file = options->args[1];
	return SF_OK;
}

static int sf_sim_picture(const struct sf_sim_experiment *experiment,
			  struct sf_sim *sim, struct sf_error *err)
{
	sim->plot = sf_sim_plot;
	if (!sim->plot)
		return SF_OK;
	if (!experiment->plots)
		return sf_fail(err, SF_USAGE,
			       "%s draws no picture; leave --plot out",
			       experiment->name);
	return sf_plot_check(sim->plot, err);
}

/**
 * sf_sim - run an experiment with the policies, without a kernel
 * @options: the user's
 * @out: gets the figures
 * @err: says what was wrong
 *
 * Return: SF_OK, or the code in @err.
 */
int sf_sim(const struct sf_options *options, struct sf_output *out,
	   struct sf_error *err)
{
	const struct sf_sim_experiment *experiment =
		sf_sim_find(options->args[0], err);
	struct sf_sim sim = { 0 };

	if (!experiment || sf_sim_file(experiment, options, &sim, err) ||
	    sf_sim_numbers_read(experiment, &sim, err) ||
	    sf_sim_picture(experiment, &sim, err))
		return err->code;
	sf_output_set(out, "experiment", json_string(experiment->name));
	sf_output_set(out, "seed", sf_json_number(sim.seed));
	sf_output_set(out, "plot", json_null());
	return experiment->run(&sim, out, err);
}
