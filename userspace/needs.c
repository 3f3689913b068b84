// SPDX-License-Identifier: GPL-2.0-or-later
#include <bpf/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <schedflip/needs.h>

#include "kernel.h"
#include "kerneltypes.h"
#include "needs.h"
#include "symbols.h"
#include "text.h"

#define SF_OTHER_KERNEL \
	"this kernel differs from the tested ones; report it, with its release"

#define SF_HOOK_ROW(id, group, symbol, older, required, prototype) \
	{ symbol, older, required, prototype },
static const struct sf_need_hook {
	const char *symbol;
	const char *older;
	bool required;
	const char *prototype;
} sf_need_hooks[] = { SF_HOOKS(SF_HOOK_ROW) };

/* Without it kallsyms has functions only. */
#define SF_NO_VARIABLES \
	"follows from CONFIG_KALLSYMS_ALL: take a kernel with CONFIG_KALLSYMS_ALL=y"

#define SF_SYMBOL_ROW(name) #name,
static const char *const sf_need_functions[] = { SF_FUNCTIONS(SF_SYMBOL_ROW) };
static const char *const sf_need_variables[] = { SF_VARIABLES(SF_SYMBOL_ROW) };

#define SF_REQUIRED_ROW(name, member, bytes) { #name, #member, bytes, true },
#define SF_OPTIONAL_ROW(name, member, bytes) { #name, #member, bytes, false },
static const struct sf_need_member {
	const char *name;
	const char *member;
	u32 bytes;
	bool required;
} sf_need_members[] = { SF_MEMBERS(SF_REQUIRED_ROW, SF_REQUIRED_ROW,
				   SF_OPTIONAL_ROW) };

/**
 * sf_needs_has_function - is this one of the functions we replace?
 * @name: of a function
 */
bool sf_needs_has_function(const char *name)
{
	size_t i;

	for (i = 0; i < SF_ARRAY_SIZE(sf_need_hooks); i++)
		if (!strcmp(sf_need_hooks[i].symbol, name) ||
		    (sf_need_hooks[i].older &&
		     !strcmp(sf_need_hooks[i].older, name)))
			return true;
	return false;
}

static void sf_needs_check_prototype(struct sf_checklist *list,
				     const struct sf_need_hook *hook,
				     const char *symbol, const struct btf *btf)
{
	char found[512];

	if (!btf)
		sf_checklist_add(list, SF_STATUS_UNKNOWN, SF_OK, symbol,
				 "see BTF above",
				 "there, but not its prototype");
	else if (!sf_types_prototype(btf, symbol, found, sizeof(found)))
		sf_checklist_add(list, SF_STATUS_MISSING, SF_UNSUPPORTED,
				 symbol, SF_OTHER_KERNEL,
				 "BTF does not describe it");
	else if (strcmp(found, hook->prototype))
		sf_checklist_add(list, SF_STATUS_MISSING, SF_UNSUPPORTED,
				 symbol, SF_OTHER_KERNEL,
				 "it is \"%s\", not \"%s\"", found,
				 hook->prototype);
	else
		sf_checklist_add(list, SF_STATUS_OK, SF_OK, symbol, NULL,
				 "prototype as known");
}

static void sf_needs_no_hook(struct sf_checklist *list, const char *symbols,
			     const struct sf_need_hook *hook)
{
	char variant[128];

	sf_symbols_variant(symbols, hook->symbol, variant, sizeof(variant));
	if (!hook->required)
		sf_checklist_add(list, SF_STATUS_OK, SF_OK, hook->symbol, NULL,
				 "absent, fine%s%s",
				 *variant ? "; there is " : "", variant);
	else
		sf_checklist_add(list, SF_STATUS_MISSING, SF_UNSUPPORTED,
				 hook->symbol, SF_OTHER_KERNEL,
				 "no such function%s%s",
				 *variant ? "; there is only " : "", variant);
}

static void sf_needs_check_hook(struct sf_checklist *list, const char *symbols,
				const struct btf *btf,
				const struct sf_need_hook *hook)
{
	const char *symbol = hook->symbol;
	unsigned int count = sf_symbols_count(symbols, symbol);

	if (!count && hook->older) {
		symbol = hook->older;
		count = sf_symbols_count(symbols, symbol);
	}
	if (count == 1)
		sf_needs_check_prototype(list, hook, symbol, btf);
	else if (count)
		sf_checklist_add(list, SF_STATUS_MISSING, SF_UNSUPPORTED,
				 symbol, SF_OTHER_KERNEL,
				 "%u functions of this name", count);
	else
		sf_needs_no_hook(list, symbols, hook);
}

