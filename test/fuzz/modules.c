// SPDX-License-Identifier: GPL-2.0-or-later
/* modules.dep, which says where the module is. */
#include "fuzz.h"

#include "image.h"

#define RELEASE "7.3.4-fuzz"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	char file[256];

	if (!*fuzz_tree)
		fuzz_tree_write("/proc/sys/kernel/osrelease", RELEASE "\n",
				strlen(RELEASE) + 1);
	fuzz_tree_write("/lib/modules/" RELEASE "/modules.dep", data, size);
	if (!sf_image_find(file, sizeof(file)))
		fuzz_check(strnlen(file, sizeof(file)) < sizeof(file) &&
				   !strpbrk(file, ":\n") &&
				   strstr(file, "schedflip.ko"),
			   "it is the path of a module");
	return 0;
}
