/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_IMAGE_H
#define SCHEDFLIP_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "error.h"

/**
 * struct sf_image - a module in a file
 * @name: of the module
 * @release: of the kernel it was built for
 * @has_versions: it carries the versions of the symbols that it needs, so the
 *	kernel may take it although it was built for another release
 * @is_signed: a signature is appended; by whom is not known
 */
struct sf_image {
	char name[64];
	char release[128];
	bool has_versions;
	bool is_signed;
};

int sf_image_open(const char *file, int *fd, struct sf_image *image,
		  struct sf_error *err);
int sf_image_find(char *file, size_t size);

#endif
