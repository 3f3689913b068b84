#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs `schedflip ab` on a tree of files in place of the kernel's. The tree takes no
# policy, so all runs are of the one it has; what happens while a command runs is done
# by that command. Prints TAP.
#
# shellcheck disable=SC2016,SC2119 # commands have variables of their own; those of tree
# and of workload may be left out

set -euo pipefail

# shellcheck source=test/unit/utility_tree
. "$(dirname -- "${BASH_SOURCE[0]}")/utility_tree"

# Two ways to write the policy that the tree has.
A=newidle=jitter
B=newidle=jitter,start=zero

command=$work/command
restored='newidle=jitter start=zero ratio=learned slowpath=stock burst=stock burst_depth=2 '
restored+='burst_factor=3 burst_nohz=off cost=stock learn=keep sync=off'

# lab [WORD...]: a tree at jitter, where ab may run
lab() {
	tree jitter
	mkdir -p "$root/run" "$root/sys/kernel/debug/sched"
	echo 'TTWU_QUEUE NO_NI_RANDOM NI_RATE ' >"$root/sys/kernel/debug/sched/features"
}

# workload [LINE]...: a command during which the balancer decides; with LINEs of its own
workload() {
	{
		echo '#!/bin/bash'
		echo "state=$debugfs/state root=$root debugfs=$debugfs work=$work"
		cat <<-'EOT'
		awk '{
			for (i = 1; i <= NF; i++) {
				split($i, a, "=")
				if (a[1] ~ /^(calls|attempts|skipped|hits)$/)
					$i = a[1] "=" a[2] + 100
			}
			print
		}' "$state" >"$state.new" && mv "$state.new" "$state"
		echo run >>"$work/runs"
		EOT
		printf '%s\n' "$@"
	} >"$command"
	chmod 755 "$command"
	rm -f "$work/runs"
}

runs() {
	[ ! -e "$work/runs" ] || wc -l <"$work/runs"
}

# check NAME COMMAND...: does it succeed?
check() {
	local bad=0
	"${@:2}" || bad=1
	result "$bad" "$1"
}

# says NAME CODE PATTERN: the last run ended so, and said such a line on stderr.
says() {
	local bad=0
	[ "$code" = "$2" ] && grep -Eq -- "$3" "$work/err" || bad=1
	result "$bad" "$1"
}

is_restored() {
	[ "$(cat "$debugfs/policy")" = "$restored" ]
}

nothing_done() {
	[ ! -s "$debugfs/policy" ] && [ ! -e "$work/runs" ] && [ ! -e "$work/e.json" ]
}

ab() {
	run ab -p "$A" -p "$B" "$@"
}

refused() {
	expect "ab: refuses $1" "${3:-2}" "schedflip: $2"
	check "ab: refusing $1 it did nothing" nothing_done
}

test_refused() {
	lab
	workload
	run ab -- "$command"
	refused "no policy" 'ab compares: give 2 to 8 policies by -p, 0 were given'
	run ab -p stock -- "$command"
	refused "one policy" 'ab compares: give 2 to 8 policies by -p, 1 was given'
	run ab --policy=cost={stock,bump,stock,bump,stock,bump,stock,bump,stock} -- "$command"
	refused "a ninth policy" 'ab compares 2 to 8 policies; "cost=stock" is one more'
	run ab -p stock -p newidle=jiter -- "$command"
	refused "a policy that is none" \
		'no policy "jiter" for newidle; known: stock dice accumulator jitter always never'
}

# refuse NAME MESSAGE OPTION...
refuse() {
	ab "${@:3}"
	refused "$1" "$2" 2
}

test_refused_options() {
	lab
	workload
	refuse "no command" 'no command to run; put it last: ab -p A -p B -- COMMAND'
	refuse "nothing behind --" 'no command to run; put it last: ab -p A -p B -- COMMAND' --
	refuse "no blocks" 'no number of blocks "0"; allowed: 1 to 10000' --blocks 0 "$command"
	refuse "no precision" 'no precision "0"; allowed: more than 0, to 100 %' \
		--precision 0 "$command"
	refuse "a precision that is no number" \
		'no precision "1,5"; allowed: more than 0, to 100 %' --precision 1,5 "$command"
	refuse "blocks with a precision" \
		'--blocks and --precision exclude each other; give one of them' \
		--blocks 6 --precision 2 "$command"
	refuse "no such order" 'no order "baab"; known: random abba' --order baab "$command"
	refuse "no such learn" 'no learn "forget"; known: keep reset restore' --learn forget \
		"$command"
	refuse "no time" 'no time "0"; allowed: 1 to 604800' --max-time 0 "$command"
	refuse "no timeout" 'no timeout "0"; allowed: 1 to 604800' --timeout 0 "$command"
	refuse "a negative warm-up" 'no number of warm-up runs "-1"; allowed: 0 to 100' \
		--warmup=-1 "$command"
	refuse "a seed too large" \
		'no seed "9223372036854775808"; allowed: 0 to 9223372036854775807' \
		--seed 9223372036854775808 "$command"
	refuse "a picture of no kind" \
		'no picture "x.gif": its name must end in .svg or .png' --plot x.gif "$command"
	refuse "learn in a policy" 'learn is the same for all policies; give it by --learn' \
		-p learn=keep "$command"
}

