// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel.h"
#include "privilege.h"
#include "settings.h"
#include "text.h"

/* Thousands of lines. */
#define SF_MAX_SETTINGS (256u << 10)

/**
 * sf_settings_blame - say in which line the error is
 * @settings: the configuration
 * @number: of the line
 * @err: the error
 *
 * Return: the code in @err.
 */
int sf_settings_blame(const struct sf_settings *settings, size_t number,
		      struct sf_error *err)
{
	struct sf_error reason = *err;

	return sf_fail(err, reason.code, "%.400s:%zu: %.1500s", settings->name,
		       number, reason.message);
}

static int sf_fail_file(const char *name, int error, struct sf_error *err)
{
	const char *user = error == EACCES ? sf_privilege_user() : NULL;

	if (error == ENOENT)
		return sf_fail(
			err, SF_FAILED,
			"there is no %.400s; write one, or make it of what is in force: schedflip save %.400s",
			name, name);
	return sf_fail(err, error == EACCES ? SF_DENIED : SF_FAILED,
		       "cannot read %.400s%s%s%s: %s", name, user ? " as " : "",
		       user ? user : "", user ? ", who called sudo" : "",
		       strerror(error));
}

/* The user's file is read as the user, as its words are told if they are wrong. */
static int sf_open_file(const char *file, struct sf_error *err)
{
	char path[PATH_MAX];
	struct sf_privilege kept;
	int fd = -1, error = 0;

	if (file && !strcmp(file, "-"))
		return dup(STDIN_FILENO);
	if (!file)
		file = sf_kernel_path(SF_SETTINGS_FILE, path, sizeof(path));
	if (!sf_privilege_lower(&kept, err)) {
		fd = open(file, O_RDONLY | O_CLOEXEC);
		error = errno;
	}
	if (sf_privilege_raise(&kept, err) && fd >= 0) {
		close(fd);
		fd = -1;
	}
	errno = error;
	return fd;
}

/**
 * sf_settings_read - read a configuration
 * @file: its name, - for the standard input, NULL for that in /etc
 * @settings: set to it; to be freed also after an error
 * @errors: gets each line that is wrong
 * @err: says what was wrong
 *
 * Return: SF_OK, SF_USAGE if a line is wrong, or why it could not be read.
 */
int sf_settings_read(const char *file, struct sf_settings *settings,
		     json_t *errors, struct sf_error *err)
{
	const char *name = file ? file : SF_SETTINGS_FILE;
	int fd = sf_open_file(file, err);
	char *text = NULL;
	ssize_t len;

	memset(settings, 0, sizeof(*settings));
	if (err->code)
		return err->code;
	if (fd < 0)
		return sf_fail_file(name, errno, err);
	len = sf_kernel_read_fd(fd, &text);
	close(fd);
	if (len < 0)
		return sf_fail_file(name, -len, err);
	if (len <= (ssize_t)SF_MAX_SETTINGS)
		return sf_settings_parse(strcmp(name, "-") ? name : "stdin",
					 text, len, settings, errors, err);
	free(text);
	return sf_fail(err, SF_USAGE,
		       "%.400s has %zd bytes; a configuration has %u at most",
		       name, len, SF_MAX_SETTINGS);
}

/**
 * sf_settings_check - has this machine the domains that are named?
 * @settings: the configuration; lines are marked as missing
 * @state: the domains
 * @skip: lines without a domain are passed over
 * @err: names the first line without one, and what there is instead
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_settings_check(struct sf_settings *settings,
		      const struct sf_state *state, bool skip,
		      struct sf_error *err)
{
	size_t i;

	for (i = 0; i < settings->count; i++) {
		struct sf_setting *line = &settings->lines[i];

		if (!sf_filter_check(&line->filter, state, err))
			continue;
		if (!skip)
			return sf_settings_blame(settings, line->number, err);
		line->missing = true;
		err->code = SF_OK;
	}
	return SF_OK;
}

/**
 * sf_settings_is_general - is a line for all domains?
 * @line: of a configuration
 */
bool sf_settings_is_general(const struct sf_setting *line)
{
	return !line->filter.cpu && !line->filter.domain;
}

/**
 * sf_settings_need_all - must the module be loaded with all hooks?
 * @settings: the configuration
 */
bool sf_settings_need_all(const struct sf_settings *settings)
{
	size_t i;

	for (i = 0; i < settings->count; i++)
		if (sf_policy_hooked(&settings->lines[i].policy))
			return true;
	return settings->hooks_all;
}

/**
 * sf_settings_policy - what a domain is to have
 * @settings: the configuration
 * @domain: as it was read
 * @policy: set to it
 */
void sf_settings_policy(const struct sf_settings *settings,
			const struct sf_domain *domain,
			struct sf_policy *policy)
{
	size_t i;

	sf_policy_stock(policy);
	for (i = 0; i < settings->count; i++)
		if (sf_filter_matches(&settings->lines[i].filter, domain))
			sf_policy_overlay(policy, &settings->lines[i].policy);
}

/**
 * sf_settings_free - forget it
 * @settings: as sf_settings_read() left it
 */
void sf_settings_free(struct sf_settings *settings)
{
	free(settings->lines);
	free(settings->text);
	memset(settings, 0, sizeof(*settings));
}
