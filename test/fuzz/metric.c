// SPDX-License-Identifier: GPL-2.0-or-later
/* What a command printed. The first byte chooses the metric that is looked up in it. */
#include "fuzz.h"

#include <math.h>

#include "metric.h"

static const char *const metrics[] = {
	"rps:higher=RPS: ([0-9.]+)", "ops=([0-9.]+) ops/sec", "any=.*",
	"group=(a|b)?([0-9]+)",	     "ends=^[0-9]+$",	      "empty=x*",
	"float:lower=[-+0-9.eE]+",   "first=^ *([0-9]+)",
};

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct sf_error err = { .code = SF_OK };
	struct sf_metric metric;
	double value = 0;
	char *output;
	int code;

	if (!size)
		return 0;
	code = sf_metric_parse(metrics[*data % SF_ARRAY_SIZE(metrics)], &metric,
			       &err);
	fuzz_check(!code, "the metric is right");
	output = fuzz_text(data + 1, size - 1);
	code = sf_metric_find(&metric, output, &value, &err);
	fuzz_error(code, &err);
	fuzz_check(code ? isnan(value) : isfinite(value),
		   "there is a number or an error");
	sf_metric_free(&metric);
	free(output);
	return 0;
}
