// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "apply.h"
#include "image.h"
#include "info.h"
#include "kernel.h"
#include "kmsg.h"
#include "lock.h"
#include "module.h"
#include "status.h"
#include "text.h"
#include "transition.h"
#include "verbs.h"

static const struct argp_option sf_load_options[] = { SF_OPTION_HOOKS,
						      SF_OPTION_POLICY,
						      SF_OPTION_TIMEOUT,
						      SF_OPTION_JSON,
						      { 0 } };

const struct sf_usage sf_load_usage = {
	.options = sf_load_options,
	.args = "[FILE.ko]",
	.doc = "Load the module, by modprobe or from a file, and wait until every\n"
	       "task uses it. The tasks that hold it up are named, and at the\n"
	       "limit it is taken out again. It is an error if it is loaded\n"
	       "already, as the options would not take effect.\n"
	       "\vExamples:\n"
	       "  schedflip load\n"
	       "  schedflip load --hooks all --timeout 300\n"
	       "  schedflip load build/module/schedflip.ko --policy newidle=jitter\n"
	       "  schedflip load --hooks all --policy burst=nearest,cost=bump\n"
	       "\n" SF_EXIT_CODES,
	.max_args = 1,
};

/**
 * struct sf_load - a load on its way
 * @hooks: parameter of the module; empty if not given
 * @policy: likewise
 * @log: what modprobe said
 * @reasons: what the kernel log said
 */
struct sf_load {
	char hooks[32];
	char policy[SF_POLICY_SIZE];
	char log[512];
	char reasons[1024];
};

/* The kernel or the module does not fit this one. */
static bool sf_is_unsuitable(int error)
{
	return error == -ENOENT || error == -ENOEXEC || error == -EINVAL ||
	       error == -EOPNOTSUPP || error == -ENODEV;
}

static bool sf_is_denied(int error)
{
	return error == -EPERM || error == -EACCES || error == -EKEYREJECTED ||
	       error == -ENOKEY || error == -EBADMSG;
}

static const char *sf_load_advice(int error)
{
	if (sf_is_denied(error))
		return sf_kernel_lockdown() ?
			       "lockdown takes signed modules only; see `schedflip check`" :
			       "the kernel takes signed modules only, or no more modules; see `schedflip check`";
	return "see `schedflip check` and dmesg";
}

static int sf_fail_load(int error, const struct sf_load *load,
			struct sf_error *err)
{
	enum sf_exit code = SF_FAILED;

	if (error == -EEXIST)
		return sf_fail(err, SF_FAILED, "the module is already loaded");
	if (sf_is_denied(error))
		code = SF_DENIED;
	else if (sf_is_unsuitable(error))
		code = SF_UNSUPPORTED;
	if (*load->reasons)
		return sf_fail(err, code, "%s", load->reasons);
	return sf_fail(err, code, "the kernel refused the module: %s; %s",
		       strerror(-error), sf_load_advice(error));
}

static bool sf_is_foreign(const struct sf_image *image)
{
	return strcmp(image->release, sf_kernel_release());
}

/* @why: what the kernel says of it, or "" */
static int sf_fail_foreign(const char *file, const struct sf_image *image,
			   const char *why, struct sf_error *err)
{
	return sf_fail(
		err, SF_UNSUPPORTED,
		"%.200s was built for Linux %s and this is %s%s%.200s; build it here with `make`",
		file, image->release, sf_kernel_release(), *why ? ": " : "",
		why);
}

static int sf_load_file(const char *file, struct sf_load *load, int log,
			struct sf_error *err)
{
	char parameters[SF_POLICY_SIZE + 64] = "";
	struct sf_image image;
	int fd, error;

