// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <schedflip/abi.h>

#include "kernel.h"
#include "text.h"

/* More than any file we read: a module, BTF, kallsyms. */
#define SF_MAX_FILE (256u << 20)

static const char *sf_sysroot(void)
{
	const char *root = getenv("SCHEDFLIP_SYSROOT");

	return root ? root : "";
}

/**
 * sf_kernel_path - where a file of the kernel is found
 * @path: on a real system
 * @buf: for the path, of PATH_MAX bytes
 * @size: of @buf
 *
 * Return: @buf.
 */
const char *sf_kernel_path(const char *path, char *buf, size_t size)
{
	snprintf(buf, size, "%s%s", sf_sysroot(), path);
	return buf;
}

/**
 * sf_kernel_is_real - are these the running kernel's files?
 *
 * System calls that change the kernel must not be made for another tree.
 */
bool sf_kernel_is_real(void)
{
	return !*sf_sysroot();
}

/**
 * sf_kernel_exists - is there a file?
 * @path: on a real system
 */
bool sf_kernel_exists(const char *path)
{
	char full[PATH_MAX];

	return !access(sf_kernel_path(path, full, sizeof(full)), F_OK);
}

/**
 * sf_kernel_open - open a file
 * @path: on a real system
 * @flags: of open(2)
 *
 * Return: a descriptor, or a negative errno.
 */
