// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dump.h"
#include "formats.h"
#include "info.h"
#include "kernel.h"
#include "nearest.h"
#include "privilege.h"
#include "program.h"
#include "session.h"
#include "text.h"
#include "tracer.h"
#include "verbs.h"
#include "writer.h"

/* A day: a second of a busy machine takes megabytes. */
#define SF_MAX_SECONDS 86400

#define SF_DEFAULT_BUFFER 1024

/* To give a recording that lost events. */
#define SF_BUFFER_STEP 4

enum {
	SF_KEY_FOR = 0x200,
	SF_KEY_AS_ROOT,
	SF_KEY_PRINT,
};

static const struct argp_option sf_record_options[] = {
	{ "output", 'o', "FILE", 0, "Record to FILE", 0 },
	{ "for", SF_KEY_FOR, "SEC", 0, "Record for SEC seconds, such as 0.5",
	  0 },
	{ "event", 'e', "NAME", 0,
	  "Only this event: newidle, slowpath or burst (may be repeated)", 0 },
	{ "buffer", 'b', "KIB", 0,
	  "Kernel buffer of each CPU (4 to 1048576, default 1024)", 0 },
	{ "as-root", SF_KEY_AS_ROOT, NULL, 0,
	  "Run COMMAND as root, not as the user who called sudo", 0 },
	{ "print", SF_KEY_PRINT, "FILE", 0,
	  "Print the recording in FILE; no root needed", 0 },
	SF_OPTION_JSON,
	{ 0 }
};

/* The user's words. */
static struct sf_record_words {
	const char *output;
	const char *print;
	const char *seconds;
	const char *buffer;
	unsigned int events;
	bool as_root;
} sf_words;

static int sf_record_event(const char *name, struct sf_error *err)
{
	char known[64] = "";
	int type;

	for (type = SF_EVENT_NEWIDLE; type < SF_NR_EVENT_TYPES; type++) {
		if (!strcmp(sf_event_name(type), name)) {
			sf_words.events |= 1u << type;
			return SF_OK;
		}
		sf_append_text(known, sizeof(known), " %s",
			       sf_event_name(type));
	}
	sf_fail(err, SF_USAGE, "no event \"%s\"; known:%s", name, known);
	return sf_nearest_add(err, name, known);
}

