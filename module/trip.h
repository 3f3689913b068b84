/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tripwires: what the machine must not come to while a policy of ours is in force. Looked
 * at about once a second; when one is reached, all domains return to stock.
 *
 * All is for holders of the control lock.
 */
#ifndef SCHEDFLIP_TRIP_H
#define SCHEDFLIP_TRIP_H

#include <linux/seq_file.h>

#define SF_TRIP_MAX_DEPTH 65535
#define SF_TRIP_MAX_NEWIDLE 1000
#define SF_TRIP_MAX_DELAY_US 60000000

/**
 * struct sf_trips - the thresholds; 0 for one that is not armed
 * @depth: runnable tasks at one CPU
 * @newidle: part of all CPUs' time that went to newidle balance, in 1000
 * @delay_us: mean wait for a CPU per switch
 */
struct sf_trips {
	int depth;
	int newidle;
	int delay_us;
};

struct sf_trips sf_trips_read(void);
void sf_trips_set(const struct sf_trips *trips);
bool sf_trips_crossed(void);
const char *sf_trips_reason(void);
void sf_trips_show(struct seq_file *m);

#endif
