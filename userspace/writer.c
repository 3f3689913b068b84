// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/openat2.h>

#include "privilege.h"
#include "writer.h"

/* So much of a name is in that of the temporary, which must not be too long. */
#define SF_MAX_STEM 200

/**
 * struct sf_writer - a place for a file, and the file while it is written
 * @path: as the user named it
 * @user: who called sudo, or NULL
 * @name: in its directory
 * @temporary: in its directory, what it is called until it is whole
 * @directory: open; stays the same, whatever becomes of its name
 * @shared: all may read the file
 * @as_root: also if a user called sudo
 * @fd: of the file that was begun, or -1
 * @error: negative errno, once a write failed
 */
struct sf_writer {
	char *path;
	const char *user;
	const char *name;
	char temporary[NAME_MAX + 1];
	int directory;
	bool shared;
	bool as_root;
	int fd;
	int error;
};

static int sf_writer_lower(const struct sf_writer *writer,
			   struct sf_privilege *kept, struct sf_error *err)
{
	memset(kept, 0, sizeof(*kept));
	return writer->as_root ? SF_OK : sf_privilege_lower(kept, err);
}

static int sf_writer_fail(const struct sf_writer *writer, int error,
			  struct sf_error *err)
{
	const char *user =
		error == EACCES || error == EPERM ? writer->user : NULL;

	return sf_fail(err, SF_FAILED, "cannot write %.400s%s%s%s: %s",
		       writer->path, user ? " as " : "", user ? user : "",
		       user ? ", who called sudo" : "", strerror(error));
}

/* In a directory such as /tmp nobody replaces a file of somebody else. */
static bool sf_writer_is_kept(const struct sf_writer *writer,
			      const struct stat *file)
{
	struct stat directory;

	return geteuid() && file->st_uid != geteuid() &&
	       !fstat(writer->directory, &directory) &&
	       directory.st_mode & S_ISVTX && directory.st_uid != geteuid();
}

/* It would be replaced, so it must be a file, and neither a device nor a link to one. */
static int sf_writer_check_target(const struct sf_writer *writer,
				  struct sf_error *err)
{
	struct stat stat;