test_refused_metrics() {
	lab
	workload
	refuse "a metric without a regex" \
		'"rps" is not NAME=REGEX, such as rps=RPS: ([0-9.]+)' --metric rps "$command"
	refuse "a bad regex" \
		'metric "a": bad regular expression "(": Unmatched ( or \(' --metric 'a=(' "$command"
	refuse "a metric given twice" 'metric a is given twice' --metric a=1 --metric a=2 \
		"$command"
	refuse "a bad name" \
		'no metric can be called "a b"; allowed: 1 to 40 letters, digits, _ and .' \
		--metric 'a b=1' "$command"
	refuse "a bad direction" 'no direction "up" of a metric; known: lower higher' \
		--metric a:up=1 "$command"
	refuse "the name of wall time" 'wall_s is measured anyway; call the metric something else' \
		--metric wall_s=1 "$command"
	refuse "a ninth metric" 'ab measures up to 8 metrics; "i=1" is one more' \
		--metric={a,b,c,d,e,f,g,h,i}=1 "$command"
}

test_refused_setting() {
	lab
	workload
	ab -- no-such-program
	refused "a command that is not there" 'there is no program "no-such-program" in PATH; give its path, such as ./no-such-program' 1
	ab -o "$work/none/e.json" -- "$command"
	refused "a file in no directory" \
		"cannot write $work/none/e.json: No such file or directory" 1
	ab -o "$work" -- "$command"
	refused "a directory as file" "cannot write $work: it is no regular file" 1
	run ab -p stock -p burst=idle -- "$command"
	refused "a policy without its hook" 'burst=idle needs the hook select, which is off; run: schedflip unload && schedflip load --hooks all' 1
	ab -j -- no-such-program
	json "ab: a refusal as JSON" 1
	rm -rf -- "$root/sys/module/schedflip"
	ab -- "$command"
	refused "no module" 'the module is not loaded; load it: schedflip load' 1
}

test_blocks() {
	lab
	workload 'echo "RPS: 1.5e3"'
	ab --blocks 6 --seed 7 --metric 'rps:higher=RPS: ([^ ]+)' -o "$work/e.json" -- "$command"
	expect "ab: six blocks" 0
	says "ab: a line a block" 0 "^block 6: ($A|$B) 1500 rps, ($A|$B) 1500 rps$"
	check "ab: the policies are restored" is_restored
	check "ab: each policy ran seven times" [ "$(runs)" = 14 ]
	prints "ab: prints a report" "$B"
	run report "$work/e.json"
	expect "ab: its file is an experiment" 0
	check "ab: which is complete" grep -q '"complete": true' "$work/e.json"
	check "ab: keeps the seed" grep -q '"seed": 7' "$work/e.json"
	check "ab: keeps why it ended" grep -q '"stopped": "all 6 blocks were run"' "$work/e.json"
	check "ab: keeps all runs" [ "$(grep -c '"valid": true' "$work/e.json")" = 14 ]
	check "ab: keeps the value" grep -q '"rps": 1500.0' "$work/e.json"
	check "ab: keeps what was counted" grep -q '"calls": 400.0' "$work/e.json"
	check "ab: keeps the output" grep -q '"output": "RPS: 1.5e3\\n"' "$work/e.json"
	check "ab: keeps its own command line" grep -q '"schedflip_command": ".* ab -p' \
		"$work/e.json"
	rm -f "$work/e.json"
}

test_json() {
	lab
	workload
	run ab -j -p "$A" -p "$A" --blocks 2 --order abba --warmup 0 "$command" --blocks 3
	json "ab: one JSON object" 0
	check "ab: with -j nothing on stderr" [ ! -s "$work/err" ]
	prints "ab: of two alike the first has a number" "$A (1)"
	prints "ab: and the second" "$A (2)"
	check "ab: without a warm-up, and without --" [ "$(runs)" = 4 ]
}

test_commands() {
	lab
	workload 'cat "$debugfs/policy" >>"$work/policies"'
	rm -f "$work/policies"
	ab --blocks 1 --learn restore -- "$command"
	expect "ab: one block" 0
	says "ab: warns of too few blocks" 0 \
		'^warning: 1 block cannot give a verdict: 2 policies need 6$'
	check "ab: each run sets all kinds" [ "$(sort -u "$work/policies")" = \
		"${restored/keep/restore}" ]
	ab --blocks 1 --quiet -- "$command"
	check "ab: --quiet warns of nothing" [ "$(grep -c warning "$work/err")" = 0 ]
	ab --blocks 2 --metric a=RPS --metric b=RPS -- "$command"
	says "ab: more metrics need more blocks" 1 \
		'^warning: 2 blocks cannot give a verdict: 2 policies and 2 metrics need 7$'
}

