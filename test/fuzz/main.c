// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs a fuzz target on the inputs that are kept: those of test/fuzz/corpus/NAME, and
 * what once broke it, in test/fuzz/crashes/NAME. NAME is the program's. Prints TAP.
 */
#include "fuzz.h"

#include <glob.h>
#include <sanitizer/asan_interface.h>
#include <sanitizer/lsan_interface.h>

static FILE *tap;
static size_t number;
static const char *input;

const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "handle_abort=1:detect_stack_use_after_return=1";
}

/* A sanitizer is about to end the program. */
static void died(void)
{
	if (input)
		fprintf(tap, "not ok %zu - fuzz: %s\n", number + 1, input);
	fflush(tap);
}

/* Its runtime is one of its own. */
void __ubsan_on_report(void);

void __ubsan_on_report(void)
{
	died();
}

static void report(bool good, const char *name)
{
	fprintf(tap, "%sok %zu - fuzz: %s\n", good ? "" : "not ", ++number,
		name);
}

static void run(const char *path)
{
	FILE *file = fopen(path, "re");
	static u8 buf[1 << 20];
	size_t size;
	u8 *data;

	fuzz_check(file, "an input can be read");
	size = fread(buf, 1, sizeof(buf), file);
	fclose(file);
	/* Of just its size, so that a read behind its end is seen. */
	data = malloc(size ? size : 1);
	fuzz_check(data, "memory is enough");
	memcpy(data, buf, size);
	input = path;
	LLVMFuzzerTestOneInput(data, size);
	input = NULL;
	free(data);
	report(true, path);
}

int main(int argc, char **argv)
{
	const char *name = strrchr(argv[0], '/');
	char pattern[PATH_MAX], leaks[PATH_MAX];
	glob_t inputs = { .gl_pathc = 0 };
	size_t i;

	(void)argc;
	name = name ? name + 1 : argv[0];
	tap = fdopen(dup(STDOUT_FILENO), "we");
	fuzz_check(tap, "there is an output");
	__sanitizer_set_death_callback(died);
	snprintf(pattern, sizeof(pattern), "test/fuzz/corpus/%s/*", name);
	fuzz_check(!glob(pattern, 0, NULL, &inputs), "there are inputs");
	snprintf(pattern, sizeof(pattern), "test/fuzz/crashes/%s/*", name);
	glob(pattern, GLOB_APPEND, NULL, &inputs);
	fprintf(tap, "1..%zu\n", inputs.gl_pathc + 1);
	fflush(tap);
	for (i = 0; i < inputs.gl_pathc; i++)
		run(inputs.gl_pathv[i]);
	globfree(&inputs);
	snprintf(leaks, sizeof(leaks), "%s leaks nothing", name);
	report(!__lsan_do_recoverable_leak_check(), leaks);
	return fclose(tap) ? EXIT_FAILURE : EXIT_SUCCESS;
}
