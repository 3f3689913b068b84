// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gnuplot.h"
#include "program.h"

extern char **environ;

/* The picture is made beside its place, and moved there once it is whole. */
static void sf_plot_temporary(const struct sf_plot *plot, char *buf,
			      size_t size)
{
	snprintf(buf, size, "%s.%d.part", plot->path, (int)getpid());
}

static const char *sf_plot_terminal(const char *path)
{
	const char *dot = strrchr(path, '.');

	if (dot && !strcmp(dot, ".svg"))
		return "svg noenhanced font 'sans,12' background 'white'";
	if (dot && !strcmp(dot, ".png"))
		return "pngcairo noenhanced font 'sans,10'";
	return NULL;
}

static int sf_plot_fail_write(const char *path, int error, struct sf_error *err)
{
	return sf_fail(err, SF_FAILED, "cannot write %.400s: %s", path,
		       strerror(error));
}

/* It would replace what is there, so that must be a file, and no device. */
static int sf_plot_check_place(const char *path, struct sf_error *err)
{
	const char *slash = strrchr(path, '/');
	char directory[PATH_MAX];
	struct stat stat;

	if (strlen(path) + sizeof(".2147483647.part") > PATH_MAX)
		return sf_plot_fail_write(path, ENAMETOOLONG, err);
	snprintf(directory, sizeof(directory), "%.*s",
		 slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
	if (access(directory, W_OK | X_OK))
		return sf_plot_fail_write(path, errno, err);
	if (!lstat(path, &stat) && !S_ISREG(stat.st_mode))
		return sf_fail(
			err, SF_FAILED,
			"cannot write %.400s: it is there, but is no plain file; give another name",
			path);
	return SF_OK;
}

static int sf_plot_fail_missing(struct sf_error *err)
{
	return sf_fail(
		err, SF_FAILED,
		"no gnuplot to draw with; install it (Debian: apt install gnuplot-nox)");
}

/**
 * sf_plot_check - can a picture of this name be drawn?
 * @path: ends in .svg or .png
 * @err: says what was wrong
 *
 * To be asked before anything takes time.
 *
 * Return: SF_OK; SF_USAGE for another kind of name; SF_FAILED if it cannot be written,
 * or there is no gnuplot.
 */
int sf_plot_check(const char *path, struct sf_error *err)
{
	struct sf_error missing = { .code = SF_OK };

	if (!sf_plot_terminal(path))
		return sf_fail(
			err, SF_USAGE,
			"no picture \"%.400s\": its name must end in .svg or .png",
			path);
	if (sf_plot_check_place(path, err))
		return err->code;
	if (sf_program_find("gnuplot", &missing))
		return sf_plot_fail_missing(err);
	return SF_OK;
}

/**
 * sf_plot_begin - begin a picture
 * @plot: to set; @plot->script takes gnuplot's commands
 * @path: where it goes; ends in .svg or .png
 * @width: in pixels
 * @height: in pixels
 * @err: says what was wrong
 *
 * Return: SF_OK or why not.
 */
int sf_plot_begin(struct sf_plot *plot, const char *path, unsigned int width,
		  unsigned int height, struct sf_error *err)
{
	char temporary[PATH_MAX];

	memset(plot, 0, sizeof(*plot));
	plot->path = path;
	if (sf_plot_check(path, err))
		return err->code;
	plot->script = open_memstream(&plot->text, &plot->size);
	if (!plot->script)
		return sf_fail(err, SF_FAILED, "out of memory");
	sf_plot_temporary(plot, temporary, sizeof(temporary));
	fprintf(plot->script, "set terminal %s size %u,%u\nset output ",
		sf_plot_terminal(path), width, height);
	sf_plot_string(plot, temporary);
	fputs("\nset encoding utf8\n", plot->script);
	return SF_OK;
}

/**
 * sf_plot_string - print a string as gnuplot reads it
 * @plot: from sf_plot_begin()
 * @text: what is not printable becomes a blank
 */
void sf_plot_string(struct sf_plot *plot, const char *text)
{
	/* Between single quotes gnuplot knows no escape but the quote doubled. */
	fputc('\'', plot->script);
	for (; *text; text++) {
		if (*text == '\'')
			fputc('\'', plot->script);
		fputc((unsigned char)*text < ' ' ? ' ' : *text, plot->script);
	}
	fputc('\'', plot->script);
}

/* Return: gnuplot's wait status, or a negative errno. */
static int sf_plot_run(int script, int complaints)
{
	char *argv[] = { "gnuplot", NULL };
	posix_spawn_file_actions_t actions;
	int status = 0, error;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, script, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, complaints, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, complaints, STDERR_FILENO);
	error = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (error)
		return -error;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return status;
}

/* It repeats the command first, and then says in the last line what was wrong. */
static void sf_plot_complaint(int complaints, char *buf, size_t size)
{
	off_t end = lseek(complaints, 0, SEEK_END);
	off_t start = end >= (off_t)size ? end - (off_t)size + 1 : 0;
	ssize_t len = pread(complaints, buf, size - 1, start);
	char *line;

	while (len > 0 && buf[len - 1] == '\n')
		len--;
	buf[len > 0 ? len : 0] = '\0';
	line = strrchr(buf, '\n');
	line = line ? line + 1 : buf;
	line += strspn(line, " ");
	memmove(buf, line, strlen(line) + 1);
}

static int sf_plot_failed(int status, int complaints, struct sf_error *err)
{
	char said[400];

	sf_plot_complaint(complaints, said, sizeof(said));
	if (status == -ENOENT)
		return sf_plot_fail_missing(err);
	if (status < 0)
		return sf_fail(err, SF_FAILED, "cannot run gnuplot: %s",
			       strerror(-status));
	return sf_fail(err, SF_FAILED, "gnuplot failed: %s", said);
}

static int sf_plot_draw(struct sf_plot *plot, struct sf_error *err)
{
	char temporary[PATH_MAX];
	int script = memfd_create("script", MFD_CLOEXEC);
	int complaints = memfd_create("complaints", MFD_CLOEXEC);
	int status = -EIO;

	sf_plot_temporary(plot, temporary, sizeof(temporary));
	if (script >= 0 && complaints >= 0 &&
	    write(script, plot->text, plot->size) == (ssize_t)plot->size &&
	    !lseek(script, 0, SEEK_SET))
		status = sf_plot_run(script, complaints);
	if (status)
		sf_plot_failed(status, complaints, err);
	else if (rename(temporary, plot->path))
		sf_plot_fail_write(plot->path, errno, err);
	if (err->code)
		unlink(temporary);
	close(script);
	close(complaints);
	return err->code;
}

/**
 * sf_plot_end - draw the picture
 * @plot: from sf_plot_begin(); is done with
 * @err: says what was wrong
 *
 * Return: SF_OK, or SF_FAILED, and then there is no new picture.
 */
int sf_plot_end(struct sf_plot *plot, struct sf_error *err)
{
	if (ferror(plot->script) | fclose(plot->script))
		sf_fail(err, SF_FAILED, "out of memory");
	else
		sf_plot_draw(plot, err);
	free(plot->text);
	return err->code;
}
