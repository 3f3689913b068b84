// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes the running kernel look like another one to schedflip as it is loaded: without
 * a symbol, without BTF, with other structs and prototypes. Probes change what the
 * functions are asked or answer by which module/resolve.c looks at the kernel, for the
 * processes that load modules and for nobody else.
 */
#define pr_fmt(fmt) "sfdoctor: " fmt

#include <linux/btf.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/pgtable.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/static_call.h>
#include <linux/string.h>

#include <schedflip/needs.h>

#include "faults.h"
#include "types.h"

/* Probes that may be on their way out of a function at once. */
#define SFD_MAX_ACTIVE 64

static unsigned long sfd_told;
module_param_named(told, sfd_told, ulong, 0444);
MODULE_PARM_DESC(told, "lies told since the faults were set");

static bool sfd_is_live;

DEFINE_STATIC_CALL_NULL(sfd_kallsyms_lookup_name, kallsyms_lookup_name);

static bool sfd_is_asked_by_load(void)
{
	return READ_ONCE(sfd_is_live) && (!strcmp(current->comm, "modprobe") ||
					  !strcmp(current->comm, "insmod") ||
					  !strcmp(current->comm, "schedflip"));
}

/* Return: what to say in place of a name, or NULL. */
static const char *sfd_other_name(const struct sfd_fault *faults, int count,
				  const char *name)
{
	int i;

	for (i = 0; i < count; i++)
		if (!strcmp(faults[i].name, name))
			return faults[i].to;
	return NULL;
}

static void sfd_change_name(const struct sfd_fault *faults, int count,
			    unsigned long *name)
{
	const char *other;

	if (!count || !sfd_is_asked_by_load())
		return;
	other = sfd_other_name(faults, count, (const char *)*name);
	if (!other)
		return;
	*name = (unsigned long)other;
	sfd_told++;
}

static int sfd_ask_symbol(struct kprobe *probe, struct pt_regs *regs)
{
	sfd_change_name(sfd_faults.symbols, sfd_faults.nr_symbols, &regs->di);
	return 0;
}

static int sfd_ask_type(struct kprobe *probe, struct pt_regs *regs)
{
	sfd_change_name(sfd_faults.types, sfd_faults.nr_types, &regs->si);
	return 0;
}

/*
 * Return: 0 to see the answer. The kernel itself asks for types as it loads a module, and
 * would refuse one whose BTF does not go with the lies; on top of the stack is who asks.
 */
static int sfd_ask(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	unsigned long caller = *(unsigned long *)regs->sp;

	return !sfd_is_asked_by_load() || caller < MODULES_VADDR ||
	       caller >= MODULES_END;
}

static int sfd_answer_btf(struct kretprobe_instance *instance,
			  struct pt_regs *regs)
{
	if (!sfd_faults.hide_btf)
		return 0;
	regs->ax = (unsigned long)sfd_faults.no_btf;
	sfd_told++;
	return 0;
}

static int sfd_answer_type(struct kretprobe_instance *instance,
			   struct pt_regs *regs)
{
	const struct btf_type *doctored = sfd_types_doctored((void *)regs->ax);

	if (!doctored)
		return 0;
	regs->ax = (unsigned long)doctored;
	sfd_told++;
	return 0;
}

static struct kprobe sfd_symbol_probe = {
	.symbol_name = "kallsyms_lookup_name",
	.pre_handler = sfd_ask_symbol,
};

static struct kprobe sfd_find_probe = {
	.symbol_name = "btf_find_by_name_kind",
	.pre_handler = sfd_ask_type,
};

static struct kretprobe sfd_btf_probe = {
	.kp.symbol_name = "bpf_get_btf_vmlinux",
	.entry_handler = sfd_ask,
	.handler = sfd_answer_btf,
	.maxactive = SFD_MAX_ACTIVE,
};

static struct kretprobe sfd_type_probe = {
	.kp.symbol_name = "btf_type_by_id",
	.entry_handler = sfd_ask,
	.handler = sfd_answer_type,
	.maxactive = SFD_MAX_ACTIVE,
};

/**
 * sfd_lookup - the address of a symbol
 * @name: of it
 *
 * Return: 0 if there is none.
 */
