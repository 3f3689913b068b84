// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "condense.h"
#include "drift.h"
#include "kernel.h"
#include "text.h"
#include "verbs.h"
#include "writer.h"

static const struct argp_option sf_save_options[] = { SF_OPTION_JSON, { 0 } };

const struct sf_usage sf_save_usage = {
	.options = sf_save_options,
	.args = "[FILE]",
	.doc = "Print what is in force now, all policies and tripwires, as a configuration\n"
	       "that `schedflip apply` takes; or write it to FILE, of mode 0644.\n"
	       "\vWhat the lines do not name is at stock. What domains have learned, and the\n"
	       "counters, are not saved. An older FILE is replaced at one moment; a symbolic\n"
	       "link is refused.\n"
	       "\n"
	       "Examples:\n"
	       "  schedflip save\n"
	       "  schedflip save " SF_SETTINGS_FILE "\n"
	       "\n" SF_EXIT_CODES,
	.max_args = 1,
};

/**
 * struct sf_saving - what is saved
 * @info: of the module
 * @status: of the module
 * @state: the domains
 * @text: the configuration
 * @size: of @text
 */
struct sf_saving {
	struct sf_info info;
	struct sf_status status;
	struct sf_state state;
	char *text;
	size_t size;
};

static bool sf_has_all_hooks(const struct sf_info *info)
{
	const struct sf_hook *hook = sf_info_find_hook(info, "select");

	return hook && strcmp(hook->state, "off");
}

static bool sf_saving_print(const struct sf_saving *saving, FILE *to)
{
	char trips[SF_TRIPS_SIZE];

	fprintf(to, "# What was in force on Linux %s, by schedflip %s save\n",
		sf_kernel_release(), SF_VERSION);
	if (sf_has_all_hooks(&saving->info))
		fputs("hooks=all\n", to);
	sf_trips_write(&saving->status.trips, trips, sizeof(trips));
	if (*trips)
		fprintf(to, "trip=%s\n", trips);
	return sf_condense(&saving->state, to);
}

static int sf_saving_make(struct sf_saving *saving, struct sf_error *err)
{
	FILE *to = open_memstream(&saving->text, &saving->size);
	bool done;

	if (!to)
		return sf_fail(err, SF_FAILED, "out of memory");
	done = sf_saving_print(saving, to);
	if (fclose(to) || !done)
		return sf_fail(err, SF_FAILED, "out of memory");
	return SF_OK;
}

static json_t *sf_lines_json(const char *text)
{
	json_t *lines = json_array();
	char *copy = strdup(text), *rest = copy, *line;

	while (copy && (line = sf_next_line(&rest)))
		if (*line != '#')
			json_array_append_new(lines, sf_json_text(line));
	free(copy);
	return lines;
}

/* From stock: what an empty configuration would change. */
static void sf_saving_report(const struct sf_saving *saving, const char *file,
			     struct sf_output *out)
{
	const struct sf_settings stock = { .name = "stock" };
	struct sf_drift drift;

	sf_drift_find(&stock, &saving->state, &saving->status, &saving->info,
		      &drift);
	sf_output_set(out, "file", sf_json_maybe_text(file));
	sf_output_set(out, "lines", sf_lines_json(saving->text));
	sf_output_set(out, "differences", drift.all);
	if (!file && !out->json)
		fputs(saving->text, stdout);
	if (file)
		sf_output_say(out, "saved to %s: %zu domain%s on %u CPU%s",
			      file, drift.domains, sf_plural(drift.domains),
			      drift.cpus, sf_plural(drift.cpus));
	if (sf_status_has_lease(&saving->status))
		fputs("schedflip: a lease is pending, so what was saved will not stay in force\n",
		      stderr);
}

static int sf_saving_read(struct sf_saving *saving, struct sf_error *err)
{
	if (sf_kernel_check_module(err) || sf_info_read(&saving->info, err) ||
	    sf_status_read(&saving->status, err))
		return err->code;
	return sf_state_read(&saving->state, err);
}

/**
 * sf_save - save what is in force
 * @options: the user's
 * @out: gets it
 * @err: says what was wrong
 *
 * Return: SF_OK, or the code in @err.
 */
int sf_save(const struct sf_options *options, struct sf_output *out,
	    struct sf_error *err)
{
	struct sf_saving saving = { .text = NULL };
	const char *file = options->args[0];
	struct sf_writer *writer = NULL;

	if (sf_saving_read(&saving, err) || sf_saving_make(&saving, err))
		goto out_free;
	if (file)
		writer = sf_writer_open_shared(file, err);
	if (writer) {
		sf_writer_save(writer, saving.text, saving.size, err);
		sf_writer_close(writer);
	}
	if (!err->code)
		sf_saving_report(&saving, file, out);
out_free:
	free(saving.text);
	sf_state_free(&saving.state);
	return err->code;
}
