// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the user wants the kernel to look like: words, separated by blanks.
 */
#define pr_fmt(fmt) "sfdoctor: " fmt

#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/printk.h>
#include <linux/string.h>

#include "faults.h"
#include "types.h"

struct sfd_faults sfd_faults;

static int sfd_add(struct sfd_fault *faults, int *count, const char *name,
		   const char *to)
{
	if (*count == SFD_MAX_FAULTS)
		return -E2BIG;
	if (strscpy(faults[*count].name, name, SFD_NAME_SIZE) < 0)
		return -ENAMETOOLONG;
	faults[(*count)++].to = to;
	return 0;
}

static int sfd_lie(const char *name, const char *to)
{
	return sfd_add(sfd_faults.symbols, &sfd_faults.nr_symbols, name, to);
}

static int sfd_no_btf(const char *how)
{
	if (!strcmp(how, "null"))
		sfd_faults.no_btf = NULL;
	else if (!strcmp(how, "error"))
		sfd_faults.no_btf = ERR_PTR(-EINVAL);
	else
		return -EINVAL;
	sfd_faults.hide_btf = true;
	return 0;
}

/*
 * hide=SYMBOL          kallsyms does not have it
 * untraced=SYMBOL      it is at an address that ftrace cannot hook
 * other=VARIABLE       it is at the address of one that is not 0
 * nobtf=null|error     the kernel has no BTF
 * untyped=NAME         BTF has neither function nor struct of that name
 *
 * All others change a type; see sfd_types_change().
 */
static int sfd_fault_set(const char *fault, char *name)
{
	if (!strcmp(fault, "hide"))
		return sfd_lie(name, "no such symbol");
	if (!strcmp(fault, "untraced"))
		return sfd_lie(name, "runqueues");
	if (!strcmp(fault, "other"))
		return sfd_lie(name, "nr_cpu_ids");
	if (!strcmp(fault, "nobtf"))
		return sfd_no_btf(name);
	if (!strcmp(fault, "untyped"))
		return sfd_add(sfd_faults.types, &sfd_faults.nr_types, name,
			       "no such type");
	return sfd_types_change(fault, name);
}

/**
 * sfd_faults_set - begin to tell other lies
 * @words: FAULT=NAME, separated by blanks; is cut up; without any, the truth is told
 *
 * Not while a module is being loaded that looks.
 *
 * Return: 0, or an error, and then the truth is told.
 */
int sfd_faults_set(char *words)
{
	char *fault, *name;
	int err = 0;

	memset(&sfd_faults, 0, sizeof(sfd_faults));
	sfd_types_reset();
	while (!err && (fault = strsep(&words, " \n"))) {
		if (!*fault)
			continue;
		name = strchr(fault, '=');
		if (name)
			*name++ = '\0';
		err = name ? sfd_fault_set(fault, name) : -EINVAL;
		if (err)
			pr_info("no such fault: %s=%s (error %d)\n", fault,
				name ?: "", err);
	}
	if (err) {
		memset(&sfd_faults, 0, sizeof(sfd_faults));
		sfd_types_reset();
	}
	return err;
}
