/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SFBENCH_FIND_H
#define SFBENCH_FIND_H

int sfb_find_init(void);
unsigned long sfb_find(const char *name);
unsigned long sfb_find_body(unsigned long function);

#endif
