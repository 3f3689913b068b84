#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=dash # busybox has local, too
#
# The part of test/vm/bench that runs in the machine: measures by the module
# sfbench and prints the table. It takes bench's -v and -s. Exit status: 0, 1 if
# a goal is missed, 3 if the figures cannot be had, or are not what they claim to
# be.

DEBUGFS=/sys/kernel/debug
SCHEDFLIP=$DEBUGFS/schedflip
RAW=/tmp/raw
FIGURES=/tmp/figures
# Any but the CPU that keeps the time, and as quiet as they come.
CPU=7
# What sfbench makes along the two paths that meet the wrapper.
CALLS=2048
# Between a quarter and a fifth of the calls attempt, so that both turns are seen,
# and by both of these paths, which take turns.
RATIO=226
# The machine's own calls, while we look.
STRAY=16
# Other virtual CPUs have their turns while a call runs, now and then, and add any
# number of instructions to it. But what our own code takes, it takes often.
OFTEN=4
# Per cent of the rounds that have to be steady, and of the calls that have to
# cost the usual.
AGREE=90

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

# expect WHAT GOT WANTED [STRAY]
expect() {
	if [ "$2" -lt "$3" ] || [ "$2" -gt $(($3 + ${4:-$STRAY})) ]; then
		fail "$1: $2 were counted, but $3 were made"
	fi
}

# digest POLICY FILE: prints the figures of each turn that calls took, or what is
# wrong with them; it returns 1 then. Of all policies only jitter has calls of
# more than one cost by design.
digest() {
	awk -v varies="$([ "$1" = jitter ] && echo 1)" -v often="$OFTEN" -v agree="$AGREE" '
	{
		for (i = 1; i <= NF; i++) {
			split($i, pair, "=")
			field[pair[1]] = pair[2]
		}
	}
	NR == 1 {
		rounds = field["rounds"]
		check(field["steady"], rounds, "steady rounds")
		next
	}
	{
		key = field["path"] " " field["turn"]
		all[key] += field["calls"]
		if (field["calls"] < often)
			next
		kept[key] += field["calls"]
		cost[key, ++costs[key]] = field["cost"]
		calls[key, costs[key]] = field["calls"]
	}
	function wrong(what) {
		if (!bad++)
			print what
	}
	function check(some, of, what) {
		if (some * 100 < of * agree || !of)
			wrong(what ": " some " of " of)
	}
	function study(key,    i, cheaper) {
		for (i = 1; cheaper + calls[key, i] < kept[key] / 2; i++)
			cheaper += calls[key, i]
		usual[key] = cost[key, i]
		most[key] = cost[key, costs[key]]
		dearer[key] = kept[key] - cheaper - calls[key, i]
		check(varies ? kept[key] : calls[key, i], all[key], key ", calls that agree")
		if (cost[key, 1] < 0)
			wrong(key " costs " cost[key, 1])
	}
	function share(a, b) {
		return 100 * (dearer[a] + dearer[b]) / (kept[a] + kept[b])
	}
	function show(turn,    ours, patched, livepatch, dearest) {
		ours = "wrapper " turn
		patched = "patched " turn
		if (!(ours in all) && !(patched in all))
			return
		study(ours)
		study(patched)
		livepatch = usual[patched] - usual[ours]
		dearest = most[patched] - most[ours]
		if (livepatch < 0 || dearest != livepatch)
			wrong(turn ", livepatch costs " livepatch " or " dearest)
		if (!bad)
			print turn, usual[ours], most[ours], livepatch, share(ours, patched)
	}
	END {
		show("skipped")
		show("ran")
		exit bad > 0
	}' "$2"
}

# measure CASE POLICY: leaves the lines of sfbench in $RAW/CASE.POLICY and their
# figures in $FIGURES/CASE.POLICY. Returns 1 if they are none; clocks and averages
# of the kernel move on, and calls of one round may not meet the same.
measure() {
	taskset -c $CPU cat "$DEBUGFS/sfbench/$1" >"$RAW/$1.$2" || fail "$1 cannot be measured"
	digest "$2" "$RAW/$1.$2" >"$FIGURES/$1.$2" && return
	REASON=$(tail -n 1 "$FIGURES/$1.$2")
	return 1
}

