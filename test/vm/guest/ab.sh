# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2086,SC2016 # no path has a blank; commands have
# variables of their own
#
# Experiments of the utility on the real module: what counts, what does not, and that
# the policies are what they were before, however an experiment ends.

AB_FILE=/tmp/ab.json
AB_COMMAND=/tmp/ab-command
AB_RUNS=/tmp/ab-runs

# policies: what all domains have been set to
policies() {
	awk '{
		set = $0 ~ / start=set /
		pinned = $0 ~ / pinned=1 /
		for (i = 1; i <= NF; i++) {
			split($i, a, "=")
			if (a[1] ~ /^(cpu|domain|newidle|start|pinned|slowpath|cost|sync)$/ ||
			    a[1] ~ /^burst(_depth|_factor|_nohz)?$/ ||
			    (a[1] == "start_pos" && set) || (a[1] == "ratio" && pinned))
				printf "%s ", $i
		}
		print ""
	}' $SF/state
}

# mix: several policies at once, of which a few domains have each
mix() {
	flip newidle=jitter start=stagger cost=bump
	flip newidle=never cpu=2-3,$((LAST - 2)) domain=SMT
	flip newidle=accumulator window_pos=700 cpu=1
	flip ratio=500 cpu=$((LAST - 1))-$LAST
	flip sync=on burst_depth=7 cpu=$HALF domain=1
	mixed=$(policies)
}

# ab_command [LINE]...: a short command, in which CPUs go idle; with LINEs of its own
ab_command() {
	{
		echo "#!/bin/sh"
		echo "echo run >>$AB_RUNS"
		echo "hackbench -p -g 1 -f 4 -l 20"
		printf '%s\n' "$@"
	} >$AB_COMMAND
	chmod 755 $AB_COMMAND
	rm -f $AB_RUNS $AB_FILE
	: >$AB_RUNS
	chmod 666 $AB_RUNS
}

# ab STATUS DESCRIPTION [OPTION]...: of dice and jitter
ab() {
	wanted=$1
	description=$2
	shift 2
	output=$(schedflip ab --quiet -p newidle=dice -p newidle=jitter -o $AB_FILE "$@" \
		-- $AB_COMMAND 2>&1)
	is "ab: $description" "$? " "$wanted "
	[ "$wanted" = 0 ] || note "$output"
}

# kept REGEX: so many lines of the file match
kept() {
	grep -Ec -- "$1" $AB_FILE
}

ab_restored() {
	is "ab: policies restored: $1" "$(policies)" "$mixed"
}

test_ab_blocks() {
	words='start=zero ratio=learned slowpath=stock burst=stock burst_depth=2'
	words="$words burst_factor=3 burst_nohz=off cost=stock sync=off"
	mix
	ab_command
	ab 0 "six blocks" --blocks 6 --seed 1 --metric 'time:lower=Time: ([0-9.]+)'
	ab_restored "after six blocks"
	is "ab: all runs count" "$(kept '"valid": true')" 14
	is "ab: dice was in force" "$(kept "\"policy\": \"newidle=dice $words\"")" 14
	is "ab: jitter was" "$(kept "\"policy\": \"newidle=jitter $words\"")" 14
	is "ab: all runs had newidle calls" "$(kept '"calls": [1-9]')" 14
	is "ab: migrations are counted" "$(kept '"migrations": [0-9]')" 14
	is "ab: the metric is kept" "$(kept '"time": [0-9]')" 14
	is "ab: it is complete" "$(kept '"complete": true')" 1
	contains "ab: prints a report" "$output" 'newidle=jitter'
	contains "ab: a line a block" "$output" '^block 6: '
}

test_ab_fails() {
	mix
	ab_command '[ "$(wc -l <'$AB_RUNS')" -lt 5 ] || exit 7'
	ab 1 "the command fails" --blocks 6
	contains "ab: says how" "$output" \
		'^schedflip: the command failed under newidle=.* in block 2: exit status 7;'
	ab_restored "after a failure"
	is "ab: keeps what was measured" "$(kept '"complete": false')" 1
}

# ab_processes: so many of the command are there
ab_processes() {
	cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' '\n' | grep -c "^$AB_COMMAND\$"
}

# ab_signalled SIGNAL [SIGNAL]: in the second block
ab_signalled() {
	mix
	ab_command '[ "$(wc -l <'$AB_RUNS')" -lt 5 ] || sleep 1000'
	schedflip ab --quiet -p newidle=dice -p newidle=jitter -o $AB_FILE -- $AB_COMMAND \
		>/tmp/ab-output 2>&1 &
	job=$!
	wait_for 120 eval '[ "$(wc -l <$AB_RUNS)" -ge 5 ]'
	for signal in "$@"; do
		kill -$signal $job
	done
	wait $job
	is "ab: ended by SIG$*" $? 1
	contains "ab: says so" "$(cat /tmp/ab-output)" \
		'^schedflip: interrupted; the policies are restored$'
	ab_restored "after SIG$*"
	is "ab: the command is gone" "$(ab_processes)" 0
	is "ab: keeps what was measured" "$(kept '"stopped": "interrupted"')" 1
}

