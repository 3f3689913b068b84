// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "formats.h"
#include "header.h"
#include "session.h"
#include "signals.h"
#include "tracer.h"

/* Rarely, as we disturb what we watch; but before the buffers are full. */
#define SF_DRAIN_EVERY_MS 100

#define SF_NS_PER_MS 1000000ull

/**
 * struct sf_watch - a session while it runs
 * @session: it
 * @tracer: gives the events
 * @recorder: takes them
 * @signals: descriptor that the signals come by
 * @before: signals that were blocked before
 * @start_ns: when recording began
 * @interrupts: signals that came to end it
 * @err: of the session
 */
struct sf_watch {
	struct sf_session *session;
	struct sf_tracer *tracer;
	struct sf_recorder *recorder;
	int signals;
	sigset_t before;
	u64 start_ns;
	unsigned int interrupts;
	struct sf_error *err;
};

static u64 sf_session_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (u64)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* From here on signals wait until they are asked for: each must end it in order. */
static int sf_watch_signals(struct sf_watch *watch, struct sf_error *err)
{
	sigset_t set;

	sf_signals_ending(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, &watch->before);
	watch->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (watch->signals >= 0)
		return SF_OK;
	return sf_fail(err, SF_FAILED, "cannot wait for signals: %s",
		       strerror(errno));
}

/* The terminal sends its signals to the command as well; others we pass on. */
static void sf_watch_interrupted(struct sf_watch *watch,
				 const struct signalfd_siginfo *info)
{
	watch->interrupts++;
	if (watch->interrupts > 1)
		sf_child_signal(&watch->session->child, SIGKILL);
	else if (info->ssi_code != SI_KERNEL)
		sf_child_signal(&watch->session->child, info->ssi_signo);
}

/* Wait for signals, @timeout_ms at most; -1 is for ever. */
static void sf_watch_wait(struct sf_watch *watch, int timeout_ms)
{
	struct pollfd poller = { .fd = watch->signals, .events = POLLIN };
	struct signalfd_siginfo info;

	if (poll(&poller, 1, timeout_ms) <= 0)
		return;
	while (read(watch->signals, &info, sizeof(info)) == sizeof(info))
		if (info.ssi_signo != SIGCHLD)
			sf_watch_interrupted(watch, &info);
}

static void sf_watch_await_child(struct sf_watch *watch)
{
	while (!sf_child_ended(&watch->session->child))
		sf_watch_wait(watch, -1);
}

static int sf_watch_take(const struct sf_event *event, void *data)
{
	struct sf_watch *watch = data;
	int error = sf_recorder_write(watch->recorder, event);

	watch->session->counts[event->type]++;
	if (!error)
		return SF_OK;
	if (error != -EINVAL)
		return sf_fail(watch->err, SF_FAILED, "cannot write %s: %s",
			       watch->session->path, strerror(-error));
	return sf_fail(
		watch->err, SF_FAILED,
		"cannot record an event %s of cpu %u, level %u, policy %u: a field is out of its range; is the module of this release?",
		sf_event_name(event->type), event->cpu, event->level,
		event->policy);
}

/* Return: ms until the next drain is due, or the end; 0 if that has come. */
static int sf_watch_left(const struct sf_watch *watch)
{
	u64 passed = sf_session_now() - watch->start_ns;
	u64 limit = watch->session->limit_ns, left;

	if (!limit)
		return SF_DRAIN_EVERY_MS;
	if (passed >= limit)
		return 0;
	left = (limit - passed + SF_NS_PER_MS - 1) / SF_NS_PER_MS;
	return left < SF_DRAIN_EVERY_MS ? left : SF_DRAIN_EVERY_MS;
}

static bool sf_watch_is_over(struct sf_watch *watch)
{
	if (watch->interrupts || !sf_watch_left(watch))
		return true;
	return watch->session->command &&
	       sf_child_ended(&watch->session->child);
}

static int sf_watch_start(struct sf_watch *watch, struct sf_error *err)
{
	const struct sf_session *session = watch->session;
	struct sf_child *child = &watch->session->child;
	const struct sf_child_how how = {
		.command = session->command,
		.as_root = session->as_root,
		.to_stderr = session->to_stderr,
		.mask = watch->before,
	};
	json_t *header = sf_header_new(session->events, session->command, err);

	if (!header)
		return err->code;
	watch->start_ns = sf_session_now();
	json_object_set_new(header, "start_ns", json_integer(watch->start_ns));
	watch->recorder = sf_recorder_create(session->path, header, err);
	json_decref(header);
	if (!watch->recorder ||
	    sf_tracer_start(watch->tracer, watch->start_ns, err))
		return err->code;
	if (!session->command)
		return SF_OK;
	if (sf_child_prepare(child, &how, err))
		return err->code;
	return sf_child_exec(child, err);
}

static int sf_watch_run(struct sf_watch *watch, struct sf_error *err)
{
	struct sf_session *session = watch->session;

	while (!sf_watch_is_over(watch)) {
		sf_watch_wait(watch, sf_watch_left(watch));
		if (sf_tracer_drain(watch->tracer, sf_watch_take, watch, err))
			return err->code;
	}
	if (sf_tracer_stop(watch->tracer, err))
		return err->code;
	session->duration_ns = sf_session_now() - watch->start_ns;
	if (sf_tracer_drain(watch->tracer, sf_watch_take, watch, err) ||
	    sf_tracer_verify(watch->tracer, err))
		return err->code;
	return sf_tracer_lost(watch->tracer, &session->lost, err);
}

/* Ends all that was begun; after an error nothing stays of it. */
static void sf_watch_end(struct sf_watch *watch, struct sf_error *err)
{
	struct sf_session *session = watch->session;

	if (watch->recorder && err->code)
		sf_recorder_abort(watch->recorder);
	else if (watch->recorder)
		sf_recorder_finish(watch->recorder, session->lost,
				   session->duration_ns, err);
	if (watch->tracer)
		sf_tracer_close(watch->tracer, err);
	if (err->code)
		sf_child_signal(&session->child, SIGTERM);
	sf_watch_await_child(watch);
	if (watch->signals >= 0)
		close(watch->signals);
	sigprocmask(SIG_SETMASK, &watch->before, NULL);
}

/**
 * sf_session_run - record
 * @session: what, and what came of it
 * @err: says what was wrong; then there is no recording, unless it was only that tracing
 *	could not be left as it was
 *
 * A signal ends the recording in order. The command is waited for, also if the
 * recording ends before it; that it failed is not an error here.
 *
 * Return: SF_OK or why not.
 */
int sf_session_run(struct sf_session *session, struct sf_error *err)
{
	struct sf_watch watch = { .session = session,
				  .signals = -1,
				  .err = err };

	if (!sf_watch_signals(&watch, err))
		watch.tracer = sf_tracer_open(session->events,
					      session->buffer_kib, err);
	if (watch.tracer && !sf_watch_start(&watch, err))
		sf_watch_run(&watch, err);
	sf_watch_end(&watch, err);
	return err->code;
}
