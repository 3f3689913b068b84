// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "kernel.h"
#include "kind.h"
#include "lease.h"
#include "notice.h"
#include "text.h"
#include "verbs.h"

static const struct argp_option sf_lease_options[] = { SF_OPTION_JSON, { 0 } };

const struct sf_usage sf_confirm_usage = {
	.options = sf_lease_options,
	.doc = "Let what is in force stay: the lease that is pending is gone, and nothing\n"
	       "returns.\n"
	       "\vExample:\n"
	       "  schedflip set newidle=jitter --for 60s\n"
	       "  schedflip confirm\n"
	       "\n" SF_EXIT_CODES,
};

const struct sf_usage sf_return_usage = {
	.options = sf_lease_options,
	.doc = "Return to what was before the lease that is pending, without waiting for its\n"
	       "end.\n"
	       "\vExample:\n"
	       "  schedflip set newidle=jitter --for 60s\n"
	       "  schedflip return\n"
	       "\n" SF_EXIT_CODES,
};

static const char *sf_word_of(const struct sf_kind *kind,
			      const struct sf_domain *domain)
{
	return *(const char *const *)((const char *)domain + kind->offset);
}

/* Return: the word that all domains have, "mixed", or that of stock if there are none. */
static const char *sf_common_word(const struct sf_state *state,
				  const struct sf_kind *kind)
{
	const char *word = kind->stock.word;
	size_t i;

	for (i = 0; i < state->count; i++) {
		if (!i)
			word = sf_word_of(kind, &state->domains[i]);
		else if (strcmp(word, sf_word_of(kind, &state->domains[i])))
			return "mixed";
	}
	return word;
}

/* The policies' own file cannot be opened under lockdown; the state can. */
static void sf_in_force(const struct sf_state *state, char *buf, size_t size)
{
	static const enum sf_kind_id kinds[] = { SF_KIND_NEWIDLE,
						 SF_KIND_SLOWPATH,
						 SF_KIND_BURST, SF_KIND_COST };
	size_t i;

	buf[0] = '\0';
	for (i = 0; i < SF_ARRAY_SIZE(kinds); i++) {
		const struct sf_kind *kind = &sf_kinds[kinds[i]];
		const char *word = sf_common_word(state, kind);

		if (strcmp(word, kind->stock.word))
			sf_append_text(buf, size, "%s%s=%s", *buf ? " " : "",
				       kind->name, word);
	}
	if (!*buf)
		sf_append_text(buf, size, "all policies at stock");
}

/**
 * sf_lease_say_in_force - say what is in force now
 * @words: to begin with
 * @out: gets it
 * @err: says why it could not be read
 *
 * Return: SF_OK or why not.
 */
int sf_lease_say_in_force(const char *words, struct sf_output *out,
			  struct sf_error *err)
{
	struct sf_state state;
	char policies[256];

	if (!sf_state_read(&state, err)) {
		sf_in_force(&state, policies, sizeof(policies));
		sf_output_set(out, "in_force", sf_json_text(policies));
		sf_output_say(out, "%s; in force: %s", words, policies);
	}
	sf_state_free(&state);
	return err->code;
}

static int sf_no_lease(const struct sf_status *status, struct sf_error *err)
{
	if (!status->lease_id || !strcmp(status->lease_ended, "none"))
		return sf_fail(
			err, SF_FAILED,
			"no lease is pending, and none was since the load; begin one: schedflip set --for 60s KIND=VALUE");
	return sf_fail(err, SF_FAILED,
		       "no lease is pending; how the last one ended: %s",
		       status->lease_ended);
}

/* @word: of the command; @ended: what the status must say of the end. */
static int sf_lease_end(const char *word, const char *ended,
			struct sf_output *out, struct sf_error *err)
{
	struct sf_status before, after;
	bool by_parameter = false;
	char command[32];

	if (sf_kernel_check_module(err) || sf_status_need(&before, err))
		return err->code;
	if (!sf_status_has_lease(&before))
		return sf_no_lease(&before, err);
	snprintf(command, sizeof(command), "lease=%s\n", word);
	if (sf_kernel_command(command, &by_parameter, err) ||
	    sf_status_need(&after, err))
		return err->code;
	sf_output_set(out, "through",
		      json_string(by_parameter ? "parameter" : "debugfs"));
	sf_output_set(out, "status", sf_notice_json(&after));
	if (!sf_status_has_lease(&after) && after.lease_id == before.lease_id &&
	    !strcmp(after.lease_ended, ended))
		return SF_OK;
	return sf_fail(
		err, SF_MISMATCH,
		"lease=%s was carried out, but there is lease=%s, lease_ended=%s; is somebody else setting policies?",
		word, after.lease, after.lease_ended);
}

/**
 * sf_lease_return - return now to what was before the lease that is pending
 * @out: gets the status
 * @err: says what was wrong
 *
 * Return: SF_OK, or the code in @err.
 */
int sf_lease_return(struct sf_output *out, struct sf_error *err)
{
	return sf_lease_end("return", "returned", out, err);
}

/**
 * sf_confirm - let what is in force stay
 * @options: the user's
 * @out: gets what it is
 * @err: says what was wrong
 *
 * Return: SF_OK, or the code in @err.
 */
int sf_confirm(const struct sf_options *options, struct sf_output *out,
	       struct sf_error *err)
{
	(void)options;
	if (sf_lease_end("confirm", "confirmed", out, err))
		return err->code;
	return sf_lease_say_in_force("confirmed: it stays", out, err);
}

/**
 * sf_return - return to what was before the lease
 * @options: the user's
 * @out: gets what it is
 * @err: says what was wrong
 *
 * Return: SF_OK, or the code in @err.
 */
int sf_return(const struct sf_options *options, struct sf_output *out,
	      struct sf_error *err)
{
	(void)options;
	if (sf_lease_return(out, err))
		return err->code;
	return sf_lease_say_in_force("returned to what was before the lease",
				     out, err);
}