static void sf_needs_check_symbol(struct sf_checklist *list,
				  const char *symbols, const char *name,
				  const char *remedy)
{
	unsigned int count = sf_symbols_count(symbols, name);

	if (count == 1)
		sf_checklist_add(list, SF_STATUS_OK, SF_OK, name, NULL,
				 "there");
	else
		sf_checklist_add(list, SF_STATUS_MISSING, SF_UNSUPPORTED, name,
				 remedy, "%u symbols of this name, not 1",
				 count);
}

static bool sf_needs_has_variables(const char *symbols)
{
	size_t i;

	for (i = 0; i < SF_ARRAY_SIZE(sf_need_variables); i++)
		if (sf_symbols_count(symbols, sf_need_variables[i]))
			return true;
	return false;
}

static void sf_needs_check_variables(struct sf_checklist *list,
				     const char *symbols)
{
	const char *remedy = sf_needs_has_variables(symbols) ? SF_OTHER_KERNEL :
							       SF_NO_VARIABLES;
	size_t i;

	for (i = 0; i < SF_ARRAY_SIZE(sf_need_variables); i++)
		sf_needs_check_symbol(list, symbols, sf_need_variables[i],
				      remedy);
}

static void sf_needs_check_member(struct sf_checklist *list,
				  const struct btf *btf,
				  const struct sf_need_member *need)
{
	int offset =
		sf_types_offset(btf, need->name, need->member, need->bytes);
	char member[128];

	snprintf(member, sizeof(member), "%s.%s", need->name, need->member);
	if (offset >= 0)
		sf_checklist_add(list, SF_STATUS_OK, SF_OK, member, NULL,
				 "offset %d", offset);
	else if (offset == -1 && !need->required)
		sf_checklist_add(list, SF_STATUS_OK, SF_OK, member, NULL,
				 "absent, fine");
	else
		sf_checklist_add(list, SF_STATUS_MISSING, SF_UNSUPPORTED,
				 member, SF_OTHER_KERNEL,
				 offset == -1 ? "no such member" :
						"not a member of %u bytes",
				 need->bytes);
}

static struct btf *sf_needs_check_btf(struct sf_checklist *list)
{
	const char *path = "/sys/kernel/btf/vmlinux";
	struct btf *btf = sf_types_open();

	if (btf)
		sf_checklist_add(list, SF_STATUS_OK, SF_OK, "BTF", NULL, "%s",
				 path);
	else if (sf_kernel_exists(path))
		sf_checklist_add(list, SF_STATUS_UNKNOWN, SF_OK, "BTF",
				 "a newer libbpf may read it",
				 "libbpf can't read %s", path);
	else
		sf_checklist_add(list, SF_STATUS_MISSING, SF_UNSUPPORTED, "BTF",
				 "take a kernel with CONFIG_DEBUG_INFO_BTF=y",
				 "no %s", path);
	return btf;
}

static void sf_needs_check_symbols(struct sf_checklist *list,
				   const struct btf *btf)
{
	char *symbols;
	size_t i;

	if (sf_kernel_read("/proc/kallsyms", &symbols, NULL)) {
		sf_checklist_add(list, SF_STATUS_UNKNOWN, SF_OK, "symbols",
				 "take a kernel with CONFIG_KALLSYMS_ALL=y",
				 "no /proc/kallsyms");
		return;
	}
	for (i = 0; i < SF_ARRAY_SIZE(sf_need_hooks); i++)
		sf_needs_check_hook(list, symbols, btf, &sf_need_hooks[i]);
	for (i = 0; i < SF_ARRAY_SIZE(sf_need_functions); i++)
		sf_needs_check_symbol(list, symbols, sf_need_functions[i],
				      SF_OTHER_KERNEL);
	sf_needs_check_variables(list, symbols);
	free(symbols);
}

/**
 * sf_needs_check - does the kernel have what include/schedflip/needs.h lists?
 * @list: gets a row each
 */
void sf_needs_check(struct sf_checklist *list)
{
	struct btf *btf = sf_needs_check_btf(list);
	size_t i;

	sf_needs_check_symbols(list, btf);
	for (i = 0; btf && i < SF_ARRAY_SIZE(sf_need_members); i++)
		sf_needs_check_member(list, btf, &sf_need_members[i]);
	btf__free(btf);
}
