#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Spoils experiments of `schedflip ab` on a tree of files in place of the kernel's: by
# commands that fail, by others who change things in mid-run, by signals; prints TAP.
#
# shellcheck disable=SC2016,SC2119 # commands have variables of their own; the arguments of
# workload may be left out

set -euo pipefail

# shellcheck source=test/unit/utility_lab
. "$(dirname -- "${BASH_SOURCE[0]}")/utility_lab"

test_command_fails() {
	lab
	workload 'echo first; echo last; [ "$(wc -l <"$work/runs")" -lt 5 ] || exit 2'
	ab --blocks 6 --order abba -o "$work/e.json" -- "$command"
	says "ab: the command fails" 1 "^schedflip: the command failed under $B in block 2: \
exit status 2; the end of its output: first last$"
	check "ab: the policies are restored after a failure" is_restored
	check "ab: what was measured is kept" grep -q '"complete": false' "$work/e.json"
	prints "ab: and printed" "$B"
	check "ab: with the failure" grep -q '"stopped": "the command failed under' "$work/e.json"
	run report "$work/e.json"
	expect "ab: it is still an experiment" 0
	rm -f "$work/e.json"
	workload 'kill -KILL $$'
	ab --blocks 6 -o "$work/e.json" -- "$command"
	says "ab: the command is killed" 1 "^schedflip: the command failed under $A in the \
warm-up: signal 9 \(Killed\); it printed nothing$"
	check "ab: of a warm-up nothing is kept" [ ! -e "$work/e.json" ]
	workload 'sleep 100'
	ab --blocks 6 --timeout 1 -- "$command"
	says "ab: the command takes too long" 1 'in the warm-up: killed after 1\.[0-9] s;'
	check "ab: the policies are restored after a timeout" is_restored
	ab -j --blocks 6 --timeout 1 -- "$command"
	json "ab: a failure as JSON" 1
}

test_metric_missing() {
	lab
	workload 'echo nothing here'
	ab --blocks 6 --metric 'rps=RPS: ([0-9]+)' -- "$command"
	says "ab: a metric is missing" 1 "^schedflip: metric \"rps\": nothing matches \
\"RPS: \(\[0-9\]\+\)\" in the command's output; its last lines: nothing here$"
	check "ab: at the first run" [ "$(runs)" = 1 ]
	check "ab: the policies are restored without a metric" is_restored
}

# broken NAME LINE PATTERN: a run is invalid if the command does LINE.
broken() {
	lab
	workload "$2"
	ab --blocks 6 -o "$work/e.json" -- "$command"
	says "ab: $1" 3 "^schedflip: (policy|THE POLICIES).*"
	says "ab: says so: $1" 3 "$3"
	check "ab: stops soon: $1" [ "$(runs)" -le 8 ]
	check "ab: keeps it: $1" grep -q '"valid": false' "$work/e.json"
	run report "$work/e.json"
	expect "ab: it is an experiment, though without a result: $1" 1
	rm -f "$work/e.json"
}

test_invalid() {
	local edit='sed -i' by='since the (first )?run began,'
	broken "somebody sets a policy" "$edit s/newidle=jitter/newidle=dice/ \$state" \
		'^warm-up: .*after the run: cpu0/domain0 has newidle=dice; is somebody else'
	broken "the domains change" "$edit 's/span=0-1/span=0-7/' \$state" \
		"$by sched domains changed: \"cpu0/domain0:SMT\\(level0\\):0-1\" became"
	broken "a CPU goes" "$edit '/cpu=1/d' \$state" "$by sched domains changed: \"cpu1"
	broken "a hook goes" "$edit 's/state=patched/state=detached/' \$debugfs/hooks" \
		"$by hooks changed: \"balance:patched\" became \"balance:detached\""
	broken "a feature is written" \
		"$edit 's/ NI_RATE/ NO_NI_RATE/' \$root/sys/kernel/debug/sched/features" \
		"$by sched features changed: \"NI_RATE\" became \"NO_NI_RATE\"; \
set it back, and run again"
	broken "the user's NI_RANDOM changes" \
		"echo NI_RANDOM=off held=0 >\$debugfs/features" \
		"$by sched features changed: \"NI_RANDOM:on\" became \"NI_RANDOM:off\""
	broken "a policy is set, and set back" \
		"$edit \"s/changes=[0-9]*/changes=\$(wc -l <\$work/runs)/\" \$state" \
		'during the run somebody set policies: of cpu0/domain0, and maybe others; leave'
	broken "a feature is written, and written back" \
		"$edit \"/features/s/calls=[0-9]*/calls=\$(wc -l <\$work/runs)/\" \
			\$debugfs/hooks" \
		'during the run somebody wrote to sched/features; leave it alone, and run again'
	broken "counters are restarted" \
		"$edit \"s/hits=[0-9]*/hits=\$((5000 - 300 * \$(wc -l <\$work/runs)))/\" \$state" \
		'counters were restarted during the run; is somebody else'
}

