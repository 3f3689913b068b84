/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SFDOCTOR_TYPES_H
#define SFDOCTOR_TYPES_H

struct btf_type;

int sfd_types_init(void);
int sfd_types_change(const char *fault, char *name);
void sfd_types_reset(void);
const struct btf_type *sfd_types_doctored(const struct btf_type *genuine);
unsigned long sfd_lookup(const char *name);

#endif
