#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs `schedflip sim` on command lines good and bad; prints TAP. What the numbers
# have to be is checked by utility_sim.c and utility_sim_replay.c.

set -euo pipefail

# shellcheck source=test/unit/utility_tree
. "$(dirname -- "${BASH_SOURCE[0]}")/utility_tree"

# There is neither a module nor a kernel's file.
mkdir -p "$root"
small=(windows --windows 50 --calls 64)

# refused MESSAGE ARGUMENT...: the command line is wrong, and that is all that is said.
refused() {
	local message=$1
	shift
	run sim "$@"
	expect "sim $*: refused" 2 "schedflip: $message"
	prints_not "sim $*: prints nothing" '.'
}

test_experiment_refused() {
	local known='known: windows trap sync replay speed'
	refused "no experiment given; $known"
	refused "no experiment \"x\"; $known" x
	refused 'unexpected argument "more"' windows more
	refused 'replay takes one recording, not 0: schedflip sim replay FILE' replay
	refused 'replay takes one recording, not 2: schedflip sim replay FILE' replay a b
	run sim -j x
	json "sim x, JSON" 2
	run sim replay "$work/none"
	expect "sim replay: no such file" 1
}

test_numbers_refused() {
	refused 'no windows "0"; allowed: 1 to 1000000' windows --windows 0
	refused 'no windows "x"; allowed: 1 to 1000000' windows --windows x
	refused 'no calls "0"; allowed: 1 to 1000000000' windows --calls 0
	refused 'no calls "-1"; allowed: 1 to 1000000000' trap --period 4 --calls -1
	refused 'no ratio "1025"; allowed: 0 to 1024' windows --ratio 1025
	refused 'no ratio "1025"; allowed: 0 to 1024' sync --cpus 4 --ratio 1025
	refused 'no period "0"; allowed: 1 to 1024' trap --period 0
	refused 'trap needs --period; allowed: 1 to 1024' trap
	refused 'no phase "4"; allowed with --period 4: 0 to 3' trap --period 4 --phase 4
	refused 'sync needs --cpus; allowed: 1 to 4096' sync
	refused 'no cpus "0"; allowed: 1 to 4096' sync --cpus 0
	refused 'no cpus "4097"; allowed: 1 to 4096' sync --cpus 4097
	refused 'no rounds "0"; allowed: 1 to 100000000' sync --cpus 4 --rounds 0
	refused 'no seconds "0"; allowed: 1 to 3600' speed --seconds 0
	refused 'no seed "18446744073709551616"; allowed: 0 to 18446744073709551615' \
		windows --seed 18446744073709551616
}

test_options_refused() {
	refused "windows takes no --period; it takes: --windows --calls --ratio --seed --plot \
--json" windows --period 4
	refused 'speed takes no --ratio; it takes: --seconds --check --seed --json' speed --ratio 4
	refused 'replay takes no --cpus; it takes: --seed --plot --json' replay x --cpus 4
	refused "windows takes no --check; it takes: --windows --calls --ratio --seed --plot \
--json" windows --check
	refused 'speed draws no picture; leave --plot out' speed --plot x.svg
	refused 'no picture "x.gif": its name must end in .svg or .png' windows --plot x.gif
	refused "no picture at ratio 1022, where every call attempts; allowed with --plot: 0 to \
1021" sync --cpus 4 --ratio 1022 --plot x.svg
	run sim trap --cpu 3
	expect "sim: an option of other commands" 2
	result "$(cd "$work" && [ ! -e x.svg ] && [ ! -e x.gif ] && echo 0 || echo 1)" \
		"sim: no picture was drawn"
}

# all_policies NAME: the last table has them all.
all_policies() {
	local policy start
	prints "$1: dice" '^dice  *-  '
	for policy in accumulator jitter; do
		for start in zero half random stagger; do
			prints "$1: $policy from $start" "^$policy  *$start  *[-+0-9]"
		done
	done
}

test_windows() {
	run sim "${small[@]}" --ratio 1000
	expect "windows" 0 ''
	all_policies windows
	prints "windows: says what it did" '^50 windows of 64 calls, .*; seed 1$'
	prints "windows: the gaps' ratio" '^100000 gaps between attempts at ratio 1000$'
	run sim "${small[@]}" --ratio 1000 -j
	json "windows: JSON" 0
	prints "windows: real numbers" '"max_error_attempts": [0-9.]*,'
	run sim windows --windows 1 --calls 1 --ratio 1024 --seed 0
	expect "windows: the least" 0 ''
	prints "windows: one of one" '^1 window of 1 call, '
	run sim windows --windows 2000
	prints_not "windows: no negative zero" '(^| )-0[.0]*( |$)'
	prints "windows: zero has no sign" '^accumulator zero .* 0.0000$'
}

