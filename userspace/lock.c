// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "kernel.h"
#include "lock.h"

#define SF_LOCK_FILE "/run/schedflip.lock"
#define SF_LOCK_AB_FILE "/run/schedflip-ab.lock"

/* The descriptor stays open: the lock goes with the process. */
static int sf_lock_file(const char *file, const char *taken,
			struct sf_error *err)
{
	char path[PATH_MAX];
	int fd = open(sf_kernel_path(file, path, sizeof(path)),
		      O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		return sf_fail(err, errno == EACCES ? SF_DENIED : SF_FAILED,
			       "cannot open %s: %s", file, strerror(errno));
	if (!flock(fd, LOCK_EX | LOCK_NB))
		return SF_OK;
	close(fd);
	return sf_fail(err, SF_FAILED, "%s", taken);
}

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
	return sf_lock_file(
		SF_LOCK_FILE,
		"another schedflip loads or unloads the module now; wait until it is done",
		err);
}

/**
 * sf_lock_ab - keep others from setting policies until this process ends
 * @err: says that there is another experiment
 *
 * Return: SF_OK, or the code in @err.
 */
int sf_lock_ab(struct sf_error *err)
{
	return sf_lock_file(SF_LOCK_AB_FILE,
			    "another schedflip ab runs; wait until it is done",
			    err);
}

/**
 * sf_lock_check_ab - is nobody comparing policies?
 * @err: says that somebody is
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_lock_check_ab(struct sf_error *err)
{
	int fd = sf_kernel_open(SF_LOCK_AB_FILE, O_RDONLY);
	bool taken;

	/* No file: there has been no ab since boot. */
	if (fd < 0)
		return SF_OK;
	taken = flock(fd, LOCK_SH | LOCK_NB);
	close(fd);
	if (!taken)
		return SF_OK;
	return sf_fail(
		err, SF_FAILED,
		"a schedflip ab runs, and this would spoil it; wait until it is done, or interrupt it");
}
