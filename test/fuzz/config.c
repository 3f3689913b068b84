// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel's configuration, which may be compressed. */
#include "checks.h"

#include "config.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	if (!*fuzz_tree)
		fuzz_tree_write("/proc/sys/kernel/osrelease", FUZZ_RELEASE "\n",
				strlen(FUZZ_RELEASE) + 1);
	fuzz_tree_write("/boot/config-" FUZZ_RELEASE, data, size);
	fuzz_checklist(sf_config_check);
	return 0;
}
