// SPDX-License-Identifier: GPL-2.0-or-later
/* `sim replay`, of recordings that anybody may have made. */
#include "recordings.h"

#include "sim.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct sf_sim sim = { .seed = 1, .file = fuzz_recording(data, size) };
	struct sf_error err = { .code = SF_OK };
	struct sf_output out;
	int code;

	fuzz_quiet();
	sf_output_init(&out, size % 2);
	code = sf_sim_replay(&sim, &out, &err);
	fuzz_error(code, &err);
	fuzz_check(!out.incomplete, "all of it is printed");
	if (out.json)
		json_dumpf(out.root, stdout, 0);
	json_decref(out.root);
	return 0;
}
