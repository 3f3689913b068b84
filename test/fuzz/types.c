// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel's BTF: the string section's length in two bytes, strings, and types. Their
 * header is added, as all but a few headers are refused by libbpf.
 */
#include "checks.h"

#include <linux/btf.h>

#include "needs.h"

static const char symbols[] = "0 t sched_balance_rq\n"
			      "0 t sched_balance_newidle\n"
			      "0 t select_task_rq_fair\n"
			      "0 t sched_balance_find_dst_group\n"
			      "0 t sched_feat_write\n";

/* The length of the strings is a whole number of words, as types are aligned. */
static void write_types(const u8 *data, size_t size)
{
	u32 strings = (data[0] | data[1] << 8) & ~3;
	struct btf_header header = { .magic = BTF_MAGIC,
				     .version = BTF_VERSION,
				     .hdr_len = sizeof(header) };
	u8 *buf = malloc(sizeof(header) + size);

	fuzz_check(buf != NULL, "memory is enough");
	data += 2;
	size -= 2;
	if (strings > size)
		strings = size & ~3;
	size &= ~3;
	header.str_len = strings;
	header.str_off = size - strings;
	header.type_len = size - strings;
	memcpy(buf, &header, sizeof(header));
	memcpy(buf + sizeof(header), data + strings, size - strings);
	memcpy(buf + sizeof(header) + size - strings, data, strings);
	fuzz_tree_write("/sys/kernel/btf/vmlinux", buf, sizeof(header) + size);
	free(buf);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	if (size < 2)
		return 0;
	if (!*fuzz_tree)
		fuzz_tree_write("/proc/kallsyms", symbols, strlen(symbols));
	write_types(data, size);
	fuzz_checklist(sf_needs_check);
	return 0;
}
