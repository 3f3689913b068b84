/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program on a terminal: a pseudo terminal with somebody who reads what is drawn.
 *
 * The terminal is a simple one of our own, so that little has to be understood: the cursor
 * is moved, the screen cleared, and a second screen entered and left.
 */
#ifndef SCHEDFLIP_UNIT_PTY_H
#define SCHEDFLIP_UNIT_PTY_H

#include "utility.h"

#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>

#define PTY_MAX_ROWS 60
#define PTY_MAX_COLUMNS 200

/* On a machine that is busy, nothing has to be quick. */
#define PTY_PATIENCE_S 20

/**
 * struct pty - the terminal
 * @master: our end of it
 * @reports: of the shell, which says how the program fares
 * @shell: leader of its session; without one, nothing could be stopped
 * @program: process of the program
 * @before: settings of the terminal before it was started
 * @rows: height of the terminal
 * @columns: width of the terminal
 * @screen: what is drawn, without the second screen's being left
 * @row: of the cursor
 * @column: of the cursor
 * @escape: sequence that is being read
 * @second: the second screen is shown
 * @seconds: how often it was entered
 */
struct pty {
	int master;
	int reports;
	pid_t shell;
	pid_t program;
	struct termios before;
	size_t rows;
	size_t columns;
	char screen[PTY_MAX_ROWS][PTY_MAX_COLUMNS + 1];
	size_t row;
	size_t column;
	char escape[32];
	bool second;
	int seconds;
};

static inline void pty_terminfo(void)
{
	char command[PATH_MAX * 3];

	tree_write("/sftest.src",
		   "sftest|terminal of the tests,\n"
		   "\tcols#80, lines#24, clear=\\E[H\\E[2J,\n"
		   "\tcup=\\E[%i%p1%d;%p2%dH, smcup=\\E[?1049h,\n"
		   "\trmcup=\\E[?1049l, kcud1=\\E[B, kcuu1=\\E[A,\n");
	snprintf(command, sizeof(command), "tic -o %s/terminfo %s/sftest.src",
		 tree, tree);
	assert_int_equal(system(command), 0);
}

static inline void pty_clear(struct pty *pty)
{
	memset(pty->screen, 0, sizeof(pty->screen));
	for (size_t i = 0; i < PTY_MAX_ROWS; i++)
		memset(pty->screen[i], ' ', PTY_MAX_COLUMNS);
}

/* Return: false if the sequence goes on. */
static inline bool pty_obey(struct pty *pty)
{
	char *text = pty->escape, last = text[strlen(text) - 1];
	unsigned int row, column;

	if (!text[1] || last == '[' || last == '?' || last == ';' ||
	    (last >= '0' && last <= '9'))
		return strlen(text) > 20;
	if (!strcmp(text, "\033[H"))
		pty->row = pty->column = 0;
	else if (!strcmp(text, "\033[2J"))
		pty_clear(pty);
	else if (!strcmp(text, "\033[?1049h"))
		pty->seconds += pty->second = true;
	else if (!strcmp(text, "\033[?1049l"))
		pty->second = false;
	else if (sscanf(text, "\033[%u;%uH", &row, &column) == 2) {
		pty->row = row - 1;
		pty->column = column - 1;
	} else
		fail_msg("unexpected sequence ESC%s", text + 1);
	return true;
}

static inline void pty_feed(struct pty *pty, char byte)
{
	size_t len = strlen(pty->escape);

	if (len) {
		pty->escape[len] = byte;
		pty->escape[len + 1] = '\0';
		if (pty_obey(pty))
			memset(pty->escape, 0, sizeof(pty->escape));
	} else if (byte == '\033')
		pty->escape[0] = byte;
	else if (byte == '\r')
		pty->column = 0;
	else if (byte == '\n')
		pty->row++;
	else if (byte == '\b')
		pty->column -= !!pty->column;
	else if (pty->row < PTY_MAX_ROWS && pty->column < PTY_MAX_COLUMNS)
		pty->screen[pty->row][pty->column++] = byte;
}

/* Read what is drawn, for a tenth of a second at least. */
static inline void pty_read(struct pty *pty)
{
	struct pollfd poll_fd = { .fd = pty->master, .events = POLLIN };
	char bytes[4096];
	ssize_t count, i;

	while (poll(&poll_fd, 1, 100) > 0) {
		count = read(pty->master, bytes, sizeof(bytes));
		if (count <= 0)
			return;
		for (i = 0; i < count; i++)
			pty_feed(pty, bytes[i]);
	}
}

static inline bool pty_shows(const struct pty *pty, const char *text)
{
	for (size_t i = 0; i < pty->rows; i++)
		if (strstr(pty->screen[i], text))
			return true;
	return false;
}

