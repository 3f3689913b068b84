// SPDX-License-Identifier: GPL-2.0-or-later
/* What a fair policy learns of a task that is there at regular calls. */
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <schedflip/learner.h>

#include "sim.h"

/* Calls between two ratios. */
#define SF_TERM (SF_CELL / 2)

/* More than the credits that can be held at once: half of the last and a term's. */
#define SF_SUMS 8192

/* A chain has come to rest when a step moves no more than this. */
#define SF_REST 1e-7

/**
 * struct sf_chain - how likely a fair policy holds each sum of credits
 * @tasks: most of them in a term
 * @pulled: probability of pulling so many of a term's tasks, by weight
 * @now: probability of each sum
 * @next: the same a term later
 */
struct sf_chain {
	u32 tasks;
	double (*pulled)[SF_TERM + 1];
	double *now;
	double *next;
};

/* A term has one task more than another if the period does not divide it. */
static void sf_chain_fill(struct sf_chain *chain, u32 period)
{
	u32 few = SF_TERM / period, weight, n;
	double more = (double)SF_TERM / period - few;

	chain->tasks = few + (more > 0);
	for (weight = 1; weight <= SF_CELL; weight++)
		for (n = 0; n <= chain->tasks; n++)
			chain->pulled[weight][n] =
				(1 - more) * gsl_ran_binomial_pdf(
						     n,
						     weight / (double)SF_CELL,
						     few) +
				more * gsl_ran_binomial_pdf(
					       n, weight / (double)SF_CELL,
					       few + 1);
}

/* Return: how much the probabilities moved. */
static double sf_chain_step(struct sf_chain *chain)
{
	u32 sum, weight, credit, n, to;
	double moved = 0, *then;

	memset(chain->next, 0, SF_SUMS * sizeof(*chain->next));
	for (sum = 0; sum < SF_SUMS; sum++) {
		if (chain->now[sum] < 1e-15)
			continue;
		weight = sum < SF_CELL ? sum + 1 : SF_CELL;
		credit = sf_newidle_credit(weight);
		for (n = 0; n <= chain->tasks; n++) {
			to = sum / 2 + n * credit;
			chain->next[to < SF_SUMS ? to : SF_SUMS - 1] +=
				chain->now[sum] * chain->pulled[weight][n];
		}
	}
	for (sum = 0; sum < SF_SUMS; sum++)
		moved += fabs(chain->next[sum] - chain->now[sum]);
	then = chain->now;
	chain->now = chain->next;
	chain->next = then;
	return moved;
}

static double sf_chain_ratio(const struct sf_chain *chain)
{
	double mean = 0;
	u32 sum;

	for (sum = 0; sum < SF_SUMS; sum++)
		mean += chain->now[sum] * (sum < SF_CELL ? sum : SF_CELL);
	return mean;
}

/**
 * sf_sim_fair_ratio - mean ratio that a fair policy learns
 * @period: a task is there on one call in so many; 1 and up
 *
 * Fair is a policy that attempts each call independently and with probability
 * weight/1024 exactly. Its sum of credits is a Markov chain, here followed until it
 * is at rest.
 *
 * Return: 0 .. 1024; NAN if it does not fit in memory.
 */
double sf_sim_fair_ratio(u32 period)
{
	struct sf_chain chain = {
		.pulled = calloc(SF_CELL + 1, sizeof(*chain.pulled)),
		.now = calloc(SF_SUMS, sizeof(*chain.now)),
		.next = calloc(SF_SUMS, sizeof(*chain.next)),
	};
	double ratio = NAN;

	if (chain.pulled && chain.now && chain.next) {
		sf_chain_fill(&chain, period);
		chain.now[SF_CELL / period] = 1;
		while (sf_chain_step(&chain) > SF_REST)
			;
		ratio = sf_chain_ratio(&chain);
	}
	free(chain.pulled);
	free(chain.now);
	free(chain.next);
	return ratio;
}
