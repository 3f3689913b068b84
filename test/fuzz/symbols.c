// SPDX-License-Identifier: GPL-2.0-or-later
/* /proc/kallsyms, on a kernel without BTF. */
#include "checks.h"

#include "needs.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	fuzz_tree_write("/proc/kallsyms", data, size);
	fuzz_checklist(sf_needs_check);
	return 0;
}
