# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2086,SC2016 # no path has a blank; that is no command
#
# `schedflip record` against the real module: the events in the file are the calls that
# `state` has counted. And other tools can use the tracepoints. Needs exits, of utility.sh.

TRACEFS=/sys/kernel/tracing
RECORDING=/tmp/run.sfr
DUMP=/tmp/dump
COUNTS=/tmp/state

# What runs while it is recorded: the counters begin with the flip, and are read before the
# next one. What comes after them has a time after that of the note.
recorded_storm() {
	cat <<-EOF
	. lib.sh
	flip newidle=$1
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		storm
		[ "\$(sum calls)" -lt 40 ] || break
	done
	cut -d' ' -f1 /proc/uptime >/tmp/uptime
	cat \$SF/state >$COUNTS
	flip newidle=stock
	EOF
}

no_instance() {
	[ -z "$(ls $TRACEFS/instances)" ]
}

recording() {
	! no_instance && [ "$(cat $TRACEFS/instances/schedflip-*/tracing_on 2>/dev/null)" = 1 ]
}

# in_json KEY FILE: a number
in_json() {
	sed -n 's/.*"'$1'": *\([0-9]*\).*/\1/p' $2
}

# Each domain's first events are the calls that its line of `state` has counted: as many
# attempts, the same sums. A call that was under way as the line was read is in `calls`,
# but what came of it is not yet. Times are rounded down, of each call and of their sum.
# Events beyond those counted came after the counters were read.
matches() {
	cat $COUNTS $DUMP >/tmp/both
	judge '
	!/event=|^#/ {
		id = k["cpu"] " " k["level"]
		calls[id] = k["calls"]; attempts[id] = k["attempts"]
		tasks[id] = k["tasks"]; ns[id] = k["newidle_ns"]; sum[id] = k["weight_sum"]
		next
	}
	/^#/ || k["policy"] != "'$1'" { next }
	{
		id = k["cpu"] " " k["level"]
		if (++n[id] > calls[id]) {
			if (k["time_ns"] < '$2') bad("not counted")
			next
		}
		seen_attempts[id] += k["attempt"]
		seen_sum[id] += k["weight"]
		if (n[id] == calls[id]) {
			before_tasks[id] = seen_tasks[id]; before_ns[id] = seen_ns[id]
		}
		seen_tasks[id] += k["tasks"]
		seen_ns[id] += k["ns"]
	}
	function fits(id, tasks_seen, ns_seen) {
		return tasks_seen + 0 == tasks[id] && ns_seen + 0 <= ns[id] &&
			ns_seen + 0 >= ns[id] - calls[id]
	}
	END {
		for (id in calls) {
			total += calls[id]
			$0 = "cpu and level " id
			if (n[id] < calls[id]) bad(n[id] + 0 " of " calls[id] " calls")
			if (seen_attempts[id] + 0 != attempts[id])
				bad(seen_attempts[id] " of " attempts[id] " attempts")
			if (seen_sum[id] + 0 != sum[id])
				bad("weights of " seen_sum[id] ", not " sum[id])
			if (!fits(id, seen_tasks[id], seen_ns[id]) &&
			    !fits(id, before_tasks[id], before_ns[id]))
				bad(seen_tasks[id] " tasks, " seen_ns[id] " ns, not " \
					tasks[id] ", " ns[id])
		}
		print total + 0 " calls"
		# An emulated 6.12-rt has so few newidle calls a storm.
		if (total < 20) bad("too few calls to tell anything")
	}' /tmp/both
}

test_record_exact() {
	exits 0 "record newidle=$1" schedflip -j record -o $RECORDING --event newidle \
		--buffer 8192 -- sh -c "$(recorded_storm $1)"
	echo "$output" >/tmp/json
	is "newidle=$1: no event is lost" "$(in_json lost_events /tmp/json)" 0
	schedflip record --print $RECORDING >$DUMP
	is "newidle=$1: all events are in the file" "$(grep -c event=newidle $DUMP)" \
		"$(in_json events /tmp/json)"
	schedflip -j record --print $RECORDING >/tmp/json
	after=$(awk -v start="$(in_json start_ns /tmp/json)" \
		'{ printf "%.0f\n", $1 * 1e9 - start }' /tmp/uptime)
	output=$(matches $1 $after)
	is "newidle=$1: the events are the calls counted" $? 0
	note "$output"
	bytes=$(($(wc -c <$RECORDING) - $(head -n 2 $RECORDING | tail -n 1) - 40))
	note "$(awk "BEGIN { print $bytes / $(grep -c event= $DUMP) }") bytes an event"
}

