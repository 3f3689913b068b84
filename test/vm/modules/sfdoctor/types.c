// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Doctored copies of the kernel's types. A copy has room for a member or a parameter more.
 */
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/slab.h>
#include <linux/static_call.h>
#include <linux/string.h>

#include "types.h"

#define SFD_MAX_COPIES 16

/* No kernel has that many types. */
#define SFD_WILD_ID 0x7fffffff

static struct {
	const struct btf_type *genuine;
	struct btf_type *doctored;
} sfd_copies[SFD_MAX_COPIES];

static int sfd_nr_copies;
static struct btf *sfd_btf;

DEFINE_STATIC_CALL_NULL(sfd_bpf_get_btf_vmlinux, bpf_get_btf_vmlinux);
DEFINE_STATIC_CALL_NULL(sfd_btf_find_by_name_kind, btf_find_by_name_kind);
DEFINE_STATIC_CALL_NULL(sfd_btf_name_by_offset, btf_name_by_offset);

/**
 * sfd_types_init - get at the kernel's BTF, by functions that are not exported
 *
 * Return: 0, or -ENOENT.
 */
int sfd_types_init(void)
{
	unsigned long vmlinux = sfd_lookup("bpf_get_btf_vmlinux");
	unsigned long find = sfd_lookup("btf_find_by_name_kind");
	unsigned long name = sfd_lookup("btf_name_by_offset");

	if (!vmlinux || !find || !name)
		return -ENOENT;
	static_call_update(sfd_bpf_get_btf_vmlinux, (void *)vmlinux);
	static_call_update(sfd_btf_find_by_name_kind, (void *)find);
	static_call_update(sfd_btf_name_by_offset, (void *)name);
	sfd_btf = static_call(sfd_bpf_get_btf_vmlinux)();
	return IS_ERR_OR_NULL(sfd_btf) ? -ENOENT : 0;
}

/**
 * sfd_types_reset - forget all copies
 */
void sfd_types_reset(void)
{
	while (sfd_nr_copies)
		kfree(sfd_copies[--sfd_nr_copies].doctored);
}

/**
 * sfd_types_doctored - what is shown in place of a type
 * @genuine: the kernel's
 *
 * Return: NULL if @genuine is to be seen.
 */
const struct btf_type *sfd_types_doctored(const struct btf_type *genuine)
{
	int i;

	for (i = 0; i < sfd_nr_copies; i++)
		if (sfd_copies[i].genuine == genuine)
			return sfd_copies[i].doctored;
	return NULL;
}

static size_t sfd_row_size(const struct btf_type *type)
{
	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_STRUCT:
		return sizeof(struct btf_member);
	case BTF_KIND_FUNC_PROTO:
		return sizeof(struct btf_param);
	default:
		return 0;
	}
}

/* Return: the copy that is shown from now on, or NULL. */
static struct btf_type *sfd_copy(const struct btf_type *genuine)
{
	struct btf_type *copy = (void *)sfd_types_doctored(genuine);
	size_t row, size;

	if (copy || sfd_nr_copies == SFD_MAX_COPIES)
		return copy;
	row = sfd_row_size(genuine);
	size = sizeof(*copy) + row * (BTF_INFO_VLEN(genuine->info));
	copy = kzalloc(size + row, GFP_KERNEL);
	if (!copy)
		return NULL;
	memcpy(copy, genuine, size);
	sfd_copies[sfd_nr_copies].genuine = genuine;
	sfd_copies[sfd_nr_copies++].doctored = copy;
	return copy;
}

static s32 sfd_find_id(const char *name, u8 kind)
{
	return static_call(sfd_btf_find_by_name_kind)(sfd_btf, name, kind);
}

static struct btf_type *sfd_find(const char *name, u8 kind)
{
	s32 id = sfd_find_id(name, kind);

	return id > 0 ? sfd_copy(btf_type_by_id(sfd_btf, id)) : NULL;
}

static s32 sfd_char(void)
{
	return sfd_find_id("char", BTF_KIND_INT);
}

static struct btf_member *sfd_find_member(const struct btf_type *type,
					  const char *name)
{
	struct btf_member *members = (void *)(type + 1);
	const char *each;
	u32 i;

	for (i = 0; i < BTF_INFO_VLEN(type->info); i++) {
		each = static_call(sfd_btf_name_by_offset)(sfd_btf,
							   members[i].name_off);
		if (each && !strcmp(each, name))
			return &members[i];
	}
	return NULL;
}

/* The first byte of the member's offset is the width of a bit field from now on. */
static void sfd_make_bits(struct btf_type *type, struct btf_member *member)
{
	type->info |= 1u << 31;
	member->offset |= 4u << 24;
}

/* One that is elsewhere, and else the same. */
static void sfd_make_double(struct btf_type *type,
			    const struct btf_member *member)
{
	struct btf_member *members = (void *)(type + 1);
	struct btf_member *last = &members[BTF_INFO_VLEN(type->info)];

	*last = *member;
	last->offset += 64;
	type->info++;
}

