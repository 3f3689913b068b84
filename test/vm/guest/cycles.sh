#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2086 # none of the paths has a blank
#
# Loads, flips and unloads N times under hackbench and forks: cycles.sh [N]. A transition
# ends when the kernel looks whether it has, which is once a second, so a cycle takes two.
#
# Takes: lib.sh load.sh features.sh storm forks
# Run: -c 2 -T 7200

# shellcheck disable=SC1091
. lib.sh
. load.sh
. features.sh

MODULE=$(modinfo -n schedflip)
LOADING=/tmp/loading

# await COMMAND...: as wait_for, but looks more often
await() {
	tries=12000
	until "$@"; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 1
		usleep 10000
	done
}

# There is always more to do than CPUs, but to load and unload comes first.
load_begin() {
	: >$LOADING
	while [ -e $LOADING ]; do
		hackbench -p -g 1 -f 2 -l 50
	done >/dev/null &
	renice -n 15 -p $!
	while [ -e $LOADING ]; do
		forks 2 20 100
		command storm 20
	done >/dev/null &
	renice -n 15 -p $!
}

load_end() {
	rm -f $LOADING
	wait
}

# memory: in KB, of what a module can leave behind
memory() {
	awk '/^(SUnreclaim|VmallocUsed|Percpu):/ { n += $2 } END { print n }' /proc/meminfo
}

out() {
	rmmod schedflip 2>/dev/null
}

# cycle NUMBER: a policy of each kind in turn
cycle() {
	set -- $(($1 % 4))
	case $1 in
	0) set -- newidle=jitter ;;
	1) set -- newidle=accumulator start=stagger cost=bump ;;
	2) set -- newidle=dice slowpath=random learn=reset ;;
	3) set -- newidle=never burst=nearest sync=on ;;
	esac
	insmod $MODULE hooks=all && await patched && flip "$@" && cat $SF/state >/tmp/state &&
		echo 0 >$KLP/enabled && await unpatched && await out && nothing_left
}

cycles() {
	n=0
	while [ "$n" -lt "$1" ]; do
		cycle $n || return
		n=$((n + 1))
		[ "$n" -ne 20 ] || early=$(memory)
		[ $((n % 100)) -ne 0 ] ||
			note "$n cycles at $(cut -d' ' -f1 /proc/uptime) s, $(memory) KB"
	done
}

note "$(uname -rv)"
leaks_begin
early=$(memory)
began=$(cut -d. -f1 /proc/uptime)
load_begin
cycles "${1:-1000}"
load_end
is "load, flip, unload" "$n" "${1:-1000}"
[ "$n" -eq 0 ] || note "$((($(cut -d. -f1 /proc/uptime) - began) * 1000 / n)) ms a cycle"
is "NI_RANDOM is given back" "$(ni_random)" NI_RANDOM
sleep 5
late=$(memory)
# What the kernel keeps for the next time goes up and down by some hundred KB.
[ $((late - early)) -lt 4096 ]
report $? "memory does not grow (from $early to $late KB)"
no_leak
finish