# What was recorded under always is played back: the row of always is the recording itself.
test_record_replay() {
	flip newidle=always
	exits 0 "record for a replay" schedflip -j record -o $RECORDING --event newidle \
		--buffer 8192 -- sh -c '. lib.sh; storm'
	flip newidle=stock
	schedflip record --print $RECORDING >$DUMP
	exits 0 "replay it" schedflip sim replay -j $RECORDING
	echo "$output" >/tmp/json
	for key in calls pulls calls_ns; do
		sed -n 's/^  "'$key'": *\([0-9]*\).*/\1/p' /tmp/json
	done | tr '\n' ' ' >/tmp/replayed
	awk '
	{ for (i = 1; i <= NF; i++) { split($i, a, "="); k[a[1]] = a[2] } }
	/event=newidle/ { calls++; pulls += k["tasks"] > 0; ns += k["ns"] }
	END { printf "%d %d %.0f ", calls, pulls, ns }' $DUMP >/tmp/counted
	is "its calls, pulls and time are those recorded" "$(cat /tmp/replayed)" \
		"$(cat /tmp/counted)"
	is "always wins every pull" "$(in_json pulls_won /tmp/json | head -n 1)" \
		"$(in_json pulls /tmp/json)"
	exits 0 "replay it in text" schedflip sim replay $RECORDING
	for policy in dice accumulator jitter; do
		contains "with $policy" "$output" "^$policy "
	done
	exits 0 "record for no replay" schedflip record -o $RECORDING --event newidle -- \
		sh -c '. lib.sh; flip newidle=jitter; storm'
	exits 1 "it is refused" schedflip sim replay $RECORDING
	contains "and says what to record" "$output" 'schedflip set newidle=always'
	flip newidle=stock
}

test_record_select() {
	exits 0 "record all events" schedflip record -o $RECORDING -- \
		sh -c '. lib.sh; flip newidle=always slowpath=random burst=nearest; storm 300
			flip newidle=stock burst=stock'
	contains "and none is lost" "$output" 'none lost'
	schedflip record --print $RECORDING >$DUMP
	for event in newidle slowpath burst; do
		contains "there are some: $event" "$(grep -c event=$event $DUMP)" '^[1-9]'
	done
	contains "of a policy" "$(grep -m 1 policy=random $DUMP)" \
		'event=slowpath .* pid=[0-9]* to=[0-7] stale=[01]$'
	contains "of a policy" "$(grep -m 1 policy=nearest $DUMP)" \
		'kind=[a-z]* depth=[0-9]* average_milli=[0-9]* to=[0-7] idle=[01]$'
	is "in order of time" "$(cut -d' ' -f1 $DUMP | sort -c -t= -k2n && echo yes)" yes
	flip slowpath=stock
}

test_record_signals() {
	for signal in INT QUIT TERM HUP; do
		schedflip record -o $RECORDING >/tmp/said 2>&1 &
		record=$!
		wait_for 30 recording
		kill -$signal $record
		wait $record
		is "SIG$signal ends a recording in order" $? 0
		contains "and it says so" "$(cat /tmp/said)" '^[0-9]* events? in .*none lost'
		succeeds "and the file can be read" schedflip record --print $RECORDING
		succeeds "and the instance is gone" no_instance
	done
	schedflip record -o $RECORDING sleep 1000 >/tmp/said 2>&1 &
	record=$!
	wait_for 30 recording
	kill -TERM $record
	wait $record
	is "a signal ends the command as well" $? 1
	contains "which is said" "$(cat /tmp/said)" 'the command was ended by signal 15'
	fails "it is gone" pgrep -x sleep
	succeeds "the instance, too" no_instance
}

test_record_commands() {
	rm -f $RECORDING
	exits 1 "a command that fails" schedflip record -o $RECORDING -- sh -c 'exit 7'
	contains "fails record" "$output" 'the command failed with exit status 7'
	succeeds "but the recording is kept" schedflip record --print $RECORDING
	rm -f $RECORDING
	exits 1 "a command that is none" schedflip record -o $RECORDING /no/such
	contains "is named" "$output" 'cannot run /no/such: No such file'
	is "and nothing is left" "$(ls $RECORDING* 2>/dev/null)" ""
	succeeds "nor an instance" no_instance
	chmod 1777 /tmp
	rm -f $RECORDING
	exits 0 "as the user who called sudo" env SUDO_UID=65534 SUDO_GID=65534 \
		schedflip record -o $RECORDING sh -c 'id -un; echo $HOME'
	contains "the command runs" "$output" '^nobody'
	is "and the file is written" "$(stat -c %u:%g $RECORDING)" 65534:65534
	exits 0 "as root" env SUDO_UID=65534 SUDO_GID=65534 \
		schedflip record --as-root -o $RECORDING id -un
	contains "the command runs" "$output" '^root'
	exits 0 "for a time" schedflip -j record -o $RECORDING --for 0.5 -- sleep 2
	contains "and no longer" "$(echo "$output" | sed -n 's/.*duration_ns": //p')" \
		'^[5-9][0-9]{8},'
}

