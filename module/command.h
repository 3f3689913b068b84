/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHEDFLIP_COMMAND_H
#define SCHEDFLIP_COMMAND_H

#include <linux/cpumask.h>

#include "state.h"

#define SF_ERROR_MAX 256

/**
 * struct sf_command - what a command says
 * @change: what to change in each state
 * @cpus: on which CPUs
 * @cpus_given: the user named them
 * @domain: in domains of this name, or of this number if it is one; NULL for all
 * @error: why it was refused
 */
struct sf_command {
	struct sf_change change;
	cpumask_var_t cpus;
	bool cpus_given;
	const char *domain;
	char error[SF_ERROR_MAX];
};

struct sf_command *sf_command_alloc(void);
void sf_command_free(struct sf_command *command);
int sf_command_parse(struct sf_command *command, char *text);
int sf_command_refuse(struct sf_command *command, int err, const char *fmt, ...)
	__printf(3, 4);

#endif
