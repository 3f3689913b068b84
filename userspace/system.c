// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <schedflip/compat.h>

#include "kernel.h"
#include "livepatch.h"
#include "needs.h"
#include "system.h"
#include "text.h"

static void sf_check_root_row(struct sf_checklist *list)
{
	if (!geteuid())
		sf_checklist_add(list, SF_STATUS_OK, SF_OK, SF_REQUIRED_ROOT,
				 NULL, "yes");
	else
		sf_checklist_add(list, SF_STATUS_MISSING, SF_DENIED,
				 SF_REQUIRED_ROOT, "run it with sudo",
				 "you are user %u", geteuid());
}

static void sf_check_release(struct sf_checklist *list)
{
	const char *release = sf_kernel_release();
	char remedy[128] = "try it in a virtual machine first; tested are";
	const char *const *series;

	for (series = sf_tested_series; *series; series++)
		sf_append_text(remedy, sizeof(remedy), " %s", *series);
	sf_checklist_add(list,
			 sf_kernel_is_tested(release) ? SF_STATUS_OK :
							SF_STATUS_WARNING,
			 SF_OK, "tested kernel", remedy, "%s", release);
}

static void sf_check_loaded(struct sf_checklist *list)
{
	bool loaded = sf_kernel_has_module();

	sf_checklist_add(list, loaded ? SF_STATUS_WARNING : SF_STATUS_OK, SF_OK,
			 "not loaded yet",
			 "to load it anew, unload it first: schedflip unload",
			 "%s", loaded ? "it is loaded" : "yes");
}

/* livepatch hands out no function while this is off. */
static void sf_check_ftrace(struct sf_checklist *list)
{
	char text[16];
	enum sf_status status = SF_STATUS_MISSING;

	if (sf_kernel_read_word("/proc/sys/kernel/ftrace_enabled", text,
				sizeof(text)))
		status = SF_STATUS_UNKNOWN;
	else if (!strcmp(text, "1"))
		status = SF_STATUS_OK;
	sf_checklist_add(list, status, SF_FAILED, "ftrace enabled",
			 "sysctl kernel.ftrace_enabled=1", "%s",
			 status == SF_STATUS_UNKNOWN ?
				 "no kernel.ftrace_enabled" :
				 text);
}

static void sf_check_debugfs(struct sf_checklist *list)
{
	bool mounted = sf_kernel_has_debugfs();

	sf_checklist_add(list, mounted ? SF_STATUS_OK : SF_STATUS_WARNING,
			 SF_OK, "debugfs",
			 "mount -t debugfs none " SF_DEBUGFS_ROOT, "%s",
			 mounted ? SF_DEBUGFS_ROOT : "not mounted");
}

static void sf_check_modules(struct sf_checklist *list)
{
	char text[16];
	bool disabled;

	sf_kernel_read_word("/proc/sys/kernel/modules_disabled", text,
			    sizeof(text));
	disabled = !strcmp(text, "1");
	sf_checklist_add(list, disabled ? SF_STATUS_MISSING : SF_STATUS_OK,
			 SF_DENIED, "module loading",
			 "reboot: it can't be allowed again before", "%s",
			 disabled ? "forbidden" : "allowed");
}

/* Return: true if it replaces a function of ours, and the row is there. */
static bool sf_check_livepatch(struct sf_checklist *list, const char *name)
{
	char path[512], what[300], remedy[400];
	struct dirent *entry;
	bool found = false;
	DIR *dir;

	snprintf(path, sizeof(path), SF_LIVEPATCHES "/%s/vmlinux", name);
	dir = sf_kernel_opendir(path);
	while (dir && (entry = readdir(dir))) {
		/* FUNCTION,POSITION */
		entry->d_name[strcspn(entry->d_name, ",")] = '\0';
		if (!sf_needs_has_function(entry->d_name))
			continue;
		snprintf(what, sizeof(what), "no other livepatch of %s",
			 entry->d_name);
		snprintf(remedy, sizeof(remedy),
			 "take it out first: echo 0 > " SF_LIVEPATCHES
			 "/%s/enabled; schedflip would undo its fix",
			 name);
		sf_checklist_add(list, SF_STATUS_MISSING, SF_FAILED, what,
				 remedy, "%s", name);
		found = true;
	}
	if (dir)
		closedir(dir);
	return found;
}

static void sf_check_livepatches(struct sf_checklist *list)
{
	DIR *dir = sf_kernel_opendir(SF_LIVEPATCHES);
	char others[256] = "none of our functions;";
	bool found = false, any = false;
	struct dirent *entry;

	if (!dir) {
		sf_checklist_add(list, SF_STATUS_MISSING, SF_UNSUPPORTED,
				 "livepatch",
				 "take a kernel with CONFIG_LIVEPATCH=y",
				 "no " SF_LIVEPATCHES);
		return;
	}
	while ((entry = readdir(dir))) {
		if (*entry->d_name == '.' ||
		    !strcmp(entry->d_name, "schedflip"))
			continue;
		any = true;
		found |= sf_check_livepatch(list, entry->d_name);
		sf_append_text(others, sizeof(others), " %s", entry->d_name);
	}
	closedir(dir);
	if (!found)
		sf_checklist_add(list, SF_STATUS_OK, SF_OK, "other livepatches",
				 NULL, "%s", any ? others : "none");
}

/**
 * sf_system_check - is the system in a state that lets us load?
 * @list: gets a row a requirement
 */
void sf_system_check(struct sf_checklist *list)
{
	sf_check_root_row(list);
	sf_check_release(list);
	sf_check_loaded(list);
	sf_check_modules(list);
	sf_check_ftrace(list);
	sf_check_debugfs(list);
	sf_check_livepatches(list);
}
