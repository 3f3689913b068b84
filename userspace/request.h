/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A set command that is made up on the screen. */
#ifndef SCHEDFLIP_REQUEST_H
#define SCHEDFLIP_REQUEST_H

#include "groups.h"
#include "outline.h"

/**
 * struct sf_request - a set command
 * @words: its KIND=VALUE, as they were typed
 * @cpu: its --cpu; empty for none
 * @domain: its --domain; empty for none
 */
struct sf_request {
	char words[160];
	char cpu[1024];
	char domain[32];
};

void sf_request_aim(struct sf_request *request, const struct sf_line *line);
int sf_request_word(struct sf_request *request, const char *typed,
		    struct sf_error *err);
void sf_request_format(const struct sf_request *request, char *buf,
		       size_t size);
int sf_request_carry_out(const struct sf_request *request, char *said,
			 size_t size, struct sf_error *err);

#endif
