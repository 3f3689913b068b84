/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading a kernel's BTF: the prototype of a function and the place of a
 * member. The includer provides
 *
 *	const struct btf_type *sf_btf_type(const struct btf *btf, u32 id);
 *	const char *sf_btf_name(const struct btf *btf, u32 offset);
 *	int sf_append(char *buf, size_t size, size_t len, const char *word);
 *
 * on top of the kernel's own functions, or of libbpf. sf_append() puts a word
 * at buf + len, cut to fit, and returns the length of the word.
 */
#ifndef SCHEDFLIP_BTF_H
#define SCHEDFLIP_BTF_H

#include <linux/btf.h>
#include "types.h"

/* A type deeper than this is none that a scheduler function takes. */
#define SF_BTF_DEPTH 16

static inline u32 sf_btf_kind(const struct btf_type *type)
{
	return BTF_INFO_KIND(type->info);
}

/* Qualifiers change neither the layout nor the way an argument is passed. */
static inline bool sf_btf_is_qualifier(const struct btf_type *type)
{
	u32 kind = sf_btf_kind(type);

	return kind == BTF_KIND_CONST || kind == BTF_KIND_VOLATILE ||
	       kind == BTF_KIND_RESTRICT || kind == BTF_KIND_TYPE_TAG;
}

static inline const char *sf_btf_tag(const struct btf_type *type)
{
	switch (sf_btf_kind(type)) {
	case BTF_KIND_STRUCT:
		return "struct ";
	case BTF_KIND_UNION:
		return "union ";
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return "enum ";
	case BTF_KIND_FWD:
		return BTF_INFO_KFLAG(type->info) ? "union " : "struct ";
	default:
		return "";
	}
}

/* Append a type and what it is the type of, as in C: "int *" and "p". */
static inline size_t sf_btf_declare(const struct btf *btf, u32 id,
				    const char *name, char *buf, size_t size,
				    size_t len)
{
	const struct btf_type *type = sf_btf_type(btf, id);
	int depth, pointers = 0;

	for (depth = 0; id && type && depth < SF_BTF_DEPTH; depth++) {
		bool pointer = sf_btf_kind(type) == BTF_KIND_PTR;

		if (!pointer && !sf_btf_is_qualifier(type))
			break;
		pointers += pointer;
		id = type->type;
		type = sf_btf_type(btf, id);
	}
	len += sf_append(buf, size, len, id && type ? sf_btf_tag(type) : "");
	len += sf_append(buf, size, len,
			 id && type ? sf_btf_name(btf, type->name_off) :
				      "void");
	if (pointers || *name)
		len += sf_append(buf, size, len, " ");
	while (pointers--)
		len += sf_append(buf, size, len, "*");
	return len + sf_append(buf, size, len, name);
}

/**
 * sf_btf_prototype - print the prototype of a function
 * @btf: the kernel's BTF
 * @func: the function's BTF_KIND_FUNC
 * @buf: for the text, such as "int(struct rq *rq, int cpu)"; qualifiers are
 *	left out and names of parameters kept: two of one type may be swapped; empty if
 *	the function has none
 * @size: of @buf
 */
static inline void sf_btf_prototype(const struct btf *btf,
				    const struct btf_type *func, char *buf,
				    size_t size)
{
	const struct btf_type *proto = sf_btf_type(btf, func->type);
	const struct btf_param *param;
	u32 i, count;
	size_t len;

	if (!proto || sf_btf_kind(proto) != BTF_KIND_FUNC_PROTO) {
		sf_append(buf, size, 0, "no prototype");
		return;
	}
	param = (const void *)(proto + 1);
	count = BTF_INFO_VLEN(proto->info);
	len = sf_btf_declare(btf, proto->type, "", buf, size, 0);
	len += sf_append(buf, size, len, "(");
	for (i = 0; i < count; i++) {
		if (i)
			len += sf_append(buf, size, len, ", ");
		len = sf_btf_declare(btf, param[i].type,
				     sf_btf_name(btf, param[i].name_off), buf,
				     size, len);
	}
	sf_append(buf, size, len, ")");
}

/* Bytes a type takes; 0 for one that no member we use may have. */
static inline u32 sf_btf_bytes(const struct btf *btf, u32 id)
{
	const struct btf_type *type = sf_btf_type(btf, id);
	int depth;

	for (depth = 0; type && depth < SF_BTF_DEPTH; depth++) {
		switch (sf_btf_kind(type)) {
		case BTF_KIND_PTR:
			return sizeof(void *);
		case BTF_KIND_INT:
		case BTF_KIND_ENUM:
		case BTF_KIND_ENUM64:
			return type->size;
		case BTF_KIND_TYPEDEF:
			break;
		default:
			if (!sf_btf_is_qualifier(type))
				return 0;
		}
		type = sf_btf_type(btf, type->type);
	}
	return 0;
}

/**
 * sf_btf_offset - find a member
 * @btf: the kernel's BTF
 * @type: the struct
 * @name: the member, which must be a direct one
 * @bytes: set to its size, as sf_btf_bytes() tells it
 *
 * Return: its offset in bytes; -1 if there is no such member, -2 if there are
 * two, or it is a bit field.
 */
static inline int sf_btf_offset(const struct btf *btf,
				const struct btf_type *type, const char *name,
				u32 *bytes)
{
	const struct btf_member *member = (const void *)(type + 1);
	u32 i, bits, count = BTF_INFO_VLEN(type->info);
	int found = -1;

	for (i = 0; i < count; i++) {
		if (strcmp(sf_btf_name(btf, member[i].name_off), name))
			continue;
		bits = member[i].offset;
		if (BTF_INFO_KFLAG(type->info) &&
		    BTF_MEMBER_BITFIELD_SIZE(bits))
			return -2;
		bits = BTF_INFO_KFLAG(type->info) ?
			       BTF_MEMBER_BIT_OFFSET(bits) :
			       bits;
		if (found != -1 || bits % 8)
			return -2;
		*bytes = sf_btf_bytes(btf, member[i].type);
		found = bits / 8;
	}
	return found;
}

#endif
