// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Everything that is looked up in the running kernel, and the only file that
 * knows how. Functions are reached by static_call: an address from kallsyms may
 * have lost its ENDBR, and an indirect call to it would die on IBT machines.
 */
#define pr_fmt(fmt) "schedflip: " fmt

#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/sched/topology.h>
#include <linux/slab.h>
#include <linux/sched/clock.h>
#include <linux/static_call.h>
#include <linux/tick.h>

#include "resolve.h"

struct sf_layout sf_layout;
struct sf_variables sf_variables;

static struct btf *sf_btf;

#define SF_DEFINE_CALL(name) DEFINE_STATIC_CALL_NULL(sf_##name, name);
SF_DEFINE_CALL(kallsyms_lookup_name)
SF_FUNCTIONS(SF_DEFINE_CALL)

#define SF_DEFINE_RET0(name) DEFINE_STATIC_CALL_RET0(sf_##name, name);
SF_OPTIONAL_FUNCTIONS(SF_DEFINE_RET0)

static const struct btf_type *sf_btf_type(const struct btf *btf, u32 id)
{
	return btf_type_by_id(btf, id);
}

static const char *sf_btf_name(const struct btf *btf, u32 offset)
{
	const char *name = static_call(sf_btf_name_by_offset)(btf, offset);

	return name ?: "";
}

static int sf_append(char *buf, size_t size, size_t len, const char *word)
{
	if (len < size)
		strscpy(buf + len, word, size - len);
	return strlen(word);
}

#include <schedflip/btf.h>

/* kallsyms_lookup_name() is not exported, but a kprobe finds it by name. */
static int sf_find_lookup(void)
{
	struct kprobe probe = { .symbol_name = "kallsyms_lookup_name" };
	int err = register_kprobe(&probe);

	if (err) {
		pr_err("not loaded: no kprobe on kallsyms_lookup_name (error %d); CONFIG_KPROBES and CONFIG_KALLSYMS are needed\n",
		       err);
		return err;
	}
	static_call_update(sf_kallsyms_lookup_name, (void *)probe.addr);
	unregister_kprobe(&probe);
	return 0;
}

static void *sf_find(const char *name)
{
	unsigned long address = static_call(sf_kallsyms_lookup_name)(name);

	if (!address)
		pr_err("not loaded: the kernel has no symbol %s\n", name);
	return (void *)address;
}

