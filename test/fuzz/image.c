// SPDX-License-Identifier: GPL-2.0-or-later
/* A module's file. */
#include "fuzz.h"

#include "image.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct sf_error err = { .code = SF_OK };
	struct sf_image image;
	int fd, code;

	code = sf_image_open(fuzz_path(data, size), &fd, &image, &err);
	fuzz_error(code, &err);
	fuzz_check(!code == (fd >= 0), "there is a file or an error");
	fuzz_check(code || (!strcmp(image.name, "schedflip") && *image.release),
		   "it is schedflip, for some kernel");
	if (fd >= 0)
		close(fd);
	return 0;
}
