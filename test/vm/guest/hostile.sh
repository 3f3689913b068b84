#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2086 # none of the paths has a blank
#
# Everything at once, for a time: hostile.sh [MINUTES]. Two writers flip policies in a storm of
# forks, every file is read, all CPUs but one go and come back, cpuset partitions come and
# go; and all the while the module is loaded twice, disabled in mid-transition, pulled
# away in mid-read, and loaded again.
#
# Takes: lib.sh load.sh features.sh hotplug.sh storm forks
# Run: -T 3600

# shellcheck disable=SC1091
. lib.sh
. load.sh
. features.sh
. hotplug.sh

MODULE=$(modinfo -n schedflip)
GOING=/tmp/going
JOBS=
pin=0
MISTAKES=0

# job NAME: runs the function over and over, until it is over
job() {
	while [ -e $GOING ]; do
		"$1"
		echo >>/tmp/count.$1
	done >/dev/null 2>&1 &
	JOBS="$JOBS $1"
}

# Both writers say what they like of all domains, or of some.
write_policy() {
	for newidle in jitter dice accumulator never stock always; do
		flip newidle=$newidle start=random learn=restore slowpath=random \
			burst=nearest sync=on cost=bump
		flip newidle=stock cost=stock domain=SMT
	done
	sleep 0.05
}

write_parameter() {
	for burst in idle spread stock; do
		put $PARAMETERS/policy "newidle=jitter burst=$burst cpu=0-1 slowpath=stock"
		schedflip set newidle=accumulator,start=stagger --domain SMT
		for dir in "$SF"/cpu*/domain*; do
			put $dir/ratio $pin
			pin=$(((pin + 97) % 1025))
		done
	done
	schedflip reset
}

read_files() {
	cat $SF/state $SF/hooks $SF/policy $SF/features $SF/last_error "$SF"/cpu*/domain*/* \
		$PARAMETERS/*
}

fork_storm() {
	forks 4 40 200
	command storm 50
	hackbench -p -g 1 -f 4 -l 30
}

toggle_features() {
	put $FEATURES NO_NI_RANDOM
	put $FEATURES NI_RANDOM
	sleep 0.5
}

all_cpus_but_one() {
	for cpu in $(seq $LAST); do
		echo 0 >$CPUS/cpu$cpu/online
	done
	for cpu in $(seq $LAST); do
		echo 1 >$CPUS/cpu$cpu/online
	done
	sleep 0.2
}

partitions() {
	partition $UPPER
	sleep 0.1
	unpartition
	partition 1-$HALF
	unpartition
}

# must DESCRIPTION COMMAND...: said only if it is not so
must() {
	described=$1
	shift
	if "$@" >/dev/null 2>&1; then
		return 0
	fi
	MISTAKES=$((MISTAKES + 1))
	note "round $round: not so: $described; last: $(dmesg | grep schedflip: | tail -n 1)"
	return 1
}

must_not() {
	described=$1
	shift
	must "$described" not "$@"
}

not() {
	! "$@"
}

# A transition goes the other way, and then the first way again. It may be over by then.
turn_round() {
	for enabled in "$@"; do
		echo $enabled >$KLP/enabled
	done 2>/dev/null
}

gone() {
	echo 0 >$KLP/enabled
	wait_for 5 unpatched
} 2>/dev/null

# One life of the module, of about SECONDS
life() {
	must "it loads" insmod $MODULE hooks=all policy=newidle=dice
	must_not "it loads twice" insmod $MODULE
	turn_round 0 1 0 1
	must "it is patched" wait_for 300 settled
	sleep "$1"
	must_not "it can be pulled away while it is live" rmmod schedflip
	turn_round 0 1 0
	must "the livepatch goes" wait_for 300 gone
	must "the module goes" wait_for 60 rmmod schedflip
	must "nothing is left" nothing_left
}

# A transition that is turned round may end in no patch at all: then it is enabled again.
settled() {
	if [ ! -e $KLP ]; then
		rmmod schedflip
		insmod $MODULE hooks=all policy=newidle=dice
	fi
	[ "$(cat $KLP/enabled)" = 1 ] && patched
}

hostilities() {
	end=$(($(cut -d. -f1 /proc/uptime) + $1 * 60))
	: >$GOING
	for name in write_policy write_parameter read_files fork_storm toggle_features \
		all_cpus_but_one partitions; do
		job $name
	done
	round=0
	while [ "$(cut -d. -f1 /proc/uptime)" -lt "$end" ]; do
		round=$((round + 1))
		life $((round % 3 * 10))
	done
	rm $GOING
	wait
	note "$round lives in $1 minutes; and rounds of the others:"
	for name in $JOBS; do
		note "$name $(wc -l </tmp/count.$name)"
	done
}

note "$(uname -rv)"
leaks_begin
hostilities "${1:-10}"
is "in each life all was as it must be" "$MISTAKES" 0
succeeds "some lives were lived" test "$round" -gt 1
is "all CPUs are back" "$(cat $CPUS/online)" 0-$LAST
rmdir $CPUSET 2>/dev/null
put $FEATURES NI_RANDOM
succeeds "it loads" load_module hooks=all
succeeds "and flips" flip newidle=jitter slowpath=random burst=nearest cost=bump
storm
succeeds "counts hold" exact
succeeds "the tree follows the domains" wait_for 20 trees_agree
succeeds "it unloads" unload_module
succeeds "nothing is left" nothing_left
is "NI_RANDOM is the user's again" "$(ni_random)" NI_RANDOM
no_leak
finish
