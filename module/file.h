/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What all files in debugfs have in common. */
#ifndef SCHEDFLIP_FILE_H
#define SCHEDFLIP_FILE_H

#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/seq_file.h>

/**
 * struct sf_file - a file to make
 * @name: of the file
 * @mode: of the file
 * @fops: whose open goes by sf_file_can_open()
 */
struct sf_file {
	const char *name;
	umode_t mode;
	const struct file_operations *fops;
};

bool sf_file_can_open(void);
void sf_files_open(void);
int sf_file_open(struct file *file,
		 int (*show)(struct seq_file *m, void *unused), void *private);
int sf_files_add(const struct sf_file *files, size_t count, struct dentry *dir,
		 void *private);
char *sf_file_command(const char __user *buf, size_t count, loff_t *pos);

/* As DEFINE_SHOW_ATTRIBUTE(), for a file that can be opened when all are. */
#define SF_SHOW_FILE(name)                                                \
	static int name##_open(struct inode *inode, struct file *file)    \
	{                                                                 \
		return sf_file_open(file, name##_show, inode->i_private); \
	}                                                                 \
	static const struct file_operations name##_fops = {               \
		.owner = THIS_MODULE,                                     \
		.open = name##_open,                                      \
		.read = seq_read,                                         \
		.llseek = seq_lseek,                                      \
		.release = single_release,                                \
	}

#endif