unsigned long sfd_lookup(const char *name)
{
	return static_call(sfd_kallsyms_lookup_name)(name);
}

static int sfd_set(const char *value, const struct kernel_param *param)
{
	char *words = kstrdup(value, GFP_KERNEL);
	int err;

	if (!words)
		return -ENOMEM;
	WRITE_ONCE(sfd_is_live, false);
	sfd_told = 0;
	err = sfd_faults_set(words);
	WRITE_ONCE(sfd_is_live, !err);
	kfree(words);
	return err;
}

static const struct kernel_param_ops sfd_set_ops = { .set = sfd_set };
module_param_cb(faults, &sfd_set_ops, NULL, 0200);
MODULE_PARM_DESC(faults,
		 "what looks different from now on; see faults.c and types.c");

#define SFD_HOOK(id, group, symbol, older, required, prototype) \
	{ symbol, older, required },
static const struct {
	const char *symbol;
	const char *older;
	bool required;
} sfd_hooks[] = { SF_HOOKS(SFD_HOOK) };

#define SFD_FUNCTION(name) "function " #name "\n"
#define SFD_VARIABLE(name) "variable " #name "\n"
#define SFD_EXTRA(name) "extra " #name "\n"
#define SFD_PRIVATE(name, member, bytes) "private " #name "." #member "\n"
#define SFD_PUBLIC(name, member, bytes) "public " #name "." #member "\n"
#define SFD_OPTIONAL(name, member, bytes) "optional " #name "." #member "\n"

static const char sfd_needs[] = SF_FUNCTIONS(SFD_FUNCTION)
	SF_VARIABLES(SFD_VARIABLE) SF_OPTIONAL_FUNCTIONS(SFD_EXTRA)
		SF_OPTIONAL_VARIABLES(SFD_EXTRA)
			SF_MEMBERS(SFD_PRIVATE, SFD_PUBLIC, SFD_OPTIONAL);

/* A hook's name is the first that this kernel has. */
static int sfd_get_needs(char *buf, const struct kernel_param *param)
{
	int i, len = scnprintf(buf, PAGE_SIZE, "%s", sfd_needs);

	for (i = 0; i < ARRAY_SIZE(sfd_hooks); i++) {
		const char *symbol = sfd_hooks[i].symbol;

		if (!sfd_lookup(symbol))
			symbol = sfd_hooks[i].older;
		if (symbol && sfd_lookup(symbol))
			len += scnprintf(buf + len, PAGE_SIZE - len, "%s %s\n",
					 sfd_hooks[i].required ? "hook" :
								 "spare",
					 symbol);
	}
	return len;
}

static const struct kernel_param_ops sfd_needs_ops = { .get = sfd_get_needs };
module_param_cb(needs, &sfd_needs_ops, NULL, 0444);
MODULE_PARM_DESC(
	needs, "what schedflip needs of this kernel, a kind and a name a line");

static int __init sfd_init(void)
{
	int err = register_kprobe(&sfd_symbol_probe);

	if (err)
		return err;
	static_call_update(sfd_kallsyms_lookup_name,
			   (void *)sfd_symbol_probe.addr);
	err = sfd_types_init();
	if (err)
		goto unregister_symbol;
	err = register_kprobe(&sfd_find_probe);
	if (err)
		goto unregister_symbol;
	err = register_kretprobe(&sfd_btf_probe);
	if (err)
		goto unregister_find;
	err = register_kretprobe(&sfd_type_probe);
	if (err)
		goto unregister_btf;
	return 0;

unregister_btf:
	unregister_kretprobe(&sfd_btf_probe);
unregister_find:
	unregister_kprobe(&sfd_find_probe);
unregister_symbol:
	unregister_kprobe(&sfd_symbol_probe);
	return err;
}

static void __exit sfd_exit(void)
{
	unregister_kretprobe(&sfd_type_probe);
	unregister_kretprobe(&sfd_btf_probe);
	unregister_kprobe(&sfd_find_probe);
	unregister_kprobe(&sfd_symbol_probe);
	sfd_types_reset();
}

module_init(sfd_init);
module_exit(sfd_exit);

MODULE_DESCRIPTION("Makes the kernel look different to schedflip");
MODULE_LICENSE("GPL");
