// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>

#include "gauges.h"
#include "kernel.h"
#include "text.h"
#include "verbs.h"
#include "writer.h"

static const struct argp_option sf_metrics_options[] = {
	{ "output", 'o', "FILE", 0, "Write FILE, at one moment, of mode 0644",
	  0 },
	SF_OPTION_JSON,
	{ 0 }
};

/* Options are scanned before there is anything else to put them. */
static const char *sf_metrics_file;

static error_t sf_metrics_option(int key, char *arg, struct sf_error *err)
{
	(void)err;
	if (key != 'o')
		return ARGP_ERR_UNKNOWN;
	sf_metrics_file = arg;
	return 0;
}

const struct sf_usage sf_metrics_usage = {
	.options = sf_metrics_options,
	.doc = "Print policies, counters and the module's status as metrics, in the text\n"
	       "format of Prometheus.\n"
	       "\vCounters of a domain begin at 0 again when it is flipped, as `rate()` expects.\n"
	       "Without the module there is `schedflip_loaded 0`, and the exit status is 0.\n"
	       "\n"
	       "Examples:\n"
	       "  schedflip metrics\n"
	       "  schedflip metrics --output /var/lib/node_exporter/schedflip.prom\n"
	       "\n" SF_EXIT_CODES,
	.option = sf_metrics_option,
};

static int sf_gauges_read(struct sf_gauges *gauges, struct sf_error *err)
{
	gauges->loaded = sf_kernel_has_module();
	if (!gauges->loaded)
		return SF_OK;
	if (sf_kernel_check_module(err) || sf_info_read(&gauges->info, err) ||
	    sf_status_read(&gauges->status, err))
		return err->code;
	return sf_state_read(&gauges->state, err);
}

static int sf_metrics_make(const struct sf_gauges *gauges,
			   struct sf_exposition *exposition, char **text,
			   size_t *size, struct sf_error *err)
{
	exposition->to = open_memstream(text, size);
	if (!exposition->to)
		return sf_fail(err, SF_FAILED, "out of memory");
	sf_gauges_print(gauges, exposition);
	if (fclose(exposition->to))
		return sf_fail(err, SF_FAILED, "out of memory");
	return SF_OK;
}

static int sf_metrics_write(const char *text, size_t size,
			    struct sf_output *out, struct sf_error *err)
{
	struct sf_writer *writer;

	if (!sf_metrics_file) {
		if (!out->json)
			fputs(text, stdout);
		return SF_OK;
	}
	writer = sf_writer_open_shared(sf_metrics_file, err);
	if (!writer)
		return err->code;
	sf_writer_save(writer, text, size, err);
	sf_writer_close(writer);
	return err->code;
}

/**
 * sf_metrics - print metrics
 * @options: the user's
 * @out: gets them
 * @err: says what was wrong
 *
 * Return: SF_OK, or the code in @err.
 */
int sf_metrics(const struct sf_options *options, struct sf_output *out,
	       struct sf_error *err)
{
	struct sf_exposition exposition = { .samples = json_array() };
	struct sf_gauges gauges = { .loaded = false };
	char *text = NULL;
	size_t size = 0;

	(void)options;
	if (!sf_gauges_read(&gauges, err) &&
	    !sf_metrics_make(&gauges, &exposition, &text, &size, err))
		sf_metrics_write(text, size, out, err);
	sf_output_set(out, "loaded", json_boolean(gauges.loaded));
	sf_output_set(out, "file", sf_json_maybe_text(sf_metrics_file));
	sf_output_set(out, "metrics", exposition.samples);
	free(text);
	sf_state_free(&gauges.state);
	return err->code;
}
