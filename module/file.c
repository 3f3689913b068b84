// SPDX-License-Identifier: GPL-2.0-or-later
#define pr_fmt(fmt) "schedflip: " fmt

#include <linux/compiler.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "control.h"
#include "file.h"
#include "refusal.h"

/*
 * Set for good when nothing can fail any more. The kernel frees a module whose init failed
 * whoever has a file of it open, so no file can be opened before; who is in an open
 * is waited for when the files are removed.
 */
static bool sf_files_opened;

/**
 * sf_file_can_open - can files be opened yet? If not: -EAGAIN
 */
bool sf_file_can_open(void)
{
	return READ_ONCE(sf_files_opened);
}

/**
 * sf_files_open - let the files be opened: the load can fail no more
 */
void sf_files_open(void)
{
	WRITE_ONCE(sf_files_opened, true);
}

/**
 * sf_file_open - as single_open(), once files can be opened
 * @file: to open
 * @show: prints it
 * @private: for @show
 *
 * Return: 0, -EAGAIN or -ENOMEM.
 */
int sf_file_open(struct file *file,
		 int (*show)(struct seq_file *m, void *unused), void *private)
{
	if (!sf_file_can_open())
		return -EAGAIN;
	return single_open(file, show, private);
}

/**
 * sf_files_add - make files
 * @files: of which to make all, or up to the first that cannot be made
 * @count: number of @files
 * @dir: where
 * @private: what each gets as its i_private
 *
 * Return: 0, or why one could not be made.
 */
int sf_files_add(const struct sf_file *files, size_t count, struct dentry *dir,
		 void *private)
{
	size_t i;
	int err = 0;

	for (i = 0; i < count && !err; i++)
		err = PTR_ERR_OR_ZERO(
			debugfs_create_file(files[i].name, files[i].mode, dir,
					    private, files[i].fops));
	return err;
}

/**
 * sf_file_command - the whole of a write, as a string
 * @buf: of the write
 * @count: likewise
 * @pos: likewise; one write is one command
 *
 * Return: to be freed by kfree(); or an error, with last_error set.
 */
char *sf_file_command(const char __user *buf, size_t count, loff_t *pos)
{
	char *text;

	if (*pos)
		return ERR_PTR(sf_refuse(
			-EINVAL,
			"write at offset %lld; a command is one write at offset 0",
			*pos));
	if (count > SF_COMMAND_MAX)
		return ERR_PTR(sf_refuse(-EINVAL,
					 "command of %zu bytes; allowed: 1..%d",
					 count, SF_COMMAND_MAX));
	text = memdup_user_nul(buf, count);
	if (IS_ERR(text))
		return text;
	if (strlen(text) == count)
		return text;
	kfree(text);
	return ERR_PTR(sf_refuse(-EINVAL, "command has a NUL byte in it"));
}
