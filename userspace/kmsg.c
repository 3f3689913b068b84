// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "kernel.h"
#include "kmsg.h"
#include "text.h"

/* The level of KERN_WARNING; what is less urgent is no reason. */
#define SF_LEVEL_WARNING 4

#define SF_OUR_PREFIX "schedflip: "
#define SF_LIVEPATCH_PREFIX "livepatch: failed"

/**
 * sf_kmsg_open - open the kernel log at its end
 *
 * Return: a descriptor, or a negative errno.
 */
int sf_kmsg_open(void)
{
	int fd = sf_kernel_open("/dev/kmsg", O_RDONLY | O_NONBLOCK);

	if (fd >= 0)
		lseek(fd, 0, SEEK_END);
	return fd;
}

/*
 * The kernel says these of every module that is not its own, and 6.1 the last one of
 * every livepatch, whose events the module asks for itself.
 */
static bool sf_is_taint(const char *message)
{
	return strstr(message, "taints kernel") ||
	       strstr(message, "tainting kernel") ||
	       strstr(message, "bad taint, not creating trace events");
}

static bool sf_begins_with(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

/*
 * A record: "priority,number,time,flags;message". The level is the low three
 * bits of the priority.
 */
static void sf_kmsg_line(char *line, char *buf, size_t size)
{
	char *message = strchr(line, ';');
	u64 priority;

	line[strcspn(line, ",")] = '\0';
	if (!message || !sf_parse_number(line, &priority) ||
	    (priority & 7) > SF_LEVEL_WARNING)
		return;
	message++;
	if (sf_begins_with(message, SF_OUR_PREFIX) && !sf_is_taint(message))
		message += strlen(SF_OUR_PREFIX);
	else if (!sf_begins_with(message, SF_LIVEPATCH_PREFIX))
		return;
	sf_clean_text(message);
	/* Some modprobes try again in another way, to the same end. */
	if (strstr(buf, message))
		return;
	sf_append_text(buf, size, "%s%s", *buf ? "; " : "", message);
}

/**
 * sf_kmsg_reasons - what the kernel complained of since the log was opened
 * @fd: from sf_kmsg_open(); an error there means no reasons here
 * @buf: for the messages, separated by semicolons
 * @size: of @buf
 */
void sf_kmsg_reasons(int fd, char *buf, size_t size)
{
	char text[8193], *rest, *line;
	ssize_t len;

	buf[0] = '\0';
	while (fd >= 0) {
		len = read(fd, text, sizeof(text) - 1);
		/* EPIPE: messages were lost, and the next read goes on behind. */
		if (len < 0 && (errno == EINTR || errno == EPIPE))
			continue;
		if (len <= 0)
			return;
		text[len] = '\0';
		rest = text;
		while ((line = sf_next_line(&rest)))
			sf_kmsg_line(line, buf, size);
	}
}
