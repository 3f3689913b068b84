// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gnuplot.h"
#include "privilege.h"
#include "program.h"
#include "text.h"

/* U+2019, in UTF-8. */
#define SF_APOSTROPHE "\xe2\x80\x99"

/* Exit status of what has not become gnuplot, as a shell has it. */
#define SF_NOT_RUN 127

static const char *sf_plot_terminal(const char *path)
{
	const char *dot = strrchr(path, '.');

	if (dot && !strcmp(dot, ".svg"))
		return "svg noenhanced font 'sans,12' background 'white'";
	if (dot && !strcmp(dot, ".png"))
		return "pngcairo noenhanced font 'sans,10'";
	return NULL;
}

static int sf_plot_fail_missing(struct sf_error *err)
{
	return sf_fail(
		err, SF_FAILED,
		"no gnuplot to draw with; install it (Debian: apt install gnuplot-nox)");
}

static int sf_plot_check_kind(const char *path, struct sf_error *err)
{
	if (sf_plot_terminal(path))
		return SF_OK;
	return sf_fail(
		err, SF_USAGE,
		"no picture \"%.400s\": its name must end in .svg or .png",
		path);
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

	if (sf_plot_check_kind(path, err) || sf_writer_check(path, err))
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
	memset(plot, 0, sizeof(*plot));
	plot->path = path;
	if (sf_plot_check_kind(path, err))
		return err->code;
	plot->writer = sf_writer_open(path, err);
	if (!plot->writer)
		return err->code;
	plot->script = open_memstream(&plot->text, &plot->size);
	if (!plot->script) {
		sf_writer_close(plot->writer);
		return sf_fail(err, SF_FAILED, "out of memory");
	}
	fprintf(plot->script, "set terminal %s size %u,%u\nset encoding utf8\n",
		sf_plot_terminal(path), width, height);
	return SF_OK;
}

/**
 * sf_plot_string - print a string as gnuplot reads it
 * @plot: from sf_plot_begin()
 * @text: what is not printable becomes a blank, and ' the apostrophe of print
 */
void sf_plot_string(struct sf_plot *plot, const char *text)
{
	size_t control;

	/*
	 * Between single quotes gnuplot runs no command, and nothing has a meaning but
	 * the quote. Doubled it would be one, but not where a string begins.
	 */
	fputc('\'', plot->script);
	for (; *text; text += control ? control : 1) {
		control = sf_control_size(text);
		if (*text == '\'')
			fputs(SF_APOSTROPHE, plot->script);
		else
			fputc(control ? ' ' : *text, plot->script);
	}
	fputc('\'', plot->script);
}

/**
 * struct sf_drawing - gnuplot's files, in memory: it has nothing to open
 * @script: it reads
 * @picture: it writes
 * @complaints: it writes
 */
struct sf_drawing {
	int script;
	int picture;
	int complaints;
};

/* In the child. As the user, as what it finds in HOME is not root's. */
static _Noreturn void sf_plot_exec(const struct sf_drawing *drawing)
{
	char *argv[] = { "gnuplot", "--default-settings", NULL };
	struct sf_error ignored = { .code = SF_OK };

	if (dup2(drawing->script, STDIN_FILENO) < 0 ||
	    dup2(drawing->picture, STDOUT_FILENO) < 0 ||
	    dup2(drawing->complaints, STDERR_FILENO) < 0 ||
	    unsetenv("GNUTERM") || sf_privilege_drop(false, &ignored))
		_exit(SF_NOT_RUN);
	execvp(argv[0], argv);
	_exit(SF_NOT_RUN);
}

/* Return: gnuplot's wait status, or a negative errno. */
static int sf_plot_run(const struct sf_drawing *drawing)
{
	int status = 0;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (!pid)
		sf_plot_exec(drawing);
	if (pid < 0)
		return -errno;
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
	sf_clean_text(buf);
}

static int sf_plot_failed(int status, int complaints, struct sf_error *err)
{
	char said[400];

	sf_plot_complaint(complaints, said, sizeof(said));
	if (status < 0)
		return sf_fail(err, SF_FAILED, "cannot run gnuplot: %s",
			       strerror(-status));
	if (WIFEXITED(status) && WEXITSTATUS(status) == SF_NOT_RUN)
		return sf_plot_fail_missing(err);
	return sf_fail(err, SF_FAILED, "gnuplot failed: %s",
		       *said ? said : "it says nothing");
}

static int sf_plot_save(struct sf_writer *writer, int picture,
			struct sf_error *err)
{
	off_t size = lseek(picture, 0, SEEK_END);
	void *data;

	if (size <= 0)
		return sf_fail(err, SF_FAILED, "gnuplot drew nothing");
	data = mmap(NULL, size, PROT_READ, MAP_SHARED, picture, 0);
	if (data == MAP_FAILED)
		return sf_fail(err, SF_FAILED, "out of memory");
	sf_writer_save(writer, data, size, err);
	munmap(data, size);
	return err->code;
}

static int sf_plot_draw(const struct sf_plot *plot, struct sf_error *err)
{
	struct sf_drawing drawing = {
		.script = memfd_create("script", MFD_CLOEXEC),
		.picture = memfd_create("picture", MFD_CLOEXEC),
		.complaints = memfd_create("complaints", MFD_CLOEXEC),
	};
	int status = -EIO;

	if (drawing.script >= 0 && drawing.picture >= 0 &&
	    drawing.complaints >= 0 &&
	    write(drawing.script, plot->text, plot->size) ==
		    (ssize_t)plot->size &&
	    !lseek(drawing.script, 0, SEEK_SET))
		status = sf_plot_run(&drawing);
	if (status)
		sf_plot_failed(status, drawing.complaints, err);
	else
		sf_plot_save(plot->writer, drawing.picture, err);
	close(drawing.script);
	close(drawing.picture);
	close(drawing.complaints);
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
	sf_writer_close(plot->writer);
	free(plot->text);
	return err->code;
}