	if (fstatat(writer->directory, writer->name, &stat,
		    AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? SF_OK :
					 sf_writer_fail(writer, errno, err);
	if (S_ISREG(stat.st_mode))
		return sf_writer_is_kept(writer, &stat) ?
			       sf_writer_fail(writer, EPERM, err) :
			       SF_OK;
	if (S_ISLNK(stat.st_mode))
		return sf_fail(
			err, SF_FAILED,
			"cannot write %.400s: it is a symbolic link; name the file that it leads to",
			writer->path);
	return sf_fail(
		err, SF_FAILED,
		"cannot write %.400s: it is there, but is no plain file; give another name",
		writer->path);
}

static int sf_writer_create(struct sf_writer *writer, struct sf_error *err)
{
	if (sf_writer_check_target(writer, err))
		return err->code;
	/* Of one who was killed and had our number. */
	unlinkat(writer->directory, writer->temporary, 0);
	writer->fd =
		openat(writer->directory, writer->temporary,
		       O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		       0666);
	writer->error = 0;
	if (writer->fd < 0)
		return sf_writer_fail(writer, errno, err);
	/* Whatever the umask is. */
	if (writer->shared && fchmod(writer->fd, 0644))
		writer->error = -errno;
	return SF_OK;
}

/* Return: 0 or an errno. */
static int sf_writer_shut(struct sf_writer *writer)
{
	int error = -writer->error;

	/* Some file systems tell only now that the disk is full. */
	if (!error && fsync(writer->fd))
		error = errno;
	if (close(writer->fd) && !error)
		error = errno;
	writer->fd = -1;
	return error;
}

static int sf_writer_place(struct sf_writer *writer, struct sf_error *err)
{
	int error = sf_writer_shut(writer);

	if (error)
		sf_writer_fail(writer, error, err);
	else if (!sf_writer_check_target(writer, err) &&
		 renameat(writer->directory, writer->temporary,
			  writer->directory, writer->name))
		sf_writer_fail(writer, errno, err);
	if (err->code)
		unlinkat(writer->directory, writer->temporary, 0);
	return err->code;
}

/* Only root can have put there what is there. */
static bool sf_writer_is_roots(const struct sf_writer *writer)
{
	struct stat directory;

	return !fstat(writer->directory, &directory) && !directory.st_uid &&
	       !(directory.st_mode & (S_IWGRP | S_IWOTH));
}

/* Where root writes a file for all, nobody's link leads it elsewhere. */
static int sf_writer_open_directory(const struct sf_writer *writer,
				    const char *directory)
{
	struct open_how how = {
		.flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
		.resolve = RESOLVE_NO_SYMLINKS,
	};

	if (!writer->shared || geteuid())
		return open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return syscall(SYS_openat2, AT_FDCWD, directory, &how, sizeof(how));
}

static int sf_writer_fail_directory(const struct sf_writer *writer, int error,
				    struct sf_error *err)
{
	if (error != ELOOP)
		return sf_writer_fail(writer, error, err);
	return sf_fail(
		err, SF_FAILED,
		"cannot write %.400s: a directory of it is a symbolic link, which root does not follow; name the directory that it leads to",
		writer->path);
}

static int sf_writer_enter(struct sf_writer *writer, struct sf_error *err)
{
	const char *end = writer->name;
	char directory[PATH_MAX] = ".";

	if (!*end)
		return sf_writer_fail(writer, *writer->path ? EISDIR : ENOENT,
				      err);
	if ((size_t)(end - writer->path) >= sizeof(directory) ||
	    strlen(end) > NAME_MAX)
		return sf_writer_fail(writer, ENAMETOOLONG, err);
	if (end > writer->path)
		snprintf(directory, sizeof(directory), "%.*s",
			 (int)(end - writer->path), writer->path);
	writer->directory = sf_writer_open_directory(writer, directory);
	if (writer->directory < 0)
		return sf_writer_fail_directory(writer, errno, err);
	if (writer->as_root && !sf_writer_is_roots(writer))
		return sf_writer_fail(writer, EACCES, err);
	/* Found out now, and not when there is something to write. */
	if (!sf_writer_create(writer, err))
		unlinkat(writer->directory, writer->temporary, 0);
	return err->code;
}

static struct sf_writer *sf_writer_new(const char *path)
{
	struct sf_writer *writer = calloc(1, sizeof(*writer));
	const char *slash;

	if (writer)
		writer->path = strdup(path);
	if (!writer || !writer->path) {
		free(writer);
		return NULL;
	}
	slash = strrchr(writer->path, '/');
	writer->name = slash ? slash + 1 : writer->path;
	snprintf(writer->temporary, sizeof(writer->temporary), "%.*s.%d.part",
		 SF_MAX_STEM, writer->name, (int)getpid());
	writer->user = sf_privilege_user();
	writer->directory = -1;
	writer->fd = -1;
	return writer;
}

static struct sf_writer *sf_writer_make(const char *path, bool shared,
					bool as_root, struct sf_error *err)
{
	struct sf_writer *writer = sf_writer_new(path);
	struct sf_privilege kept;

	if (!writer) {
		sf_fail(err, SF_FAILED, "out of memory");
		return NULL;
	}
	writer->shared = shared;
	writer->as_root = as_root;
	if (!sf_writer_lower(writer, &kept, err))
		sf_writer_enter(writer, err);
	sf_privilege_raise(&kept, err);
	if (writer->fd >= 0)
		close(writer->fd);
	writer->fd = -1;
	if (!err->code)
		return writer;
	sf_writer_close(writer);
	return NULL;
}

/**
 * sf_writer_open_shared - take a place for a file that all may read
 * @path: of the file
 * @err: says why no file can be written there
 *
 * As sf_writer_open(), but it has mode 0644, root follows no symbolic link to its directory,
 * and under sudo, where the user may not write, root does if the directory is root's
 * alone, such as /etc.
 *
 * Return: what is to be given to sf_writer_close(); NULL after an error.
 */
struct sf_writer *sf_writer_open_shared(const char *path, struct sf_error *err)
{
	struct sf_writer *writer = sf_writer_make(path, true, false, err);
	struct sf_error failed = { .code = SF_OK };

	if (writer || !sf_privilege_user())
		return writer;
	writer = sf_writer_make(path, true, true, &failed);
	if (writer)
		err->code = SF_OK;
	return writer;
}

/**
 * sf_writer_open - take a place for a file
 * @path: of the file
 * @err: says why no file can be written there
 *
 * The directory is looked up here, and never again. What is in the file's place must be a
 * plain file, if anything.
 *
 * Return: what is to be given to sf_writer_close(); NULL after an error.
 */
struct sf_writer *sf_writer_open(const char *path, struct sf_error *err)
{
	return sf_writer_make(path, false, false, err);
}

/**
 * sf_writer_check - could a file be written here?
 * @path: of the file
 * @err: says why not
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_writer_check(const char *path, struct sf_error *err)
{
	struct sf_writer *writer = sf_writer_open(path, err);

	if (writer)
		sf_writer_close(writer);
	return err->code;
}

/**
 * sf_writer_begin - begin a file; what was in its place stays for now
 * @writer: from sf_writer_open()
 * @err: says what was wrong
 *
 * Return: SF_OK, then sf_writer_end() or sf_writer_drop() must follow; or SF_FAILED.
 */
int sf_writer_begin(struct sf_writer *writer, struct sf_error *err)
{
	struct sf_privilege kept;

	if (!sf_writer_lower(writer, &kept, err))
		sf_writer_create(writer, err);
	if (sf_privilege_raise(&kept, err))
		sf_writer_drop(writer);
	return err->code;
}

/**
 * sf_writer_put - write to a file that was begun
 * @writer: from sf_writer_begin()
 * @data: what to write
 * @size: of @data
 *
 * Return: 0, or a negative errno; once it failed, it fails again, and so does
 * sf_writer_end().
 */
int sf_writer_put(struct sf_writer *writer, const void *data, size_t size)
{
	const char *from = data;
	ssize_t len;

	while (size && !writer->error) {
		len = write(writer->fd, from, size);
		if (len < 0 && errno != EINTR)
			writer->error = -errno;
		if (len > 0) {
			from += len;
			size -= len;
		}
	}
	return writer->error;
}

/**
 * sf_writer_end - put a file in its place, at one moment
 * @writer: from sf_writer_begin()
 * @err: says what was wrong; then what was in its place still is
 *
 * Return: SF_OK or SF_FAILED; both ways another file can be begun.
 */
int sf_writer_end(struct sf_writer *writer, struct sf_error *err)
{
	struct sf_privilege kept;

	if (sf_writer_lower(writer, &kept, err))
		sf_writer_drop(writer);
	else
		sf_writer_place(writer, err);
	return sf_privilege_raise(&kept, err);
}

/**
 * sf_writer_save - write a whole file
 * @writer: from sf_writer_open()
 * @data: what to write
 * @size: of @data
 * @err: says what was wrong; then what was in its place still is
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_writer_save(struct sf_writer *writer, const void *data, size_t size,
		   struct sf_error *err)
{
	if (sf_writer_begin(writer, err))
		return err->code;
	sf_writer_put(writer, data, size);
	return sf_writer_end(writer, err);
}

/**
 * sf_writer_drop - give a file up; what was in its place stays
 * @writer: from sf_writer_open(); nothing happens if no file was begun
 */
void sf_writer_drop(struct sf_writer *writer)
{
	struct sf_error ignored = { .code = SF_OK };
	struct sf_privilege kept;

	if (writer->fd < 0)
		return;
	close(writer->fd);
	writer->fd = -1;
	if (!sf_writer_lower(writer, &kept, &ignored))
		unlinkat(writer->directory, writer->temporary, 0);
	sf_privilege_raise(&kept, &ignored);
}

/**
 * sf_writer_close - be done with a place; a file that was begun is given up
 * @writer: from sf_writer_open()
 */
void sf_writer_close(struct sf_writer *writer)
{
	sf_writer_drop(writer);
	if (writer->directory >= 0)
		close(writer->directory);
	free(writer->path);
	free(writer);
}
