// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "canvas.h"
#include "gauge.h"

/**
 * sf_gauge_number - print a number into so many columns
 * @value: prints as - if it is not known
 * @width: of the field; a number too long for it goes on in thousands or millions
 * @digits: behind the point, if there is room for them
 * @buf: for the text, flush right
 * @size: of @buf
 */
void sf_gauge_number(double value, size_t width, int digits, char *buf,
		     size_t size)
{
	static const char units[] = " kMGT";
	const char *unit = units;

	if (!isfinite(value)) {
		snprintf(buf, size, "%*s", (int)width, "-");
		return;
	}
	for (; digits >= 0; digits--)
		if ((size_t)snprintf(buf, size, "%*.*f", (int)width, digits,
				     value) <= width)
			return;
	do {
		value /= 1000;
		unit++;
	} while (unit[1] &&
		 (size_t)snprintf(buf, size, "%*.0f%c", (int)width - 1, value,
				  *unit) > width);
	snprintf(buf, size, "%*.0f%c", (int)width - 1, value, *unit);
}

static size_t sf_gauge_cell(double value, size_t width)
{
	size_t cell = value > 0 ? value * width / SF_GAUGE_FULL : 0;

	return cell < width ? cell : width - 1;
}

/**
 * sf_gauge_ratio - a bar
 * @in_force: is filled, up to 1024
 * @learned: has a mark
 * @width: of the bar
 * @buf: for it, of @width + 1 bytes
 *
 * The mark is left out where the bar itself ends.
 */
void sf_gauge_ratio(double in_force, double learned, size_t width, char *buf)
{
	size_t filled = lround(in_force * width / SF_GAUGE_FULL);

	if (filled > width)
		filled = width;
	memset(buf, '=', filled);
	memset(buf + filled, '.', width - filled);
	buf[width] = '\0';
	if (fabs(in_force - learned) >= SF_GAUGE_FULL / 2.0 / width)
		buf[sf_gauge_cell(learned, width)] = '|';
}

static bool sf_has_window(const struct sf_domain *domain)
{
	return !strcmp(domain->newidle, "accumulator") ||
	       !strcmp(domain->newidle, "jitter");
}

/**
 * sf_gauge_window - where the CPUs are in their windows
 * @rows: the CPUs; those whose policy has no window are left out
 * @count: number of them
 * @width: of the strip, which is the whole window
 * @buf: for it, of @width + 1 bytes; empty if no CPU has a window
 *
 * A cell has | for a CPU, or the number of them, up to 9, and + for more.
 */
void sf_gauge_window(const struct sf_row *const *rows, size_t count,
		     size_t width, char *buf)
{
	bool any = false;
	size_t i;

	memset(buf, '.', width);
	buf[width] = '\0';
	for (i = 0; i < count; i++) {
		const struct sf_domain *domain = rows[i]->domain;
		char *cell;

		if (!sf_has_window(domain))
			continue;
		any = true;
		cell = &buf[sf_gauge_cell(domain->window_pos, width)];
		if (*cell == '.')
			*cell = '|';
		else if (*cell == '|')
			*cell = '2';
		else
			*cell = *cell < '2' || *cell >= '9' ? '+' : *cell + 1;
	}
	if (!any)
		buf[0] = '\0';
}

/**
 * sf_gauge_shade - how dark is a cell of a heat map?
 * @value: zero has no shade
 * @most: of all values; has the last shade
 */
unsigned int sf_gauge_shade(double value, double most)
{
	unsigned int shade;

	if (!(value > 0) || !(most > 0))
		return 0;
	shade = 1 + (unsigned int)(value / most * (SF_NR_SHADES - 1));
	return shade > SF_NR_SHADES ? SF_NR_SHADES : shade;
}

/**
 * sf_shade_char - a shade where there is no colour
 * @shade: 0 to SF_NR_SHADES
 */
char sf_shade_char(unsigned int shade)
{
	static const char chars[SF_NR_SHADES + 2] = " .:-=+*#%@";

	return chars[shade];
}
