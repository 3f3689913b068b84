#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2086 # none of the paths has a blank
#
# The part of test/vm/lab that runs in the machine: one policy, one start, each
# workload once, and a line of key=value for each. A workload does a fixed amount of
# work; `metric` names the key that is its result, `better` says which way.
#
#	lab.sh POLICY MILLISECONDS SEED

# shellcheck disable=SC1091
. lib.sh

# In exact mode one whole boot is to take a minute and a half of the host's time.
FORKS=300
FORKERS=8
FDS=10
LOOPS=50
MESSENGERS=2
WORKERS=32
REQUESTS=20000
SLEEPERS=64
ROUNDS=500
HERD=32
BURSTS=30
SETTLED=30

RESULT=/tmp/result

# Summed over all domains. A key that this schedflip does not have counts as 0.
COUNTERS="calls attempts pulled tasks newidle_ns bumps chosen picks stale
	wake_seen wake_over wake_moved wake_idle
	fork_seen fork_over fork_moved fork_idle
	exec_seen exec_over exec_moved exec_idle
	sync_pairs sync_expected_milli"

fail() {
	echo "lab: $*" >&2
	exit 1
}

# settle: until the machine is up for $SETTLED seconds. For the first six the kernel
# tests its crypto algorithms; what ran then, as without a module to load first, took
# twice as long. In exact mode the host does not wait while all sleep.
settle() {
	read -r up idle </proc/uptime
	left=$((SETTLED - ${up%.*}))
	[ "$left" -gt 0 ] || fail "the machine was up for $up s already, and idle for $idle"
	sleep "$left"
}

# set_policy [WORD]...: the policy. What the kernel has learned stays from one workload to
# the next, as there is no telling it where there is no module.
set_policy() {
	[ "$POLICY" != none ] || return 0
	flip $WORDS "$@" || fail "policy refused '$WORDS $*': $(cat "$SF/last_error")"
}

switches() {
	sed -n 's/^ctxt //p' /proc/stat
}

# counters BEFORE AFTER: the sums over the lines of `state`, as they grew between the two.
# A flip restarts the counters of its own kind only, so not all of them begin at 0.
counters() {
	awk -v keys="$COUNTERS" '
	{
		for (i = 1; i <= NF; i++) {
			split($i, pair, "=")
			sum[pair[1]] += NR == FNR ? -pair[2] : pair[2]
		}
	}
	END {
		n = split(keys, key)
		for (i = 1; i <= n; i++)
			printf " %s=%.0f", key[i], sum[key[i]]
	}' "$1" "$2"
}

# measure WORKLOAD METRIC BETTER COMMAND...
measure() {
	labels="workload=$1 metric=$2 better=$3"
	metric=$2
	shift 3
	set_policy
	[ "$POLICY" = none ] || cat $SF/state >/tmp/before
	before=$(switches)
	"$@" >$RESULT 2>&1 || fail "$* failed: $(cat $RESULT)"
	grep -q "^$metric=" $RESULT || fail "$* has no $metric: $(cat $RESULT)"
	[ "$POLICY" = none ] || cat $SF/state >/tmp/after
	after=$(switches)
	echo "$labels$(grep -E '^[a-z_]+=[0-9.]+$' $RESULT | sed 's/^/ /' | tr -d '\n')" \
		"ctxt=$((after - before))$([ "$POLICY" = none ] || counters /tmp/before /tmp/after)"
}

# forks: by stress-ng's own clock, as it takes a second and more to start and to end.
# Its seed is fixed; the start alone tells two boots of a policy apart.
forks() {
	stress-ng --no-rand-seed --metrics-brief --fork $FORKERS --fork-ops $FORKS 2>&1 |
		awk '
		$2 == "metrc:" && $4 == "fork" { print "forks=" $5 "\nforks_per_s=" $9; next }
		{ print }'
}

# hackbenches KIND OPTION
hackbenches() {
	for groups in 1 2 4; do
		measure "hackbench-$1-$groups" elapsed_us less \
			wakes time hackbench -p "$2" -g $groups -f $FDS -l $LOOPS
	done
}

POLICY=$1
WORDS=$1
[ "$POLICY" != stock ] || WORDS=newidle=stock
if [ "$POLICY" != none ]; then
	load_module hooks=all seed="$3" || fail "schedflip does not load"
fi
settle
set_policy learn=reset
usleep $(($2 * 1000))

measure fork forks_per_s more forks
hackbenches process -P
hackbenches thread -T
measure sch requests_per_s more wakes sch $MESSENGERS $WORKERS $REQUESTS
measure sem wakeups_per_s more wakes sem $SLEEPERS $ROUNDS
measure herd latency_us_mean less wakes herd 0 $HERD $BURSTS
