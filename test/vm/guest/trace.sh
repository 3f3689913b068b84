# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2086 # none of the paths has a blank
#
# The module's tracepoints: what they tell is what `state` counts.

TRACEFS=/sys/kernel/tracing
EVENTS=$TRACEFS/events/schedflip
TRACE=/tmp/trace

# counted NAME KEY...: the sum of some counters in a copy of `state`
counted() {
	copy=/tmp/state.$1
	shift
	for key; do
		sed "s/.*\b$key=\([^ ]*\).*/\1/" $copy
	done | awk '{ total += $1 } END { printf "%d\n", total }'
}

# traced EVENT... -- COMMAND...: what happens meanwhile comes to $TRACE. Of the four copies
# of `state`, what grew between the inner two was traced, and no more was than what grew
# between the outer two.
traced() {
	mkdir -p $TRACEFS
	[ -e $TRACEFS/trace ] || mount -t tracefs tracefs $TRACEFS
	echo 0 >$TRACEFS/tracing_on
	echo 8192 >$TRACEFS/buffer_size_kb
	: >$TRACEFS/trace
	cat $SF/state >/tmp/state.0
	while [ "$1" != -- ]; do
		echo 1 >$EVENTS/$1/enable
		shift
	done
	shift
	echo 1 >$TRACEFS/tracing_on
	cat $SF/state >/tmp/state.1
	"$@" >/dev/null
	cat $SF/state >/tmp/state.2
	echo 0 >$TRACEFS/tracing_on
	cat $SF/state >/tmp/state.3
	grep -E ': (newidle|slowpath|burst): ' $TRACEFS/trace >$TRACE
	lost=$(awk '/^(overrun|dropped events):/ { n += $NF } END { print n + 0 }' \
		$TRACEFS/per_cpu/cpu*/stats)
	echo 0 >$EVENTS/enable
	echo 1408 >$TRACEFS/buffer_size_kb
}

# agrees DESCRIPTION TOLD KEY...: the trace told of as many as the counters grew by
agrees() {
	description=$1
	told=$2
	shift 2
	least=$(($(counted 2 "$@") - $(counted 1 "$@")))
	most=$(($(counted 3 "$@") - $(counted 0 "$@")))
	[ "$told" -ge "$least" ] && [ "$told" -le "$most" ]
	report $? "$description ($told, counted: $least to $most)"
}

# told KEY EVENT [FILTER]: the sum of a field over the events
told() {
	grep ": $2: " $TRACE | grep -E -- "${3:-.}" | sed "s/.* $1=\([^ ]*\).*/\1/" |
		awk '{ total += $1 } END { printf "%d\n", total }'
}

# events EVENT [FILTER]
events() {
	grep ": $1: " $TRACE | grep -cE -- "${2:-.}"
}

test_trace_newidle() {
	flip newidle=$1
	traced newidle -- storm
	is "newidle=$1: no event is lost" "$lost" 0
	agrees "newidle=$1: an event a call" "$(events newidle)" calls
	agrees "newidle=$1: attempts" "$(told attempt newidle)" attempts
	agrees "newidle=$1: tasks" "$(told tasks newidle)" tasks
	# Each time is rounded down to a whole ns, and so is their sum.
	told=$(told ns newidle)
	least=$(($(counted 2 newidle_ns) - $(counted 1 newidle_ns)))
	most=$(($(counted 3 newidle_ns) - $(counted 0 newidle_ns)))
	rounded=$(($(events newidle) + $(domains)))
	[ "$told" -ge $((least - rounded)) ] && [ "$told" -le $((most + rounded)) ]
	report $? "newidle=$1: ns in attempts ($told, counted: $least to $most)"
	succeeds "newidle=$1: each event is possible" possible $1
	: >$TRACEFS/trace
	echo 1 >$TRACEFS/tracing_on
	storm 20
	is "newidle=$1: no event after it was disabled" \
		"$(grep -c newidle: $TRACEFS/trace)" 0
}

# possible POLICY: do the fields of each event of a call go together?
possible() {
	grep ': newidle: ' $TRACE | sed 's/.*: newidle: //' >/tmp/events
	judge '
	k["policy"] != "'$1'" { next }
	{
		n++
		if (k["weight"] > 1024) bad("weight")
		if (!k["attempt"] && (k["tasks"] || k["ns"])) bad("outcome of a skip")
		if (k["attempt"] && !k["weight"]) bad("attempt without weight")
		if (k["policy"] == "never" && k["attempt"]) bad("attempt of never")
		if (k["policy"] == "always" && k["weight"] != 1024) bad("weight of always")
	}
	END { if (!n) { print "no event"; exit 1 } }' /tmp/events
}

placements() {
	forks 8 50 200
	hackbench -p -g 2 -f 8 -l $((100 / SLOWER))
}

# moves [FILTER]: burst events of tasks that went elsewhere
moves() {
	grep ': burst: ' $TRACE | grep -E -- "${1:-.}" | sed 's/.*: burst: //' | awk '
	{ for (i = 1; i <= NF; i++) { split($i, a, "="); k[a[1]] = a[2] } }
	k["cpu"] != k["to"] { n++ }
	END { print n + 0 }'
}

# The policy of an event is a word; `kind` names the counters.
test_trace_select() {
	flip slowpath=random burst=nearest burst_depth=2
	traced slowpath burst -- placements
	is "slowpath, burst: no event is lost" "$lost" 0
	agrees "an event a pick" "$(events slowpath)" picks
	agrees "stale picks" "$(told stale slowpath)" stale
	for kind in wake fork exec; do
		agrees "an event a placement over the threshold, $kind" \
			"$(events burst kind=$kind)" ${kind}_over
		agrees "those that moved, $kind" "$(moves kind=$kind)" ${kind}_moved
		agrees "and to idle CPUs, $kind" "$(moves "kind=$kind .*idle=1")" ${kind}_idle
	done
	contains "some moved" "$(moves)" '^[1-9]'
	# Where no CPU of the group is idle, the choice is left to the kernel.
	[ $(($(events slowpath policy=random) * 10)) -ge $(($(events slowpath) * 9)) ]
	report $? "most picks are those of slowpath=random"
	flip slowpath=stock burst=stock
	traced slowpath burst -- placements
	is "none over the threshold at stock" "$(events burst)" 0
	agrees "picks at stock" "$(events slowpath policy=stock)" picks
}

# Unloading disables it.
test_trace_unload() {
	flip newidle=always
	traced newidle -- true
	echo 1 >$EVENTS/newidle/enable
	storm 50 &
	succeeds "unload while the event is enabled" unload_module
	wait
	fails "the events are gone" test -e $EVENTS
	succeeds "load again" load_module hooks=all policy=newidle=always
	traced newidle -- storm 200
	contains "and the event tells" "$(events newidle)" '^[1-9]'
}

all_trace() {
	succeeds "load for the tracepoints" load_module hooks=all
	for policy in always jitter never stock; do
		test_trace_newidle $policy
	done
	test_trace_select
	test_trace_unload
	succeeds "unload after the tracepoints" unload_module
}