	if (sf_image_open(file, &fd, &image, err))
		return err->code;
	/* The kernel would refuse it too, but some call themselves tainted then. */
	if (sf_is_foreign(&image) && !image.has_versions) {
		close(fd);
		return sf_fail_foreign(file, &image, "", err);
	}
	if (*load->hooks)
		sf_append_text(parameters, sizeof(parameters), "hooks=%s ",
			       load->hooks);
	/* Blanks separate parameters, unless they are quoted. */
	if (*load->policy)
		sf_append_text(parameters, sizeof(parameters), "policy=\"%s\"",
			       load->policy);
	error = sf_module_insert(fd, parameters);
	close(fd);
	if (!error)
		return SF_OK;
	sf_kmsg_reasons(log, load->reasons, sizeof(load->reasons));
	if (sf_is_unsuitable(error) && sf_is_foreign(&image))
		return sf_fail_foreign(file, &image, load->reasons, err);
	return sf_fail_load(error, load, err);
}

/*
 * modprobe tells the kernel's answer in words only: those of kmod, mostly of
 * strerror(3), and those of busybox.
 */
static const struct sf_answer {
	const char *words;
	int error;
} sf_answers[] = {
	{ "Operation not permitted", EPERM },
	{ "Permission denied", EACCES },
	{ "Key was rejected", EKEYREJECTED },
	{ "Required key not available", ENOKEY },
	{ "Bad message", EBADMSG },
	{ "Exec format error", ENOEXEC },
	{ "invalid module format", ENOEXEC },
	{ "Invalid argument", EINVAL },
	{ "invalid parameter", EINVAL },
	{ "nknown symbol in module", ENOENT },
	{ "Operation not supported", EOPNOTSUPP },
	{ "No such device", ENODEV },
	{ "File exists", EEXIST },
	{ "busy", EBUSY },
	{ "Cannot allocate memory", ENOMEM },
};

static int sf_modprobe_error(const char *log)
{
	size_t i;

	for (i = 0; i < SF_ARRAY_SIZE(sf_answers); i++)
		if (strstr(log, sf_answers[i].words))
			return -sf_answers[i].error;
	return -EIO;
}

static int sf_fail_modprobe(int status, struct sf_load *load,
			    struct sf_error *err)
{
	int error = sf_modprobe_error(load->log);
	char file[1024];

	load->log[strcspn(load->log, "\n")] = '\0';
	sf_clean_text(load->log);
	if (status == 127)
		return sf_fail(
			err, SF_FAILED,
			"there is no modprobe; name the file: schedflip load FILE.ko");
	if (status < 0)
		return sf_fail(err, SF_FAILED, "cannot run modprobe: %s",
			       strerror(-status));
	if (*load->reasons || error != -EIO)
		return sf_fail_load(error, load, err);
	if (sf_image_find(file, sizeof(file)))
		return sf_fail(
			err, SF_FAILED,
			"no module is installed for Linux %s; %s",
			sf_kernel_release(),
			"run `make && sudo make install`, or name a FILE.ko");
	return sf_fail(err, SF_FAILED, "modprobe failed with status %d: %.300s",
		       status, load->log);
}

static int sf_load_installed(struct sf_load *load, int log,
			     struct sf_error *err)
{
	char modprobe[] = "modprobe", module[] = "schedflip";
	char hooks[64] = "", policy[SF_POLICY_SIZE + 16] = "";
	char *argv[5] = { modprobe, module };
	int argc = 2, status;

	sf_append_text(hooks, sizeof(hooks), "hooks=%s", load->hooks);
	sf_append_text(policy, sizeof(policy), "policy=%s", load->policy);
	if (*load->hooks)
		argv[argc++] = hooks;
	/* Not quoted here: modprobe itself quotes what has blanks. */
	if (*load->policy)
		argv[argc++] = policy;
	status = sf_module_probe(argv, load->log, sizeof(load->log));
	if (!status)
		return SF_OK;
	sf_kmsg_reasons(log, load->reasons, sizeof(load->reasons));
	return sf_fail_modprobe(status, load, err);
}

static void sf_report_warnings(int log, struct sf_output *out)
{
	char warnings[1024];

	sf_kmsg_reasons(log, warnings, sizeof(warnings));
	sf_output_set(out, "warning",
		      sf_json_maybe_text(*warnings ? warnings : NULL));
	if (!*warnings)
		return;
	sf_output_say(out, "warning: %s", warnings);
}

