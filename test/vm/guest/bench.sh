#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash # busybox has local, too
#
# The part of test/vm/bench that runs in the machine: measures by the module
# sfbench and prints the table. Exit status: 0, 1 if a goal is missed, 3 if the
# figures cannot be had, or are not what they claim to be.

DEBUGFS=/sys/kernel/debug
SCHEDFLIP=$DEBUGFS/schedflip
RAW=/tmp/raw
# Any but the CPU that keeps the time, and as quiet as they come.
CPU=7
# What sfbench makes along each path; those of two paths meet the wrapper.
CALLS=2048
# The ratio makes a quarter of the calls attempt, so that both turns are seen.
RATIO=255
# The machine's own calls, while we look.
STRAY=16

GOAL_PASS=40
GOAL_SKIP=80

fail() {
	echo "bench: $*" >&2
	exit 3
}

load() {
	local tries=600
	# The seed makes dice and jitter reproducible.
	modprobe schedflip hooks=all seed=1 || fail "schedflip does not load"
	while [ "$(cat /sys/kernel/livepatch/schedflip/transition)" != 0 ]; do
		sleep 0.1
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || fail "the livepatch transition does not end"
	done
	modprobe sfbench || fail "sfbench does not load; exact mode is needed: run -x"
}

# flip WORD...: a command to schedflip's policy file.
flip() {
	echo "$*" >"$SCHEDFLIP/policy" ||
		fail "policy refused '$*': $(cat "$SCHEDFLIP/last_error")"
}

# set_policy POLICY: restarts the counters as well. A stock domain throws the
# kernel's dice in the hook while another domain runs a policy of ours.
set_policy() {
	case $1 in
	stock-diced)
		flip newidle=always ratio=learned
		flip newidle=stock cpu=$CPU
		;;
	*) flip "newidle=$1 ratio=$RATIO" ;;
	esac
}

# value KEY: of the line key=value... on stdin.
value() {
	tr ' ' '\n' | sed -n "s/^$1=//p"
}

# sum_of PATHS TURN FILE: how many calls took that turn on paths that match.
sum_of() {
	awk -v paths="^path=($1)\$" -v turn="turn=$2" '
		$1 ~ paths && $2 == turn { sub("calls=", "", $5); sum += $5 }
		END { print sum + 0 }' "$3"
}

# expect WHAT GOT WANTED [STRAY]
expect() {
	if [ "$2" -lt "$3" ] || [ "$2" -gt $(($3 + ${4:-$STRAY})) ]; then
		fail "$1: $2 were counted, but $3 were made"
	fi
}

# least_of PATH FILE: of the calls that ran the kernel's own code.
least_of() {
	grep "^path=$1 turn=ran " "$2" | value least
}

# measure CASE POLICY: leaves the figures in $RAW/CASE.POLICY. Returns 1 if the
# kernel's own code did not do the same all the time, which happens as clocks and
# averages move on.
measure() {
	local file="$RAW/$1.$2"
	taskset -c $CPU cat "$DEBUGFS/sfbench/$1" >"$file" || fail "$1 cannot be measured"
	[ "$(least_of original "$file")" = "$(least_of again "$file")" ]
}

# until_steady COMMAND...: that measures; it returns 1 if it has to be repeated.
until_steady() {
	local tries=10
	until "$@"; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || fail "$*: the kernel's own code never does the same"
	done
}

# state_line CASE POLICY: of the domain that was measured.
state_line() {
	local level
	level=$(head -n 1 "$RAW/$1.$2" | value level)
	grep -E "^cpu=$CPU domain=[0-9]+ name=[^ ]+ level=$level " "$SCHEDFLIP/state"
}

# Balance calls are counted by domain.
measure_newly_idle() {
	local line
	set_policy "$1"
	measure newly_idle "$1" || return
	line=$(state_line newly_idle "$1")
	expect "calls at $1" "$(echo "$line" | value calls)" "$CALLS"
	expect "attempts at $1" "$(echo "$line" | value attempts)" \
		"$(sum_of 'wrapper|patched' ran "$RAW/newly_idle.$1")"
	expect "skips at $1" "$(echo "$line" | value skipped)" \
		"$(sum_of 'wrapper|patched' skipped "$RAW/newly_idle.$1")"
}