test_preflight() {
	lab
	workload
	echo '3.00 1 1 1/1 1' >"$root/proc/loadavg"
	ab --blocks 1 -o "$work/e.json" -- "$command"
	says "ab: warns of a busy machine" 0 \
		'^warning: the machine is busy .*: 3.00 tasks .*; remedy: find it'
	check "ab: keeps the warning" grep -q '3.00 tasks on average' "$work/e.json"
	ab --blocks 1 --quiet -o "$work/e.json" -- "$command"
	check "ab: also a quiet one" grep -q '3.00 tasks on average' "$work/e.json"
	workload 'sleep 100 &'
	ab --blocks 1 -- "$command"
	says "ab: tells of processes that were left" 0 \
		'^warning: the command left processes behind: 2 killed after the first runs'
	rm -f "$work/e.json"
}

test_time() {
	lab
	workload 'sleep 0.4'
	ab --max-time 1 --warmup 0 -o "$work/e.json" -- "$command"
	expect "ab: the time is over" 0
	check "ab: no block is begun that would end too late" [ "$(runs)" = 2 ]
	check "ab: that was planned" grep -q '"complete": true' "$work/e.json"
	ab --max-time 1 --warmup 0 --blocks 5 -o "$work/e.json" -- "$command"
	check "ab: fewer blocks than were asked for were not" grep -q '"complete": false' \
		"$work/e.json"
	rm -f "$work/e.json"
}

test_precision() {
	lab
	workload 'echo 1'
	ab --metric x=1 --max-time 300 --warmup 0 -o "$work/e.json" -- "$command"
	expect "ab: as precise as can be" 0
	check "ab: not before the tenth block" [ "$(runs)" = 20 ]
	check "ab: says so" grep -q '"stopped": "all differences are known to +-1 %"' \
		"$work/e.json"
	rm -f "$work/e.json"
}

test_command_fails() {
	lab
	workload 'echo first; echo last; [ "$(wc -l <"$work/runs")" -lt 5 ] || exit 2'
	ab --blocks 6 --order abba -o "$work/e.json" -- "$command"
	says "ab: the command fails" 1 "^schedflip: the command failed under $B in block 2: \
exit status 2; the end of its output: first last$"
	check "ab: the policies are restored after a failure" is_restored
	check "ab: what was measured is kept" grep -q '"complete": false' "$work/e.json"
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
\"RPS: \(\[0-9\]\+\)\" in the command's output; its last line: nothing here$"
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
	expect "ab: it is an experiment: $1" 0
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
		"$by sched features changed: \"NI_RATE\" became \"NO_NI_RATE\""
	broken "the user's NI_RANDOM changes" \
		"echo NI_RANDOM=off held=0 >\$debugfs/features" \
		"$by sched features changed: \"NI_RANDOM:on\" became \"NI_RANDOM:off\""
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
	signalled TERM
	signalled HUP
}

# Under sudo the command and the files are the user's.
test_sudo() {
	if [ "$(id -u)" != 0 ]; then
		result 0 "ab: the user who called sudo # SKIP not root"
		return
	fi
	lab
	chmod 755 "$root"
	chmod -R a+rwX "$work"
	workload 'echo "uid: $(id -u)"'
	SUDO_UID=65534 SUDO_GID=65534 ab --blocks 1 --metric 'uid=uid: (.*)' -o "$work/e.json" \
		-- "$command"
	expect "ab: under sudo" 0
	check "ab: the command is the user's" grep -q '"uid": 65534.0' "$work/e.json"
	check "ab: the file is, too" [ "$(stat -c %u "$work/e.json")" = 65534 ]
	SUDO_UID=65534 SUDO_GID=65534 ab --blocks 1 --as-root --metric 'uid=uid: (.*)' \
		-o "$work/e.json" -- "$command"
	check "ab: --as-root it is not" grep -q '"uid": 0.0' "$work/e.json"
	rm -f "$work/e.json"
	SUDO_UID=me ab --blocks 1 -- "$command"
	says "ab: a user that is none" 1 'SUDO_UID is "me", which sudo would not set'
}

test_plot() {
	lab
	workload
	ab --blocks 2 --plot "$work/p.svg" -- "$command"
	expect "ab: a picture" 0
	check "ab: is one" grep -q '<svg' "$work/p.svg"
	rm -f "$work/p.svg"
}

test_help() {
	local word
	run ab --help
	expect "ab: --help" 0 ''
	for word in --policy --metric --blocks --precision --max-time --warmup --order --learn \
		--seed --timeout --as-root --output --plot --quiet Examples 'Exit codes'; do
		prints "ab: --help has $word" "$word"
	done
	run
}

test_refused
test_refused_options
test_refused_metrics
test_refused_setting
test_blocks
test_json
test_commands
test_preflight
test_time
test_precision
test_command_fails
test_metric_missing
test_invalid
test_not_restored
test_own_features
test_never_decided
test_lock
test_signals
test_sudo
test_plot
test_help
echo "1..$number"