static error_t sf_record_option(int key, char *arg, struct sf_error *err)
{
	switch (key) {
	case 'o':
		sf_words.output = arg;
		return 0;
	case 'b':
		sf_words.buffer = arg;
		return 0;
	case 'e':
		return sf_record_event(arg, err);
	case SF_KEY_FOR:
		sf_words.seconds = arg;
		return 0;
	case SF_KEY_AS_ROOT:
		sf_words.as_root = true;
		return 0;
	case SF_KEY_PRINT:
		sf_words.print = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct sf_usage sf_record_usage = {
	.options = sf_record_options,
	.args = "[COMMAND [ARG...]]",
	.doc = "Record the balancer's decisions to a file: while COMMAND runs, for a\n"
	       "time, or until Ctrl-C.\n"
	       "\v  newidle   each newidle balance call of a domain: skipped or attempted,\n"
	       "            the time it took and the tasks it pulled\n"
	       "  slowpath  each idle CPU picked for a forked or exec'd task\n"
	       "  burst     each task whose CPU was over the threshold\n"
	       "\n"
	       "Without --event all of them. slowpath and burst need `schedflip load\n"
	       "--hooks all`. At stock, newidle has attempts only: the calls that the\n"
	       "kernel skips by itself are not seen. Events that the kernel's buffers\n"
	       "had no room for are counted, and told.\n"
	       "\n"
	       "COMMAND runs as the user who called sudo; with -j its output goes to\n"
	       "stderr. If it fails, so does record, but the recording is kept. If SEC\n"
	       "seconds pass first, the recording ends, and COMMAND is waited for.\n"
	       "\n"
	       "FILE is written beside its place, and moved there when it is complete.\n"
	       "docs/recording.md is its format. `schedflip sim replay FILE` tries other\n"
	       "policies on one that was recorded under newidle=always.\n"
	       "\n"
	       "Examples:\n"
	       "  schedflip record -o run.sfr --for 10\n"
	       "  schedflip record -o run.sfr --event newidle -- hackbench -g 4\n"
	       "  schedflip record -o run.sfr --buffer 8192 ./benchmark --threads 64\n"
	       "  schedflip record --print run.sfr\n"
	       "\n" SF_EXIT_CODES,
	.option = sf_record_option,
	.takes_command = true,
};

static int sf_parse_seconds(struct sf_session *session, struct sf_error *err)
{
	double seconds;

	if (!sf_words.seconds)
		return SF_OK;
	if (!sf_parse_real(sf_words.seconds, &seconds) || seconds < 0.001 ||
	    seconds > SF_MAX_SECONDS)
		return sf_fail(err, SF_USAGE,
			       "no time \"%s\"; allowed: 0.001 to %d seconds",
			       sf_words.seconds, SF_MAX_SECONDS);
	session->limit_ns = seconds * 1e9;
	return SF_OK;
}

static int sf_parse_buffer(struct sf_session *session, struct sf_error *err)
{
	session->buffer_kib = SF_DEFAULT_BUFFER;
	if (!sf_words.buffer)
		return SF_OK;
	if (sf_parse_number(sf_words.buffer, &session->buffer_kib) &&
	    session->buffer_kib >= SF_MIN_BUFFER &&
	    session->buffer_kib <= SF_MAX_BUFFER)
		return SF_OK;
	return sf_fail(err, SF_USAGE, "no buffer \"%s\"; allowed: %d to %d KiB",
		       sf_words.buffer, SF_MIN_BUFFER, SF_MAX_BUFFER);
}

static int sf_check_print(const struct sf_options *options,
			  struct sf_error *err)
{
	if (!sf_words.output && !sf_words.seconds && !sf_words.buffer &&
	    !sf_words.events && !sf_words.as_root && !options->command)
		return SF_OK;
	return sf_fail(
		err, SF_USAGE,
		"--print prints a recording and makes none; leave the other options and the command out");
}

static int sf_parse_words(const struct sf_options *options,
			  struct sf_session *session, struct sf_error *err)
{
	unsigned int all = (1u << SF_NR_EVENT_TYPES) - (1u << SF_EVENT_NEWIDLE);

	if (!sf_words.output || !*sf_words.output)
		return sf_fail(
			err, SF_USAGE,
			"no file to record to; name it: schedflip record -o FILE");
	if (sf_parse_seconds(session, err) || sf_parse_buffer(session, err))
		return err->code;
	session->path = sf_words.output;
	session->events = sf_words.events ? sf_words.events : all;
	session->command = options->command;
	session->as_root = sf_words.as_root;
	session->to_stderr = options->json;
	return SF_OK;
}

/* Events that were asked for by name, and can never come. */
static int sf_check_select(struct sf_error *err)
{
	const unsigned int need =
		1u << SF_EVENT_SLOWPATH | 1u << SF_EVENT_BURST;
	const struct sf_hook *hook;
	struct sf_info info;

	if (!(sf_words.events & need))
		return SF_OK;
	memset(&info, 0, sizeof(info));
	if (sf_info_read_hooks(&info, err))
		return err->code;
	hook = sf_info_find_hook(&info, "select");
	if (!hook ||
	    (strcmp(hook->state, "off") && strcmp(hook->state, "absent")))
		return SF_OK;
	return sf_fail(
		err, SF_FAILED,
		"the event %s needs the hook select, which is %s; run: schedflip unload && schedflip load --hooks all",
		sf_event_name(sf_words.events & 1u << SF_EVENT_SLOWPATH ?
				      SF_EVENT_SLOWPATH :
				      SF_EVENT_BURST),
		hook->state);
}

static int sf_check_kernel(const struct sf_session *session,
			   struct sf_error *err)
{
	if (sf_kernel_check_root(err) || sf_kernel_check_module(err) ||
	    sf_check_select(err) || sf_tracer_check(session->events, err) ||
	    sf_privilege_check(err))
		return err->code;
	if (session->command && sf_program_find(*session->command, err))
		return err->code;
	return sf_writer_check(session->path, err);
}

static u64 sf_next_buffer(const struct sf_session *session)
{
	u64 next = session->buffer_kib * SF_BUFFER_STEP;

	return next < SF_MAX_BUFFER ? next : SF_MAX_BUFFER;
}

static void sf_say_lost(const struct sf_session *session, char *buf,
			size_t size)
{
	if (!session->lost)
		snprintf(buf, size, "none lost");
	else if (session->buffer_kib < SF_MAX_BUFFER)
		snprintf(buf, size,
			 "%llu lost (buffer too small: --buffer %llu)",
			 (unsigned long long)session->lost,
			 (unsigned long long)sf_next_buffer(session));
	else
		snprintf(buf, size, "%llu lost (fewer come with --event)",
			 (unsigned long long)session->lost);
}

static void sf_report_command(const struct sf_session *session,
			      struct sf_output *out)
{
	int status = session->child.status;
	bool ran = session->command;

	sf_output_set(out, "command_exit_status",
		      ran && WIFEXITED(status) ?
			      json_integer(WEXITSTATUS(status)) :
			      json_null());
	sf_output_set(out, "command_signal",
		      ran && WIFSIGNALED(status) ?
			      json_integer(WTERMSIG(status)) :
			      json_null());
}

static void sf_record_report(const struct sf_session *session,
			     struct sf_output *out)
{
	struct stat file = { .st_size = 0 };
	char lost[96], key[32];
	u64 all = 0;
	int type;

	stat(session->path, &file);
	sf_say_lost(session, lost, sizeof(lost));
	sf_output_set(out, "file", sf_json_text(session->path));
	sf_output_set(out, "file_bytes", sf_json_number(file.st_size));
	for (type = SF_EVENT_NEWIDLE; type < SF_NR_EVENT_TYPES; type++) {
		snprintf(key, sizeof(key), "%s_events", sf_event_name(type));
		sf_output_set(out, key,
			      session->events & 1u << type ?
				      sf_json_number(session->counts[type]) :
				      json_null());
		all += session->counts[type];
	}
	sf_output_set(out, "events", sf_json_number(all));
	sf_output_set(out, "lost_events", sf_json_number(session->lost));
	sf_output_set(out, "duration_ns", sf_json_number(session->duration_ns));
	sf_output_set(out, "buffer_kib", sf_json_number(session->buffer_kib));
	sf_report_command(session, out);
	sf_output_say(out, "%llu event%s in %.1f s, %s: %s (%lld bytes)",
		      (unsigned long long)all, sf_plural(all),
		      session->duration_ns / 1e9, lost, session->path,
		      (long long)file.st_size);
}

static void sf_say_how_to_end(const struct sf_session *session)
{
	if (!session->limit_ns && !session->command && isatty(STDERR_FILENO))
		fputs("schedflip: recording; Ctrl-C ends it\n", stderr);
}

/**
 * sf_record - record the balancer's decisions
 * @options: the user's
 * @out: gets what came of it
 * @err: says what was wrong
 *
 * Return: SF_OK, or the code in @err; SF_FAILED also if the recording is complete but
 * the user's command failed.
 */
int sf_record(const struct sf_options *options, struct sf_output *out,
	      struct sf_error *err)
{
	struct sf_session session = { .path = NULL };

	if (sf_words.print) {
		if (sf_check_print(options, err))
			return err->code;
		return sf_dump(sf_words.print, out, err);
	}
	if (sf_parse_words(options, &session, err) ||
	    sf_check_kernel(&session, err))
		return err->code;
	sf_say_how_to_end(&session);
	if (sf_session_run(&session, err))
		return err->code;
	sf_record_report(&session, out);
	return sf_child_verdict(&session.child, err);
}
