/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All files that are written for the user: experiments, recordings, pictures. A file is
 * written beside its place and moved there once it is whole. All is done as the user who
 * called sudo, so that no name can lead root to where that user may not write.
 */
#ifndef SCHEDFLIP_WRITER_H
#define SCHEDFLIP_WRITER_H

#include <stddef.h>

#include "error.h"

struct sf_writer;

struct sf_writer *sf_writer_open(const char *path, struct sf_error *err);
struct sf_writer *sf_writer_open_shared(const char *path, struct sf_error *err);
int sf_writer_check(const char *path, struct sf_error *err);
int sf_writer_begin(struct sf_writer *writer, struct sf_error *err);
int sf_writer_put(struct sf_writer *writer, const void *data, size_t size);
int sf_writer_end(struct sf_writer *writer, struct sf_error *err);
int sf_writer_save(struct sf_writer *writer, const void *data, size_t size,
		   struct sf_error *err);
void sf_writer_drop(struct sf_writer *writer);
void sf_writer_close(struct sf_writer *writer);

#endif
