// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "apply.h"
#include "info.h"
#include "kernel.h"
#include "lock.h"
#include "text.h"

/* A command is at most 4095 bytes, with its newline. */
#define SF_COMMAND_SIZE 4096

/* A message has room for so many domains; the JSON object has them all. */
#define SF_MAX_NAMED 6

static json_t *sf_mismatch_json(const struct sf_domain *domain,
				const char *field, const char *value)
{
	return json_pack("{s:I, s:I, s:s, s:s}", "cpu", (json_int_t)domain->cpu,
			 "domain", (json_int_t)domain->domain, "field", field,
			 "value", value);
}

/**
 * struct sf_verdict - outcome of comparing the domains with a policy
 * @cpus: those of the domains that matched the filter
 * @domains: number of them
 * @bad: number of those that differ
 * @list: the first of them, in words
 * @mismatches: all of them
 */
struct sf_verdict {
	struct sf_cpulist cpus;
	size_t domains;
	size_t bad;
	char list[512];
	json_t *mismatches;
};

static void sf_verdict_add(struct sf_verdict *verdict,
			   const struct sf_policy *policy,
			   const struct sf_domain *domain)
{
	char value[64];
	const struct sf_kind *kind =
		sf_policy_differs(policy, domain, value, sizeof(value));

	verdict->domains++;
	sf_cpulist_add(&verdict->cpus, domain->cpu);
	if (!kind)
		return;
	if (verdict->bad++ < SF_MAX_NAMED)
		sf_append_text(verdict->list, sizeof(verdict->list),
			       "%s cpu%llu/domain%llu has %s=%s",
			       verdict->bad > 1 ? "," : "",
			       (unsigned long long)domain->cpu,
			       (unsigned long long)domain->domain, kind->field,
			       value);
	json_array_append_new(verdict->mismatches,
			      sf_mismatch_json(domain, kind->field, value));
}

static int sf_verdict_report(struct sf_verdict *verdict, const char *words,
			     const char *tail, struct sf_output *out,
			     struct sf_error *err)
{
	unsigned int cpus = sf_cpulist_count(&verdict->cpus);
	char more[48] = "";

	sf_output_set(out, "command", json_string(words));
	sf_output_set(out, "domains", sf_json_number(verdict->domains));
	sf_output_set(out, "cpus", json_integer(cpus));
	sf_output_set(out, "mismatches", verdict->mismatches);
	if (!verdict->bad) {
		sf_output_say(out, "%s: %zu domain%s on %u CPU%s%s", words,
			      verdict->domains, sf_plural(verdict->domains),
			      cpus, sf_plural(cpus), tail);
		return SF_OK;
	}
	if (verdict->bad > SF_MAX_NAMED)
		sf_append_text(more, sizeof(more), " and %zu more",
			       verdict->bad - SF_MAX_NAMED);
	return sf_fail(
		err, SF_MISMATCH,
		"%zu of %zu domain%s did not take %s:%s%s; is somebody else setting policies?",
		verdict->bad, verdict->domains, sf_plural(verdict->domains),
		words, verdict->list, more);
}

/**
 * sf_verify - read the domains back and compare them with a policy
 * @policy: what they must have
 * @filter: the domains
 * @tail: is said behind what was set
 * @out: gets what was set
 * @err: names the domains that differ
 *
 * Return: SF_OK, SF_MISMATCH, or why the domains could not be read.
 */
int sf_verify(const struct sf_policy *policy, const struct sf_filter *filter,
	      const char *tail, struct sf_output *out, struct sf_error *err)
{
	struct sf_verdict verdict = { .mismatches = json_array() };
	struct sf_state state;
	char words[SF_POLICY_SIZE];
	size_t i;

	if (sf_state_read(&state, err)) {
		json_decref(verdict.mismatches);
		sf_state_free(&state);
		return err->code;
	}
	for (i = 0; i < state.count; i++)
		if (sf_filter_matches(filter, &state.domains[i]))
			sf_verdict_add(&verdict, policy, &state.domains[i]);
	sf_policy_format(policy, words, sizeof(words));
	sf_verdict_report(&verdict, words, tail, out, err);
	sf_state_free(&state);
	return err->code;
}

