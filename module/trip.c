// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/string.h>

#include "hooks.h"
#include "runqueue.h"
#include "trip.h"

/**
 * struct sf_sums - what only grows; two of them tell what came in between
 * @at: ktime_get_ns()
 * @cpus: online then
 * @newidle_ns: of all CPUs in newidle balance
 * @waits: of all CPUs
 */
struct sf_sums {
	u64 at;
	unsigned int cpus;
	u64 newidle_ns;
	struct sf_waits waits;
};

/**
 * struct sf_look - what the thresholds are compared with
 * @depth: of the deepest queue
 * @cpu: that has it
 * @newidle: in 1000, since the look before
 * @delay_us: likewise
 */
struct sf_look {
	u32 depth;
	int cpu;
	u64 newidle;
	u64 delay_us;
};

/* All guarded by the control lock. */
static struct sf_trips sf_trips;
static struct sf_sums sf_trip_sums;
static struct sf_look sf_trip_look;
static u64 sf_trip_looks;
static u64 sf_trip_count;
static char sf_trip_reason[128];

/**
 * sf_trips_read - the thresholds
 */
struct sf_trips sf_trips_read(void)
{
	return sf_trips;
}

/**
 * sf_trips_set - set the thresholds
 * @trips: all of them
 *
 * The next look is the first, which knows of no time before it.
 */
void sf_trips_set(const struct sf_trips *trips)
{
	if (!memcmp(&sf_trips, trips, sizeof(sf_trips)))
		return;
	sf_trips = *trips;
	sf_trip_look = (struct sf_look){};
	sf_trip_looks = 0;
}

static struct sf_sums sf_sums_now(void)
{
	struct sf_sums sums = {
		.at = ktime_get_ns(),
		.cpus = num_online_cpus(),
		.newidle_ns = sf_hooks_newidle_ns(),
	};
	int cpu;

	if (sf_rq_tells_waits())
		for_each_possible_cpu(cpu)
			sf_rq_add_waits(cpu, &sums.waits);
	return sums;
}

/* What others count is read while it grows, so it may seem to have shrunk. */
static u64 sf_grown(u64 before, u64 now)
{
	return now > before ? now - before : 0;
}

static void sf_look_at_sums(const struct sf_sums *before,
			    const struct sf_sums *now)
{
	/* Those that went or came in between were there for a part of it. */
	u64 time = sf_grown(before->at, now->at) * max(before->cpus, now->cpus);
	u64 newidle = sf_grown(before->newidle_ns, now->newidle_ns);
	u64 switches = sf_grown(before->waits.switches, now->waits.switches);
	u64 waited = sf_grown(before->waits.ns, now->waits.ns);

	sf_trip_look.newidle =
		time ? mul_u64_u64_div_u64(newidle, 1000, time) : 0;
	sf_trip_look.delay_us =
		switches ? div64_u64(waited, switches) / NSEC_PER_USEC : 0;
}

static void sf_look_at_depths(void)
{
	u32 depth;
	int cpu;

	sf_trip_look.depth = 0;
	for_each_online_cpu(cpu) {
		depth = sf_rq_depth(cpu);
		if (depth <= sf_trip_look.depth)
			continue;
		sf_trip_look.depth = depth;
		sf_trip_look.cpu = cpu;
	}
}

static bool sf_trip_compare(void)
{
	const struct sf_look *look = &sf_trip_look;

	if (sf_trips.depth && look->depth >= sf_trips.depth)
		scnprintf(sf_trip_reason, sizeof(sf_trip_reason),
			  "%u runnable tasks at CPU %d reached trip_depth=%d",
			  look->depth, look->cpu, sf_trips.depth);
	else if (sf_trips.newidle && look->newidle >= sf_trips.newidle)
		scnprintf(
			sf_trip_reason, sizeof(sf_trip_reason),
			"%llu/1000 of the CPUs' time in newidle balance reached trip_newidle=%d",
			look->newidle, sf_trips.newidle);
	else if (sf_trips.delay_us && look->delay_us >= sf_trips.delay_us)
		scnprintf(
			sf_trip_reason, sizeof(sf_trip_reason),
			"a mean wait of %llu us per switch reached trip_delay_us=%d",
			look->delay_us, sf_trips.delay_us);
	else
		return false;
	return true;
}

static bool sf_trips_armed(void)
{
	return sf_trips.depth || sf_trips.newidle || sf_trips.delay_us;
}

/**
 * sf_trips_crossed - look at the machine
 *
 * Return: true if a threshold is reached. All are disarmed then, and the reason is kept.
 */
bool sf_trips_crossed(void)
{
	struct sf_sums before = sf_trip_sums;

	if (!sf_trips_armed())
		return false;
	sf_trip_sums = sf_sums_now();
	sf_look_at_depths();
	if (sf_trip_looks++)
		sf_look_at_sums(&before, &sf_trip_sums);
	if (!sf_trip_compare())
		return false;
	sf_trips = (struct sf_trips){};
	sf_trip_count++;
	return true;
}

/**
 * sf_trips_reason - what was crossed last; "-" if nothing was
 */
const char *sf_trips_reason(void)
{
	return sf_trip_reason[0] ? sf_trip_reason : "-";
}

static void sf_trip_show(struct seq_file *m, const char *name, int threshold)
{
	if (threshold)
		seq_printf(m, "%s=%d\n", name, threshold);
	else
		seq_printf(m, "%s=off\n", name);
}

/**
 * sf_trips_show - print what `status` says of them
 * @m: file
 */
void sf_trips_show(struct seq_file *m)
{
	sf_trip_show(m, "trip_depth", sf_trips.depth);
	sf_trip_show(m, "trip_newidle", sf_trips.newidle);
	sf_trip_show(m, "trip_delay_us", sf_trips.delay_us);
	seq_printf(m, "depth=%u\nnewidle=%llu\n", sf_trip_look.depth,
		   sf_trip_look.newidle);
	if (sf_rq_tells_waits())
		seq_printf(m, "delay_us=%llu\n", sf_trip_look.delay_us);
	else
		seq_puts(m, "delay_us=-\n");
	seq_printf(m, "looks=%llu\ntrips=%llu\ntrip_reason=%s\n", sf_trip_looks,
		   sf_trip_count, sf_trips_reason());
}
