// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Attaches a BPF program to functions of the kernel, as tracers do, and counts their
 * calls until it is terminated.
 *
 *	trampoline fentry|fexit FILE FUNCTION...
 *
 * FILE has a line "FUNCTION COUNT" each, and is written anew ten times a second.
 */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define MAX_FUNCTIONS 8

static volatile sig_atomic_t sf_done;

static void sf_finish(int signal)
{
	(void)signal;
	sf_done = 1;
}

/* ++map[index] */
static int sf_load(struct btf *btf, const char *function,
		   enum bpf_attach_type type, int map, int index)
{
	const struct bpf_insn program[] = {
		{ BPF_ST | BPF_MEM | BPF_W, BPF_REG_10, 0, -4, index },
		{ BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_2, BPF_REG_10, 0, 0 },
		{ BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_2, 0, 0, -4 },
		{ BPF_LD | BPF_DW | BPF_IMM, BPF_REG_1, BPF_PSEUDO_MAP_FD, 0,
		  map },
		{ 0, 0, 0, 0, 0 },
		{ BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_map_lookup_elem },
		{ BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, 2, 0 },
		{ BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_1, 0, 0, 1 },
		{ BPF_STX | BPF_ATOMIC | BPF_DW, BPF_REG_0, BPF_REG_1, 0,
		  BPF_ADD },
		{ BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, 0 },
		{ BPF_JMP | BPF_EXIT, 0, 0, 0, 0 },
	};
	LIBBPF_OPTS(bpf_prog_load_opts, options, .expected_attach_type = type);
	int id = btf__find_by_name_kind(btf, function, BTF_KIND_FUNC);

	if (id < 0)
		return id;
	options.attach_btf_id = id;
	return bpf_prog_load(BPF_PROG_TYPE_TRACING, "sf_count", "GPL", program,
			     sizeof(program) / sizeof(program[0]), &options);
}

static int sf_attach(struct btf *btf, const char *function,
		     enum bpf_attach_type type, int map, int index)
{
	int link, program = sf_load(btf, function, type, map, index);

	if (program < 0) {
		fprintf(stderr, "trampoline: cannot load for %s: %s\n",
			function, strerror(-program));
		return program;
	}
	link = bpf_raw_tracepoint_open(NULL, program);
	if (link < 0)
		fprintf(stderr, "trampoline: cannot attach to %s: %s\n",
			function, strerror(-link));
	return link;
}

/* In one step, as somebody may be reading it. */
static bool sf_write(const char *path, char **functions, int count, int map)
{
	unsigned long long calls;
	char aside[256];
	FILE *file;
	int i;

	snprintf(aside, sizeof(aside), "%s.new", path);
	file = fopen(aside, "w");
	if (!file)
		return false;
	for (i = 0; i < count; i++) {
		calls = 0;
		bpf_map_lookup_elem(map, &i, &calls);
		fprintf(file, "%s %llu\n", functions[i], calls);
	}
	return !fclose(file) && !rename(aside, path);
}

static int sf_run(enum bpf_attach_type type, const char *path, char **functions,
		  int count)
{
	const struct timespec nap = { .tv_nsec = 100000000 };
	struct btf *btf = btf__load_vmlinux_btf();
	int map, i;

	map = bpf_map_create(BPF_MAP_TYPE_ARRAY, "sf_calls", sizeof(int),
			     sizeof(unsigned long long), count, NULL);
	if (!btf || map < 0) {
		fprintf(stderr, "trampoline: no BTF, or no map: %s\n",
			strerror(errno));
		return 1;
	}
	for (i = 0; i < count; i++)
		if (sf_attach(btf, functions[i], type, map, i) < 0)
			return 1;
	btf__free(btf);
	while (!sf_done) {
		if (!sf_write(path, functions, count, map))
			return 1;
		nanosleep(&nap, NULL);
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = sf_finish };
	bool at_exit = argc > 1 && !strcmp(argv[1], "fexit");

	if (argc < 4 || argc > 3 + MAX_FUNCTIONS ||
	    (!at_exit && strcmp(argv[1], "fentry"))) {
		fprintf(stderr,
			"usage: trampoline fentry|fexit FILE FUNCTION..., up to %d functions\n",
			MAX_FUNCTIONS);
		return 2;
	}
	sigaction(SIGTERM, &action, NULL);
	return sf_run(at_exit ? BPF_TRACE_FEXIT : BPF_TRACE_FENTRY, argv[2],
		      argv + 3, argc - 3);
}
