// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "kernel.h"
#include "lock.h"

#define SF_LOCK_FILE "/run/schedflip.lock"

/**
 * sf_lock - keep other loads and unloads off until this process ends
 * @err: says that there is one
 *
 * modprobe succeeds for a module that somebody else has loaded with other
 * options in the meantime, and a transition can be reversed by two.
 *
 * Return: SF_OK, or the code in @err.
 */
int sf_lock(struct sf_error *err)
{
	char path[512];
	int fd = open(sf_kernel_path(SF_LOCK_FILE, path, sizeof(path)),
		      O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		return sf_fail(err, SF_FAILED, "cannot open %s: %s",
			       SF_LOCK_FILE, strerror(errno));
	/* The descriptor stays open: the lock goes with the process. */
	if (!flock(fd, LOCK_EX | LOCK_NB))
		return SF_OK;
	close(fd);
	return sf_fail(
		err, SF_FAILED,
		"another schedflip loads or unloads the module now; wait until it is done");
}