# until_steady COMMAND...: that measures; it returns 1 if it has to be repeated.
until_steady() {
	local tries=10
	until "$@"; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || fail "$*: no figures in ten tries; $REASON"
	done
}

# head_of CASE POLICY KEY: from the first line of what was measured.
head_of() {
	head -n 1 "$RAW/$1.$2" | value "$3"
}

# state_line CASE POLICY: of the domain that was measured.
state_line() {
	local level
	level=$(head_of "$1" "$2" level)
	grep -E "^cpu=$CPU domain=[0-9]+ name=[^ ]+ level=$level " "$SCHEDFLIP/state"
}

# Balance calls are counted by domain.
measure_newly_idle() {
	local line ran
	set_policy "$1"
	measure newly_idle "$1" || return
	line=$(state_line newly_idle "$1")
	ran=$(head_of newly_idle "$1" ran)
	expect "calls at $1" "$(echo "$line" | value calls)" "$CALLS"
	expect "attempts at $1" "$(echo "$line" | value attempts)" "$ran"
	expect "skips at $1" "$(echo "$line" | value skipped)" $((CALLS - ran))
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

# verdict OURS MOST DEARER GOAL
verdict() {
	if [ "$1" -gt "$4" ]; then
		echo "missed"
	elif [ "$2" -gt "$4" ]; then
		echo "met; up to $2 in $3 % of calls"
	else
		echo "met"
	fi
}

# row WHAT CASE POLICY TURN [GOAL]
row() {
	local what=$1 policy=$3 goal=${5:-} file="$FIGURES/$2.$3" turn=$4
	local ours most livepatch dearer verdict
	printf '%-24s%-14s' "$what" "$policy"
	if [ ! -e "$file" ]; then
		echo "absent on this kernel"
		return
	fi
	read -r ours most livepatch dearer <<-EOF
	$(sed -n "s/^$turn //p" "$file")
	EOF
	[ -n "$dearer" ] || fail "no call was $turn"
	dearer=$(printf %.0f "$dearer")
	printf '%6d%6d%8s%%%11d' "$ours" "$most" "$dearer" "$livepatch"
	[ -z "$goal" ] || {
		verdict=$(verdict "$ours" "$most" "$dearer" "$goal")
		printf '%6d %s' "$goal" "$verdict"
		[ "$verdict" != missed ] || MISSED=$((MISSED + 1))
	}
	echo
}

print_table() {
	local policy hook
	printf '%-24s%-14s%6s%6s%9s%11s%6s\n' case policy ours most dearer livepatch goal
	row "pass-through: balance" periodic - ran "$GOAL_PASS"
	for hook in newidle select group; do
		row "pass-through: $hook" "$hook" - ran "$GOAL_PASS"
	done
	for policy in never accumulator jitter dice stock-diced; do
		row skip newly_idle "$policy" skipped "$GOAL_SKIP"
	done
	for policy in stock always accumulator jitter dice stock-diced; do
		row attempt newly_idle "$policy" ran
	done
}

VERBOSE=
START=0
while getopts vs: option; do
	case $option in
	v) VERBOSE=yes ;;
	s) START=$OPTARG ;;
	*) exit 2 ;;
	esac
done

mkdir -p "$RAW" "$FIGURES"
usleep $((START * 1000))
load
for policy in stock dice accumulator jitter always never stock-diced; do
	until_steady measure_newly_idle "$policy"
done
until_steady measure_periodic
for hook in newidle select group; do
	until_steady measure_hook "$hook"
done

echo "kernel $(uname -r), schedflip $(cat "$SCHEDFLIP/version"): instructions added to a call"
[ -z "$VERBOSE" ] || all_lines
MISSED=0
print_table
if [ "$MISSED" -gt 0 ]; then
	echo "goals missed: $MISSED"
	exit 1
fi
echo "all goals met"
