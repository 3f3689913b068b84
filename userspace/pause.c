// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <time.h>

#include "pause.h"
#include "signals.h"

/* An interval is not longer. */
#define SF_LONGEST_S 86400

static volatile sig_atomic_t sf_pause_ended;
static sigset_t sf_pause_mask;

static void sf_pause_end(int number)
{
	(void)number;
	sf_pause_ended = 1;
}

/**
 * sf_pause_now - monotonic time
 *
 * Return: seconds.
 */
double sf_pause_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

/**
 * sf_pause_begin - from here on, signals that would end us end a pause instead
 *
 * They come in pauses only, so that none is missed between two of them.
 */
void sf_pause_begin(void)
{
	struct sigaction action = { .sa_handler = sf_pause_end };
	sigset_t ending;
	int number;

	sf_signals_ending(&ending);
	sigprocmask(SIG_BLOCK, &ending, &sf_pause_mask);
	for (number = 1; number < NSIG; number++)
		if (sigismember(&ending, number) == 1) {
			sigaction(number, &action, NULL);
			sigdelset(&sf_pause_mask, number);
		}
}

static struct timespec sf_pause_left(double due)
{
	double left = due - sf_pause_now();
	struct timespec wait = { 0, 0 };

	if (left > SF_LONGEST_S)
		left = SF_LONGEST_S;
	if (left > 0) {
		wait.tv_sec = left;
		wait.tv_nsec = (left - wait.tv_sec) * 1e9;
	}
	return wait;
}

/**
 * sf_pause_until - wait
 * @due: as sf_pause_now() tells time; one that is past lets pending signals in
 * @fd: file whose input ends the pause; negative for none
 *
 * Return: what ended it. A signal that does not end us counts as input, as the screen may
 * have to be drawn again; a file that was closed counts as a signal that does.
 */
enum sf_pause_end sf_pause_until(double due, int fd)
{
	struct pollfd input = { .fd = fd, .events = POLLIN };
	struct timespec wait = sf_pause_left(due);
	int ready = ppoll(&input, 1, &wait, &sf_pause_mask);

	if (sf_pause_ended)
		return SF_PAUSE_SIGNAL;
	if (ready < 0)
		return SF_PAUSE_INPUT;
	if (!ready)
		return SF_PAUSE_OVER;
	return input.revents == POLLIN ? SF_PAUSE_INPUT : SF_PAUSE_SIGNAL;
}
