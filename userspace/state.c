// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "kernel.h"
#include "state.h"
#include "text.h"

#define SF_STRING(field) { #field, offsetof(struct sf_domain, field), false },
#define SF_NUMBER(field) { #field, offsetof(struct sf_domain, field), true },
static const struct sf_field {
	const char *name;
	size_t offset;
	bool is_number;
} sf_fields[] = { SF_STATE_FIELDS(SF_STRING, SF_NUMBER) };

static int sf_field_store(const struct sf_field *field, char *value,
			  struct sf_domain *domain, struct sf_error *err)
{
	char *place = (char *)domain + field->offset;

	if (!field->is_number) {
		sf_clean_text(value);
		*(const char **)place = value;
		return SF_OK;
	}
	if (sf_parse_number(value, (u64 *)place))
		return SF_OK;
	sf_clean_text(value);
	return sf_fail(err, SF_FAILED, "%s=%.40s is no number", field->name,
		       value);
}

/* @seen: bit i is set once sf_fields[i] was read. */
static int sf_state_parse_word(char *word, struct sf_domain *domain, u64 *seen,
			       struct sf_error *err)
{
	char *value = strchr(word, '=');
	size_t i;

	if (!value || value == word) {
		sf_clean_text(word);
		return sf_fail(err, SF_FAILED, "\"%.40s\" is not key=value",
			       word);
	}
	*value++ = '\0';
	for (i = 0; i < SF_ARRAY_SIZE(sf_fields); i++) {
		if (strcmp(sf_fields[i].name, word))
			continue;
		if (*seen & 1ULL << i)
			return sf_fail(err, SF_FAILED, "%s is there twice",
				       word);
		*seen |= 1ULL << i;
		return sf_field_store(&sf_fields[i], value, domain, err);
	}
	return SF_OK;
}

static int sf_state_parse_line(char *line, struct sf_domain *domain,
			       struct sf_error *err)
{
	u64 seen = 0;
	char *word;
	size_t i;

	_Static_assert(SF_ARRAY_SIZE(sf_fields) <= 64, "seen has 64 bits");
	while ((word = strsep(&line, " ")))
		if (sf_state_parse_word(word, domain, &seen, err))
			return err->code;
	for (i = 0; i < SF_ARRAY_SIZE(sf_fields); i++)
		if (!(seen & 1ULL << i))
			return sf_fail(err, SF_FAILED, "%s is missing",
				       sf_fields[i].name);
	return SF_OK;
}

static struct sf_domain *sf_state_grow(struct sf_state *state)
{
	size_t count = state->count;
	struct sf_domain *domains = state->domains;

	/* Double at each power of two. */
	if (!(count & (count - 1))) {
		domains = reallocarray(domains, count ? 2 * count : 1,
				       sizeof(*domains));
		if (!domains)
			return NULL;
		state->domains = domains;
	}
	return memset(&domains[count], 0, sizeof(*domains));
}

static int sf_state_bad_line(size_t line, struct sf_error *err)
{
	struct sf_error reason = *err;

	return sf_fail(err, SF_FAILED,
		       "the module's state is not of ABI %d: line %zu: %.200s",
		       SF_ABI, line, reason.message);
}

/**
 * sf_state_parse - read the text of the state file
 * @text: becomes @state's, and is cut up
 * @state: set to the domains; to be freed also after an error
 * @err: says which line is bad and why
 *
 * Keys we do not know are skipped, as a later module may add some.
 *
 * Return: SF_OK or SF_FAILED.
 */
int sf_state_parse(char *text, struct sf_state *state, struct sf_error *err)
{
	char *rest = text, *line;

	memset(state, 0, sizeof(*state));
	state->text = text;
	while ((line = sf_next_line(&rest))) {
		struct sf_domain *domain = sf_state_grow(state);

		if (!domain)
			return sf_fail(err, SF_FAILED, "out of memory");
		if (sf_state_parse_line(line, domain, err))
			return sf_state_bad_line(state->count + 1, err);
		state->count++;
	}
	if (!*rest)
		return SF_OK;
	sf_fail(err, SF_FAILED, "it is cut off");
	return sf_state_bad_line(state->count + 1, err);
}

/**
 * sf_state_read - read all domains from the module
 * @state: set to them; to be freed also after an error
 * @err: says what was wrong
 *
 * Return: SF_OK or why not.
 */
int sf_state_read(struct sf_state *state, struct sf_error *err)
{
	char *text;

	memset(state, 0, sizeof(*state));
	if (sf_kernel_read_debugfs("state", &text, err))
		return err->code;
	return sf_state_parse(text, state, err);
}

/**
 * sf_state_free - forget the domains
 * @state: as sf_state_parse() left it
 */
void sf_state_free(struct sf_state *state)
{
	free(state->domains);
	free(state->text);
	memset(state, 0, sizeof(*state));
}
