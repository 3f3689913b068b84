/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The generator behind dice, jitter and random starts: splitmix64 (Steele, Lea
 * and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
 *
 * It lives here and not behind the kernel's prandom_u32_state() so that the
 * simulator and the tests draw the very numbers the module draws from the same
 * seed. It takes no lock and touches only its own eight bytes, so it may run
 * under a runqueue lock and on PREEMPT_RT. Not for secrets.
 */
#ifndef SCHEDFLIP_RANDOM_H
#define SCHEDFLIP_RANDOM_H

#include "types.h"

struct sf_rng {
	u64 state;
};

/**
 * sf_random64 - next 64 random bits
 * @rng: generator; the caller serializes access
 *
 * Return: a number uniform in [0, 2^64).
 */
static inline u64 sf_random64(struct sf_rng *rng)
{
	u64 z = rng->state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

/**
 * sf_random - next 32 random bits
 * @rng: generator; the caller serializes access
 *
 * Return: a number uniform in [0, 2^32).
 */
static inline u32 sf_random(struct sf_rng *rng)
{
	return sf_random64(rng) >> 32;
}

/**
 * sf_scale - 32 random bits as a number below a bound, without a division
 * @random: uniform in [0, 2^32)
 * @bound: 0 .. 2^32 - 1
 *
 * Return: a number in [0, bound), each with probability 1/bound to within
 * 2^-32; exactly uniform where @bound is a power of two. 0 for bound 0.
 */
static inline u32 sf_scale(u32 random, u32 bound)
{
	return ((u64)random * bound) >> 32;
}

/**
 * sf_random_below - a random number below a bound, without a division
 * @rng: generator; the caller serializes access
 * @bound: 1 .. 2^32 - 1
 *
 * Return: a number in [0, bound), each with probability 1/bound to within
 * bound/2^32; exactly uniform where @bound is a power of two.
 */
static inline u32 sf_random_below(struct sf_rng *rng, u32 bound)
{
	return sf_scale(sf_random(rng), bound);
}

/**
 * sf_random_seed - give one (cpu, level) its own stream of a common seed
 * @rng: generator to set
 * @seed: the seed the user gave, or drew
 * @stream: number of the stream; streams of one seed are unrelated
 */
static inline void sf_random_seed(struct sf_rng *rng, u64 seed, u32 stream)
{
	struct sf_rng mix = { .state = seed ^ ((u64)stream << 32 | stream) };
	u64 high = sf_random(&mix);

	rng->state = high << 32 | sf_random(&mix);
}

#endif