int sf_kernel_open(const char *path, int flags)
{
	char full[PATH_MAX];
	int fd = open(sf_kernel_path(path, full, sizeof(full)),
		      flags | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/**
 * sf_kernel_opendir - open a directory
 * @path: on a real system
 *
 * Return: NULL if it can't be.
 */
DIR *sf_kernel_opendir(const char *path)
{
	char full[PATH_MAX];

	return opendir(sf_kernel_path(path, full, sizeof(full)));
}

/* Return: bytes read or a negative errno. */
static ssize_t sf_read_some(int fd, char *buf, size_t size)
{
	ssize_t len;

	do
		len = read(fd, buf, size);
	while (len < 0 && errno == EINTR);
	return len < 0 ? -errno : len;
}

/**
 * sf_kernel_read_fd - read the rest of an open file
 * @fd: the file; its size is not asked for, as files of proc and sysfs have none
 * @text: set to its content and a NUL behind it; to be freed
 *
 * Return: bytes read or a negative errno.
 */
ssize_t sf_kernel_read_fd(int fd, char **text)
{
	size_t size = 65536, used = 0;
	char *buf = malloc(size), *larger;
	ssize_t len = buf ? 1 : -ENOMEM;

	while (len > 0) {
		len = sf_read_some(fd, buf + used, size - used - 1);
		if (len > 0)
			used += len;
		if (len <= 0 || size - used > 1)
			continue;
		size *= 2;
		larger = size > SF_MAX_FILE ? NULL : realloc(buf, size);
		if (larger)
			buf = larger;
		else
			len = size > SF_MAX_FILE ? -EFBIG : -ENOMEM;
	}
	if (len < 0) {
		free(buf);
		return len;
	}
	buf[used] = '\0';
	*text = buf;
	return used;
}

/**
 * sf_kernel_read - read a whole file
 * @path: on a real system
 * @text: set to its content and a NUL behind it; to be freed
 * @size: set to the number of bytes, if not NULL
 *
 * Return: 0 or a negative errno.
 */
int sf_kernel_read(const char *path, char **text, size_t *size)
{
	int fd = sf_kernel_open(path, O_RDONLY);
	ssize_t len;

	*text = NULL;
	if (fd < 0)
		return fd;
	len = sf_kernel_read_fd(fd, text);
	close(fd);
	if (len < 0)
		return len;
	if (size)
		*size = len;
	return 0;
}

/**
 * sf_kernel_read_word - read a small file of one line
 * @path: on a real system
 * @buf: for the line, cut to fit, without its end; empty after an error
 * @size: of @buf
 *
 * Return: 0 or a negative errno.
 */
int sf_kernel_read_word(const char *path, char *buf, size_t size)
{
	int fd = sf_kernel_open(path, O_RDONLY);
	ssize_t len;

	buf[0] = '\0';
	if (fd < 0)
		return fd;
	len = sf_read_some(fd, buf, size - 1);
	close(fd);
	if (len < 0)
		return len;
	buf[len] = '\0';
	buf[strcspn(buf, "\n")] = '\0';
	return 0;
}

/**
 * sf_kernel_write - write a command
 * @path: on a real system
 * @text: goes out in one write, as the kernel takes it whole or not at all
 *
 * Return: 0 or a negative errno.
 */
int sf_kernel_write(const char *path, const char *text)
{
	int fd = sf_kernel_open(path, O_WRONLY | O_TRUNC);
	size_t size = strlen(text);
	ssize_t len;
	int error = 0;

	if (fd < 0)
		return fd;
	len = write(fd, text, size);
	if (len < 0)
		error = -errno;
	else if ((size_t)len != size)
		error = -EIO;
	if (close(fd) && !error)
		error = -errno;
	return error;
}

/**
 * sf_kernel_release - the kernel's release, such as 7.3.4+deb13-amd64
 */
const char *sf_kernel_release(void)
{
	static char release[128];

	if (!*release)
		sf_kernel_read_word("/proc/sys/kernel/osrelease", release,
				    sizeof(release));
	return *release ? release : "unknown";
}

/**
 * sf_kernel_lockdown - how far the kernel is locked down
 *
 * Return: SF_LOCKDOWN_NONE also where the kernel knows no lockdown.
 */
enum sf_lockdown sf_kernel_lockdown(void)
{
	char text[128];

	sf_kernel_read_word("/sys/kernel/security/lockdown", text,
			    sizeof(text));
	if (strstr(text, "[confidentiality]"))
		return SF_LOCKDOWN_CONFIDENTIALITY;
	if (strstr(text, "[integrity]"))
		return SF_LOCKDOWN_INTEGRITY;
	return SF_LOCKDOWN_NONE;
}

/**
 * sf_kernel_has_debugfs - is debugfs mounted in its place?
 */
bool sf_kernel_has_debugfs(void)
{
	char *text;
	bool found;

	if (sf_kernel_read("/proc/mounts", &text, NULL))
		return false;
	found = strstr(text, " " SF_DEBUGFS_ROOT " debugfs ");
	free(text);
	return found;
}

/**
 * sf_kernel_has_module - is schedflip loaded?
 */
bool sf_kernel_has_module(void)
{
	return sf_kernel_exists(SF_MODULE);
}

/**
 * sf_kernel_check_root - refuse to go on without root
 * @err: says so
 *
 * Return: SF_OK or SF_DENIED.
 */
int sf_kernel_check_root(struct sf_error *err)
{
	if (!geteuid())
		return SF_OK;
	return sf_fail(err, SF_DENIED,
		       "this takes root, but you are user %u; run it with sudo",
		       geteuid());
}

/* @error: negative errno of a file of ours. */
static int sf_fail_debugfs(const char *name, int error, struct sf_error *err)
{
	if ((error == -EACCES || error == -EPERM) && geteuid())
		return sf_kernel_check_root(err);
	if (error == -EPERM && sf_kernel_lockdown())
		return sf_fail(err, SF_DENIED,
			       "lockdown forbids to open " SF_DEBUGFS
			       "/%s; boot with lockdown=none",
			       name);
	if (error != -ENOENT)
		return sf_fail(err, error == -EPERM ? SF_DENIED : SF_FAILED,
			       "cannot read " SF_DEBUGFS "/%s: %s", name,
			       strerror(-error));
	if (!sf_kernel_has_debugfs())
		return sf_fail(
			err, SF_FAILED,
			"debugfs is not mounted at " SF_DEBUGFS_ROOT
			"; mount it: mount -t debugfs none " SF_DEBUGFS_ROOT);
	if (!sf_kernel_has_module())
		return sf_fail(
			err, SF_FAILED,
			"the module is not loaded any more; load it: schedflip load");
	return sf_fail(err, SF_FAILED,
		       "the module is loaded, but there is no " SF_DEBUGFS
		       "/%s; unload and load it again",
		       name);
}

/**
 * sf_kernel_read_debugfs - read one of the module's files
 * @name: of the file
 * @text: set to its content; to be freed
 * @err: says what was wrong
 *
 * Return: SF_OK or why not.
 */
int sf_kernel_read_debugfs(const char *name, char **text, struct sf_error *err)
{
	char path[PATH_MAX];
	int error;

	snprintf(path, sizeof(path), SF_DEBUGFS "/%s", name);
	error = sf_kernel_read(path, text, NULL);
	return error ? sf_fail_debugfs(name, error, err) : SF_OK;
}

/**
 * sf_kernel_check_module - can we talk to the module?
 * @err: says why not
 *
 * Return: SF_OK if it is loaded, its files can be read and it speaks our ABI.
 */
int sf_kernel_check_module(struct sf_error *err)
{
	u64 abi = 0;
	char *text;

	if (!sf_kernel_has_module())
		return sf_fail(
			err, SF_FAILED,
			"the module is not loaded; load it: schedflip load");
	if (sf_kernel_read_debugfs("abi", &text, err))
		return err->code;
	text[strcspn(text, "\n")] = '\0';
	sf_clean_text(text);
	if (!sf_parse_number(text, &abi) || abi != SF_ABI)
		sf_fail(err, SF_FAILED,
			"the module speaks ABI \"%.20s\", this utility only %d; install both from one release",
			text, SF_ABI);
	free(text);
	return err->code;
}

static int sf_fail_command(int error, struct sf_error *err)
{
	char reason[1024] = "";

	if (error == -EAGAIN)
		return sf_fail(
			err, SF_FAILED,
			"the livepatch transition is not finished yet; try again in a few seconds");
	if (error == -EPERM || error == -EACCES)
		return sf_fail(
			err, SF_DENIED,
			"the kernel allows neither debugfs nor the module parameter to be written: %s",
			strerror(-error));
	if (error == -EINVAL || error == -ERANGE || error == -ENOENT ||
	    error == -ENODEV || error == -EOPNOTSUPP || error == -ESHUTDOWN ||
	    error == -EBUSY)
		sf_kernel_read_word(SF_DEBUGFS "/last_error", reason,
				    sizeof(reason));
	sf_clean_text(reason);
	if (*reason)
		return sf_fail(err, SF_FAILED, "%s", reason);
	return sf_fail(err, SF_FAILED, "the module refused the command: %s",
		       strerror(-error));
}

/**
 * sf_kernel_command - have the module carry out one command
 * @command: words as for the policy file, with the newline
 * @by_parameter: set if lockdown made us take the module parameter; if it is set already,
 *	debugfs is not even tried, as the kernel logs each time that it refused
 * @err: says why it was refused, in the module's own words
 *
 * Return: SF_OK or why not.
 */
int sf_kernel_command(const char *command, bool *by_parameter,
		      struct sf_error *err)
{
	int error = 0;

	if (!*by_parameter) {
		error = sf_kernel_write(SF_DEBUGFS "/policy", command);
		*by_parameter = error == -EPERM && !geteuid();
	}
	if (*by_parameter)
		error = sf_kernel_write(SF_PARAMETER, command);
	return error ? sf_fail_command(error, err) : SF_OK;
}
