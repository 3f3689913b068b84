// SPDX-License-Identifier: GPL-2.0-or-later
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"
#include "signals.h"

/* A line that is longer than the terminal is wide is cut, as a second is not wiped. */
#define SF_TTY_BEGIN "\r\033[K\033[?7l"
#define SF_TTY_END "\033[?7h"

/* A log of a wait gets a line now and then only. */
#define SF_PLAIN_AFTER_MS 2000
#define SF_PLAIN_EVERY_MS 10000

static atomic_bool sf_signalled;

static void sf_on_signal(int number)
{
	(void)number;
	sf_signalled = true;
}

/**
 * sf_progress_now - monotonic time
 *
 * Return: milliseconds.
 */
u64 sf_progress_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (u64)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/**
 * sf_progress_sleep - wait a little; a signal ends it early
 * @ms: below 1000
 */
void sf_progress_sleep(unsigned int ms)
{
	struct timespec time = { .tv_nsec = ms * 1000000L };

	nanosleep(&time, NULL);
}

/**
 * sf_progress_begin - begin a wait that the user may interrupt
 * @progress: to set
 * @quiet: show nothing
 *
 * Signals that would end us no longer do, as that would leave things half done: whoever
 * waits asks sf_progress_interrupted() and goes back. nohup(1) still keeps SIGHUP away.
 */
void sf_progress_begin(struct sf_progress *progress, bool quiet)
{
	struct sigaction action = { .sa_handler = sf_on_signal };
	sigset_t ending;
	int number;

	progress->tty = isatty(STDERR_FILENO);
	progress->quiet = quiet;
	progress->start = sf_progress_now();
	progress->due = progress->start + SF_PLAIN_AFTER_MS;
	progress->dirty = false;
	sf_signalled = false;
	sf_signals_ending(&ending);
	for (number = 1; number < NSIG; number++)
		if (sigismember(&ending, number) == 1)
			sigaction(number, &action, NULL);
}

/**
 * sf_progress_show - say how it goes
 * @progress: the wait
 * @format: of the text; the time passed is added
 */
void sf_progress_show(struct sf_progress *progress, const char *format, ...)
{
	u64 now = sf_progress_now();
	va_list args;

	if (progress->quiet || (!progress->tty && now < progress->due))
		return;
	progress->due = now + SF_PLAIN_EVERY_MS;
	fputs(progress->tty ? SF_TTY_BEGIN : "schedflip: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fprintf(stderr, " (%llu s)%s",
		(unsigned long long)(now - progress->start) / 1000,
		progress->tty ? SF_TTY_END : "\n");
	progress->dirty = progress->tty;
}

/**
 * sf_progress_end - wipe the terminal's line, before anything else is printed
 * @progress: the wait
 */
void sf_progress_end(struct sf_progress *progress)
{
	if (progress->dirty)
		fputs("\r\033[K", stderr);
	progress->dirty = false;
}

/**
 * sf_progress_interrupted - did the user ask us to stop, since the wait began?
 */
bool sf_progress_interrupted(void)
{
	return sf_signalled;
}
