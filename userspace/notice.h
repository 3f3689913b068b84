/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What has to be known of the module's safety before its figures are read. */
#ifndef SCHEDFLIP_NOTICE_H
#define SCHEDFLIP_NOTICE_H

#include "info.h"
#include "output.h"
#include "status.h"

json_t *sf_notice_json(const struct sf_status *status);
void sf_notice_print(const struct sf_status *status, struct sf_output *out);

#endif
