// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `report` of runs with any figures in them; JSON would leave few of them. Of the input
 * two bytes are the numbers of policies and metrics; then each run takes some.
 */
#include "reports.h"

#include <math.h>

#include "experiment_words.h"

struct input {
	const u8 *data;
	size_t size;
};

static u8 next_byte(struct input *input)
{
	if (!input->size)
		return 0;
	input->size--;
	return *input->data++;
}

static char *copy(const char *text)
{
	char *word = strdup(text);

	fuzz_check(word, "memory is enough");
	return word;
}

/* A few that are near each other, and all that eight bytes can be. */
static double next_number(struct input *input)
{
	u8 kind = next_byte(input);
	double number;
	u64 bits = 0;
	int i;

	if (kind < 200)
		return 10 + kind / 64.0;
	if (kind < 230)
		return (kind - 215) * 1e300;
	for (i = 0; i < 8; i++)
		bits = bits << 8 | next_byte(input);
	memcpy(&number, &bits, sizeof(number));
	return number;
}

/* In a file there is no other than these. */
static double next_value(struct input *input, double min)
{
	double number = next_number(input);

	return isfinite(number) && number >= min ? number : NAN;
}

static void next_run(struct input *input, struct sf_experiment *experiment)
{
	struct sf_run *run = sf_experiment_add_run(experiment);
	size_t wall = experiment->metric_count - 1, i;
	u8 kind = next_byte(input);

	fuzz_check(run, "memory is enough");
	run->block = kind & 64 ? next_byte(input) : experiment->run_count / 2;
	run->policy = next_byte(input) % experiment->policy_count;
	run->warmup = !(kind & 7);
	run->began_s = fmax(next_value(input, 0), 0);
	if ((kind & 0x38) == 8)
		run->invalid = copy("another policy came in");
	for (i = 0; i <= wall; i++)
		run->values[i] = next_value(input, -INFINITY);
	if (run->values[wall] <= 0)
		run->values[wall] = 1e-300;
	for (i = 0; kind & 128 && i < SF_NR_COUNTERS; i++)
		run->counters.value[i] =
			next_value(input, run->invalid ? -INFINITY : 0);
}

static void set_metrics(struct sf_experiment *experiment, u8 count)
{
	struct sf_metric *metric;
	char name[32];
	size_t i;

	experiment->metric_count = count;
	for (i = 0; i < count; i++) {
		metric = &experiment->metrics[i];
		snprintf(name, sizeof(name), "metric%zu", i);
		metric->name = copy(i == count - 1u ? "wall_s" : name);
		metric->regex = i == count - 1u ? NULL : copy("[0-9]+");
		metric->better =
			i == count - 1u ? SF_BETTER_LOWER : i % SF_NR_BETTER;
	}
}

static void set_design(struct input *input, struct sf_experiment *experiment)
{
	u8 shape = next_byte(input);
	size_t i;

	snprintf(experiment->order, sizeof(experiment->order), "%s",
		 shape & 128 ? "abba" : "random");
	snprintf(experiment->learn, sizeof(experiment->learn), "reset");
	experiment->seed = shape;
	experiment->complete = shape & 64;
	experiment->precision = shape & 32 ? 1 : 0;
	experiment->command = json_pack("[s]", "true");
	experiment->system = json_object();
	experiment->warnings = json_array();
	experiment->policy_count = 2 + shape % (SF_MAX_POLICIES - 1);
	for (i = 0; i < experiment->policy_count; i++)
		experiment->policies[i] =
			copy(i % 2 ? "newidle=dice" : "stock");
	set_metrics(experiment, 1 + next_byte(input) % SF_MAX_METRICS);
}

/* No block has a higher number than there are runs. */
static void close_blocks(struct sf_experiment *experiment)
{
	size_t i;

	for (i = 0; i < experiment->run_count; i++)
		experiment->runs[i].block %= experiment->run_count;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct input input = { data, size };
	struct sf_experiment experiment;

	json_object_seed(1);
	memset(&experiment, 0, sizeof(experiment));
	set_design(&input, &experiment);
	while (input.size)
		next_run(&input, &experiment);
	close_blocks(&experiment);
	fuzz_same(&experiment);
	fuzz_report(&experiment);
	sf_experiment_free(&experiment);
	return 0;
}
