/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Experiments of which the truth is known, for the tests of how often verdicts are right.
 * Each goes the way of a real one: the order of its blocks, its analysis and its end are
 * those of ab. Only the bootstrap draws fewer samples, which allows for ten times as many
 * experiments.
 *
 * That many are needed: the true rates of wrong verdicts are up to 4.7 %, for p cannot be
 * just the level. Of 400 experiments more than 5 % would find a difference once for every
 * 3 to 12 seeds, of 4000 never at 4 %, and at 4.7 % once for 6.
 */
#ifndef SCHEDFLIP_UNIT_SIMULATION_H
#define SCHEDFLIP_UNIT_SIMULATION_H

#include "unit.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "stopping.h"

enum {
	EXPERIMENTS = 4000,
	RESAMPLES = 999,
	MAX_BLOCKS = 40,
	MAX_POLICIES = 3,
	MAX_METRICS = 2,
	MAX_COMPARISONS = MAX_METRICS * (MAX_POLICIES - 1),
};

enum noise {
	NORMAL,
	SKEWED,
	HEAVY,
};

/*
 * An experiment: runs are 100, with @noise of a @kind, @effect more under each policy but
 * the first, @every_second more in every second run, and @drift more at the end. There are
 * @blocks, or if a @precision is asked for, as many as that takes, up to @most.
 */
struct design {
	size_t policies;
	size_t metrics;
	size_t blocks;
	size_t most;
	double precision;
	enum noise kind;
	double noise;
	double effect;
	double every_second;
	double drift;
	enum sf_order order;
	double level;
	bool by_p_only;
};

static const struct design usual = {
	.policies = 2,
	.metrics = 1,
	.blocks = 10,
	.most = MAX_BLOCKS,
	.noise = 1,
	.order = SF_ORDER_RANDOM,
	.level = SF_LEVEL,
};

/* What became of it. */
struct trial {
	struct sf_plan plan;
	struct sf_experiment experiment;
	struct sf_run runs[MAX_BLOCKS * MAX_POLICIES];
	struct sf_analysis analysis;
	size_t blocks;
	bool precise;
};

/* Out of so many experiments; the widest interval is that of those that became precise. */
struct tally {
	size_t lower;
	size_t higher;
	size_t any;
	size_t drifts;
	size_t blocks;
	size_t precise;
	double widest;
};

static char metric_name[] = "metric";
static char regex[] = "([0-9]+)";

static inline double noise_of(const struct design *design, gsl_rng *rng)
{
	switch (design->kind) {
	case SKEWED:
		return design->noise * (gsl_ran_exponential(rng, 1) - 1);
	case HEAVY:
		/* Student's of 3 degrees of freedom, with a deviation of 1. */
		return design->noise * gsl_ran_tdist(rng, 3) / sqrt(3);
	default:
		return gsl_ran_gaussian(rng, design->noise);
	}
}

static inline void add_run(const struct design *design, gsl_rng *rng,
			   size_t policy, struct trial *trial)
{
	size_t count = trial->experiment.run_count++, metric;
	double last = design->blocks * design->policies - 1.0;
	struct sf_run *run = &trial->runs[count];

	*run = (struct sf_run){
		.block = trial->blocks,
		.policy = policy,
		.began_s = count,
		/* Wall time, where it is not judged. */
		.values = { [MAX_METRICS] = 1 },
	};
	for (metric = 0; metric < design->metrics; metric++)
		run->values[metric] = 100 + noise_of(design, rng) +
				      design->drift * count / last +
				      (policy ? design->effect : 0) +
				      (count % 2 ? design->every_second : 0);
}

static inline void add_block(const struct design *design, gsl_rng *rng,
			     struct trial *trial)
{
	size_t sequence[SF_MAX_POLICIES], i;

	sf_order_block(trial->plan.order, trial->plan.seed, trial->blocks,
		       design->policies, sequence);
	for (i = 0; i < design->policies; i++)
		add_run(design, rng, sequence[i], trial);
	trial->blocks++;
}

static inline void begin(const struct design *design, u64 seed,
			 struct trial *trial)
{
	struct sf_metric metric = { metric_name, regex, SF_BETTER_LOWER };
	bool wall = design->metrics == 1;

