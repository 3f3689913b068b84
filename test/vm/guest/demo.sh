#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What `make demo` shows: three newidle policies on one boot.

# shellcheck disable=SC1091
. lib.sh

say() {
	printf '\n== %s\n' "$*"
}

run() {
	echo "\$ $*"
	"$@" || exit
}

# Wakeups, then forks: what newidle balancing is for, and what it costs.
work() {
	run hackbench -p -g 2 -f 5 -l 200
	echo "\$ (a storm of 200 forks beside naps on every CPU)"
	command storm 600 &
	naps=$!
	forks=0
	while [ "$forks" -lt 200 ]; do
		/bin/true &
		forks=$((forks + 1))
		[ $((forks % 8)) -ne 0 ] || wait_forks
	done
	wait "$naps"
}

# All children but the naps.
wait_forks() {
	for child in $(jobs -p); do
		[ "$child" = "$naps" ] || wait "$child"
	done
}

# equation POLICY: what exact checks of its counts
equation() {
	case $1 in
	accumulator) echo "attempts = floor((start_pos + weight_sum) / 1024)" ;;
	jitter) echo "attempts = floor((start_pos + weight_sum) / 1024), or one more" ;;
	dice) echo "attempts within 6 standard deviations of (weight_sum + calls) / 1024" ;;
	esac
}

# What `state` says of every domain must add up.
verify() {
	if exact; then
		echo "counts: $(domains) domains, $(sum calls) newidle calls," \
			"$(sum attempts) attempts. In each domain holds"
		echo "        calls = attempts + skipped, and $(equation "$1")"
	else
		echo "counts: WRONG for the domains above"
		exit 1
	fi
}

say "This is Linux $(uname -r) with CPUs $(cat /sys/devices/system/cpu/online)" \
	"on NUMA nodes $(cat /sys/devices/system/node/online). Will it take the module?"
run schedflip check

say "Load the module. It patches the balance of one domain, and writes to" \
	"sched/features; all domains stay at stock."
run schedflip load

say "Three rules for the same rate: ratio=255 is one call in four. It is pinned, as" \
	"the kernel learns a new ratio only after 512 calls of a domain."

for policy in dice accumulator jitter; do
	say "Newidle policy $policy on every domain, under hackbench and a fork storm"
	run schedflip set "newidle=$policy,start=stagger,ratio=255"
	work
	run schedflip show
	verify "$policy"
done

say "Is jitter faster than dice? On an emulated machine this is a show, not a measurement."
run schedflip ab --quiet -p newidle=dice -p newidle=jitter --blocks 6 -o /tmp/demo.json -- \
	hackbench -p -g 1 -f 5 -l 50
say "The same, as it would be pasted under a patch"
run schedflip report /tmp/demo.json --format mail

say "Back to stock, which gives NI_RANDOM back, and unload"
run schedflip reset
run schedflip unload
[ ! -e "$SF" ] && echo "The kernel is stock again."
