// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where the functions are. The same ways as the module's resolve.c, and by
 * static_call for the same reason: the kernel may have sealed what it never
 * calls by pointer.
 */
#define pr_fmt(fmt) "sfbench: " fmt

#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/static_call.h>

#include "find.h"

DEFINE_STATIC_CALL_NULL(sfb_kallsyms_lookup_name, kallsyms_lookup_name);
DEFINE_STATIC_CALL_NULL(sfb_ftrace_location, ftrace_location);

/**
 * sfb_find_init - get hold of kallsyms_lookup_name(), which is not exported
 *
 * Return: 0, or why not.
 */
int sfb_find_init(void)
{
	struct kprobe probe = { .symbol_name = "kallsyms_lookup_name" };
	unsigned long location;
	int err = register_kprobe(&probe);

	if (err) {
		pr_err("no kprobe on kallsyms_lookup_name (error %d)\n", err);
		return err;
	}
	static_call_update(sfb_kallsyms_lookup_name, (void *)probe.addr);
	unregister_kprobe(&probe);

	location = sfb_find("ftrace_location");
	if (!location) {
		pr_err("the kernel has no ftrace_location\n");
		return -ENOENT;
	}
	static_call_update(sfb_ftrace_location, (void *)location);
	return 0;
}

/**
 * sfb_find - the address of a symbol
 * @name: "symbol", or "module:symbol"
 *
 * Return: 0 if there is none.
 */
unsigned long sfb_find(const char *name)
{
	return static_call(sfb_kallsyms_lookup_name)(name);
}

/**
 * sfb_find_body - where a function begins behind what ftrace may have patched
 * @function: its entry
 *
 * Return: 0 if ftrace cannot patch it.
 */
unsigned long sfb_find_body(unsigned long function)
{
	unsigned long location = static_call(sfb_ftrace_location)(function);

	return location ? location + MCOUNT_INSN_SIZE : 0;
}