dropped() {
	awk '/^dropped events:/ { n += $3 } END { exit !n }' \
		$TRACEFS/instances/schedflip-*/per_cpu/cpu*/stats
}

# A recorder that does not run for a while: buffers fill, and what is lost is counted.
test_record_lost() {
	schedflip -j record -o $RECORDING --event newidle --buffer 4 >/tmp/json &
	record=$!
	wait_for 30 recording
	kill -STOP $record
	flip newidle=always
	tries=40
	until dropped || [ $tries -eq 0 ]; do
		storm 300
		tries=$((tries - 1))
	done
	cat $SF/state >$COUNTS
	flip newidle=never
	kill -CONT $record
	sleep 1
	kill -INT $record
	wait $record
	is "a recording with losses is one" $? 0
	lost=$(in_json lost_events /tmp/json)
	events=$(in_json newidle_events /tmp/json)
	calls=$(judge '{ n += k["calls"] } END { print n }' $COUNTS)
	contains "some were lost" "$lost" '^[1-9]'
	[ $((lost + events)) -ge $calls ]
	report $? "and all are counted ($events and $lost lost, of $calls calls and more)"
	contains "the file says so" "$(schedflip record --print $RECORDING | head -n 1)" \
		" $events events .* $lost lost"
	flip newidle=stock
}

# Nobody else's tracing is touched.
test_record_alone() {
	echo 1 >$TRACEFS/events/schedflip/newidle/enable
	echo 0 >$TRACEFS/tracing_on
	before=$(cat $TRACEFS/trace_clock $TRACEFS/buffer_size_kb $TRACEFS/tracing_on)
	exits 0 "record beside another tracer" schedflip record -o $RECORDING --for 0.1
	is "its tracing is as it was" \
		"$(cat $TRACEFS/trace_clock $TRACEFS/buffer_size_kb $TRACEFS/tracing_on)" "$before"
	is "its event is enabled still" "$(cat $TRACEFS/events/schedflip/newidle/enable)" 1
	echo 0 >$TRACEFS/events/schedflip/newidle/enable
	echo 1 >$TRACEFS/tracing_on
}

test_record_tools() {
	flip newidle=always
	exits 0 "trace-cmd records" trace-cmd record -q -e schedflip -o /tmp/trace.dat \
		storm 200
	contains "and shows the fields" "$(trace-cmd report /tmp/trace.dat | grep -m 1 newidle:)" \
		'cpu=[0-7] level=[0-9]+ policy=always weight=1024 attempt=1 tasks=[0-9]+ ns=[0-9]+'
	exits 0 "perf records" perf record -q -a -e schedflip:newidle -o /tmp/perf.data \
		storm 200
	contains "and shows the fields" "$(perf script -i /tmp/perf.data | grep -m 1 newidle)" \
		'cpu=[0-7] level=[0-9]+ policy=always weight=1024 attempt=1 tasks=[0-9]+ ns=[0-9]+'
	exits 0 "perf counts" perf stat -a -e schedflip:newidle storm 500
	contains "some" "$output" ' [1-9][0-9,]* +schedflip:newidle'
	rm -f /tmp/trace.dat /tmp/perf.data
	flip newidle=stock
}

# The events go with the module, and with them what was recorded last.
test_record_unload() {
	rm -f $RECORDING
	schedflip record -o $RECORDING >/tmp/said 2>&1 &
	record=$!
	wait_for 30 recording
	succeeds "unload while it is recorded" schedflip unload --timeout 300
	kill -INT $record
	wait $record
	is "a recording whose module went is none" $? 1
	contains "and says why" "$(cat /tmp/said)" 'the module was unloaded'
	is "no file" "$(ls $RECORDING* 2>/dev/null)" ""
	succeeds "no instance" no_instance
	exits 1 "record without the module" schedflip record -o $RECORDING --for 1
	contains "says so" "$output" 'not loaded'
}

all_record() {
	exits 0 "load for recordings" schedflip load --hooks all --timeout 300
	for policy in always accumulator jitter dice; do
		test_record_exact $policy
	done
	test_record_replay
	test_record_select
	test_record_signals
	test_record_commands
	test_record_lost
	test_record_alone
	test_record_tools
	test_record_unload
}