static int sf_check_filter(const struct sf_filter *filter, struct sf_error *err)
{
	struct sf_state state;

	if (!sf_state_read(&state, err))
		sf_filter_check(filter, &state, err);
	sf_state_free(&state);
	return err->code;
}

/**
 * sf_check_hook - is the hook loaded that a policy needs?
 * @policy: from sf_policy_parse()
 * @err: says which is not, and how to load it
 *
 * The module refuses as well, but does not know how the user loads it.
 *
 * Return: SF_OK, SF_FAILED, or why the hooks could not be read.
 */
int sf_check_hook(const struct sf_policy *policy, struct sf_error *err)
{
	const struct sf_kind *kind = sf_policy_hooked(policy);
	const struct sf_hook *hook;
	struct sf_info info;

	if (!kind)
		return SF_OK;
	if (sf_info_read_hooks(&info, err))
		return err->code;
	hook = sf_info_find_hook(&info, kind->hook);
	if (!hook ||
	    (strcmp(hook->state, "off") && strcmp(hook->state, "absent")))
		return SF_OK;
	return sf_fail(
		err, SF_FAILED,
		"%s=%s needs the hook %s, which is %s; run: schedflip unload && schedflip load --hooks all",
		kind->name, policy->values[kind - sf_kinds].word, kind->hook,
		hook->state);
}

static int sf_give_command(const struct sf_policy *policy,
			   const struct sf_filter *filter,
			   const struct sf_terms *terms, bool *by_parameter,
			   struct sf_error *err)
{
	char command[SF_COMMAND_SIZE];

	sf_policy_format(policy, command, sizeof(command));
	sf_terms_format(terms, command, sizeof(command));
	if (sf_filter_format(filter, command, sizeof(command), err))
		return err->code;
	sf_append_text(command, sizeof(command), "\n");
	return sf_kernel_command(command, by_parameter, err);
}

static void sf_report_way(bool by_parameter, struct sf_output *out)
{
	if (by_parameter)
		sf_output_say(
			out,
			"%s forbids to write debugfs; the module parameter was taken",
			sf_kernel_lockdown() ? "lockdown" : "the kernel");
	sf_output_set(out, "through",
		      json_string(by_parameter ? "parameter" : "debugfs"));
}

static void sf_report_trips(const struct sf_terms *terms, const char *tail,
			    struct sf_output *out)
{
	char words[SF_TRIPS_SIZE];

	if (!sf_trips_given(&terms->trips))
		return;
	sf_trips_describe(&terms->trips, words, sizeof(words));
	sf_output_say(out, "tripwires: %s%s", words, tail);
}

static int sf_verify_all(const struct sf_policy *policy,
			 const struct sf_filter *filter,
			 const struct sf_terms *terms, struct sf_output *out,
			 struct sf_error *err)
{
	bool given = sf_policy_given(policy);
	char tail[SF_TAIL_SIZE];

	if (sf_terms_verify(terms, tail, sizeof(tail), out, err))
		return err->code;
	if (given && sf_verify(policy, filter, tail, out, err) == SF_MISMATCH)
		sf_terms_excuse(terms, err);
	if (!err->code)
		sf_report_trips(terms, given ? "" : tail, out);
	return err->code;
}

/**
 * sf_apply - set a policy and make sure that it is in force
 * @policy: what to set; of no kind if only tripwires are
 * @filter: the domains to set it for
 * @terms: for how long, and within which limits; all zeroes for neither
 * @out: gets what was set
 * @err: says why it could not be
 *
 * Return: SF_OK, SF_MISMATCH, or why it was refused.
 */
int sf_apply(const struct sf_policy *policy, const struct sf_filter *filter,
	     struct sf_terms *terms, struct sf_output *out,
	     struct sf_error *err)
{
	bool by_parameter = false;

	if (sf_kernel_check_module(err) || sf_terms_begin(terms, err) ||
	    sf_check_filter(filter, err) || sf_check_hook(policy, err) ||
	    sf_lock_check_ab(err))
		return err->code;
	if (sf_give_command(policy, filter, terms, &by_parameter, err) &&
	    (!sf_terms_outdated(terms, err) ||
	     sf_give_command(policy, filter, terms, &by_parameter, err)))
		return err->code;
	terms->given = true;
	sf_report_way(by_parameter, out);
	return sf_verify_all(policy, filter, terms, out, err);
}
