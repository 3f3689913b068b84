// SPDX-License-Identifier: GPL-2.0-or-later
/* The reader of experiments, and `report`. */
#include "reports.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct sf_error err = { .code = SF_OK };
	struct sf_experiment experiment;
	int code;

	json_object_seed(1);
	code = sf_experiment_load(fuzz_path(data, size), &experiment, &err);
	fuzz_error(code, &err);
	if (!code) {
		fuzz_same(&experiment);
		fuzz_report(&experiment);
	}
	sf_experiment_free(&experiment);
	return 0;
}
