// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "image.h"
#include "kernel.h"
#include "text.h"

/* What the kernel's sign-file puts behind a module. */
#define SF_SIGNATURE "~Module signature appended~\n"

/*
 * .modinfo is a row of strings "key=value", each with a NUL at its end. The
 * first one stands at the beginning of the section, and may have any byte
 * before it. So look for the key behind a NUL, which all but that one have;
 * modpost writes vermagic and name behind others.
 */
static void sf_image_value(const char *data, size_t size, const char *key,
			   char *buf, size_t room)
{
	char pattern[32];
	size_t len;
	const char *found;

	pattern[0] = '\0';
	len = snprintf(pattern + 1, sizeof(pattern) - 1, "%s=", key) + 1;
	found = memmem(data, size, pattern, len);
	buf[0] = '\0';
	/* @data has a NUL behind its end. */
	if (found)
		snprintf(buf, room, "%s", found + len);
	sf_clean_text(buf);
}

static bool sf_image_is_signed(const char *data, size_t size)
{
	size_t len = strlen(SF_SIGNATURE);

	return size >= len && !memcmp(data + size - len, SF_SIGNATURE, len);
}

/* @file is only to be named. */
static int sf_image_check(const struct sf_image *image, const char *file,
			  struct sf_error *err)
{
	if (!*image->name || !*image->release)
		return sf_fail(
			err, SF_FAILED,
			"%s is no kernel module; a compressed one must be unpacked first",
			file);
	if (strcmp(image->name, "schedflip"))
		return sf_fail(err, SF_FAILED,
			       "%s is the module %s, not schedflip", file,
			       image->name);
	return SF_OK;
}

/**
 * sf_image_open - open a module file and learn what it is
 * @file: its path, as the user gave it
 * @fd: set to the open file; -1 after an error
 * @image: set to what it is
 * @err: says why it is not schedflip
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_image_open(const char *file, int *fd, struct sf_image *image,
		  struct sf_error *err)
{
	char *data = NULL;
	ssize_t size = -1;

	*fd = open(file, O_RDONLY | O_CLOEXEC);
	if (*fd >= 0)
		size = sf_kernel_read_fd(*fd, &data);
	if (size < 0) {
		sf_fail(err, SF_FAILED, "cannot read %s: %s", file,
			strerror(*fd < 0 ? errno : (int)-size));
	} else {
		sf_image_value(data, size, "name", image->name,
			       sizeof(image->name));
		sf_image_value(data, size, "vermagic", image->release,
			       sizeof(image->release));
		image->has_versions = strstr(image->release, " modversions");
		image->release[strcspn(image->release, " ")] = '\0';
		image->is_signed = sf_image_is_signed(data, size);
		sf_image_check(image, file, err);
	}
	free(data);
	if (err->code && *fd >= 0) {
		close(*fd);
		*fd = -1;
	}
	return err->code;
}

/* A line of modules.dep: "extra/schedflip.ko.xz: other.ko". */
static bool sf_is_schedflip(const char *line, size_t *len)
{
	const char *colon = strchr(line, ':'), *slash;

	if (!colon)
		return false;
	*len = colon - line;
	slash = memrchr(line, '/', *len);
	return !strncmp(slash ? slash + 1 : line, "schedflip.ko", 12);
}

/* Relative paths are those below @dir. A path that does not fit would be another's. */
static int sf_image_path(const char *dir, const char *line, size_t len,
			 char *file, size_t size)
{
	bool absolute = *line == '/';
	char path[PATH_MAX];
	int needed;

	needed = snprintf(path, sizeof(path), "%s%s%.*s", absolute ? "" : dir,
			  absolute ? "" : "/", (int)len, line);
	if ((size_t)needed >= sizeof(path))
		return -1;
	return strlen(sf_kernel_path(path, file, size)) < size - 1 ? 0 : -1;
}

/**
 * sf_image_find - find the module that modprobe would load
 * @file: for its path, fit to be opened
 * @size: of @file
 *
 * Return: 0; -1 if none is installed for this kernel.
 */
int sf_image_find(char *file, size_t size)
{
	char dir[256], path[PATH_MAX], *text, *rest, *line;
	size_t len;
	int found = -1;

	snprintf(dir, sizeof(dir), "/lib/modules/%s", sf_kernel_release());
	snprintf(path, sizeof(path), "%s/modules.dep", dir);
	if (sf_kernel_read(path, &text, NULL))
		return -1;
	rest = text;
	while (found && (line = sf_next_line(&rest))) {
		if (sf_is_schedflip(line, &len))
			found = sf_image_path(dir, line, len, file, size);
	}
	free(text);
	return found;
}
