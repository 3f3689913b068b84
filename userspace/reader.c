// SPDX-License-Identifier: GPL-2.0-or-later
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "reader.h"
#include "text.h"

/**
 * sf_reader_at - say which object is read next
 * @reader: the reader
 * @format: of its place
 */
void sf_reader_at(struct sf_reader *reader, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(reader->place, sizeof(reader->place), format, args);
	va_end(args);
}

static void sf_describe(const json_t *value, char *buf, size_t size)
{
	static const char *const types[] = {
		[JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array",
		[JSON_TRUE] = "true",	     [JSON_FALSE] = "false",
		[JSON_NULL] = "null",
	};

	if (!value)
		snprintf(buf, size, "missing");
	else if (json_is_string(value))
		snprintf(buf, size, "\"%.60s\"", json_string_value(value));
	else if (json_is_number(value))
		snprintf(buf, size, "%.12g", json_number_value(value));
	else
		snprintf(buf, size, "%s", types[json_typeof(value)]);
	sf_clean_text(buf);
}

/**
 * sf_reader_refuse - say what is wrong with a value, unless something was before
 * @reader: the reader
 * @key: of the value in the object that is read
 * @value: it; NULL is one that is missing
 * @format: goes on behind "FILE: KEY is VALUE, "; not said of one that is missing
 */
void sf_reader_refuse(struct sf_reader *reader, const char *key,
		      const json_t *value, const char *format, ...)
{
	char described[80], rest[256];
	va_list args;

	if (reader->err->code)
		return;
	va_start(args, format);
	vsnprintf(rest, sizeof(rest), format, args);
	va_end(args);
	sf_describe(value, described, sizeof(described));
	sf_fail(reader->err, SF_FAILED, "%s: %s%s%s is %s%s%s", reader->file,
		reader->place, *reader->place ? "." : "", key, described,
		value ? ", " : "", value ? rest : "");
}

static json_t *sf_read_list(struct sf_reader *reader, const json_t *object,
			    const char *key, json_type type, const char *what)
{
	json_t *value = json_object_get(object, key);

	if (!value || json_typeof(value) != type)
		sf_reader_refuse(reader, key, value, "not %s", what);
	return reader->err->code ? NULL : value;
}

/**
 * sf_read_array - an array
 * @reader: the reader
 * @object: that holds it
 * @key: its name
 * @min: least number of elements
 * @max: greatest number of elements
 *
 * Return: borrowed; NULL, which jansson takes for an empty one, if anything was wrong.
 */
json_t *sf_read_array(struct sf_reader *reader, const json_t *object,
		      const char *key, size_t min, size_t max)
{
	json_t *value =
		sf_read_list(reader, object, key, JSON_ARRAY, "an array");
	size_t size = json_array_size(value);

	if (value && (size < min || size > max))
		sf_reader_refuse(reader, key, value,
				 "which must have %zu to %zu elements, not %zu",
				 min, max, size);
	return reader->err->code ? NULL : value;
}

/**
 * sf_read_strings - an array of strings
 * @reader: the reader
 * @object: that holds it
 * @key: its name
 * @min: least number of elements
 *
 * Return: as sf_read_array().
 */
json_t *sf_read_strings(struct sf_reader *reader, const json_t *object,
			const char *key, size_t min)
{
	json_t *array = sf_read_array(reader, object, key, min, INT_MAX);
	json_t *element;
	char name[32];
	size_t i;

	json_array_foreach(array, i, element) {
		snprintf(name, sizeof(name), "%s[%zu]", key, i);
		if (!json_is_string(element))
			sf_reader_refuse(reader, name, element, "not a string");
	}
	return array;
}

/**
 * sf_read_object - an object
 * @reader: the reader
 * @object: that holds it
 * @key: its name
 *
 * Return: borrowed; NULL, which jansson takes for an empty one, if anything was wrong.
 */
json_t *sf_read_object(struct sf_reader *reader, const json_t *object,
		       const char *key)
{
	return sf_read_list(reader, object, key, JSON_OBJECT, "an object");
}

/**
 * sf_read_bool - true or false
 * @reader: the reader
 * @object: that holds it
 * @key: its name
 *
 * Return: it; false if anything was wrong.
 */
bool sf_read_bool(struct sf_reader *reader, const json_t *object,
		  const char *key)
{
	const json_t *value = json_object_get(object, key);

	if (!json_is_boolean(value))
		sf_reader_refuse(reader, key, value, "not true or false");
	return json_is_true(value);
}

/**
 * sf_read_count - a whole number
 * @reader: the reader
 * @object: that holds it
 * @key: its name
 * @max: greatest that is allowed
 *
 * Return: it; 0 if anything was wrong.
 */
u64 sf_read_count(struct sf_reader *reader, const json_t *object,
		  const char *key, u64 max)
{
	const json_t *value = json_object_get(object, key);
	json_int_t number = json_integer_value(value);

	if (json_is_integer(value) && number >= 0 && (u64)number <= max)
		return number;
	sf_reader_refuse(reader, key, value,
			 "not a whole number from 0 to %llu",
			 (unsigned long long)max);
	return 0;
}

/**
 * sf_read_real - a number, or null
 * @reader: the reader
 * @object: that holds it
 * @key: its name
 * @min: least that is allowed
 *
 * Return: it; NAN for null, or if anything was wrong.
 */
double sf_read_real(struct sf_reader *reader, const json_t *object,
		    const char *key, double min)
{
	const json_t *value = json_object_get(object, key);
	double number = json_number_value(value);

	if (json_is_null(value))
		return NAN;
	if (json_is_number(value) && number >= min)
		return number;
	if (isfinite(min))
		sf_reader_refuse(reader, key, value,
				 "not a number, %g or more, or null", min);
	else
		sf_reader_refuse(reader, key, value, "not a number or null");
	return NAN;
}

/**
 * sf_read_known - a number
 * @reader: the reader
 * @object: that holds it
 * @key: its name
 * @min: least that is allowed
 *
 * Return: it; NAN if anything was wrong.
 */
double sf_read_known(struct sf_reader *reader, const json_t *object,
		     const char *key, double min)
{
	const json_t *value = json_object_get(object, key);
	double number = json_number_value(value);

	if (json_is_number(value) && number >= min)
		return number;
	sf_reader_refuse(reader, key, value, "not a number, %g or more", min);
	return NAN;
}

/* Return: the first bytes that a terminal would act on, or the end. */
static const char *sf_find_control(const char *text)
{
	while (*text && !sf_control_size(text))
		text++;
	return text;
}

/**
 * sf_read_word - a string that can be printed, and has something to print
 * @reader: the reader
 * @object: that holds it
 * @key: its name
 *
 * Return: borrowed; empty if anything was wrong.
 */
const char *sf_read_word(struct sf_reader *reader, const json_t *object,
			 const char *key)
{
	const json_t *value = json_object_get(object, key);
	const char *text = json_string_value(value);

	if (text && *text && !*sf_find_control(text))
		return text;
	sf_reader_refuse(reader, key, value, "not a line of text");
	return "";
}

/**
 * sf_read_text - any string, or null
 * @reader: the reader
 * @object: that holds it
 * @key: its name
 *
 * Return: a copy, to be freed; NULL for null, or if anything was wrong.
 */
char *sf_read_text(struct sf_reader *reader, const json_t *object,
		   const char *key)
{
	const json_t *value = json_object_get(object, key);
	char *copy;

	if (json_is_null(value))
		return NULL;
	if (!json_is_string(value)) {
		sf_reader_refuse(reader, key, value, "not a string or null");
		return NULL;
	}
	copy = strdup(json_string_value(value));
	if (!copy && !reader->err->code)
		sf_fail(reader->err, SF_FAILED, "out of memory");
	return copy;
}
