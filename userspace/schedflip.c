// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text.h"
#include "verbs.h"

static const struct sf_verb {
	const char *name;
	const char *help;
	const struct sf_usage *usage;
	int (*run)(const struct sf_options *options, struct sf_output *out,
		   struct sf_error *err);
} sf_verbs[] = {
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

static const struct sf_verb *sf_find_verb(const char *name)
{
	size_t i;

	for (i = 0; i < SF_ARRAY_SIZE(sf_verbs); i++)
		if (!strcmp(sf_verbs[i].name, name))
			return &sf_verbs[i];
	return NULL;
}

static void sf_print_help(void)
{
	size_t i;

	puts("Usage: schedflip [COMMAND] [OPTION...]\n"
	     "Flip load-balancer policies of the running kernel.\n");
	for (i = 0; i < SF_ARRAY_SIZE(sf_verbs); i++)
		printf("  %-8s %s\n", sf_verbs[i].name, sf_verbs[i].help);
	puts("\nEach command takes -j (--json), and --help, which has examples.\n" SF_EXIT_CODES);
}

static int sf_unknown_verb(const char *name, struct sf_error *err)
{
	char known[256] = "";
	size_t i;

	for (i = 0; i < SF_ARRAY_SIZE(sf_verbs); i++)
		sf_append_text(known, sizeof(known), " %s", sf_verbs[i].name);
	return sf_fail(err, SF_USAGE, "no command \"%s\"; known:%s", name,
		       known);
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

static int sf_run(const struct sf_verb *verb, bool json, int argc, char **argv)
{
	struct sf_options options = { .json = json };
	struct sf_error err = { .code = SF_OK };
	struct sf_output out;
	static char name[32];

	snprintf(name, sizeof(name), "schedflip %s", verb->name);
	argv[0] = name;
	sf_options_scan(verb->usage, argc, argv, &options, &err);
	sf_output_init(&out, options.json);
	if (!err.code && !sf_options_check(&options, &err))
		verb->run(&options, &out, &err);
	return sf_output_finish(&out, &err);
}

static int sf_no_run(bool json, const char *name)
{
	struct sf_error err = { .code = SF_OK };
	struct sf_output out;

	sf_output_init(&out, json);
	if (name)
		sf_unknown_verb(name, &err);
	else
		sf_print_help();
	return sf_output_finish(&out, &err);
}

static bool sf_is_help(const char *arg)
{
	return !strcmp(arg, "--help") || !strcmp(arg, "-?") ||
	       !strcmp(arg, "help");
}

int main(int argc, char **argv)
{
	const struct sf_verb *verb = sf_find_verb("show");
	bool json = false;

	sf_guard_descriptors();
	/* A write that fails is an error to tell, and no reason to die. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	setlocale(LC_CTYPE, "");
	for (;
	     argc > 1 && (!strcmp(argv[1], "-j") || !strcmp(argv[1], "--json"));
	     argc--, argv++)
		json = true;
	if (argc > 1 && sf_is_help(argv[1]))
		return sf_no_run(false, NULL);
	if (argc > 1 && argv[1][0] != '-') {
		verb = sf_find_verb(argv[1]);
		if (!verb)
			return sf_no_run(json, argv[1]);
		argc--;
		argv++;
	}
	return sf_run(verb, json, argc, argv);
}