static int sf_load_module(const struct sf_options *options,
			  const struct sf_policy *policy, struct sf_output *out,
			  struct sf_error *err)
{
	struct sf_load load = { .hooks = "" };
	int log = sf_kmsg_open();

	sf_append_text(load.hooks, sizeof(load.hooks), "%s",
		       options->hooks ? options->hooks : "");
	if (options->policy)
		sf_policy_format(policy, load.policy, sizeof(load.policy));
	if (options->args[0])
		sf_load_file(options->args[0], &load, log, err);
	else
		sf_load_installed(&load, log, err);
	if (!err->code)
		sf_report_warnings(log, out);
	if (log >= 0)
		close(log);
	return err->code;
}

static bool sf_is_detached(void)
{
	struct sf_error ignored = { .code = SF_OK };
	struct sf_info info = { .hook_count = 0 };
	size_t i;

	if (sf_info_read_hooks(&info, &ignored))
		return false;
	for (i = 0; i < info.hook_count; i++)
		if (!strcmp(info.hooks[i].state, "detached"))
			return true;
	return false;
}

static bool sf_is_dead(void)
{
	struct sf_error ignored = { .code = SF_OK };
	struct sf_status status;

	return !sf_status_read(&status, &ignored) && sf_status_is_dead(&status);
}

static int sf_check_absent(struct sf_error *err)
{
	if (!sf_kernel_has_module())
		return SF_OK;
	if (sf_is_dead())
		return sf_fail(
			err, SF_FAILED,
			"the module is loaded, but the kernel has switched ftrace off, after a fault that dmesg tells of, so it decides nothing; reboot");
	if (sf_is_detached())
		return sf_fail(
			err, SF_FAILED,
			"the module is loaded, but its hooks are detached for good, so it decides nothing; run: schedflip unload && schedflip load");
	return sf_fail(
		err, SF_FAILED,
		"the module is already loaded; change policies with `schedflip set`, or unload it first");
}

/* The module would refuse as well, but with less to go by. */
static int sf_check_policy(const struct sf_options *options,
			   struct sf_policy *policy, struct sf_error *err)
{
	const struct sf_kind *kind;

	if (!options->policy)
		return SF_OK;
	if (sf_policy_parse(options->policy, policy, err))
		return err->code;
	sf_policy_complete(policy);
	kind = sf_policy_hooked(policy);
	if (!kind || (options->hooks && !strcmp(options->hooks, "all")))
		return SF_OK;
	return sf_fail(err, SF_USAGE,
		       "%s=%s needs the hook %s; add --hooks all", kind->name,
		       policy->values[kind - sf_kinds].word, kind->hook);
}

/* @start: when the load began, ms. */
static void sf_report_load(u64 start, struct sf_output *out)
{
	u64 taken = sf_progress_now() - start;

	sf_output_set(out, "loaded", json_true());
	sf_output_set(out, "took_ms", sf_json_number(taken));
	sf_output_say(out, "loaded in %.1f s", taken / 1000.0);
}

/**
 * sf_load - load the module and wait until it is in force
 * @options: the user's
 * @out: gets how long it took
 * @err: says what was wrong
 *
 * Return: SF_OK, or the code in @err.
 */
int sf_load(const struct sf_options *options, struct sf_output *out,
	    struct sf_error *err)
{
	u64 start = sf_progress_now();
	struct sf_policy policy = { .values = { { false } } };

	if (sf_check_policy(options, &policy, err))
		return err->code;
	/* Again, as who held the lock may have loaded it. */
	if (sf_kernel_check_root(err) || sf_check_absent(err) || sf_lock(err) ||
	    sf_check_absent(err) ||
	    sf_load_module(options, &policy, out, err) ||
	    sf_transition_patch(options->timeout_ms, out, err))
		return err->code;
	sf_report_load(start, out);
	if (!options->policy || sf_kernel_check_module(err))
		return err->code;
	return sf_verify(&policy, &options->filter, "", out, err);
}
