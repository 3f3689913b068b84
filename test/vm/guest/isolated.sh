#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2046,SC2086,SC2154 # lists are to be split; some variables are hotplug.sh's
#
# CPUs that the scheduler is kept off: booted with isolcpus= and nohz_full= of the same two
# or more CPUs. Spinners never leave them while the module is loaded, used and unloaded. In
# exact mode, as else 6.12's machine (machine.sh says why it has one thread) would spend
# 100 ms on each of them before it comes to another CPU; and its clock is stable, without
# which no tick stops.
#
# Takes: lib.sh hotplug.sh storm
# Run: -x -a isolcpus=6,7 -a nohz_full=6,7 -T 1500

# shellcheck disable=SC1091
. lib.sh
# shellcheck disable=SC1091
. hotplug.sh

ISOLATED=$(cat $CPUS/isolated)

# cpus_of LIST: one a line, of a list such as 0-3,6
cpus_of() {
	echo "$1" | tr , '\n' | while IFS=- read -r first last; do
		seq "$first" "${last:-$first}"
	done
}

# ticks CPU: its timer interrupts in three seconds
ticks() {
	before=$(timer_interrupts "$1")
	sleep 3
	echo $(($(timer_interrupts "$1") - before))
}

timer_interrupts() {
	awk -v column="$1" '
	NR == 1 { for (i = 1; i <= NF; i++) if ($i == "CPU" column) at = i + 1 }
	$1 == "LOC:" { print $at }' /proc/interrupts
}

# spin_on CPU [PRIORITY]: for good, as SCHED_OTHER or SCHED_FIFO. Sets $spinner.
spin_on() {
	taskset -c "$1" sh -c 'while :; do :; done' &
	spinner=$!
	[ -z "$2" ] || chrt -f -p "$2" $spinner >/dev/null
}

spins() {
	[ "$(awk '{ print $3 }' /proc/$1/stat)" = R ]
}

spinners_spin() {
	spins $other && spins $fifo
}

reads_all() {
	for file in abi version hooks policy state features last_error status; do
		cat $SF/$file >/dev/null || return 1
	done
	find $SF/cpu* -type f -exec cat {} + >/dev/null
}

# no_domains CPU...
no_domains() {
	for cpu; do
		! grep -q "^cpu=$cpu " $SF/state && [ ! -e $SF/cpu$cpu ] || return 1
	done
}

# quiet DESCRIPTION: does the tick stay as stopped as it was without the module?
quiet() {
	now=$(ticks $quiet_cpu)
	note "$now timer interrupts of CPU $quiet_cpu in 3 s, $without without the module"
	succeeds "$1" test "$now" -le $((without + 5))
}

test_before() {
	contains "CPUs are isolated" "$ISOLATED" '[-,]'
	is "and their tick may stop" "$(cat $CPUS/nohz_full)" "$ISOLATED"
	quiet_cpu=$(cpus_of "$ISOLATED" | head -n 1)
	fifo_cpu=$(cpus_of "$ISOLATED" | tail -n 1)
	spin_on "$quiet_cpu"
	other=$spinner
	sleep 1
	without=$(ticks $quiet_cpu)
	# At 250 Hz it would be 750.
	succeeds "the tick of CPU $quiet_cpu is stopped ($without in 3 s)" test "$without" -lt 100
}

test_load() {
	spin_on "$fifo_cpu" 10
	fifo=$spinner
	succeeds "the module loads beside spinners" load_module hooks=all
	succeeds "they still spin" spinners_spin
	succeeds "isolated CPUs have no domains" no_domains $(cpus_of "$ISOLATED")
	is "state has the kernel's domains" "$(domains)" "$(grep -c ^domain /proc/schedstat)"
	tree_follows "isolated CPUs"
	quiet "the tick stays stopped beside the module at stock"
}

test_policies_beside() {
	for policy in jitter accumulator dice always never; do
		flip newidle=$policy slowpath=random burst=nearest cost=bump sync=on
		is "newidle=$policy is in force" "$(field newidle | sort -u)" $policy
		storm
		succeeds "all files can be read" reads_all
		succeeds "counts hold" exact
	done
	fails "calls were seen" test "$(sum calls)" -eq 0
	quiet "the tick stays stopped beside policies"
	fails "isolated CPUs cannot be named" flip newidle=jitter cpu=$ISOLATED
	contains "and it is said why" "$(cat $SF/last_error)" \
		"CPUs $ISOLATED have no sched domain now"
}