/*
 * absent=STRUCT.MEMBER   there is none of that name
 * moved=                 it is 8 bytes further
 * resized=               it is a char
 * bits=                  it is a bit field
 * odd=                   it begins within a byte
 * double=                there are two
 * wild=                  its type is none
 */
static int sfd_change_member(const char *fault, char *name)
{
	char *word = strchr(name, '.');
	struct btf_member *member;
	struct btf_type *type;

	if (!word)
		return -EINVAL;
	*word++ = '\0';
	type = sfd_find(name, BTF_KIND_STRUCT);
	member = type ? sfd_find_member(type, word) : NULL;
	if (!member)
		return -ENOENT;
	if (!strcmp(fault, "absent"))
		member->name_off = 0;
	else if (!strcmp(fault, "moved"))
		member->offset += 64;
	else if (!strcmp(fault, "resized"))
		member->type = sfd_char();
	else if (!strcmp(fault, "bits"))
		sfd_make_bits(type, member);
	else if (!strcmp(fault, "odd"))
		member->offset += 3;
	else if (!strcmp(fault, "double"))
		sfd_make_double(type, member);
	else if (!strcmp(fault, "wild"))
		member->type = SFD_WILD_ID;
	else
		return -EINVAL;
	return 0;
}

/* The first parameter that is a pointer points to itself. */
static int sfd_make_loop(const struct btf_param *params, u32 count)
{
	const struct btf_type *type;
	struct btf_type *pointer;
	u32 i;

	for (i = 0; i < count; i++) {
		type = btf_type_by_id(sfd_btf, params[i].type);
		if (BTF_INFO_KIND(type->info) != BTF_KIND_PTR)
			continue;
		pointer = sfd_copy(type);
		if (!pointer)
			return -ENOMEM;
		pointer->type = params[i].type;
		return 0;
	}
	return -ENOENT;
}

/*
 * less=FUNCTION      it takes a parameter less
 * more=              it takes a parameter more
 * type=              its first one is a char
 * name=              its first one has the name of the second
 * return=            it returns a char
 * loop=              its first pointer is to itself
 */
static int sfd_change_prototype(const char *fault, struct btf_type *proto)
{
	struct btf_param *params = (void *)(proto + 1);
	u32 count = BTF_INFO_VLEN(proto->info);

	if (!strcmp(fault, "less")) {
		proto->info--;
	} else if (!strcmp(fault, "more")) {
		params[count] = params[0];
		proto->info++;
	} else if (!strcmp(fault, "type")) {
		params[0].type = sfd_char();
	} else if (!strcmp(fault, "name")) {
		params[0].name_off = params[1].name_off;
	} else if (!strcmp(fault, "return")) {
		proto->type = sfd_char();
	} else if (!strcmp(fault, "loop")) {
		return sfd_make_loop(params, count);
	} else {
		return -EINVAL;
	}
	return 0;
}

/*
 * shapeless=FUNCTION   its prototype is that of no function
 * nowhere=FUNCTION     its prototype is no type
 */
static int sfd_change_function(const char *fault, const char *name)
{
	s32 id = sfd_find_id(name, BTF_KIND_FUNC);
	const struct btf_type *genuine;
	struct btf_type *copy;
	bool shapeless = !strcmp(fault, "shapeless");

	if (id <= 0)
		return -ENOENT;
	genuine = btf_type_by_id(sfd_btf, id);
	if (shapeless || !strcmp(fault, "nowhere")) {
		copy = sfd_copy(genuine);
		if (!copy)
			return -ENOMEM;
		copy->type = shapeless ? sfd_char() : SFD_WILD_ID;
		return 0;
	}
	copy = sfd_copy(btf_type_by_id(sfd_btf, genuine->type));
	return copy ? sfd_change_prototype(fault, copy) : -ENOMEM;
}

/**
 * sfd_types_change - show another type from now on
 * @fault: size of a struct, 8 bytes more; endless for a typedef of itself; or a word of
 *	sfd_change_member(), sfd_change_prototype() or sfd_change_function()
 * @name: of the struct, of the function, or STRUCT.MEMBER; is cut up
 *
 * Return: 0, -EINVAL for a bad word, -ENOENT if there is no such type here.
 */
int sfd_types_change(const char *fault, char *name)
{
	struct btf_type *type;

	if (!strcmp(fault, "size")) {
		type = sfd_find(name, BTF_KIND_STRUCT);
		if (!type)
			return -ENOENT;
		type->size += 8;
		return 0;
	}
	if (!strcmp(fault, "endless")) {
		type = sfd_find(name, BTF_KIND_TYPEDEF);
		if (!type)
			return -ENOENT;
		type->type = sfd_find_id(name, BTF_KIND_TYPEDEF);
		return 0;
	}
	if (strchr(name, '.'))
		return sfd_change_member(fault, name);
	return sfd_change_function(fault, name);
}