measure_periodic() {
	local line
	set_policy stock
	measure periodic - || return
	line=$(state_line periodic -)
	expect "periodic calls" $(($(echo "$line" | value hits) - $(echo "$line" | value calls))) \
		"$CALLS"
}

hook_calls() {
	grep "^hook=$1 " "$SCHEDFLIP/hooks" | value calls
}

# measure_hook HOOK: one that is counted by the hook alone, with every wakeup and
# fork of these commands.
measure_hook() {
	local before
	[ -e "$DEBUGFS/sfbench/$1" ] || return 0
	before=$(hook_calls "$1")
	measure "$1" - || return
	grep -q "^hook=$1 .* state=patched " "$SCHEDFLIP/hooks" || fail "$1 is not patched"
	expect "calls of $1" $(($(hook_calls "$1") - before)) "$CALLS" 500
}

all_lines() {
	local file name
	for file in "$RAW"/*; do
		name=${file##*/}
		sed "s/^/case=${name%%.*} policy=${name#*.} /" "$file"
	done
}

# A skip has no code of the kernel's, so the wrapper is compared with no call. A
# pass-through has no branches of ours, so what varies is the kernel's.
print_table() {
	all_lines | awk -v pass="$GOAL_PASS" -v skip="$GOAL_SKIP" '
	{
		for (i = 1; i <= NF; i++) {
			split($i, pair, "=")
			field[pair[1]] = pair[2]
		}
		key = field["case"] " " field["policy"] " " field["path"] " " field["turn"]
		least[key] = field["least"]
		median[key] = field["median"]
		most[key] = field["most"]
	}
	function print_row(what, policy, base, from, to, goal,    usual, worst, verdict) {
		if (!(base in least) || !(from in least) || !(to in least)) {
			printf "%-24s%-14s%s\n", what, policy, "absent on this kernel"
			return
		}
		usual = (policy == "-" ? least[from] : median[from]) - least[base]
		worst = (policy == "-" ? least[from] : most[from]) - least[base]
		printf "%-24s%-14s%6d%6d%12d", what, policy, usual, worst,
			least[to] - least[from]
		if (goal) {
			verdict = worst <= goal ? "met" : "missed"
			missed += verdict == "missed"
			printf "%8d %s", goal, verdict
		}
		print ""
	}
	function pass_through(hook, name) {
		name = name " - "
		print_row("pass-through: " hook, "-", name "original ran", name "wrapper ran",
			name "patched ran", pass)
	}
	function newly_idle(what, policies, base, turn, goal,    i, n, name, list) {
		n = split(policies, list, " ")
		for (i = 1; i <= n; i++) {
			name = "newly_idle " list[i] " "
			print_row(what, list[i], name base, name "wrapper " turn,
				name "patched " turn, goal)
		}
	}
	END {
		printf "%-24s%-14s%6s%6s%12s%8s\n", "case", "policy", "ours", "most",
			"livepatch", "goal"
		pass_through("balance", "periodic")
		pass_through("newidle", "newidle")
		pass_through("select", "select")
		pass_through("group", "group")
		newly_idle("skip", "never accumulator jitter dice stock-diced",
			"nothing skipped", "skipped", skip)
		newly_idle("attempt", "stock always accumulator jitter dice stock-diced",
			"original ran", "ran", 0)
		if (missed)
			print "goals missed: " missed
		else
			print "all goals met"
		exit missed > 0
	}'
}

mkdir -p "$RAW"
load
for policy in stock dice accumulator jitter always never stock-diced; do
	until_steady measure_newly_idle "$policy"
done
until_steady measure_periodic
for hook in newidle select group; do
	until_steady measure_hook "$hook"
done
echo "kernel $(uname -r), schedflip $(cat "$SCHEDFLIP/version"): instructions added to a call"
if [ "${1:-}" = -v ]; then
	all_lines
fi
print_table