test_trap() {
	run sim trap --period 3 --calls 1000
	expect "trap" 0 ''
	all_policies trap
	prints "trap: the truth" \
		'^calls with a task: 341.3/1024; a fair policy learns 346.4/1024$'
	prints "trap: phases" 'phases 0 to 2 of the task$'
	run sim trap --period 3 --calls 1000 -j
	json "trap: JSON" 0
	prints "trap: a phase" '"phase": 2,'
	run sim trap --period 3 --calls 1000 --phase 1 -j
	json "trap: one phase, JSON" 0
	prints_not "trap: only that phase" '"phase": [02]'
}

test_sync() {
	run sim sync --cpus 8 --rounds 1000
	expect "sync" 0 ''
	all_policies sync
	prints "sync: says what it did" '^8 CPUs that call together, 1000 times, '
	prints "sync: lockstep" '^accumulator zero .* 8.00 4.00$'
	run sim sync --cpus 1 --rounds 1000
	expect "sync: one CPU" 0 ''
	prints "sync: one CPU alone" '^1 CPU that calls, 1000 times, '
	prints "sync: makes no pairs" '^dice .* -$'
	run sim sync --cpus 1 --rounds 1000 -j
	json "sync: one CPU, JSON" 0
	prints "sync: no pairs, in JSON" '"synchrony": null'
	run sim sync --cpus 4 --ratio 1024 --rounds 10 -j
	json "sync: all attempt, JSON" 0
	prints "sync: nothing to compare with" '"variance_ratio": null'
}

# write_recordings: always.rec of 4000 calls, short.rec of 511, empty.rec, skip.rec of
# which each tenth call was skipped, and cut.rec, which has no end.
write_recordings() {
	cat >"$work/write.c" <<-'EOF'
	#include <stdlib.h>
	#include <schedflip/newidle.h>
	#include "recording.h"

	int main(int argc, char **argv)
	{
		struct sf_error err = { .code = SF_OK };
		json_t *header = json_pack("{s:[{s:i, s:i, s:s}]}", "domains", "cpu", 1,
					   "level", 0, "span", "0-1");
		struct sf_recorder *recorder = sf_recorder_create(argv[1], header, &err);
		int i, calls = atoi(argv[2]), skip = atoi(argv[3]);

		for (i = 0; recorder && i < calls; i++) {
			struct sf_event event = { .type = SF_EVENT_NEWIDLE, .cpu = 1 };

			event.policy = skip ? SF_NEWIDLE_DICE : SF_NEWIDLE_ALWAYS;
			event.time_ns = 1000 * i;
			event.newidle.weight = 1024;
			event.newidle.attempt = !skip || i % skip;
			event.newidle.tasks = i % 4 == 3 && event.newidle.attempt;
			event.newidle.ns = event.newidle.attempt ? 500 : 0;
			sf_recorder_write(recorder, &event);
		}
		return argc != 4 || !recorder ||
		       sf_recorder_finish(recorder, 0, 1000 * calls, &err);
	}
	EOF
	# shellcheck disable=SC2046 # words of flags
	cc -std=gnu11 -D_GNU_SOURCE -o "$work/write" "-I$top/include" "-I$top/userspace" \
		"$work/write.c" "$(dirname -- "$SCHEDFLIP")/libschedflip.a" \
		$(make -s -C "$top/userspace" print-libs)
	"$work/write" "$work/always.rec" 4000 0
	"$work/write" "$work/short.rec" 511 0
	"$work/write" "$work/empty.rec" 0 0
	"$work/write" "$work/skip.rec" 4000 10
	head -c 3000 "$work/always.rec" >"$work/cut.rec"
}

test_replay() {
	write_recordings
	run sim replay "$work/always.rec"
	expect "replay" 0 ''
	all_policies replay
	prints "replay: the truth" \
		'^4000 calls of 1 domain in 0.004 s, of which 1000 pulled: 256.0 of 1024; seed 1$'
	prints "replay: all calls" '^always  *-  *4000  *2.000  *1000  *0  *100.0  *25.0 '
	prints "replay: luck" '^dice  *-  *[0-9.]* +-[0-9.]* '
	prints "replay: none" '^accumulator half  *[0-9]*  *[0-9.]*  *[0-9]* '
	prints "replay: how often" ' mean +-standard deviation of 20 runs; '
	prints "replay: who learned" ' learn, 1 of 1; in their mean 256.0 of 1024 calls pulled$'
	prints_not "replay: no doubts" '^warning'
	run sim replay -j "$work/always.rec"
	json "replay: JSON" 0
	run sim replay "$work/short.rec"
	expect "replay: too short to learn" 0 ''
	prints "replay: says so" '^ratio: no domain, of 1, made the 512 calls of its own that'
	prints "replay: no ratio" '^always .*  -$'
	run sim replay "$work/short.rec" --plot "$work/short.svg"
	expect "replay: a picture of no ratios" 1
	prints_not "replay: a picture of no ratios: prints nothing" '.'
	run sim replay "$work/empty.rec"
	expect "replay: empty" 1 "schedflip: $work/empty.rec has no newidle call to decide anew, \
in 0 events; record some: schedflip set newidle=always && schedflip record -o FILE --event \
newidle --for 10"
	run sim replay --json "$work/empty.rec"
	json "replay: empty, JSON" 1
	run sim replay "$work/cut.rec"
	expect "replay: cut off" 0 ''
	prints "replay: warns" '^warning: the file was cut off; what came later is missing$'
	run sim replay "$work/skip.rec"
	expect "replay: skips" 1 "schedflip: $work/skip.rec was not recorded under newidle=always: \
400 of 4000 calls were skipped, so their outcome is unknown; record again after: schedflip set \
newidle=always"
	run sim replay "$work/write.c" -j
	json "replay: no recording, JSON" 1
	printf '{\n "schema_version": 1,\n "kind": "schedflip-experiment"\n}\n' >"$work/ab.json"
	run sim replay "$work/ab.json"
	expect "replay: an experiment" 1 "schedflip: $work/ab.json is an experiment of ab; use: \
schedflip report $work/ab.json"
}