# Whoever sets a policy in mid-run spoils that run, and no other.
test_ab_spoiled() {
	mix
	ab_command '[ "$(wc -l <'$AB_RUNS')" != 5 ] || echo newidle=never cpu=3 >'$SF/policy
	ab 0 "somebody sets a policy in one run" --blocks 6
	is "ab: this run does not count" "$(kept '"valid": false')" 1
	contains "ab: and says why" "$(cat $AB_FILE)" \
		'not in force after the run: cpu3/domain0 has newidle=never'
	ab_restored "after a spoiled run"
	ab_command "echo newidle=never >$SF/policy"
	ab 3 "somebody sets a policy in each run" --blocks 6
	contains "ab: says who suffers" "$output" '^schedflip: policy "newidle=.*not in force after'
	ab_restored "after spoiled runs"
}

# To bring a CPU down rebuilds the domains.
test_ab_hotplug() {
	mix
	ab_command '[ "$(wc -l <'$AB_RUNS')" != 5 ] ||
		{ cd /sys/devices/system/cpu/cpu'$LAST'; echo 0 >online; echo 1 >online; }'
	ab 0 "a CPU goes and comes" --blocks 6
	ab_command "echo 0 >/sys/devices/system/cpu/cpu$LAST/online" true
	ab 3 "a CPU goes" --blocks 6
	contains "ab: says so" "$output" '^schedflip: .*sched domains changed'
	is "ab: what is left is restored" "$(echo "$output" | grep -c 'NOT RESTORED')" 0
	echo 1 >/sys/devices/system/cpu/cpu$LAST/online
}

test_ab_user() {
	grep -q '^nobody:' /etc/passwd 2>/dev/null ||
		echo 'nobody:x:65534:65534::/:/bin/sh' >>/etc/passwd
	mix
	ab_command id
	chmod 1777 /tmp
	rm -f $AB_FILE
	SUDO_UID=65534 SUDO_GID=65534 ab 0 "as nobody" --blocks 1 --metric 'uid=uid=([0-9]+)'
	is "ab: the command is nobody's" "$(kept '"uid": 65534.0')" 4
	is "ab: the file is, too" "$(stat -c %u $AB_FILE)" 65534
	SUDO_UID=65534 SUDO_GID=65534 ab 0 "--as-root" --blocks 1 --as-root \
		--metric 'uid=uid=([0-9]+)'
	is "ab: the command is root's" "$(kept '"uid": 0.0')" 4
	ab_restored "after nobody"
}

test_ab_locks() {
	mix
	for inner in "set newidle=dice" reset unload "ab -p stock -p stock true"; do
		ab_command "schedflip $inner"
		ab 1 "its command may not: $inner" --blocks 1
		contains "ab: says so" "$output" '(a|another) schedflip ab runs'
		ab_restored "after: $inner"
	done
}

test_ab_stock() {
	mix
	ab_command
	exits 0 "ab: stock against itself" schedflip ab -j -p stock -p stock --blocks 6 \
		-- $AB_COMMAND
	ab_restored "after stock"
	flip newidle=stock cost=stock ratio=learned sync=off burst_depth=2
	mixed=$(policies)
	ab_command
	ab 0 "from stock" --blocks 1
	ab_restored "to stock"
	is "ab: NI_RANDOM is given back" "$(cat $SF/features)" "NI_RANDOM=on held=0"
}

# ab_counted KEY: a run that has counted some
ab_counted() {
	contains "ab: counts $1" "$(kept "\"$1\": [1-9]")" '^[1-9]'
}

# Four kinds at once; with so few blocks there is no verdict.
test_ab_kinds() {
	mix
	ab_command 'forks 4 12 200 >/dev/null'
	output=$(schedflip ab --quiet -p stock -p slowpath=random -p burst=nearest \
		-p cost=bump --order abba --blocks 2 -o $AB_FILE -- $AB_COMMAND 2>&1)
	is "ab: placement and cost" "$? " "0 "
	note "$output"
	is "ab: all runs count" "$(kept '"valid": true')" 12
	for key in chosen burst_seen bumps picks; do
		ab_counted $key
	done
	contains "ab: no verdict from two blocks" "$output" 'no verdict: 2 blocks'
	ab_restored "after placement and cost"
}

# It ends by itself, and what it has measured can be pasted under a patch.
test_ab_report() {
	mix
	ab_command
	ab 0 "until it is precise" --precision 90 --max-time 300
	ab_restored "after as many blocks as it takes"
	contains "ab: not before ten blocks" "$(kept '"block": (9|10),')" '^[1-9]'
	exits 0 "report as a mail" schedflip report --format mail $AB_FILE
	is "report: of at most 72 columns" "$(echo "$output" | awk 'length > 72' | wc -l)" 0
	for word in "$(uname -r | tr + .)" ab-command newidle=dice newidle=jitter SMT NUMA \
		NI_RANDOM; do
		contains "report: has $word" "$output" "$word"
	done
}

test_ab() {
	exits 0 "ab: load" schedflip load --hooks all --timeout 300
	test_ab_blocks
	test_ab_fails
	ab_signalled INT
	ab_signalled TERM TERM
	ab_signalled HUP INT
	test_ab_spoiled
	test_ab_hotplug
	test_ab_user
	test_ab_locks
	test_ab_kinds
	test_ab_report
	test_ab_stock
	exits 0 "ab: unload" schedflip unload --timeout 300
}
