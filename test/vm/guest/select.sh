# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2086 # none of the paths has a blank
#
# Which CPU a new task gets, and where tasks go in a burst.

TRACING=/sys/kernel/tracing

# children POLICY: forks one after the other; how many children got the CPU that got
# most of them into $most, and how many CPUs got one in twenty or more into $used.
children() {
	flip "slowpath=$1"
	forks 1 400 100 >/tmp/children
	most=$(sed 's/.*children=//' /tmp/children | sort -n | tail -n 1)
	used=$(sed 's/.*children=//' /tmp/children | awk '$1 >= 20' | wc -l)
	note "slowpath=$1: $(tr '\n' ' ' </tmp/children)"
}

test_slowpath() {
	children stock
	stock=$most
	is "slowpath=stock: we choose nothing" "$(sum chosen)" 0
	fails "and the kernel's picks are metered" test "$(sum picks)" -eq 0
	children random
	fails "slowpath=random: we choose" test "$(sum chosen)" -eq 0
	succeeds "children spread over the idle CPUs of a node ($used)" test "$used" -ge $HALF
	# Of two CPUs, one gets half of them whatever is chosen.
	[ $HALF -lt 4 ] || succeeds "and no CPU gets as many as under stock ($most, $stock)" \
		test "$most" -lt "$stock"
	succeeds "no more picks are stale than there are" \
		judge 'k["stale"] > k["picks"] { bad("stale") }'
	flip slowpath=stock
	is "a flip restarts its counters" "$(sum chosen)" 0
}

# pile POLICY: a burst of wakeups at CPU 0; how many of 40 tasks began at the same CPU
# at most, on average over 20 bursts, in hundredths, into $pile
pile() {
	flip "burst=$1"
	wakes herd 0 40 20 >/tmp/herd
	pile=$(sed -n 's/^most_on_one_cpu_mean=\([0-9]*\)\.\(..\).*/\1\2/p' /tmp/herd)
	note "burst=$1: $pile/100 of 40 on one CPU; over $(sum wake_over), moved $(sum wake_moved)"
}

# is_shallower POLICY: than stock, by what pile found. How a burst falls is up to the host as
# well, and spread makes less of a difference, so both may be tried again.
is_shallower() {
	for try in 1 2 3; do
		[ "$pile" -ge "$stock" ] || return 0
		note "try $try: not shallower"
		pile stock
		stock=$pile
		pile "$1"
	done
	[ "$pile" -lt "$stock" ]
}

test_burst() {
	pile stock
	stock=$pile
	is "burst=stock: nothing is looked at" "$(sum wake_seen)" 0
	for policy in idle spread nearest; do
		pile $policy
		fails "burst=$policy: some are over the threshold" test "$(sum wake_over)" -eq 0
		fails "and are moved" test "$(sum wake_moved)" -eq 0
		succeeds "never more than were over, or seen" judge '
			k["wake_moved"] > k["wake_over"] || k["wake_over"] > k["wake_seen"] ||
			k["wake_idle"] > k["wake_moved"] { bad("counts") }'
		[ $policy = idle ] || succeeds "and the queue is shallower than under stock" \
			is_shallower $policy
	done
	flip burst=stock
}

test_thresholds() {
	flip burst=nearest burst_depth=4096
	hackbench -g 2 -f 4 -l $((100 / SLOWER)) >/dev/null
	is "nothing is over a depth of 4096" "$(sum wake_over)" 0
	fails "but all is seen" test "$(sum wake_seen)" -eq 0
	flip burst=idle burst_depth=1
	hackbench -g 2 -f 4 -l $((100 / SLOWER)) >/dev/null
	fails "much is over a depth of 1" test "$(sum wake_over)" -eq 0
	put $SF/cpu0/domain0/burst_depth 7
	put $SF/cpu0/domain0/burst_factor 5
	put $SF/cpu0/domain0/burst spread
	put $SF/cpu0/domain0/slowpath random
	is "a domain's own" "$(cat $SF/cpu0/domain0/burst $SF/cpu0/domain0/burst_depth \
		$SF/cpu0/domain0/burst_factor $SF/cpu0/domain0/slowpath | tr '\n' ' ')" \
		"spread 7 5 random "
	is "and nobody else's" "$(field burst_depth 'burst=spread ' | wc -l)" 1
	contains "policy says mixed" "$(cat $SF/policy)" 'slowpath=mixed burst=mixed'
	contains "the average depth is a number" "$(cat $SF/cpu0/domain0/avg_depth)" \
		'^[0-9]+\.[0-9]{3}$'
	flip burst=idle burst_nohz=on burst_depth=2 burst_factor=3
	is "tick-stopped CPUs only" "$(field burst_nohz | sort -u)" 1
	hackbench -g 2 -f 4 -l $((100 / SLOWER)) >/dev/null
	flip slowpath=stock burst=stock burst_nohz=off
}

