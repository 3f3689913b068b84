/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_ERROR_H
#define SCHEDFLIP_ERROR_H

/* Exit codes of the utility; README.md and --help list them. */
enum sf_exit {
	SF_OK,
	SF_FAILED,
	SF_USAGE,
	SF_MISMATCH,
	SF_UNSUPPORTED,
	SF_DENIED,
};

/**
 * struct sf_error - why a command failed
 * @code: enum sf_exit; SF_OK while nothing failed
 * @message: one line, without the leading "schedflip: "
 */
struct sf_error {
	int code;
	char message[2048];
};

int sf_fail(struct sf_error *err, enum sf_exit code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
