/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of the guest's fuzzer share. */
#ifndef SCHEDFLIP_GUEST_FUZZ_H
#define SCHEDFLIP_GUEST_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SF_DEBUGFS "/sys/kernel/debug/schedflip"
#define SF_PARAMETERS "/sys/module/schedflip/parameters"

#define SF_ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* What the module takes of one write. */
#define SF_COMMAND_MAX 4095

struct sf_random {
	uint64_t state;
};

uint64_t sf_random_next(struct sf_random *random);
uint32_t sf_random_below(struct sf_random *random, uint32_t below);
bool sf_random_once_in(struct sf_random *random, uint32_t times);

/* Is it to be taken? Some words depend on the kernel, or on what others do. */
enum sf_verdict {
	SF_GOOD,
	SF_BAD,
	SF_UNKNOWN,
};

enum sf_key {
	SF_KEY_NEWIDLE,
	SF_KEY_START,
	SF_KEY_RATIO,
	SF_KEY_WINDOW_POS,
	SF_KEY_SLOWPATH,
	SF_KEY_BURST,
	SF_KEY_BURST_DEPTH,
	SF_KEY_BURST_FACTOR,
	SF_KEY_BURST_NOHZ,
	SF_KEY_COST,
	SF_KEY_SYNC,
	SF_KEY_LEARN,
	SF_NR_DOMAIN_KEYS,
	SF_KEY_CPU = SF_NR_DOMAIN_KEYS,
	SF_KEY_DOMAIN,
	SF_KEY_FOR_MS,
	SF_KEY_LEASE,
	SF_KEY_TRIP_DEPTH,
	SF_KEY_TRIP_NEWIDLE,
	SF_KEY_TRIP_DELAY_US,
	SF_KEY_NONE,
	SF_NR_KEYS,
};

#define SF_MAX_WORDS 6

/**
 * struct sf_word - a word of a command
 * @key: which
 * @value: what stands behind its =
 */
struct sf_word {
	enum sf_key key;
	char value[80];
};

/**
 * struct sf_command - a command, drawn
 * @words: it has
 * @count: number of @words
 * @verdict: of all of them, but for whether the CPUs and domains are there
 * @text: as it is written
 */
struct sf_command {
	struct sf_word words[SF_MAX_WORDS];
	size_t count;
	enum sf_verdict verdict;
	char text[1024];
};

const char *sf_key_name(enum sf_key key);
enum sf_verdict sf_word_draw(struct sf_random *random, enum sf_key key,
			     struct sf_word *word);
void sf_command_draw(struct sf_random *random, enum sf_key last,
		     struct sf_command *command);
void sf_command_print(struct sf_random *random, struct sf_command *command);
const struct sf_word *sf_command_word(const struct sf_command *command,
				      enum sf_key key);

#define SF_MAX_FILES 8192

/**
 * struct sf_files - those of the module
 * @paths: below debugfs and the parameters
 * @count: number of @paths
 */
struct sf_files {
	char *paths[SF_MAX_FILES];
	size_t count;
};

void sf_files_find(struct sf_files *files);
void sf_files_free(struct sf_files *files);

double sf_now(void);
int sf_oracle(double seconds, uint64_t seed);
int sf_storm(double seconds, uint64_t seed);

#endif
