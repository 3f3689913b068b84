// SPDX-License-Identifier: GPL-2.0-or-later
/* The module's status, and what is said of it. */
#include "fuzz.h"

#include "notice.h"

static void check_words(const struct sf_status *status)
{
	const char *const words[] = {
		status->hooks, status->off_reason,  status->shadowed_by,
		status->lease, status->lease_ended, status->trip_reason
	};
	const char *at;
	size_t i;

	for (i = 0; i < SF_ARRAY_SIZE(words); i++)
		for (at = words[i]; *at; at++)
			fuzz_check(*at >= ' ' && *at <= '~',
				   "words are of printable ASCII");
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct sf_error err = { .code = SF_OK };
	char *text = fuzz_text(data, size);
	struct sf_status status;
	struct sf_output out;
	json_t *json;
	int code;

	fuzz_quiet();
	sf_output_init(&out, false);
	code = sf_status_parse(text, &status, &err);
	fuzz_error(code, &err);
	if (!code) {
		check_words(&status);
		json = sf_notice_json(&status);
		fuzz_check(!json_dumpf(json, stdout, 0), "all of it is JSON");
		json_decref(json);
		sf_notice_print(&status, &out);
	}
	json_decref(out.root);
	free(text);
	return 0;
}
