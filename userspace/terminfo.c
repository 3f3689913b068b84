// SPDX-License-Identifier: GPL-2.0-or-later
/* Apart from the rest, as term.h has a macro for every other word. */
#include <ncursesw/curses.h>
#include <ncursesw/term.h>
#include <unistd.h>

#include "terminfo.h"

/**
 * sf_terminfo_can_draw - is there a terminal that a screen can be drawn on?
 * @why: set to why not; NULL if that needs no words, as output and input go elsewhere
 */
bool sf_terminfo_can_draw(const char **why)
{
	const char *cup;
	bool can;
	int found;

	*why = NULL;
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return false;
	*why = "this terminal is not known to ncurses; set TERM";
	if (setupterm(NULL, STDOUT_FILENO, &found) != OK)
		return false;
	*why = "the cursor of this terminal cannot be moved";
	cup = tigetstr("cup");
	can = cup && cup != (const char *)-1;
	/* The screen has one of its own. */
	del_curterm(cur_term);
	return can;
}
