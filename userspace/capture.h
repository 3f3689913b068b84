/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The end of what a command prints, in bounded memory.
 */
#ifndef SCHEDFLIP_CAPTURE_H
#define SCHEDFLIP_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>

/* Of longer output the end is kept. */
#define SF_MAX_OUTPUT (1u << 20)

/**
 * struct sf_capture - what was read of a pipe; begins as all zeroes
 * @text: of it
 * @size: number of bytes
 * @room: allocated
 * @partial: the beginning of the first line was cut off
 */
struct sf_capture {
	char *text;
	size_t size;
	size_t room;
	bool partial;
};

bool sf_capture_read(struct sf_capture *capture, int fd);
char *sf_capture_end(struct sf_capture *capture);

#endif