/* Wait until a text is there, or is not there any more. */
static inline void pty_wait(struct pty *pty, const char *text, bool there)
{
	time_t end = time(NULL) + PTY_PATIENCE_S;

	do {
		pty_read(pty);
		if (pty_shows(pty, text) == there)
			return;
	} while (time(NULL) < end);
	for (size_t i = 0; i < pty->rows; i++)
		print_error("%.*s\n", (int)pty->columns, pty->screen[i]);
	fail_msg("\"%s\" is %sthere", text, there ? "not " : "");
}

static inline void pty_press(struct pty *pty, const char *keys)
{
	assert_int_equal(write(pty->master, keys, strlen(keys)), strlen(keys));
}

static inline void pty_resize(struct pty *pty, size_t rows, size_t columns)
{
	struct winsize size = { .ws_row = rows, .ws_col = columns };

	pty->rows = rows;
	pty->columns = columns;
	assert_int_equal(ioctl(pty->master, TIOCSWINSZ, &size), 0);
}

/* What a shell with jobs does: the program is a job of its own, in the foreground. */
static inline void pty_shell(char **argv, int reports)
{
	pid_t program;
	int status;

	signal(SIGTTOU, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	program = fork();
	if (!program) {
		setpgid(0, 0);
		tcsetpgrp(STDIN_FILENO, getpid());
		signal(SIGTTOU, SIG_DFL);
		signal(SIGHUP, SIG_DFL);
		execv(argv[0], argv);
		_exit(127);
	}
	if (write(reports, &program, sizeof(program)) != sizeof(program))
		_exit(1);
	do {
		if (waitpid(program, &status, WUNTRACED) != program)
			_exit(1);
		if (write(reports, &status, sizeof(status)) != sizeof(status))
			_exit(1);
	} while (WIFSTOPPED(status));
	_exit(0);
}

static inline void pty_start(struct pty *pty, size_t rows, size_t columns,
			     const char *option)
{
	struct winsize size = { .ws_row = rows, .ws_col = columns };
	const char *given = getenv("SCHEDFLIP");
	char *program = given ? (char *)given : "build/userspace/schedflip";
	char *argv[] = { program, "watch", "-i", "0.2", (char *)option, NULL };
	int ends[2];

	memset(pty, 0, sizeof(*pty));
	pty->rows = rows;
	pty->columns = columns;
	pty_clear(pty);
	setenv("TERM", "sftest", 1);
	setenv("TERMINFO", tree_path("/terminfo"), 1);
	assert_int_equal(pipe(ends), 0);
	pty->shell = forkpty(&pty->master, NULL, NULL, &size);
	assert_true(pty->shell >= 0);
	if (!pty->shell)
		pty_shell(argv, ends[1]);
	close(ends[1]);
	assert_int_equal(tcgetattr(pty->master, &pty->before), 0);
	pty->reports = ends[0];
	assert_int_equal(read(pty->reports, &pty->program,
			      sizeof(pty->program)),
			 sizeof(pty->program));
}

/* Return: the next status that waitpid(2) has of the program. */
static inline int pty_status(struct pty *pty)
{
	struct pollfd report = { .fd = pty->reports, .events = POLLIN };
	time_t end = time(NULL) + PTY_PATIENCE_S;
	int status = -1;

	/* It may have something to draw before. */
	while (!poll(&report, 1, 0) && time(NULL) < end)
		pty_read(pty);
	if (!poll(&report, 1, 0))
		fail_msg("the program goes on");
	assert_int_equal(read(pty->reports, &status, sizeof(status)),
			 sizeof(status));
	pty_read(pty);
	return status;
}

static inline void pty_assert_restored(const struct pty *pty)
{
	struct termios after;

	assert_int_equal(tcgetattr(pty->master, &after), 0);
	assert_int_equal(after.c_lflag, pty->before.c_lflag);
	assert_int_equal(after.c_iflag, pty->before.c_iflag);
	assert_int_equal(after.c_oflag, pty->before.c_oflag);
	assert_int_equal(after.c_cflag, pty->before.c_cflag);
	assert_memory_equal(after.c_cc, pty->before.c_cc, NCCS);
	assert_false(pty->second);
}

/* It ends by itself now, with exit code 0, and has left the terminal as it was. */
static inline void pty_assert_end(struct pty *pty)
{
	int status = pty_status(pty);

	if (!WIFEXITED(status) || WEXITSTATUS(status))
		fail_msg("it ended with status %#x", status);
	pty_assert_restored(pty);
	close(pty->master);
	close(pty->reports);
	waitpid(pty->shell, &status, 0);
}

#endif
