/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kinds of settings: what the user may write for each, and where it shows. */
#ifndef SCHEDFLIP_KIND_H
#define SCHEDFLIP_KIND_H

#include <schedflip/names.h>

#include "error.h"
#include "state.h"

enum sf_kind_id {
	SF_KIND_NEWIDLE,
	SF_KIND_START,
	SF_KIND_RATIO,
	SF_KIND_WINDOW_POS,
	SF_KIND_SLOWPATH,
	SF_KIND_BURST,
	SF_KIND_BURST_DEPTH,
	SF_KIND_BURST_FACTOR,
	SF_KIND_BURST_NOHZ,
	SF_KIND_COST,
	SF_KIND_LEARN,
	SF_KIND_SYNC,
	SF_NR_KINDS,
};

/**
 * struct sf_value - what a kind is set to
 * @given: it is set at all
 * @word: a name that outlives the value, or NULL for a number
 * @number: where there is no @word
 */
struct sf_value {
	bool given;
	const char *word;
	u64 number;
};

/**
 * struct sf_kind - a row of the table of kinds
 * @name: as the user and the module write it
 * @names: words it takes, or NULL
 * @name_count: number of @names
 * @min: lowest number it takes
 * @max: highest number it takes
 * @stock: what reset sets; not given where there is nothing to undo
 * @hook: any other value than @stock needs this hook; NULL for none
 * @parse: reads the user's word into a value, whose @given is not touched
 * @field: of the state, where the value can be read back
 * @offset: of @field in struct sf_domain
 * @differs: compares a domain with a value; if it has another, that is printed to
 *	@found. NULL where nothing can be read back
 */
struct sf_kind {
	const char *name;
	const struct sf_name *names;
	size_t name_count;
	u64 min;
	u64 max;
	struct sf_value stock;
	const char *hook;
	int (*parse)(const struct sf_kind *kind, const char *text,
		     struct sf_value *value, struct sf_error *err);
	const char *field;
	size_t offset;
	bool (*differs)(const struct sf_kind *kind,
			const struct sf_value *value,
			const struct sf_domain *domain, char *found,
			size_t size);
};

extern const struct sf_kind sf_kinds[SF_NR_KINDS];

#endif
