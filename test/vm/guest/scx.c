// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A sched_ext scheduler with no program at all: only the name is required, and what it
 * leaves out is done in the default way. In charge until terminated.
 *
 *	scx NAME
 */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STRUCT_OPS "bpf_struct_ops_sched_ext_ops"

static const struct btf_member *sf_member(const struct btf *btf,
					  const struct btf_type *type,
					  const char *name)
{
	const struct btf_member *members = btf_members(type);
	int i;

	for (i = 0; i < btf_vlen(type); i++)
		if (!strcmp(btf__name_by_offset(btf, members[i].name_off),
			    name))
			return &members[i];
	return NULL;
}

/* Where the name of the scheduler is in the value of the map; negative if nowhere. */
static long sf_name_place(const struct btf *btf, int id)
{
	const struct btf_type *type = btf__type_by_id(btf, id);
	const struct btf_member *data = sf_member(btf, type, "data"), *name;

	if (!data)
		return -1;
	type = btf__type_by_id(btf, data->type);
	name = sf_member(btf, type, "name");
	return name ? (long)(data->offset + name->offset) / 8 : -1;
}

/* The kernel wants a map to come with types of its own, though it does not use them. */
static int sf_types(void)
{
	struct btf *btf = btf__new_empty();

	if (!btf || btf__add_int(btf, "int", sizeof(int), BTF_INT_SIGNED) < 0 ||
	    btf__load_into_kernel(btf))
		return -1;
	return btf__fd(btf);
}

/* Return: the map; registered once it has a value. */
static int sf_create(const struct btf *btf, int id)
{
	LIBBPF_OPTS(bpf_map_create_opts, options, .btf_fd = sf_types(),
		    .btf_vmlinux_value_type_id = id);

	return bpf_map_create(BPF_MAP_TYPE_STRUCT_OPS, "sf_scx", sizeof(int),
			      btf__type_by_id(btf, id)->size, 1, &options);
}

static int sf_fail(const char *what, int error)
{
	fprintf(stderr, "scx: %s: %s\n", what, strerror(-error));
	return 1;
}

static int sf_register(const char *name, int *map)
{
	struct btf *btf = btf__load_vmlinux_btf();
	int key = 0, id, err;
	char *value;
	long place;

	id = btf ? btf__find_by_name_kind(btf, STRUCT_OPS, BTF_KIND_STRUCT) :
		   -1;
	place = id > 0 ? sf_name_place(btf, id) : -1;
	if (place < 0) {
		fprintf(stderr, "scx: the kernel's BTF has no %s\n",
			STRUCT_OPS);
		return 1;
	}
	*map = sf_create(btf, id);
	if (*map < 0)
		return sf_fail("cannot make the map", *map);
	value = calloc(1, btf__type_by_id(btf, id)->size);
	if (!value)
		return 1;
	strcpy(value + place, name);
	err = bpf_map_update_elem(*map, &key, value, 0);
	free(value);
	btf__free(btf);
	return err ? sf_fail("the kernel refused the scheduler", err) : 0;
}

int main(int argc, char **argv)
{
	int map, key = 0, caught, err;
	sigset_t signals;

	if (argc != 2 || strlen(argv[1]) > 31) {
		fprintf(stderr, "usage: scx NAME, of up to 31 characters\n");
		return 2;
	}
	sigemptyset(&signals);
	sigaddset(&signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	if (sf_register(argv[1], &map))
		return 1;
	sigwait(&signals, &caught);
	err = bpf_map_delete_elem(map, &key);
	return err ? sf_fail("cannot unregister", err) : 0;
}
