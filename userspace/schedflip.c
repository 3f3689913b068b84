// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "color.h"
#include "complete.h"
#include "help.h"
#include "nearest.h"
#include "text.h"
#include "verbs.h"

static const struct sf_verb sf_verbs[] = {
	{ "check", "will this kernel take the module?", &sf_check_usage,
	  sf_check },
	{ "load", "load the module", &sf_load_usage, sf_load },
	{ "unload", "take the module out", &sf_unload_usage, sf_unload },
	{ "show", "show the domains (default)", &sf_show_usage, sf_show },
	{ "set", "set the policy of domains", &sf_set_usage, sf_set },
	{ "reset", "set all domains to stock", &sf_reset_usage, sf_reset },
	{ "confirm", "let what a lease would return stay", &sf_confirm_usage,
	  sf_confirm },
	{ "return", "return now to what was before a lease", &sf_return_usage,
	  sf_return },
	{ "save", "print what is in force, for apply", &sf_save_usage,
	  sf_save },
	{ "apply", "set what a configuration says", &sf_apply_file_usage,
	  sf_apply_file },
	{ "verify", "compare with a configuration", &sf_verify_file_usage,
	  sf_verify_file },
	{ "metrics", "print metrics for Prometheus", &sf_metrics_usage,
	  sf_metrics },
	{ "off", "kill switch: pass through at once", &sf_off_usage, sf_off },
	{ "on", "take off back", &sf_on_usage, sf_on },
	{ "ab", "compare policies under a command", &sf_ab_usage, sf_ab },
	{ "report", "print experiments of ab", &sf_report_usage, sf_report },
	{ "record", "record the balancer's decisions", &sf_record_usage,
	  sf_record },
	{ "sim", "run the policies without a kernel", &sf_sim_usage, sf_sim },
	{ "watch", "show what the domains do, live", &sf_watch_usage,
	  sf_watch },
};

static const struct sf_verbs sf_all = { sf_verbs, SF_ARRAY_SIZE(sf_verbs) };

static int sf_unknown_verb(const char *name, struct sf_error *err)
{
	char known[256] = "";
	size_t i;

	for (i = 0; i < SF_ARRAY_SIZE(sf_verbs); i++)
		sf_append_text(known, sizeof(known), " %s", sf_verbs[i].name);
	sf_fail(err, SF_USAGE, "no command \"%.400s\"; known:%s", name, known);
	return sf_nearest_add(err, name, known);
}

/* A closed descriptor's number would go to the first file we open. */
static void sf_guard_descriptors(void)
{
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
		    open("/dev/null",
			 fd == STDERR_FILENO ? O_WRONLY : O_RDONLY) < 0)
			exit(SF_FAILED);
}

static void sf_answer(const struct sf_verb *verb,
		      const struct sf_options *options, struct sf_output *out)
{
	if (options->asked == SF_ASKED_VERSION)
		sf_help_version(out);
	else
		sf_help_one(verb, options->asked, out);
}

static int sf_run(const struct sf_verb *verb, int argc, char **argv)
{
	struct sf_options options = { .json = false };
	struct sf_error err = { .code = SF_OK };
	struct sf_output out;
	static char name[32];

	snprintf(name, sizeof(name), "schedflip %s", verb->name);
	argv[0] = name;
	sf_options_scan(verb->usage, argc, argv, &options, &err);
	sf_output_init(&out, options.json);
	if (options.asked) {
		sf_answer(verb, &options, &out);
	} else if (!err.code && !sf_options_check(&options, &err)) {
		out.color = sf_color_wanted(options.color);
		verb->run(&options, &out, &err);
	}
	return sf_output_finish(&out, &err);
}

/* @name: of the command, if there is none of that name. */
static int sf_no_run(const char *name, int argc, char **argv)
{
	struct sf_error err = { .code = SF_OK };
	struct sf_output out;

	sf_output_init(&out, sf_options_want_json(argc, argv));
	if (name)
		sf_unknown_verb(name, &err);
	else
		sf_help_all(&sf_all, &out);
	return sf_output_finish(&out, &err);
}

/* help, with the name of a command or without. */
static int sf_help(int argc, char **argv)
{
	struct sf_options options = { .asked = SF_ASKED_HELP };
	struct sf_error err = { .code = SF_OK };
	const struct sf_verb *verb;
	struct sf_output out;
	int i = 1;

	while (i < argc && argv[i][0] == '-')
		i++;
	if (i == argc || !strcmp(argv[i], "help"))
		return sf_no_run(NULL, argc, argv);
	verb = sf_verbs_find(&sf_all, argv[i]);
	if (!verb)
		return sf_no_run(argv[i], argc, argv);
	sf_output_init(&out, sf_options_want_json(argc, argv));
	sf_answer(verb, &options, &out);
	return sf_output_finish(&out, &err);
}

/* These may stand before the command as well. */
static bool sf_is_leading(const char *arg)
{
	return !strcmp(arg, "-j") || !strcmp(arg, "--json") ||
	       !strncmp(arg, "--color=", strlen("--color="));
}

static bool sf_is_help(const char *arg)
{
	return !strcmp(arg, "--help") || !strcmp(arg, "-?") ||
	       !strcmp(arg, "help");
}

/* The command comes first then; the options are its own. */
static void sf_put_command_first(int argc, char **argv)
{
	int i = 1;
	char *word;

	while (i < argc && sf_is_leading(argv[i]))
		i++;
	/* Of other options it is not known here if they have an argument. */
	if (i == argc || (argv[i][0] == '-' && !sf_is_help(argv[i])))
		return;
	word = argv[i];
	memmove(&argv[2], &argv[1], (i - 1) * sizeof(*argv));
	argv[1] = word;
}

int main(int argc, char **argv)
{
	const struct sf_verb *verb = sf_verbs_find(&sf_all, "show");
	const char *word;

	sf_guard_descriptors();
	/* A write that fails is an error to tell, and no reason to die. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	setlocale(LC_CTYPE, "");
	sf_put_command_first(argc, argv);
	word = argc > 1 ? argv[1] : "-";
	if (!strcmp(word, "complete"))
		return sf_complete(&sf_all, argc - 2, argv + 2);
	if (sf_is_help(word))
		return sf_help(argc - 1, argv + 1);
	if (word[0] != '-') {
		verb = sf_verbs_find(&sf_all, word);
		argc--;
		argv++;
		if (!verb)
			return sf_no_run(word, argc, argv);
	}
	return sf_run(verb, argc, argv);
}