# fallbacks COMMAND...: how often the kernel found the chosen CPU unfit for the task
fallbacks() {
	echo 'p:sffallback select_fallback_rq' >$TRACING/kprobe_events
	echo 1 >$TRACING/events/kprobes/sffallback/enable
	"$@" >/dev/null
	awk '$1 == "sffallback" { print $2 + 0 }' $TRACING/kprobe_profile
	echo 0 >$TRACING/events/kprobes/sffallback/enable
	echo >$TRACING/kprobe_events
}

# The control: a task whose only CPU goes.
lose_a_cpu() {
	taskset 8 sleep 100 &
	lost=$!
	sleep 1
	echo 0 >$CPUS/cpu3/online
	kill -CONT "$lost"
	kill "$lost"
	echo 1 >$CPUS/cpu3/online
}

two_cpus_only() {
	masks="3 c 6"
	[ $LAST -lt 7 ] || masks="3 c 30 c0 12"
	for mask in $masks; do
		taskset $mask hackbench -g 1 -f 5 -l $((60 / SLOWER)) &
		busy="$busy $!"
	done
	hackbench -g 2 -f 4 -l $((200 / SLOWER))
	wait
}

in_a_cpuset() {
	partition $UPPER
	(
		echo 0 >$CPUSET/cgroup.procs
		hackbench -g 2 -f 4 -l $((200 / SLOWER))
	) &
	hackbench -g 2 -f 4 -l $((200 / SLOWER))
	wait $!
	unpartition
}

# unfit COMMAND...: does the kernel find more than three, and one in fifty, of the moves
# unfit? A task that slept while its mask changed is found so at stock, too, when it wakes.
unfit() {
	flip slowpath=random burst=$policy burst_depth=1 burst_factor=1
	found=0
	for _ in 1 2 3 4 5; do
		found=$((found + $(fallbacks "$@")))
		moved=$(sum wake_moved)
		[ "$moved" -eq 0 ] || break
	done
	note "burst=$policy, $*: $found of $moved moves unfit"
	[ "$moved" -eq 0 ] || [ "$found" -gt $((3 + moved / 50)) ]
}

# The kernel looks at each CPU that we return; were one not allowed or not active, it
# would take another. Half and more of the CPUs are not, so a policy that did not care
# would be wrong as often.
test_allowed() {
	fails "a CPU that is unfit is noticed" test "$(fallbacks lose_a_cpu)" -eq 0
	for policy in idle spread nearest; do
		fails "burst=$policy: no CPU but the allowed ones, with taskset" \
			unfit two_cpus_only
		fails "burst=$policy: nor in a cpuset" unfit in_a_cpuset
	done
	flip slowpath=stock burst=stock burst_depth=2 burst_factor=3
}

# A task that may run on one CPU only is not even looked at.
test_pinned() {
	flip burst=spread burst_depth=1 burst_factor=1
	seen=$(sum wake_seen)
	taskset 4 hackbench -g 2 -f 5 -l $((100 / SLOWER)) >/dev/null
	note "seen in a pinned hackbench: $(($(sum wake_seen) - seen))"
	succeeds "pinned tasks are not looked at" \
		test $(($(sum wake_seen 'cpu=2 ') - seen)) -lt 500
	flip burst=stock burst_depth=2 burst_factor=3
}

all_select() {
	test_slowpath
	test_burst
	test_thresholds
	test_allowed
	test_pinned
}
