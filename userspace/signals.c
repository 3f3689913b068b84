// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdbool.h>
#include <stddef.h>

#include "signals.h"
#include "text.h"

/* Keys and kill(1) end us also if our parent ignores them. */
static const int sf_signals_heard[] = { SIGINT, SIGQUIT, SIGTERM };

/* Those of faults are not here, as nothing could go on after them. */
static const int sf_signals_unless_ignored[] = {
	SIGHUP,	   SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU,
	SIGVTALRM, SIGPROF, SIGIO,   SIGPWR,  SIGSTKFLT,
};

static bool sf_signal_is_ignored(int number)
{
	struct sigaction action;

	return sigaction(number, NULL, &action) || action.sa_handler == SIG_IGN;
}

/**
 * sf_signals_ending - which signals would end us?
 * @set: to set
 *
 * One that is ignored, as nohup(1) does it, is not among them, unless it comes of a key or
 * is SIGTERM.
 */
void sf_signals_ending(sigset_t *set)
{
	size_t i;
	int number;

	sigemptyset(set);
	for (i = 0; i < SF_ARRAY_SIZE(sf_signals_heard); i++)
		sigaddset(set, sf_signals_heard[i]);
	for (i = 0; i < SF_ARRAY_SIZE(sf_signals_unless_ignored); i++)
		if (!sf_signal_is_ignored(sf_signals_unless_ignored[i]))
			sigaddset(set, sf_signals_unless_ignored[i]);
	for (number = SIGRTMIN; number <= SIGRTMAX; number++)
		if (!sf_signal_is_ignored(number))
			sigaddset(set, number);
}
