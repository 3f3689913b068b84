# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2086 # none of the paths has a blank
#
# CPUs come and go and cpusets split the domains, while policies flip and every
# file is read. State follows (cpu, level), and the tree follows the domains.

CPUS=/sys/devices/system/cpu
CPUSET=/sys/fs/cgroup/schedflip

# The kernel's own view, where it shows one.
kernel_tree() {
	[ -d /sys/kernel/debug/sched/domains ] || return 1
	echo Y >/sys/kernel/debug/sched/verbose
	for dir in /sys/kernel/debug/sched/domains/cpu*/domain*; do
		echo "${dir#*/domains/} $(cat "$dir/name")"
	done | sort
}

our_tree() {
	for dir in "$SF"/cpu*/domain*; do
		[ -d "$dir" ] && echo "${dir#*/schedflip/} $(cat "$dir/name")"
	done | sort
}

state_tree() {
	sed 's,^cpu=\([0-9]*\) domain=\([0-9]*\) name=\([^ ]*\).*,cpu\1/domain\2 \3,' $SF/state |
		sort
}

trees_agree() {
	[ "$(our_tree)" = "$(state_tree)" ]
}

# tree_follows WHEN
tree_follows() {
	succeeds "the tree follows: $1" wait_for 20 trees_agree
	if tree=$(kernel_tree); then
		is "and is the kernel's own: $1" "$(our_tree)" "$tree"
	fi
}

# Flips and reads all files until it is killed. What it reads may be gone.
churn() {
	while :; do
		for policy in jitter accumulator dice stock; do
			flip newidle=$policy start=stagger learn=restore slowpath=random \
				burst=nearest cost=bump sync=on 2>/dev/null
			cat $SF/state $SF/hooks $SF/policy "$SF"/cpu*/domain*/* >/dev/null 2>&1
		done
	done
}

churn_start() {
	churn &
	churn=$!
	storm 300 &
	storm=$!
}

churn_stop() {
	wait "$storm"
	kill "$churn"
	wait "$churn" 2>/dev/null
	schedflip reset >/dev/null
}

test_state_follows() {
	flip newidle=accumulator start=half cpu=3
	put $SF/cpu3/domain0/ratio 99
	storm
	calls=$(sum calls 'cpu=3 ')
	echo 0 >$CPUS/cpu3/online
	is "an offline CPU has no domains" "$(field cpu 'cpu=3 ')" ""
	tree_follows "cpu3 offline"
	fails "its directory is gone" test -d $SF/cpu3
	echo 1 >$CPUS/cpu3/online
	is "its policy is there again" "$(field newidle 'cpu=3 ' | sort -u)" accumulator
	is "its pin is there again" "$(cat $SF/state | grep -c 'cpu=3 .*ratio=99 .*pinned=1')" 1
	fails "its counters went on ($calls)" test "$(sum calls 'cpu=3 ')" -lt "$calls"
	tree_follows "cpu3 online"
	succeeds "counts hold across the rebuild" exact
	flip newidle=stock ratio=learned
}

test_policy_for_those_to_come() {
	cpu=$((LAST - 1))
	echo 0 >$CPUS/cpu$cpu/online
	flip newidle=accumulator start=stagger
	echo 1 >$CPUS/cpu$cpu/online
	is "a policy for all holds for a CPU that comes later" \
		"$(field newidle "cpu=$cpu " | sort -u)" accumulator
	succeeds "and it is staggered by the domain it got" staggered "^cpu=$cpu "
	flip newidle=stock
}

test_held_file() {
	exec 7<$SF/cpu$LAST/domain0/stats
	echo 0 >$CPUS/cpu$LAST/online
	wait_for 20 test ! -e $SF/cpu$LAST
	fails "a file held open across the removal reads as gone" cat <&7
	exec 7<&-
	echo 1 >$CPUS/cpu$LAST/online
	succeeds "and comes back" wait_for 20 test -e $SF/cpu$LAST/domain0/stats
}

test_hotplug_churn() {
	churn_start
	for round in 1 2 3; do
		for cpu in 2 $((LAST - 2)) $LAST; do
			echo 0 >$CPUS/cpu$cpu/online
		done
		for cpu in $LAST 2 $((LAST - 2)); do
			echo 1 >$CPUS/cpu$cpu/online
		done
	done
	churn_stop
	note "$round rounds of hotplug"
	flip newidle=jitter
	storm
	tree_follows "hotplug while flipping"
	succeeds "counts hold after hotplug while flipping" exact
	flip newidle=stock
}

# partition MEMBERS: a cpuset partition of these CPUs
partition() {
	echo +cpuset >/sys/fs/cgroup/cgroup.subtree_control
	mkdir -p $CPUSET
	echo "$1" >$CPUSET/cpuset.cpus
	echo root >$CPUSET/cpuset.cpus.partition
	[ "$(cat $CPUSET/cpuset.cpus.partition)" = root ]
}

unpartition() {
	echo member >$CPUSET/cpuset.cpus.partition
	rmdir $CPUSET
}

test_cpusets() {
	flip newidle=jitter
	succeeds "a cpuset partition is made" partition $UPPER
	is "the top domain is split" "$(field span 'cpu=0 ' | tail -n 1)" $LOWER
	is "policies stay" "$(field newidle | sort -u)" jitter
	tree_follows "a partition"
	churn_start
	for round in 1 2 3; do
		unpartition
		partition $((HALF / 2))-$((LAST - HALF / 2))
	done
	churn_stop
	note "$round rounds of partitions"
	unpartition
	is "the top domain is whole again" "$(field span 'cpu=0 ' | tail -n 1)" 0-$LAST
	flip newidle=accumulator
	storm
	tree_follows "no partition"
	succeeds "counts hold after partitions while flipping" exact
	flip newidle=stock
}

# read_policy CPU: of its smallest domain, into $policy. There is none for a moment when
# the domains are rebuilt.
read_policy() {
	policy=$(field newidle "^cpu=$1 domain=0 ")
	[ "$policy" ]
}

# Each write that is accepted was carried out on every domain it names, also while
# the domains are being rebuilt.
test_writes_in_rebuild() {
	flip newidle=stock
	for _ in $(seq 30); do
		partition $((LAST - 1))-$LAST
		unpartition
	done 2>/dev/null &
	churn=$!
	accepted=0 short=0
	while kill -0 $churn 2>/dev/null; do
		flip newidle=dice cpu=0-$((LAST - 2)) domain=0 2>/dev/null
		flip newidle=never cpu=0-$((LAST - 2)) domain=0 2>/dev/null || continue
		accepted=$((accepted + 1))
		for cpu in $(seq 0 $((LAST - 2))); do
			wait_for 5 read_policy $cpu
			[ "$policy" = never ] || short=$((short + 1))
		done
	done
	wait $churn
	rmdir $CPUSET 2>/dev/null
	note "$accepted writes during rebuilds"
	is "writes during rebuilds reach all they name" "$short" 0
	flip newidle=stock
}

all_hotplug() {
	test_writes_in_rebuild
	test_state_follows
	test_policy_for_those_to_come
	test_held_file
	test_hotplug_churn
	test_cpusets
	is "NI_RANDOM is the user's again" "$(cat $SF/features)" "NI_RANDOM=on held=0"
}
