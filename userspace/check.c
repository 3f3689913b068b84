// SPDX-License-Identifier: GPL-2.0-or-later
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "kernel.h"
#include "needs.h"
#include "system.h"
#include "trust.h"
#include "verbs.h"

static const struct argp_option sf_check_options[] = { SF_OPTION_JSON, { 0 } };

const struct sf_usage sf_check_usage = {
	.options = sf_check_options,
	.args = "[FILE.ko]",
	.doc = "Will this kernel take the module? Says what is missing, and what\n"
	       "to do about it. FILE.ko is the module to load; without it, the one\n"
	       "that is installed.\n"
	       "\vA row is ok, warning (it will load; read the remedy), unknown (it\n"
	       "could not be seen from here) or missing (it will not load). What is\n"
	       "missing comes first.\n"
	       "\n"
	       "Examples:\n"
	       "  schedflip check\n"
	       "  schedflip check build/module/schedflip.ko\n"
	       "\n" SF_EXIT_CODES,
	.max_args = 1,
};

static bool sf_is_compressed(const char *file)
{
	const char *dot = strrchr(file, '.');

	return !dot || strcmp(dot, ".ko");
}

static void sf_check_image(struct sf_checklist *list, const char *file,
			   const struct sf_image *image)
{
	const char *release = sf_kernel_release();
	enum sf_status status = SF_STATUS_MISSING;

	if (!strcmp(image->release, release)) {
		sf_checklist_add(list, SF_STATUS_OK, SF_OK, "module", NULL,
				 "%s", file);
		return;
	}
	/* If the versions match it is loaded, and looks for itself. */
	if (image->has_versions)
		status = SF_STATUS_WARNING;
	sf_checklist_add(list, status, SF_UNSUPPORTED, "module",
			 "build it for this kernel: make",
			 "%s is built for %s, not for %s", file, image->release,
			 release);
}

/* Return: true if @image was read. */
static bool sf_check_module(struct sf_checklist *list, const char *file,
			    struct sf_image *image)
{
	struct sf_error reason = { .code = SF_OK };
	char found[PATH_MAX];
	int fd;

	if (!file && sf_image_find(found, sizeof(found))) {
		sf_checklist_add(list, SF_STATUS_MISSING, SF_FAILED, "module",
				 "make && sudo make install, or name a FILE.ko",
				 "none is installed for %s",
				 sf_kernel_release());
		return false;
	}
	if (!file && sf_is_compressed(found)) {
		sf_checklist_add(list, SF_STATUS_OK, SF_OK, "module", NULL,
				 "%s (compressed, so not read)", found);
		return false;
	}
	file = file ? file : found;
	if (sf_image_open(file, &fd, image, &reason)) {
		sf_checklist_add(
			list, SF_STATUS_MISSING, SF_FAILED, "module",
			"name a schedflip.ko that was built for this kernel",
			"%s", reason.message);
		return false;
	}
	close(fd);
	sf_check_image(list, file, image);
	return true;
}

/**
 * sf_check - will this kernel take the module?
 * @options: the user's
 * @out: gets a row a requirement
 * @err: names what is missing
 *
 * Return: SF_OK, or what a load would come to.
 */
int sf_check(const struct sf_options *options, struct sf_output *out,
	     struct sf_error *err)
{
	struct sf_checklist list;
	struct sf_image image;
	bool is_read;

	sf_checklist_init(&list);
	sf_system_check(&list);
	is_read = sf_check_module(&list, options->args[0], &image);
	sf_trust_check(&list, is_read ? &image : NULL);
	sf_config_check(&list);
	sf_needs_check(&list);
	sf_output_set(out, "kernel", sf_json_text(sf_kernel_release()));
	sf_checklist_print(&list, out);
	sf_checklist_verdict(&list, out, err);
	sf_checklist_free(&list);
	return err->code;
}
