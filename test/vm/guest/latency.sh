#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# On PREEMPT_RT and in exact mode: how late tasks of priority 90 wake up on each CPU, while
# wakes and forks of others storm; without the module, beside it, and while it comes and
# goes. latency.sh [NAP_MS]: the nap moves all that follows against the clocks.
#
# Prints TAP and lines `latency PHASE samples=N p999_us=N max_us=N`.
#
# Takes: lib.sh storm forks
# Run: -x -c 2 -T 1500

# shellcheck disable=SC1091
. lib.sh

SECONDS_EACH=4
# cyclictest's histogram, in us; what is later is in its maximum.
BUCKETS=4000

# The load goes on as long as there is this file.
LOADED=/tmp/loaded

load_of() {
	while [ -e $LOADED ]; do
		"$@" >/dev/null
	done
}

# load_begins: naps, wakeups of pipes and forks on all CPUs
load_begins() {
	touch $LOADED
	load_of storm_once &
	load_of hackbench -p -g 1 -f 4 -l 1000 &
	load_of forks 1 50 100 &
	sleep 1
}

# The program, and not the function of lib.sh.
storm_once() {
	command storm 200
}

load_ends() {
	rm $LOADED
	wait
}

# cyclic SECONDS: one thread a CPU, which wakes each 500 us; instead of this shell
cyclic() {
	exec cyclictest --quiet --mlockall --smp --priority=90 --interval=500 \
		--histogram=$BUCKETS --duration="$1" >/tmp/cyclic
}

# figures PHASE: of what cyclictest has printed; the maximum goes to $max
figures() {
	line=$(awk '
	/^[0-9]+ / { for (i = 2; i <= NF; i++) n[$1 + 0] += $i }
	/^# Max Latencies:/ { for (i = 4; i <= NF; i++) if ($i + 0 > max) max = $i + 0 }
	/^# Histogram Overflows:/ { for (i = 4; i <= NF; i++) over += $i }
	END {
		for (us in n) {
			all += n[us]
			if (us + 0 > top)
				top = us + 0
		}
		all += over
		seen = over
		for (us = top; us >= 0 && seen + n[us] <= all / 1000; us--)
			seen += n[us]
		printf "samples=%d p999_us=%d max_us=%d\n", all, us, max
	}' /tmp/cyclic)
	echo "latency $1 $line"
	max=${line##*=}
	fails "$1: cyclictest measured" test "$(echo "$line" | sed 's/samples=\([0-9]*\) .*/\1/')" \
		-lt 1000
}

# steady PHASE: with the machine as it is
steady() {
	(cyclic $SECONDS_EACH)
	figures "$1"
}

# during PHASE COMMAND...: while the command runs
during() {
	phase=$1
	shift
	cyclic 3600 &
	cyclic=$!
	sleep 0.2
	succeeds "$phase: done" "$@"
	kill -INT $cyclic
	wait $cyclic
	figures "$phase"
}

flips() {
	for _ in 1 2 3; do
		for policy in dice accumulator jitter stock; do
			flip newidle=$policy slowpath=random burst=nearest cost=bump sync=on ||
				return
			flip slowpath=stock burst=stock cost=stock sync=off || return
			sleep 0.05
		done
	done
}

# no_worse PHASE: against $limit
no_worse() {
	succeeds "$1: $max us at most, and no new class of latency ($limit us)" \
		test "$max" -le "$limit"
}

# without PHASE: twice, and $limit gets what the greatest maximum so far allows. The maxima of
# phases without the module differ by a factor of up to 1.7 among themselves (412 to 712 us
# in two starts), so what is less than twice the greatest of them is of the same class.
without() {
	for half in 1 2; do
		steady "$1-$half"
		[ "$max" -le "$worst" ] || worst=$max
	done
	limit=$((worst * 2))
}

succeeds "this is PREEMPT_RT" grep -q PREEMPT_RT /proc/version
sleep 30
usleep $((${1:-0} * 1000))
load_begins
worst=0
without before
during load load_module hooks=all seed=1
steady stock
stock=$max
flip newidle=jitter slowpath=random burst=nearest cost=bump sync=on
steady policies
policies=$max
during flips flips
flip newidle=stock slowpath=stock burst=stock cost=stock sync=off
during unload unload_module
without after
load_ends
max=$stock
no_worse "beside the module at stock"
max=$policies
no_worse "beside policies"
finish
