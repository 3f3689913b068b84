// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/cpumask.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "common.h"
#include "domain.h"

struct sf_common {
	const char *newidle;
	const char *start;
	const char *slowpath;
	const char *burst;
	const char *cost;
};

static void sf_merge(const char **common, const char *word)
{
	if (!*common)
		*common = word;
	else if (strcmp(*common, word))
		*common = "mixed";
}

static struct sf_common sf_common_read(void)
{
	struct sf_common common = {};
	struct sf_report report;
	struct sched_domain *sd;
	int cpu, index;

	for_each_online_cpu(cpu) {
		rcu_read_lock();
		sf_for_each_domain(cpu, index, sd) {
			if (!sf_domain_report(cpu, index, sd, &report))
				continue;
			sf_merge(&common.newidle, report.newidle);
			sf_merge(&common.start, report.start);
			sf_merge(&common.slowpath, report.slowpath);
			sf_merge(&common.burst, report.burst);
			sf_merge(&common.cost, report.cost);
		}
		rcu_read_unlock();
	}
	return common;
}

#define SF_COMMON_FORMAT "newidle=%s start=%s slowpath=%s burst=%s cost=%s\n"
#define SF_COMMON_WORDS(common)                                        \
	(common).newidle ?: "none", (common).start ?: "none",          \
		(common).slowpath ?: "none", (common).burst ?: "none", \
		(common).cost ?: "none"

/**
 * sf_common_show - print it to a file of debugfs
 * @m: file
 */
void sf_common_show(struct seq_file *m)
{
	struct sf_common common = sf_common_read();

	seq_printf(m, SF_COMMON_FORMAT, SF_COMMON_WORDS(common));
}

/**
 * sf_common_emit - print it to a file of sysfs
 * @buffer: a page
 * @ready: false while there are no states; then all is none
 *
 * Return: bytes printed.
 */
int sf_common_emit(char *buffer, bool ready)
{
	struct sf_common common = {};

	if (ready)
		common = sf_common_read();
	return sysfs_emit(buffer, SF_COMMON_FORMAT, SF_COMMON_WORDS(common));
}
