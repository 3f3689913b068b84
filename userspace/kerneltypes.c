// SPDX-License-Identifier: GPL-2.0-or-later
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "kernel.h"
#include "kerneltypes.h"

static const struct btf_type *sf_btf_type(const struct btf *btf, u32 id)
{
	return btf__type_by_id(btf, id);
}

static const char *sf_btf_name(const struct btf *btf, u32 offset)
{
	const char *name = btf__name_by_offset(btf, offset);

	return name ? name : "";
}

static int sf_append(char *buf, size_t size, size_t len, const char *word)
{
	if (len < size)
		snprintf(buf + len, size - len, "%s", word);
	return strlen(word);
}

#include <schedflip/btf.h>

/**
 * sf_types_open - read the kernel's types
 *
 * Return: to be freed by btf__free(); NULL if they can't be read.
 */
struct btf *sf_types_open(void)
{
	char path[PATH_MAX];
	struct btf *btf;

	libbpf_set_print(NULL);
	sf_kernel_path("/sys/kernel/btf/vmlinux", path, sizeof(path));
	btf = btf__parse(path, NULL);
	return libbpf_get_error(btf) ? NULL : btf;
}

static const struct btf_type *sf_types_find(const struct btf *btf,
					    const char *name, u32 kind)
{
	int id = btf__find_by_name_kind(btf, name, kind);

	return id > 0 ? btf__type_by_id(btf, id) : NULL;
}

/**
 * sf_types_prototype - print the prototype of a function
 * @btf: from sf_types_open()
 * @function: its name
 * @buf: for the text
 * @size: of @buf
 *
 * Return: false if BTF does not describe it.
 */
bool sf_types_prototype(const struct btf *btf, const char *function, char *buf,
			size_t size)
{
	const struct btf_type *type =
		sf_types_find(btf, function, BTF_KIND_FUNC);

	buf[0] = '\0';
	if (type)
		sf_btf_prototype(btf, type, buf, size);
	return *buf;
}

/**
 * sf_types_offset - find a member of a struct
 * @btf: from sf_types_open()
 * @name: of the struct
 * @member: of it
 * @bytes: it must have
 *
 * Return: as sf_btf_offset(); -2 also if it has another size.
 */
int sf_types_offset(const struct btf *btf, const char *name, const char *member,
		    u32 bytes)
{
	const struct btf_type *type = sf_types_find(btf, name, BTF_KIND_STRUCT);
	u32 found = bytes;
	int offset = type ? sf_btf_offset(btf, type, member, &found) : -1;

	return found == bytes ? offset : -2;
}
