// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture.h"

#define SF_READ_SIZE 65536u

static void sf_capture_cut(struct sf_capture *capture)
{
	size_t more;

	if (capture->size <= SF_MAX_OUTPUT)
		return;
	more = capture->size - SF_MAX_OUTPUT;
	capture->partial = capture->text[more - 1] != '\n';
	memmove(capture->text, capture->text + more, SF_MAX_OUTPUT);
	capture->size = SF_MAX_OUTPUT;
}

/* Half a line could be taken for one that matches. */
static void sf_capture_drop_partial(struct sf_capture *capture)
{
	char *end;

	if (!capture->partial)
		return;
	end = memchr(capture->text, '\n', capture->size);
	if (!end) {
		capture->size = 0;
		return;
	}
	end++;
	capture->size -= end - capture->text;
	memmove(capture->text, end, capture->size);
}

/* Room for one read, and a NUL behind it. */
static bool sf_capture_grow(struct sf_capture *capture)
{
	size_t room = capture->room ? 2 * capture->room : 2 * SF_READ_SIZE;
	char *larger;

	if (capture->room > capture->size + SF_READ_SIZE)
		return true;
	/* Moved seldom, as twice of what is kept fits in. */
	if (room > 2 * SF_MAX_OUTPUT + 2 * SF_READ_SIZE) {
		sf_capture_cut(capture);
		return true;
	}
	larger = realloc(capture->text, room);
	if (!larger)
		return false;
	capture->text = larger;
	capture->room = room;
	return true;
}

/**
 * sf_capture_read - read what a pipe has
 * @capture: gets it
 * @fd: of the pipe, which does not block
 *
 * Return: false at its end; true if more may come.
 */
bool sf_capture_read(struct sf_capture *capture, int fd)
{
	ssize_t len;

	if (!sf_capture_grow(capture))
		return false;
	len = read(fd, capture->text + capture->size, SF_READ_SIZE);
	if (len > 0)
		capture->size += len;
	return len > 0 || (len < 0 && (errno == EAGAIN || errno == EINTR));
}

/**
 * sf_capture_end - take what was read
 * @capture: is empty then
 *
 * Return: a string of whole lines, of SF_MAX_OUTPUT bytes at most, in which a NUL is
 * a question mark; to be freed. NULL if it does not fit in memory.
 */
char *sf_capture_end(struct sf_capture *capture)
{
	char *text = capture->text, *at;

	sf_capture_cut(capture);
	sf_capture_drop_partial(capture);
	if (!text)
		return strdup("");
	while ((at = memchr(text, '\0', capture->size)))
		*at = '?';
	text[capture->size] = '\0';
	memset(capture, 0, sizeof(*capture));
	return text;
}
