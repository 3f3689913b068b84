// SPDX-License-Identifier: GPL-2.0-or-later
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "config.h"
#include "kernel.h"
#include "text.h"

/* Ten times a distribution's. */
#define SF_MAX_CONFIG (4u << 20)

/**
 * struct sf_option - options of the kernel's configuration, one of which must be on
 * @name: an option
 * @other: another that will do, or NULL
 * @why: what needs it
 */
static const struct sf_option {
	const char *name;
	const char *other;
	const char *why;
} sf_config_options[] = {
	{ "CONFIG_LIVEPATCH", NULL, "functions are replaced by it" },
	{ "CONFIG_KALLSYMS_ALL", NULL, "variables are found by it" },
	{ "CONFIG_KPROBES", NULL, "functions are found by it" },
	{ "CONFIG_DEBUG_INFO_BTF", NULL, "prototypes are checked by it" },
	{ "CONFIG_DEBUG_FS", NULL,
	  "the utility reads the module's state there" },
	{ "CONFIG_DYNAMIC_FTRACE_WITH_ARGS", "CONFIG_DYNAMIC_FTRACE_WITH_REGS",
	  "livepatch needs it" },
	{ "CONFIG_HAVE_STATIC_CALL_INLINE", NULL,
	  "the kernel's own functions are called by it" },
};

/* gzread() reads also what is not compressed. */
static char *sf_config_read_file(const char *path)
{
	char full[PATH_MAX], *text = NULL;
	gzFile file = gzopen(sf_kernel_path(path, full, sizeof(full)), "rb");
	int len = -1;

	if (!file)
		return NULL;
	text = malloc(SF_MAX_CONFIG + 1);
	if (text)
		len = gzread(file, text, SF_MAX_CONFIG);
	gzclose(file);
	if (len > 0) {
		text[len] = '\0';
		return text;
	}
	free(text);
	return NULL;
}

static char *sf_config_read(char *path, size_t size)
{
	char *text;

	snprintf(path, size, "/boot/config-%s", sf_kernel_release());
	text = sf_config_read_file(path);
	if (text)
		return text;
	snprintf(path, size, "/proc/config.gz");
	return sf_config_read_file(path);
}

static bool sf_config_has(const char *text, const char *option)
{
	char line[128];

	snprintf(line, sizeof(line), "\n%s=y\n", option);
	return strstr(text, line);
}

static void sf_config_check_option(struct sf_checklist *list, const char *text,
				   const struct sf_option *option)
{
	char remedy[160];

	snprintf(remedy, sizeof(remedy), "take a kernel with %s=y: %s",
		 option->name, option->why);
	if (sf_config_has(text, option->name))
		sf_checklist_add(list, SF_STATUS_OK, SF_OK, option->name, NULL,
				 "y");
	else if (option->other && sf_config_has(text, option->other))
		sf_checklist_add(list, SF_STATUS_OK, SF_OK, option->name, NULL,
				 "%s", option->other);
	else
		sf_checklist_add(list, SF_STATUS_MISSING, SF_UNSUPPORTED,
				 option->name, remedy, "not set");
}

/**
 * sf_config_check - is the kernel configured as we need it?
 * @list: gets a row an option
 */
void sf_config_check(struct sf_checklist *list)
{
	char path[256];
	char *text = sf_config_read(path, sizeof(path));
	size_t i;

	if (!text) {
		sf_checklist_add(
			list, SF_STATUS_UNKNOWN, SF_OK, "kernel configuration",
			"install it; what follows from it is checked by itself",
			"no /boot/config-%s, no /proc/config.gz",
			sf_kernel_release());
		return;
	}
	for (i = 0; i < SF_ARRAY_SIZE(sf_config_options); i++)
		sf_config_check_option(list, text, &sf_config_options[i]);
	free(text);
}
