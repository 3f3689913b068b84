/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Members of JSON objects that anybody may have written, each with its type and range.
 * The first that is wrong is named; what is asked for after it is not looked at.
 */
#ifndef SCHEDFLIP_READER_H
#define SCHEDFLIP_READER_H

#include <jansson.h>

#include <schedflip/types.h>

#include "error.h"

/**
 * struct sf_reader - what is being read
 * @file: its name, for messages
 * @place: of the object within the file, such as runs[3]; empty for the outermost
 * @err: says what was wrong first
 */
struct sf_reader {
	const char *file;
	char place[64];
	struct sf_error *err;
};

void sf_reader_at(struct sf_reader *reader, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void sf_reader_refuse(struct sf_reader *reader, const char *key,
		      const json_t *value, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
json_t *sf_read_strings(struct sf_reader *reader, const json_t *object,
			const char *key, size_t min);
json_t *sf_read_array(struct sf_reader *reader, const json_t *object,
		      const char *key, size_t min, size_t max);
json_t *sf_read_object(struct sf_reader *reader, const json_t *object,
		       const char *key);
bool sf_read_bool(struct sf_reader *reader, const json_t *object,
		  const char *key);
u64 sf_read_count(struct sf_reader *reader, const json_t *object,
		  const char *key, u64 max);
double sf_read_real(struct sf_reader *reader, const json_t *object,
		    const char *key, double min);
double sf_read_known(struct sf_reader *reader, const json_t *object,
		     const char *key, double min);
const char *sf_read_word(struct sf_reader *reader, const json_t *object,
			 const char *key);
char *sf_read_text(struct sf_reader *reader, const json_t *object,
		   const char *key);

#endif
