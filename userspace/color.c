// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "color.h"
#include "nearest.h"

/**
 * sf_color_check - is it an argument of --color?
 * @when: the user's, or NULL
 * @err: says what is allowed
 *
 * Return: SF_OK or SF_USAGE.
 */
int sf_color_check(const char *when, struct sf_error *err)
{
	if (!when || !strcmp(when, "auto") || !strcmp(when, "always") ||
	    !strcmp(when, "never"))
		return SF_OK;
	sf_fail(err, SF_USAGE, "no color \"%.400s\"; known: auto always never",
		when);
	return sf_nearest_add(err, when, "auto always never");
}

static bool sf_is_set(const char *name)
{
	const char *value = getenv(name);

	return value && *value;
}

static bool sf_is_dumb(void)
{
	const char *term = getenv("TERM");

	return !term || !strcmp(term, "dumb");
}

/**
 * sf_color_wanted - does the text get colours?
 * @when: the user's --color, or NULL
 *
 * What the user says here and now goes before the environment.
 */
bool sf_color_wanted(const char *when)
{
	if (when && !strcmp(when, "always"))
		return true;
	if (when && !strcmp(when, "never"))
		return false;
	return isatty(STDOUT_FILENO) && !sf_is_set("NO_COLOR") && !sf_is_dumb();
}