# How long a decision takes is the machine's affair.
test_speed() {
	local policy
	run sim speed --seconds 1
	expect "speed" 0 ''
	for policy in dice accumulator jitter; do
		prints "speed: $policy" "^$policy  *31  *[0-9.]*  *[0-9.]*  *[0-9.]*  *[0-9]*$"
		prints "speed: mean of $policy" "^$policy: [0-9.]* ns in the mean"
	done
	prints "speed: the goal" '^goal for accumulator and jitter: at most 2.0 ns$'
	run sim speed --seconds 1 --json
	json "speed: JSON" 0
	# Whether the goal is met is the machine's affair, too.
	run sim speed --check
	result "$([ "$code" = 0 ] || grep -q ' takes .* more than the goal of 2.0 ns$' \
		"$work/err" && echo 0 || echo 1)" "speed: the goal is checked"
}

# same NAME ARGUMENT...: one seed prints the same bytes twice, and another others.
same() {
	local name=$1
	shift
	run sim "$@" -j --seed 7
	cp "$work/out" "$work/first"
	run sim "$@" -j --seed 7
	result "$(cmp -s "$work/out" "$work/first" && echo 0 || echo 1)" "$name: same seed"
	run sim "$@" -j --seed 8
	# In more than the line that names the seed.
	result "$(! cmp -s <(grep -v '"seed"' "$work/out") <(grep -v '"seed"' "$work/first") &&
		echo 0 || echo 1)" "$name: another seed"
}

test_seed() {
	same windows "${small[@]}" --ratio 1000
	same trap trap --period 3 --calls 10000
	same sync sync --cpus 8 --rounds 100
	same replay replay "$work/always.rec"
}

# drawn NAME FILE ARGUMENT...: there is a picture, and the command names it.
drawn() {
	local name=$1 file=$2
	shift 2
	if ! command -v gnuplot >/dev/null; then
		result 0 "$name: picture # SKIP no gnuplot"
		return
	fi
	run sim "$@" --plot "$work/$file"
	expect "$name: picture" 0 ''
	prints "$name: names it" "^picture: $work/$file$"
	result "$([ -s "$work/$file" ] && echo 0 || echo 1)" "$name: it is there"
	run sim "$@" --plot "$work/$file" --json
	json "$name: picture, JSON" 0
}

test_plot() {
	drawn windows windows.svg "${small[@]}" --ratio 1000
	drawn "windows without an error" exact.svg windows --windows 2 --calls 1024 --ratio 1000
	drawn trap trap.svg trap --period 3 --calls 1000
	drawn replay replay.svg replay "$work/always.rec"
	drawn sync sync.png sync --cpus 6 --rounds 100
	drawn "sync, one CPU" one.svg sync --cpus 1 --rounds 100
	run sim "${small[@]}" --ratio 1000 --plot "$work/none/x.svg" -j
	json "picture nowhere: JSON" 1
}

# What stands in the way of a picture is found before anything is computed.
test_no_plot() {
	run sim windows --plot "$work/none/x.svg"
	expect "no directory for a picture" 1 \
		"schedflip: cannot write $work/none/x.svg: No such file or directory"
	prints_not "no directory: nothing is printed" '.'
	mkdir "$work/directory.svg"
	run sim windows --plot "$work/directory.svg"
	expect "a directory for a picture" 1 "schedflip: cannot write $work/directory.svg: it is \
there, but is no plain file; give another name"
	PATH=$work/nothing run sim windows --plot "$work/x.svg"
	expect "no gnuplot" 1 "schedflip: no gnuplot to draw with; install it (Debian: apt install \
gnuplot-nox)"
	prints_not "no gnuplot: nothing is printed" '.'
}

test_help() {
	run sim --help
	expect "sim --help" 0 ''
	prints "sim --help: examples" '^Examples:$'
	prints "sim --help: what trap needs" '^  trap --period N \[--phase N\] \[--calls N\]$'
	prints "sim --help: exit codes" '^Exit codes: '
}

test_experiment_refused
test_numbers_refused
test_options_refused
test_windows
test_trap
test_sync
test_replay
test_speed
test_seed
test_plot
test_no_plot
test_help
schemas
echo "1..$number"