#define SF_FIND_FUNCTION(name)                          \
	do {                                            \
		void *address = sf_find(#name);         \
		if (!address)                           \
			return -ENOENT;                 \
		static_call_update(sf_##name, address); \
	} while (0);

static bool sf_has_tick;

bool sf_can_tell_tick(void)
{
	return sf_has_tick;
}

#define SF_FIND_OPTIONAL(name)                                       \
	do {                                                         \
		unsigned long address =                              \
			static_call(sf_kallsyms_lookup_name)(#name); \
		if (!address)                                        \
			break;                                       \
		static_call_update(sf_##name, (void *)address);      \
		sf_has_tick = true;                                  \
	} while (0);

static int sf_find_functions(void)
{
	SF_FUNCTIONS(SF_FIND_FUNCTION)
	SF_OPTIONAL_FUNCTIONS(SF_FIND_OPTIONAL)
	return 0;
}

#define SF_FIND_VARIABLE(name)                      \
	do {                                        \
		sf_variables.name = sf_find(#name); \
		if (!sf_variables.name)             \
			return -ENOENT;             \
	} while (0);

#define SF_FIND_OPTIONAL_VARIABLE(name) \
	sf_variables.name = (void *)static_call(sf_kallsyms_lookup_name)(#name);

static int sf_find_variables(void)
{
	SF_VARIABLES(SF_FIND_VARIABLE)
	SF_OPTIONAL_VARIABLES(SF_FIND_OPTIONAL_VARIABLE)
	return 0;
}

static int sf_find_btf(void)
{
	struct btf *btf = static_call(sf_bpf_get_btf_vmlinux)();

	if (IS_ERR_OR_NULL(btf)) {
		pr_err("not loaded: the kernel has no BTF; CONFIG_DEBUG_INFO_BTF is needed\n");
		return -EOPNOTSUPP;
	}
	sf_btf = btf;
	return 0;
}

static const struct btf_type *sf_find_type(const char *name, u8 kind)
{
	s32 id = static_call(sf_btf_find_by_name_kind)(sf_btf, name, kind);

	return id > 0 ? sf_btf_type(sf_btf, id) : NULL;
}

static int sf_find_offset(const char *name, const char *member, u32 *bytes)
{
	const struct btf_type *type = sf_find_type(name, BTF_KIND_STRUCT);

	return type ? sf_btf_offset(sf_btf, type, member, bytes) : SF_NO_MEMBER;
}

/* @built: offset the module was compiled with, or -1 if it has none. */
static int sf_check_offset(const char *name, const char *member, u32 bytes,
			   int built, bool optional, int *result)
{
	u32 found = 0;

	*result = sf_find_offset(name, member, &found);
	if (*result == SF_NO_MEMBER && optional)
		return 0;
	if (*result == SF_NO_MEMBER)
		pr_err("not loaded: struct %s has no member %s of %u bytes here\n",
		       name, member, bytes);
	else if (*result < 0)
		pr_err("not loaded: %s.%s is a bit field or there twice here, but the module knows one of %u bytes\n",
		       name, member, bytes);
	else if (found != bytes)
		pr_err("not loaded: %s.%s has %u bytes here, but the module knows one of %u%s\n",
		       name, member, found, bytes,
		       found && bytes ? "" : "; 0 is a struct or an array");
	else if (built >= 0 && built != *result)
		pr_err("not loaded: %s.%s is at offset %d here, but the module was built for %d; build it for this kernel\n",
		       name, member, *result, built);
	else
		return 0;
	return -EOPNOTSUPP;
}

#define SF_CHECK(struct_, member, bytes, built, optional)                  \
	do {                                                               \
		int err = sf_check_offset(#struct_, #member, bytes, built, \
					  optional,                        \
					  &sf_layout.struct_##__##member); \
		if (err)                                                   \
			return err;                                        \
	} while (0);
#define SF_CHECK_PRIVATE(s, m, bytes) SF_CHECK(s, m, bytes, -1, false)
#define SF_CHECK_PUBLIC(s, m, bytes) \
	SF_CHECK(s, m, bytes, offsetof(struct s, m), false)
#define SF_CHECK_OPTIONAL(s, m, bytes) SF_CHECK(s, m, bytes, -1, true)

static int sf_check_members(void)
{
	SF_MEMBERS(SF_CHECK_PRIVATE, SF_CHECK_PUBLIC, SF_CHECK_OPTIONAL)
	return 0;
}

/* The span follows the struct, so its size places the span. */
static int sf_check_span(void)
{
	const struct btf_type *type =
		sf_find_type("sched_domain", BTF_KIND_STRUCT);

	if (type && type->size == sizeof(struct sched_domain))
		return 0;
	pr_err("not loaded: struct sched_domain has %u bytes here, but the module was built for %zu; build it for this kernel\n",
	       type ? type->size : 0, sizeof(struct sched_domain));
	return -EOPNOTSUPP;
}

int sf_resolve(void)
{
	return sf_find_lookup()		   ?:
		       sf_find_functions() ?:
		       sf_find_variables() ?:
		       sf_find_btf()	   ?:
		       sf_check_members()  ?:
					     sf_check_span();
}

static int sf_check_prototype(const char *name, const char *prototype)
{
	const struct btf_type *func = sf_find_type(name, BTF_KIND_FUNC);
	char *found;
	int err = 0;

	if (!func) {
		pr_err("not loaded: the kernel's BTF does not describe %s\n",
		       name);
		return -EOPNOTSUPP;
	}
	found = kzalloc(256, GFP_KERNEL);
	if (!found)
		return -ENOMEM;
	sf_btf_prototype(sf_btf, func, found, 256);
	if (strcmp(found, prototype)) {
		pr_err("not loaded: %s is \"%s\" here, but the module knows \"%s\"\n",
		       name, found, prototype);
		err = -EOPNOTSUPP;
	}
	kfree(found);
	return err;
}

int sf_resolve_function(const char *name, const char *prototype,
			unsigned long *original)
{
	unsigned long address = static_call(sf_kallsyms_lookup_name)(name);
	unsigned long location;

	if (!address)
		return -ENOENT;
	location = static_call(sf_ftrace_location)(address);
	if (!location)
		return -ENOENT;
	*original = location + MCOUNT_INSN_SIZE;
	return sf_check_prototype(name, prototype);
}

unsigned long sf_resolve_size(const void *address)
{
	unsigned long size = 0, offset = 0;

	if (!static_call(sf_kallsyms_lookup_size_offset)((unsigned long)address,
							 &size, &offset))
		return 0;
	return size - offset;
}
