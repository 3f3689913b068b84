// SPDX-License-Identifier: GPL-2.0-or-later
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "glance.h"
#include "kernel.h"

/* A file that the module makes once, as it is loaded. */
static u64 sf_glance_load(void)
{
	char path[PATH_MAX];
	struct stat stat_buf;

	if (stat(sf_kernel_path(SF_DEBUGFS "/abi", path, sizeof(path)),
		 &stat_buf))
		return 0;
	return (u64)stat_buf.st_ino * 1000003 +
	       (u64)stat_buf.st_ctim.tv_sec * 1000000000 +
	       (u64)stat_buf.st_ctim.tv_nsec;
}

static void sf_glance_clock(struct sf_glance *glance)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	glance->seconds = now.tv_sec + now.tv_nsec / 1e9;
	glance->wall = time(NULL);
}

/**
 * sf_glance_take - look at the module
 * @glance: set to what is seen; to be freed also after an error
 * @err: says what was wrong
 *
 * No file is open when it returns, so that nobody's unload has to wait.
 *
 * Return: SF_OK or why not.
 */
int sf_glance_take(struct sf_glance *glance, struct sf_error *err)
{
	memset(glance, 0, sizeof(*glance));
	sf_glance_clock(glance);
	if (sf_kernel_check_module(err) || sf_info_read(&glance->info, err) ||
	    sf_status_read(&glance->status, err))
		return err->code;
	glance->load = sf_glance_load();
	sf_glance_clock(glance);
	glance->present = !sf_state_read(&glance->state, err);
	if (!glance->present)
		sf_state_free(&glance->state);
	return err->code;
}

/**
 * sf_glance_free - forget it
 * @glance: as sf_glance_take() left it
 */
void sf_glance_free(struct sf_glance *glance)
{
	sf_state_free(&glance->state);
	memset(glance, 0, sizeof(*glance));
}

/**
 * sf_glance_has_select - is there a hook that counts placements?
 * @glance: it
 */
bool sf_glance_has_select(const struct sf_glance *glance)
{
	const struct sf_hook *hook = sf_info_find_hook(&glance->info, "select");

	return hook && strcmp(hook->state, "off") &&
	       strcmp(hook->state, "absent");
}
