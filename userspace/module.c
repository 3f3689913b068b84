// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel.h"
#include "module.h"
#include "text.h"

/**
 * sf_module_insert - load a module from an open file
 * @fd: the file
 * @parameters: of the module; a value with blanks stands in double quotes
 *
 * Return: 0 or a negative errno.
 */
int sf_module_insert(int fd, const char *parameters)
{
	if (!sf_kernel_is_real())
		return -ECANCELED;
	return syscall(SYS_finit_module, fd, parameters, 0) ? -errno : 0;
}

/**
 * sf_module_remove - unload schedflip, without waiting for its users
 *
 * Return: 0 or a negative errno.
 */
int sf_module_remove(void)
{
	if (!sf_kernel_is_real())
		return -ECANCELED;
	return syscall(SYS_delete_module, "schedflip", O_NONBLOCK) ? -errno : 0;
}

/* In the child. Only what may be called between fork and exec. */
static void sf_module_exec(char *const argv[], int log)
{
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	if (dup2(log, STDERR_FILENO) >= 0 && dup2(log, STDOUT_FILENO) >= 0)
		execvp(argv[0], argv);
	_exit(127);
}

/* To the end, also of what does not fit: a full pipe would stop the child. */
static void sf_module_read_log(int fd, char *log, size_t size)
{
	char text[512];
	ssize_t len = 1;

	while (len) {
		len = read(fd, text, sizeof(text) - 1);
		if (len < 0 && errno != EINTR)
			return;
		text[len > 0 ? len : 0] = '\0';
		sf_append_text(log, size, "%s", text);
	}
}

/**
 * sf_module_probe - run modprobe
 * @argv: its command line; no shell sees it
 * @log: for what it prints, in English, cut to fit
 * @size: of @log
 *
 * Return: its exit status; 127 if there is no modprobe; a negative errno.
 */
int sf_module_probe(char *const argv[], char *log, size_t size)
{
	int fds[2], status;
	pid_t child;

	log[0] = '\0';
	if (setenv("LC_ALL", "C", 1) || pipe2(fds, O_CLOEXEC))
		return -errno;
	child = fork();
	if (!child)
		sf_module_exec(argv, fds[1]);
	close(fds[1]);
	if (child > 0)
		sf_module_read_log(fds[0], log, size);
	close(fds[0]);
	if (child < 0)
		return -EAGAIN;
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
