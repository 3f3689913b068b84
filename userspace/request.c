// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "apply.h"
#include "request.h"
#include "text.h"

static void sf_append_range(char *buf, size_t size, u64 first, u64 last)
{
	const char *comma = *buf ? "," : "";

	if (first == last)
		sf_append_text(buf, size, "%s%llu", comma,
			       (unsigned long long)first);
	else
		sf_append_text(buf, size, "%s%llu-%llu", comma,
			       (unsigned long long)first,
			       (unsigned long long)last);
}

/* Those that are shown, which a filter may have made fewer than the span's. */
static void sf_append_cpus(char *buf, size_t size, const struct sf_group *group)
{
	u64 first = group->rows[0]->domain->cpu, last = first;
	size_t i;

	for (i = 1; i < group->count; i++) {
		u64 cpu = group->rows[i]->domain->cpu;

		if (cpu != last + 1) {
			sf_append_range(buf, size, first, last);
			first = cpu;
		}
		last = cpu;
	}
	sf_append_range(buf, size, first, last);
}

/**
 * sf_request_aim - say which domains the command is for
 * @request: is begun anew
 * @line: that of a span or of a CPU; NULL for all domains
 */
void sf_request_aim(struct sf_request *request, const struct sf_line *line)
{
	const struct sf_domain *first = line ? line->group->first : NULL;

	memset(request, 0, sizeof(*request));
	if (!line)
		return;
	/* A kernel that keeps no names has indices. */
	if (strcmp(first->name, "-"))
		snprintf(request->domain, sizeof(request->domain), "%s",
			 first->name);
	else
		snprintf(request->domain, sizeof(request->domain), "%llu",
			 (unsigned long long)first->domain);
	if (line->row)
		sf_append_range(request->cpu, sizeof(request->cpu),
				line->row->domain->cpu, line->row->domain->cpu);
	else
		sf_append_cpus(request->cpu, sizeof(request->cpu), line->group);
}

/* Blanks separate words, as they do for the shell. */
static int sf_request_parse(const struct sf_request *request,
			    struct sf_policy *policy, struct sf_error *err)
{
	char copy[sizeof(request->words)], *rest = copy, *word;

	memset(policy, 0, sizeof(*policy));
	snprintf(copy, sizeof(copy), "%s", request->words);
	while ((word = strsep(&rest, " ")))
		if (*word && sf_policy_parse(word, policy, err))
			return err->code;
	if (!sf_policy_given(policy))
		return sf_fail(err, SF_USAGE, "no policy was given");
	sf_policy_complete(policy);
	return SF_OK;
}

/**
 * sf_request_word - say what the command sets
 * @request: gets it
 * @typed: name of a newidle policy, or KIND=VALUE as set takes them
 * @err: says what was wrong
 *
 * Return: SF_OK or SF_USAGE.
 */
int sf_request_word(struct sf_request *request, const char *typed,
		    struct sf_error *err)
{
	struct sf_policy policy;

	snprintf(request->words, sizeof(request->words), "%s%s",
		 strchr(typed, '=') ? "" : "newidle=", typed);
	return sf_request_parse(request, &policy, err);
}

/**
 * sf_request_format - print the command as a shell takes it
 * @request: it
 * @buf: for the text
 * @size: of @buf
 */
void sf_request_format(const struct sf_request *request, char *buf, size_t size)
{
	snprintf(buf, size, "schedflip set %s", request->words);
	if (*request->cpu)
		sf_append_text(buf, size, " --cpu %s", request->cpu);
	if (*request->domain)
		sf_append_text(buf, size, " --domain %s", request->domain);
}

static void sf_request_praise(const struct sf_output *out, char *said,
			      size_t size)
{
	const char *command =
		json_string_value(json_object_get(out->root, "command"));

	snprintf(said, size, "%s: read back from %lld domains on %lld CPUs",
		 command ? command : "-",
		 json_integer_value(json_object_get(out->root, "domains")),
		 json_integer_value(json_object_get(out->root, "cpus")));
}

/**
 * sf_request_carry_out - do it, and read it back
 * @request: complete
 * @said: set to what was done
 * @size: of @said
 * @err: says why it was not
 *
 * Return: SF_OK, or the code that `schedflip set` would end with.
 */
int sf_request_carry_out(const struct sf_request *request, char *said,
			 size_t size, struct sf_error *err)
{
	struct sf_filter filter = { .cpu = *request->cpu ? request->cpu : NULL,
				    .domain = *request->domain ?
						      request->domain :
						      NULL };
	struct sf_terms terms = { .for_ms = 0 };
	struct sf_policy policy;
	struct sf_output out;

	/* JSON keeps it from printing. */
	sf_output_init(&out, true);
	if (!sf_request_parse(request, &policy, err) &&
	    !sf_filter_parse(&filter, err) &&
	    !sf_apply(&policy, &filter, &terms, &out, err))
		sf_request_praise(&out, said, size);
	json_decref(out.root);
	return err->code;
}
