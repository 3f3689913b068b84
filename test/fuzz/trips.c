// SPDX-License-Identifier: GPL-2.0-or-later
/* The arguments of --trip, each a line; as times of --for, too. */
#include "words.h"

#include "duration.h"
#include "trip.h"

static const struct sf_duration time_of_lease = {
	.what = "time",
	.finest_us = 1000,
	.min_us = 100000,
	.max_us = 86400ull * 1000000,
	.allowed = "100ms to 24h",
};

static void check_time(const char *text)
{
	struct sf_error err = { .code = SF_OK };
	char words[SF_DURATION_SIZE];
	u64 us;
	int code = sf_duration_parse(&time_of_lease, text, &us, &err);

	fuzz_usage_error(code, &err);
	if (code)
		return;
	fuzz_check(us >= time_of_lease.min_us && us <= time_of_lease.max_us &&
			   us % 1000 == 0,
		   "a time is within its limits");
	sf_duration_format(us, words, sizeof(words));
	fuzz_check(strlen(words) < sizeof(words) - 1, "its words have room");
}

static void check_trips(const struct sf_trips *trips)
{
	const u64 figures[SF_NR_TRIPS] = { 0, SF_TRIP_UNKNOWN, 1 };
	char words[SF_TRIPS_SIZE] = "", said[SF_TRIPS_SIZE];
	size_t i;

	for (i = 0; i < SF_NR_TRIPS; i++)
		fuzz_check(trips->trips[i].given || !trips->trips[i].limit,
			   "what is not given has no limit");
	sf_trips_format(trips, words, sizeof(words));
	fuzz_check(!*words == !sf_trips_given(trips) &&
			   strlen(words) < sizeof(words) - 1,
		   "all that is given is told the module");
	sf_trips_describe(trips, said, sizeof(said));
	fuzz_check(*said && strlen(said) < sizeof(said) - 1,
		   "words for the user have room");
	sf_trips_measure(trips, figures, said, sizeof(said));
	fuzz_check(!*said == !sf_trips_armed(trips), "armed ones are measured");
	fuzz_check(!sf_trips_differ(trips, trips), "they are as they are");
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct sf_trips trips = { .trips = { { false } } };
	struct sf_error err = { .code = SF_OK };
	struct fuzz_words words;
	int i, code = SF_OK;

	if (!fuzz_words_read(&words, data, size))
		return 0;
	for (i = 1; i < words.count; i++)
		check_time(words.argv[i]);
	for (i = 1; !code && i < words.count; i++)
		code = sf_trips_parse(words.argv[i], &trips, &err);
	fuzz_usage_error(code, &err);
	if (!code)
		check_trips(&trips);
	free(words.text);
	return 0;
}
