/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The module's tracepoints: their names, and where their fields are.
 */
#ifndef SCHEDFLIP_FORMATS_H
#define SCHEDFLIP_FORMATS_H

#include "recording.h"

#define SF_SYSTEM "schedflip"

struct sf_formats;

const char *sf_event_name(enum sf_event_type type);
struct sf_formats *sf_formats_new(const char *dir, unsigned int events,
				  struct sf_error *err);
bool sf_formats_read(const struct sf_formats *formats, void *data,
		     struct sf_event *event);
void sf_formats_free(struct sf_formats *formats);

#endif