	trial->blocks = 0;
	trial->precise = false;
	trial->plan = (struct sf_plan){
		.contender_count = design->policies,
		.metric_count = wall ? 0 : design->metrics,
		.precision = design->precision,
		.order = design->order,
		.seed = seed,
	};
	trial->experiment = (struct sf_experiment){
		.policy_count = design->policies,
		.metrics = { metric, metric },
		.metric_count = wall ? 1 : design->metrics + 1,
		.runs = trial->runs,
		.seed = seed,
	};
	trial->analysis.outlier = NULL;
}

static inline void analyze(struct trial *trial)
{
	struct sf_error err = { .code = SF_OK };

	sf_analysis_free(&trial->analysis);
	assert_int_equal(sf_analyze_by(&trial->experiment, RESAMPLES,
				       &trial->analysis, &err),
			 SF_OK);
}

/* As ab does: a glance, and the analysis if that is enough. */
static inline bool is_precise(struct trial *trial)
{
	struct sf_error err = { .code = SF_OK };

	sf_analysis_free(&trial->analysis);
	assert_int_equal(sf_glance(&trial->experiment, &trial->analysis, &err),
			 SF_OK);
	if (!sf_is_precise(&trial->analysis, &trial->plan))
		return false;
	analyze(trial);
	return sf_is_precise(&trial->analysis, &trial->plan);
}

/* Returns how many. */
static inline size_t list_comparisons(const struct design *design,
				      struct trial *trial,
				      struct sf_comparison **comparisons)
{
	size_t metric, policy, count = 0;

	for (metric = 0; metric < design->metrics; metric++)
		for (policy = 1; policy < design->policies; policy++)
			comparisons[count++] =
				&trial->analysis.samples[metric][policy]
					 .comparison;
	return count;
}

static inline void make_experiment(const struct design *design, gsl_rng *rng,
				   u64 seed, struct trial *trial)
{
	struct sf_comparison *comparisons[MAX_COMPARISONS];

	begin(design, seed, trial);
	if (design->precision > 0) {
		while (!trial->precise && trial->blocks < design->most) {
			add_block(design, rng, trial);
			trial->precise = is_precise(trial);
		}
	} else {
		while (trial->blocks < design->blocks)
			add_block(design, rng, trial);
	}
	if (!trial->precise)
		analyze(trial);
	if (design->level != SF_LEVEL)
		sf_judge(comparisons,
			 list_comparisons(design, trial, comparisons),
			 design->level);
}

static inline void count_verdicts(const struct design *design,
				  struct trial *trial, struct tally *tally)
{
	struct sf_comparison *comparisons[MAX_COMPARISONS];
	size_t count = list_comparisons(design, trial, comparisons), i;
	size_t lower = 0, higher = 0, unlikely = 0;

	for (i = 0; i < count; i++) {
		lower += comparisons[i]->verdict == SF_VERDICT_LOWER;
		higher += comparisons[i]->verdict == SF_VERDICT_HIGHER;
		unlikely += comparisons[i]->adjusted_p <= design->level;
	}
	tally->lower += lower > 0;
	tally->higher += higher > 0;
	tally->any += (design->by_p_only ? unlikely : lower + higher) > 0;
	tally->drifts += trial->analysis.samples[0][0].drift.p < 0.01;
	tally->blocks += trial->blocks;
	tally->precise += trial->precise;
	if (trial->precise)
		tally->widest = fmax(tally->widest,
				     sf_widest_interval(&trial->analysis,
							design->policies));
}

static inline void print_tally(const char *what, const struct design *design,
			       const struct tally *tally)
{
	printf("# %s: %zu of %d experiments found a difference (%zu lower, %zu higher); %.1f blocks",
	       what, tally->any, EXPERIMENTS, tally->lower, tally->higher,
	       (double)tally->blocks / EXPERIMENTS);
	if (design->precision > 0)
		printf("; %zu precise, to +-%.2f %% at most", tally->precise,
		       tally->widest);
	putchar('\n');
}

static inline struct tally make_experiments(const char *what,
					    const struct design *design)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	struct tally tally = { 0 };
	static struct trial trial;
	u64 i;

	gsl_rng_set(rng, 1);
	for (i = 0; i < EXPERIMENTS; i++) {
		make_experiment(design, rng, i, &trial);
		count_verdicts(design, &trial, &tally);
		sf_analysis_free(&trial.analysis);
	}
	gsl_rng_free(rng);
	print_tally(what, design, &tally);
	return tally;
}

/* Is the rate of verdicts, all of which are wrong, at most 5 %? */
static inline bool level_holds(const char *what, const struct design *design)
{
	return make_experiments(what, design).any * 20 <= EXPERIMENTS;
}

#endif
