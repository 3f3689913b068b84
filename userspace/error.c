// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdarg.h>
#include <stdio.h>

#include "error.h"

/**
 * sf_fail - say why a command fails
 * @err: set to the message and the code
 * @code: exit code of the utility
 * @format: what was wrong, with which value, what is allowed, what to do
 *
 * Return: @code, so that a caller can return it at once.
 */
int sf_fail(struct sf_error *err, enum sf_exit code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(err->message, sizeof(err->message), format, args);
	va_end(args);
	err->code = code;
	return code;
}
