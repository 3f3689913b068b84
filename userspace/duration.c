// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "duration.h"
#include "text.h"

#define SF_US_PER_MS 1000ull
#define SF_US_PER_S 1000000ull
#define SF_US_PER_MIN (60 * SF_US_PER_S)
#define SF_US_PER_H (60 * SF_US_PER_MIN)

static const struct sf_unit {
	const char *name;
	u64 us;
} sf_units[] = {
	{ "us", 1 },	      { "ms", SF_US_PER_MS },
	{ "s", SF_US_PER_S }, { "m", SF_US_PER_MIN },
	{ "h", SF_US_PER_H },
};

static u64 sf_unit_us(const char *name)
{
	size_t i;

	for (i = 0; i < SF_ARRAY_SIZE(sf_units); i++)
		if (!strcmp(sf_units[i].name, name))
			return sf_units[i].us;
	return 0;
}

/* A number without a unit is refused: nobody must wait hours for what he thought seconds. */
static bool sf_duration_read(const struct sf_duration *duration,
			     const char *text, u64 *us)
{
	size_t digits = strspn(text, "0123456789");
	char number[24];
	u64 unit = sf_unit_us(text + digits);

	if (!unit || unit < duration->finest_us || digits >= sizeof(number))
		return false;
	snprintf(number, sizeof(number), "%.*s", (int)digits, text);
	return sf_parse_number(number, us) &&
	       !__builtin_mul_overflow(*us, unit, us);
}

/**
 * sf_duration_parse - read a time
 * @duration: what it may be
 * @text: the user's word
 * @us: set to it
 * @err: says what was wrong and what is allowed
 *
 * Return: SF_OK or SF_USAGE.
 */
int sf_duration_parse(const struct sf_duration *duration, const char *text,
		      u64 *us, struct sf_error *err)
{
	if (sf_duration_read(duration, text, us) && *us >= duration->min_us &&
	    *us <= duration->max_us)
		return SF_OK;
	return sf_fail(err, SF_USAGE, "no %s \"%.400s\"; allowed: %s",
		       duration->what, text, duration->allowed);
}

/* What is left below a unit is told if there is any. */
static void sf_format_two(u64 us, u64 unit, const char *name, u64 next,
			  const char *next_name, char *buf, size_t size)
{
	u64 rest = us % unit / next;

	snprintf(buf, size, "%llu %s", (unsigned long long)(us / unit), name);
	if (rest)
		sf_append_text(buf, size, " %llu %s", (unsigned long long)rest,
			       next_name);
}

static void sf_format_tenths(u64 us, u64 unit, const char *name, char *buf,
			     size_t size)
{
	u64 tenths = us % unit * 10 / unit;

	snprintf(buf, size, "%llu", (unsigned long long)(us / unit));
	if (us < 10 * unit && tenths)
		sf_append_text(buf, size, ".%llu", (unsigned long long)tenths);
	sf_append_text(buf, size, " %s", name);
}

/**
 * sf_duration_format - a time in words, to two digits at least
 * @us: the time; what is left out is dropped, so that no more is promised than there is
 * @buf: for the words
 * @size: of @buf; SF_DURATION_SIZE is enough
 *
 * Return: @buf.
 */
const char *sf_duration_format(u64 us, char *buf, size_t size)
{
	if (us < SF_US_PER_MS)
		snprintf(buf, size, "%llu us", (unsigned long long)us);
	else if (us < SF_US_PER_S)
		sf_format_tenths(us, SF_US_PER_MS, "ms", buf, size);
	else if (us < 2 * SF_US_PER_MIN)
		sf_format_tenths(us, SF_US_PER_S, "s", buf, size);
	else if (us < 2 * SF_US_PER_H)
		sf_format_two(us, SF_US_PER_MIN, "min", SF_US_PER_S, "s", buf,
			      size);
	else
		sf_format_two(us, SF_US_PER_H, "h", SF_US_PER_MIN, "min", buf,
			      size);
	return buf;
}