test_ways_back() {
	flip newidle=stock
	flip newidle=jitter for_ms=1000
	sleep 2
	is "a lease ends" "$(field newidle | sort -u)" stock
	is "by itself" "$(status_says lease_ended)" expired
	flip newidle=jitter
	put $SF/off 1
	is "the kill switch works" "$(field newidle | sort -u)" stock
	put $SF/off 0
	flip newidle=accumulator
	is "and ends" "$(field newidle | sort -u)" accumulator
}

# isolate CPUS: in a cpuset partition of its own, without load balancing
isolate() {
	echo +cpuset >/sys/fs/cgroup/cgroup.subtree_control
	mkdir -p $CPUSET
	echo "$1" >$CPUSET/cpuset.cpus
	echo isolated >$CPUSET/cpuset.cpus.partition
	[ "$(cat $CPUSET/cpuset.cpus.partition)" = isolated ]
}

test_isolated_partition() {
	free=$(cpus_of "$(cat $CPUS/online)" | grep -vxF "$(cpus_of "$ISOLATED")" | tail -n 2)
	list=$(echo $free | tr ' ' ,)
	churn_start
	for round in 1 2 3; do
		succeeds "CPUs $list are isolated by a partition, round $round" isolate $list
		succeeds "and have no domains" wait_for 20 no_domains $free
		unpartition
	done
	churn_stop
	succeeds "counts hold after partitions" exact
	is "they have domains again" "$(field cpu | grep -cxF "$(echo $free | tr ' ' '\n')")" \
		"$(awk -v list=",$list," '
			/^cpu/ { ours = index(list, "," substr($1, 4) ",") }
			/^domain/ && ours' /proc/schedstat | wc -l)"
	tree_follows "no partition any more"
}

# What holds an unload up is a spinner, whom the kernel cannot check, or, when all tasks are
# done, the kernel's own wait for a worker of each CPU, which cannot be taken back.
test_unload_beside() {
	flip newidle=jitter
	said=$(schedflip unload --timeout 2 2>&1)
	note "${said:-unloaded within 2 s}"
	case $said in
	*'it was reversed'*)
		contains "an unload that was held up names the spinner" "$said" "$other|$fifo"
		is "and is taken back" "$(field newidle | sort -u)" jitter
		;;
	?*)
		contains "one that cannot be taken back says so" "$said" \
			'all tasks are done.* goes on; try .schedflip unload. later'
		;;
	esac
	if [ "$said" ]; then
		succeeds "the module unloads in more time" schedflip unload --timeout 300
	fi
	succeeds "nothing is left" test ! -e $SF
	succeeds "the spinners still spin" spinners_spin
	succeeds "it loads again" load_module hooks=all
}

# all_but_one 0|1: all CPUs but CPU 0
all_but_one() {
	for cpu in $(cpus_of "$(cat $CPUS/present)"); do
		[ "$cpu" = 0 ] || echo "$1" >$CPUS/cpu$cpu/online || return 1
	done
}

# one_cpu: what there is to see, and to do, on a machine without domains
one_cpu() {
	is "one CPU has no domains" "$(cat $SF/state)" ""
	succeeds "files can be read" cat $SF/hooks $SF/policy $SF/status
	flip newidle=jitter
	is "nothing is held for domains that are not there" "$(cat $SF/features)" \
		"NI_RANDOM=on held=0"
	fails "a CPU without domains cannot be named" flip newidle=dice cpu=0
	storm
}

test_all_but_one() {
	kill $other $fifo
	wait $other $fifo 2>/dev/null
	churn &
	churn=$!
	for round in 1 2 3; do
		succeeds "all CPUs but one go, round $round" all_but_one 0
		succeeds "and come back" all_but_one 1
	done
	kill $churn
	wait $churn 2>/dev/null
	succeeds "counts hold" exact
	all_but_one 0
	flip newidle=stock
	one_cpu
	succeeds "the module unloads on one CPU" unload_module
	succeeds "and loads there" load_module hooks=all
	one_cpu
	all_but_one 1
	is "CPUs that come take the policy" "$(field newidle | sort -u)" jitter
	is "and have their domains" "$(domains)" "$(grep -c ^domain /proc/schedstat)"
	storm
	succeeds "counts hold after one CPU" exact
	succeeds "the module unloads" unload_module
	succeeds "NI_RANDOM is as it was" grep -qw NI_RANDOM $FEATURES
}

note "$(uname -rv)"
test_before
test_load
test_policies_beside
test_ways_back
test_isolated_partition
test_unload_beside
test_all_but_one
finish
