/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SFDOCTOR_FAULTS_H
#define SFDOCTOR_FAULTS_H

#include <linux/types.h>

#define SFD_MAX_FAULTS 32
#define SFD_NAME_SIZE 64

/**
 * struct sfd_fault - a lie about a name
 * @name: of a symbol or a type
 * @to: what is said in its place
 */
struct sfd_fault {
	char name[SFD_NAME_SIZE];
	const char *to;
};

/**
 * struct sfd_faults - all lies that are told
 * @symbols: of kallsyms
 * @types: of BTF
 * @nr_symbols: number of @symbols
 * @nr_types: number of @types
 * @no_btf: what is said in place of the kernel's BTF, if @hide_btf
 * @hide_btf: say @no_btf
 */
struct sfd_faults {
	struct sfd_fault symbols[SFD_MAX_FAULTS];
	struct sfd_fault types[SFD_MAX_FAULTS];
	int nr_symbols;
	int nr_types;
	void *no_btf;
	bool hide_btf;
};

extern struct sfd_faults sfd_faults;

int sfd_faults_set(char *words);

#endif