# The tree does not take the policy back.
test_not_restored() {
	lab
	workload 'sed -i s/newidle=jitter/newidle=dice/ "$state"; exit 1'
	ab --blocks 6 -- "$command"
	says "ab: why it ended is told first" 3 '^schedflip: the command failed under '
	says "ab: the policies cannot be restored" 3 "^schedflip: THE POLICIES ARE NOT RESTORED: \
4 domains did not take it: cpu0/domain0 has newidle=dice, .* set them by .schedflip set"
}

# What the policies themselves do to NI_RANDOM is no change.
test_own_features() {
	lab
	workload "sed -i s/NO_NI_RANDOM/NI_RANDOM/ $root/sys/kernel/debug/sched/features"
	ab --blocks 1 -- "$command"
	expect "ab: NI_RANDOM is the policies' own" 0
	check "ab: no run is invalid for it" [ "$(grep -c INVALID "$work/err")" = 0 ]
}

test_never_decided() {
	local words='slowpath=random burst=idle cost=bump'
	lab
	ab --blocks 6 -- true
	says "ab: newidle that decides nothing" 3 "^schedflip: policy \"$A\", 2 invalid runs: \
newidle=jitter never decided anything: calls is 0; do CPUs go idle under it\\?$"
	state=$words select=patched lab
	workload
	run ab -p "${words// /,}" -p "${words// /,},sync=off" --blocks 6 -- "$command"
	says "ab: only what is not at stock must decide" 3 \
		"before the run: cpu0/domain0 has newidle=jitter"
	state="newidle=stock slowpath=random" select=patched lab
	run ab -p slowpath=random -p slowpath=random,start=zero --blocks 6 -- "$command"
	says "ab: slowpath that decides nothing" 3 \
		'slowpath=random never decided anything: chosen is 0; does the workload fork'
	state="newidle=stock burst=idle" select=patched lab
	run ab -p burst=idle -p burst=idle,start=zero --blocks 6 -- "$command"
	says "ab: burst that decides nothing" 3 \
		'burst=idle never decided anything: burst_seen is 0; is the workload placing'
	state="newidle=stock cost=bump" lab
	workload "sed -i 's/pulled=[0-9]*/&0/' \$state" \
		"awk '{ for (i = 1; i <= NF; i++) if (\$i ~ /^attempts=/) a = substr(\$i, 10)
			gsub(/pulled=[0-9]*/, \"pulled=\" a); print }' \$state >\$state.new" \
		'mv $state.new $state'
	sed -i 's/pulled=125/pulled=1000/' "$debugfs/state"
	run ab -p cost=bump -p cost=bump,start=zero --blocks 6 -- "$command"
	says "ab: cost that decides nothing" 3 \
		'cost=bump never decided anything: none of 400 attempts failed'
}

# Others are kept off while ab runs, also by ab's own command.
test_lock() {
	local inner
	for inner in "set newidle=jitter" reset "ab -p stock -p stock true"; do
		lab
		workload "$work/schedflip $inner"
		ab --blocks 6 -- "$command"
		says "ab: keeps off: $inner" 1 'schedflip: (a|another) schedflip ab runs'
	done
	lab
	run set newidle=jitter
	expect "set: without ab" 0 ''
}

# signalled SIGNAL: while a run of the second block goes on
signalled() {
	local tries=0
	lab
	workload 'echo "$$" >"$work/pid"' '[ "$(wc -l <"$work/runs")" -lt 5 ] || sleep 100'
	SCHEDFLIP_SYSROOT=$root "$work/schedflip" ab -p "$A" -p "$B" -o "$work/e.json" -- \
		"$command" >"$work/out" 2>"$work/err" &
	until [ "$(runs)" = 5 ] || [ $((tries += 1)) = 500 ]; do
		sleep 0.02
	done
	kill "-$1" $!
	kill "-$1" $!
	code=0
	wait $! || code=$?
	says "ab: SIG$1" 1 '^schedflip: interrupted; the policies are restored$'
	check "ab: the policies are restored after SIG$1" is_restored
	check "ab: the command is gone after SIG$1" [ ! -e "/proc/$(cat "$work/pid")" ]
	check "ab: what there is is kept after SIG$1" grep -q '"stopped": "interrupted"' \
		"$work/e.json"
	prints "ab: and printed after SIG$1" "$B"
	rm -f "$work/e.json"
}

test_signals() {
	signalled INT
	signalled QUIT
	signalled TERM
	signalled HUP
	signalled USR1
	signalled USR2
	signalled ALRM
	signalled XCPU
}

# A file that grows too large stands for a disk that is full.
test_full() {
	lab
	workload 'yes | head -c 20000'
	code=0
	(
		ulimit -f 24
		SCHEDFLIP_SYSROOT=$root "$work/schedflip" ab -p "$A" -p "$B" --blocks 2 \
			-o "$work/e.json" -- "$command" >"$work/out" 2>"$work/err"
	) || code=$?
	says "ab: a full disk" 1 "^schedflip: cannot write $work/e.json: File too large$"
	check "ab: the policies are restored on a full disk" is_restored
	prints "ab: what was measured is printed on a full disk" "$B"
	check "ab: no half file is left" [ -z "$(find "$work" -name '*.part')" ]
}

# Nothing would end it.
test_stopped() {
	lab
	workload 'kill -TSTP $$'
	ab --blocks 6 -- "$command"
	says "ab: the command stops itself" 1 'in the warm-up: stopped by signal 20'
	check "ab: the policies are restored after it stopped" is_restored
}

# unheard NAME CODE: nobody reads what it says, but the experiment goes on to its end.
unheard() {
	check "ab: $1: ends so" [ "$code" = "$2" ]
	check "ab: $1: all runs were made" [ "$(runs)" = 6 ]
	check "ab: $1: the policies are restored" is_restored
	check "ab: $1: the experiment is kept" grep -q '"complete": true' "$work/e.json"
	rm -f "$work/e.json"
}

# unheard_ab: like ab, with the descriptors that it is called with
unheard_ab() {
	code=0
	rm -f "$work/runs"
	: >"$debugfs/policy"
	SCHEDFLIP_SYSROOT=$root "$work/schedflip" ab -p "$A" -p "$B" --blocks 2 \
		-o "$work/e.json" -- "$command" || code=$?
}

test_unheard() {
	local pipe
	lab
	workload
	unheard_ab >"$work/out" 2>&-
	unheard "a closed stderr" 0
	unheard_ab >&- 2>"$work/err"
	unheard "a closed stdout" 1
	says "ab: a closed stdout: says so" 1 '^schedflip: cannot write the output: '
	unheard_ab <&- >&- 2>&-
	unheard "all closed" 1
	unheard_ab >"$work/out" 2>/dev/full
	unheard "a full stderr" 0
	# A pipe that nobody reads any more.
	exec {pipe}> >(:)
	wait $!
	unheard_ab >"$work/out" 2>&"$pipe"
	unheard "a broken stderr" 0
	unheard_ab 1>&"$pipe" 2>"$work/err"
	unheard "a broken stdout" 1
	exec {pipe}>&-
}

test_command_fails
test_metric_missing
test_invalid
test_not_restored
test_own_features
test_never_decided
test_lock
test_signals
test_full
test_stopped
test_unheard
schemas
echo "1..$number"
